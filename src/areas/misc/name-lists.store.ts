import { asc, eq, sql } from 'drizzle-orm';
import { ApiError, badRequest, notFound, validationError } from '../../platform/kit/errors/api-error.ts';
import type { Database, PublicReads } from '../../platform/storage/database.ts';
import { createRevalidatingCache } from '../../platform/storage/memory-caches.ts';
import { interestItems, supporters } from './misc.tables.ts';

/** A stored list of names. */
type NameList = ReturnType<typeof createInterestItemsList>;

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

/** Cache TTL in seconds, in the isolate and for clients (specification "Limits": supporters 5 minutes). */
export const INTEREST_ITEMS_TTL_SECONDS = 30;
export const SUPPORTERS_TTL_SECONDS = 300;

/** A list of names, cached for clients and editable by administrators. */
export type CachedNameList = ReturnType<typeof createCachedNameList>;

/** `ttlSeconds`: cache TTL in an isolate. Changes through the same isolate are visible immediately. */
export function createCachedNameList(list: NameList, ttlSeconds: number) {
  const cache = createRevalidatingCache(() => list.publicNames(), ttlSeconds * 1000);

  function listAfterChange(): Promise<string[]> {
    cache.invalidate();
    return list.names();
  }

  return {
    /** The cached list. */
    cachedNames: cache.get,
    /** The stored list. */
    names: (): Promise<string[]> => list.names(),

    /** Throws 400 for an empty name, 409 for a listed one, 422 for a malformed one. */
    async add(raw: string): Promise<string[]> {
      const name = requireName(raw, ['body', 'name']);
      if (!(await list.add(name))) throw new ApiError('conflict', `${name} is already on the list`);
      return listAfterChange();
    },

    /** Throws 404. */
    async remove(name: string): Promise<string[]> {
      if (!(await list.remove(name))) throw notFound(`${name} is not on the list`);
      return listAfterChange();
    },

    /** Replaces the list. Names are trimmed and duplicates removed. Throws 400 for an empty list or name. */
    async replace(raw: readonly string[]): Promise<string[]> {
      const names = [...new Set(raw.map((name, index) => requireName(name, ['body', 'names', index])))];
      if (names.length === 0) throw badRequest('names must not be empty');
      await list.replace(names);
      return listAfterChange();
    },
  };
}

/** Maximum length of a name in UTF-16 code units. */
const MAX_NAME_LENGTH = 200;

/** Trims a name. Throws 400 if it is empty, 422 if it is too long. */
function requireName(raw: string, loc: (string | number)[]): string {
  const name = raw.trim();
  if (name === '') throw badRequest('name must not be empty');
  if (name.length <= MAX_NAME_LENGTH) return name;
  throw validationError([{ loc, msg: `must have at most ${MAX_NAME_LENGTH} characters`, type: 'too_long' }]);
}
