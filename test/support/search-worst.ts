import type { SQL } from 'drizzle-orm';
import { SQLiteSyncDialect } from 'drizzle-orm/sqlite-core';
import { migratedDatabase } from '../../scripts/lib/migrated-database.ts';
import { MAX_QUERY_LENGTH, parseQuery, patternsOf, storedName } from '../../src/areas/search/search.domain.ts';
import { createSearchStore } from '../../src/areas/search/search.store.ts';
import { SEARCH_TYPES } from '../../src/platform/area/search-source.ts';
import { randomUnit, seededRandom } from '../../src/platform/kit/random.ts';
import type { Database } from '../../src/platform/storage/database.ts';

/** Words that nearly every entry has, so that no index narrows a query with them. */
const COMMON = ['wings', 'winged', 'swing', 'shadow', 'shadows', 'dragon', 'dragons', 'golden', 'golem', 'crystal'];
const OPERATORS = [
  'AND',
  'OR',
  'NOT',
  'NEAR(a b, 9)',
  '"',
  "'",
  '*',
  '^',
  ':',
  '-',
  '(',
  ')',
  'kind:doc',
  '{words}:',
  '%',
  '_',
  '%%__%%',
  '\\',
  '[a-z]',
  ';--',
];

const pick = <Value>(random: () => number, values: readonly Value[]): Value => values[Math.floor(random() * values.length)] as Value;

/** The index with entries whose names and texts consist of common words, as hostile accounts choose them. */
export function hostileIndex(entries: number, random: () => number) {
  const database = migratedDatabase();
  const insert = database.prepare(
    "INSERT INTO search_entries (id, type, key, name, words, about, text, link, image, hash) VALUES (?, ?, ?, ?, ?, 'about', ?, '/x', NULL, ?)",
  );
  const numbers = new Map<number, number>();
  database.exec('BEGIN');
  for (let index = 0; index < entries; index += 1) {
    // Words of even and odd entries never meet in one: a query for both reads both lists to their ends.
    const own = COMMON.filter((_, place) => place % 2 === index % 2);
    const name = `${pick(random, own)} ${pick(random, own)} ${pick(random, own)} ${index.toString(36)}`;
    const words = storedName(name);
    const type = index % SEARCH_TYPES.length;
    const base = words.length * 2 ** 43 + type * 2 ** 40;
    const number = (numbers.get(base) ?? 0) + 1;
    numbers.set(base, number);
    const text = index % 3 === 0 ? own.join(' ').repeat(6) : '';
    insert.run(base + number, type, String(index), name, words, text, String(index));
  }
  database.exec('COMMIT');
  const dialect = new SQLiteSyncDialect();
  const reads = {
    all(query: SQL) {
      const { sql, params } = dialect.sqlToQuery(query);
      return Promise.resolve(database.prepare(sql).all(...(params as (string | number | null)[])));
    },
  } as unknown as Database;
  return createSearchStore(reads);
}

/** A query for the worst of the index: common words, their parts, pairs that never meet, typos, operators. */
export function hostileQuery(random: () => number): string {
  const piece = () => {
    const word = pick(random, COMMON);
    const kind = random();
    if (kind < 0.35) return word;
    if (kind < 0.55) return word.slice(0, 3 + Math.floor(random() * 3));
    if (kind < 0.7) return word.slice(Math.floor(random() * 3));
    if (kind < 0.85) return `${word.slice(1, 2)}${word.slice(0, 1)}${word.slice(2)}${word}`;
    return pick(random, OPERATORS);
  };
  return Array.from({ length: 1 + Math.floor(random() * 8) }, piece)
    .join(' ')
    .slice(0, MAX_QUERY_LENGTH);
}

/** The greatest processor time of a query in milliseconds, and the greatest number of candidates. */
export async function searchWorst(options: { entries: number; queries: number; seed: string }) {
  const source = seededRandom(options.seed);
  const random = () => randomUnit(source);
  const store = hostileIndex(options.entries, random);
  const worst = { ms: 0, query: '', candidates: 0 };
  for (let index = 0; index < options.queries; index += 1) {
    const query = hostileQuery(random);
    const parsed = parseQuery(query);
    if (parsed.words.length === 0) continue;
    const start = process.cpuUsage();
    const candidates = await store.listCandidates(patternsOf(parsed), SEARCH_TYPES, index % 4 === 0 ? 'suggest' : 'search');
    const { user, system } = process.cpuUsage(start);
    const ms = (user + system) / 1000;
    worst.candidates = Math.max(worst.candidates, candidates.length);
    if (ms > worst.ms) Object.assign(worst, { ms, query });
  }
  return worst;
}
