import { asc, eq, sql } from 'drizzle-orm';
import type { Database } from '../../platform/storage/database.ts';
import { interestItems, supporters } from './misc.tables.ts';

/** A stored list of names. */
export interface NameList {
  names(): Promise<string[]>;
  /** False when the name is there already. */
  add(name: string): Promise<boolean>;
  /** False when there is no such name. */
  remove(name: string): Promise<boolean>;
  /** Replaces everything. */
  replace(names: readonly string[]): Promise<void>;
}

/** Rows from one bound parameter, in their order: a statement takes only 100 of them. */
const rowsOf = (names: readonly string[]) => sql`from json_each(${JSON.stringify(names)})`;

/**
 * Items to track by code point. While nothing is stored, the given names are what is served, so the first change starts
 * from them: one transaction stores them and applies it.
 */
export function createInterestItemsList(db: Database, bundled: readonly string[]): NameList {
  const adoptBundled = () =>
    db.insert(interestItems).select(sql`select value ${rowsOf(bundled)} where not exists (select 1 from ${interestItems})`);
  return {
    async names() {
      const rows = await db.select().from(interestItems).orderBy(asc(interestItems.name));
      return rows.length > 0 ? rows.map(({ name }) => name) : [...bundled];
    },

    async add(name) {
      const [, added] = await db.batch([adoptBundled(), db.insert(interestItems).values({ name }).onConflictDoNothing()]);
      return added.meta.changes > 0;
    },

    async remove(name) {
      const [, removed] = await db.batch([adoptBundled(), db.delete(interestItems).where(eq(interestItems.name, name))]);
      return removed.meta.changes > 0;
    },

    async replace(names) {
      await db.batch([db.delete(interestItems), db.insert(interestItems).select(sql`select value ${rowsOf(names)}`)]);
    },
  };
}

/** Supporters in the order they were added. */
export function createSupportersList(db: Database): NameList {
  return {
    async names() {
      const rows = await db.select({ name: supporters.name }).from(supporters).orderBy(asc(supporters.id));
      return rows.map(({ name }) => name);
    },

    async add(name) {
      return (await db.insert(supporters).values({ name }).onConflictDoNothing()).meta.changes > 0;
    },

    async remove(name) {
      return (await db.delete(supporters).where(eq(supporters.name, name))).meta.changes > 0;
    },

    async replace(names) {
      await db.batch([db.delete(supporters), db.insert(supporters).select(sql`select null, value ${rowsOf(names)} order by key`)]);
    },
  };
}
