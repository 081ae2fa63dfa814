import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { createMarketInserts } from '../../../src/areas/market/insert.store.ts';
import { type ListingFilter, type ListingSort, needsMatches, SORT_FIELDS } from '../../../src/areas/market/listings.domain.ts';
import { createListingsStore } from '../../../src/areas/market/listings.store.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { listingOf, NOW } from './market.ts';

/** Query plans of the executed statements, and number of rows read. */
interface Observer {
  plans: string[];
  rowsRead: number;
}

/** Plans by the text of their statement. Without statistics of values, they do not depend on its parameters. */
const knownPlans = new Map<string, string[]>();

async function explain(sql: string, params: unknown[]): Promise<string[]> {
  const { results } = await env.DB.prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .bind(...params)
    .all<{ detail: string }>();
  const plan = results.map(({ detail }) => detail);
  knownPlans.set(sql, plan);
  return plan;
}

/** Wraps the binding to observe every statement. */
function observeDatabase(observer: Observer): D1Database {
  const note = async (sql: string, params: unknown[]) => {
    observer.plans.push(...(knownPlans.get(sql) ?? (await explain(sql, params))));
  };
  const statements = new WeakMap<object, { sql: string; params: unknown[] }>();
  const wrap = (statement: D1PreparedStatement, sql: string, params: unknown[]): D1PreparedStatement => {
    const count = <Result extends { meta: { rows_read?: number } }>(result: Result): Result => {
      observer.rowsRead += result.meta.rows_read ?? 0;
      return result;
    };
    const wrapped = Object.assign(Object.create(statement), {
      bind: (...values: unknown[]) => wrap(statement.bind(...values), sql, values),
      all: async () => {
        await note(sql, params);
        return count(await statement.all());
      },
      // Drizzle reads rows as arrays with `raw`, which does not report the number of rows read.
      raw: async () => {
        await note(sql, params);
        count(await statement.all());
        return statement.raw();
      },
      unwrapped: statement,
    });
    statements.set(wrapped, { sql, params });
    return wrapped;
  };
  return {
    prepare: (sql: string) => wrap(env.DB.prepare(sql), sql, []),
    async batch(batch: (D1PreparedStatement & { unwrapped: D1PreparedStatement })[]) {
      for (const statement of batch) {
        const { sql = '', params = [] } = statements.get(statement) ?? {};
        await note(sql, params);
      }
      const results = await env.DB.batch(batch.map(({ unwrapped }) => unwrapped));
      for (const result of results) observer.rowsRead += result.meta.rows_read;
      return results;
    },
  } as unknown as D1Database;
}

const LISTINGS = 4000;
const PER_INSERT = 500;
const STEP = 3600;

beforeAll(async () => {
  const inserts = createMarketInserts(createDatabase(env.DB));
  for (let start = 0; start < LISTINGS; start += PER_INSERT) {
    const seenAt = NOW - ((LISTINGS - start) / PER_INSERT - 1) * STEP;
    const listings = Array.from({ length: PER_INSERT }, (_, index) => {
      const serial = start + index;
      const stack = 1 + (serial % 50);
      const price = 1000 + ((serial * 7919) % 5000);
      const createdAt = seenAt - (serial % 3000);
      return listingOf({ createdAt, serial, name: `Item ${serial % 40}`, stack, price });
    });
    await inserts.save(listings, seenAt);
  }
});

const FILTERS: [string, Partial<ListingFilter>][] = [
  ['all', {}],
  ['one item', { name: 'Item 7' }],
  ['a range of prices', { milliMin: 30_000, milliMax: 60_000 }],
  ['few prices', { milliMin: 5_500_000 }],
  ['the last hour', { seenAfter: NOW - 1800 }],
];
const SORTS: ListingSort[] = SORT_FIELDS.flatMap((field) => [
  { field, descending: false },
  { field, descending: true },
]);
const LIMIT = 50;
/** No archived days. */
const NO_ARCHIVE = { readDays: async () => [] };

/** Reads two pages and returns their plans and rows read. */
async function read(filter: Partial<ListingFilter>, activeAt: number | null, sort: ListingSort) {
  const observer: Observer = { plans: [], rowsRead: 0 };
  const listings = createListingsStore(createDatabase(observeDatabase(observer)), NO_ARCHIVE);
  const request = { filter: { ...filter, activeAt }, sort, limit: LIMIT };
  // State and total are cached from here on.
  await listings.readPage({ ...request, start: { offset: 0 } }, NOW);
  const results = [];
  let end = null;
  for (let page = 0; page < 2; page += 1) {
    observer.rowsRead = 0;
    const result = await listings.readPage({ ...request, start: end ? { after: end } : { offset: 0 } }, NOW);
    end = result?.end ?? null;
    results.push({ rows: result?.listings.length ?? 0, rowsRead: observer.rowsRead });
  }
  return { plans: observer.plans, results };
}

/** Whether a plan scans the table of listings or one of its indexes. */
const isScan = (detail: string) => /^SCAN (?!json_each|CONSTANT|\d+ CONSTANT)/.test(detail) && !/^SCAN market_state/.test(detail);

describe('query plans of listing reads', () => {
  it.each(
    FILTERS.flatMap(([title, filter]) =>
      [NOW, null].map((activeAt) => ({ title: `${title}, ${activeAt === null ? 'including expired' : 'active'}`, filter, activeAt })),
    ),
  )('scan no table and read few rows: $title', async ({ filter, activeAt }) => {
    for (const sort of SORTS) {
      const { plans, results } = await read(filter, activeAt, sort);
      expect(plans.filter(isScan), JSON.stringify(sort)).toEqual([]);
      // No index covers a filter and a sort on different columns; rows with the oldest last_seen have large ties, one per insert.
      const isCostly = needsMatches({ ...filter, activeAt }, sort) || (sort.field === 'last_seen' && !sort.descending);
      const maxRowsRead = isCostly ? 50 : 20;
      for (const { rows, rowsRead } of results)
        expect(rowsRead, JSON.stringify({ sort, rows })).toBeLessThanOrEqual(maxRowsRead * (rows + 2));
    }
  });

  it('read only the rows of one item', async () => {
    const observer: Observer = { plans: [], rowsRead: 0 };
    const listings = createListingsStore(createDatabase(observeDatabase(observer)), NO_ARCHIVE);
    const cost = async (work: () => Promise<unknown[]>) => {
      observer.rowsRead = 0;
      const rows = (await work()).length;
      expect(rows).toBeGreaterThan(0);
      return observer.rowsRead / rows;
    };
    const window = { name: 'Item 7', since: NOW - 86_400, until: NOW, after: null, limit: 5001 };
    expect(await cost(() => listings.listItems())).toBeLessThan(3);
    expect(await cost(() => listings.listActive('Item 7', NOW))).toBeLessThan(3);
    expect(await cost(() => listings.listHistory({ ...window, activeAt: null }))).toBeLessThan(3);
    expect(await cost(() => listings.listHistory({ ...window, activeAt: NOW }))).toBeLessThan(5);
    expect(await cost(() => listings.listCreatedBetween('Item 7', NOW - 7200, NOW, 1000))).toBeLessThan(3);
    expect(observer.plans.filter(isScan).filter((plan) => !plan.includes('market_items'))).toEqual([]);
  });
});

describe('query plans of market writes', () => {
  it('read only the changed rows', async () => {
    const observer: Observer = { plans: [], rowsRead: 0 };
    const inserts = createMarketInserts(createDatabase(observeDatabase(observer)));
    await inserts.save([listingOf({ createdAt: NOW, serial: 9999, name: 'Item 7', price: 1 })], NOW);
    expect(observer.plans.filter(isScan)).toEqual([]);
  });
});
