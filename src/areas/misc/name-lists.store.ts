import { asc, eq, sql } from 'drizzle-orm';
import type { Database, PublicReads } from '../../platform/storage/database.ts';
import { interestItems, supporters } from './misc.tables.ts';

/** A stored list of names. */
export type NameList = ReturnType<typeof createInterestItemsList>;

/** Rows of the names in one parameter, in order: a D1 statement has at most 100 parameters. */
const selectNames = (names: readonly string[]) => sql`from json_each(${JSON.stringify(names)})`;

/**
 * Tracked items in code point order. While none are stored, the list is `bundled`; the first change stores `bundled` in the same
 * transaction.
 */
export function createInterestItemsList(db: Database, bundled: readonly string[], reads: PublicReads = db) {
  const insertBundled = () =>
    db.insert(interestItems).select(sql`select value ${selectNames(bundled)} where not exists (select 1 from ${interestItems})`);
  const namesIn = async (source: PublicReads) => {
    const rows = await source.select().from(interestItems).orderBy(asc(interestItems.name));
    return rows.length > 0 ? rows.map(({ name }) => name) : [...bundled];
  };
  return {
    /** The list at the primary, which includes every change. */
    names: (): Promise<string[]> => namesIn(db),
    /** The list at a replica, for clients. */
    publicNames: (): Promise<string[]> => namesIn(reads),

    /** False when the list already contains the name. */
    async add(name: string): Promise<boolean> {
      const [, added] = await db.batch([insertBundled(), db.insert(interestItems).values({ name }).onConflictDoNothing()]);
      return added.meta.changes > 0;
    },

    /** False when the list does not contain the name. */
    async remove(name: string): Promise<boolean> {
      const [, removed] = await db.batch([insertBundled(), db.delete(interestItems).where(eq(interestItems.name, name))]);
      return removed.meta.changes > 0;
    },

    /** Replaces the list. */
    async replace(names: readonly string[]): Promise<void> {
      await db.batch([db.delete(interestItems), db.insert(interestItems).select(sql`select value ${selectNames(names)}`)]);
    },
  };
}

/** Supporters in the order they were added. */
export function createSupportersList(db: Database, reads: PublicReads = db): NameList {
  const namesIn = async (source: PublicReads) => {
    const rows = await source.select({ name: supporters.name }).from(supporters).orderBy(asc(supporters.id));
    return rows.map(({ name }) => name);
  };
  return {
    names: () => namesIn(db),
    publicNames: () => namesIn(reads),

    async add(name) {
      return (await db.insert(supporters).values({ name }).onConflictDoNothing()).meta.changes > 0;
    },

    async remove(name) {
      return (await db.delete(supporters).where(eq(supporters.name, name))).meta.changes > 0;
    },

    async replace(names) {
      await db.batch([db.delete(supporters), db.insert(supporters).select(sql`select null, value ${selectNames(names)} order by key`)]);
    },
  };
}
