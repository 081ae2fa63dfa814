import { drizzle } from 'drizzle-orm/d1';

/** The typed handle over the service's D1 database. */
export type Database = ReturnType<typeof createDatabase>;

export function createDatabase(binding: D1Database) {
  return drizzle(binding);
}
