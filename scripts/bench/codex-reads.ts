import type { D1Database, D1PreparedStatement } from '@cloudflare/workers-types';
import { createCodexEndpoints } from '../../src/areas/codexes/index.ts';
import { createCodexWrites } from '../../src/areas/codexes/indexer/codex-writes.store.ts';
import type { Endpoint } from '../../src/platform/http/pipeline/define-route.ts';
import { createDatabase, type Database } from '../../src/platform/storage/database.ts';
import { startBundle } from '../lib/bundle.ts';
import { median, quantile } from '../lib/measure/quantiles.ts';
import { COMMON_STAT, fillCodex, MATERIAL, RECIPE } from './codex-world.ts';

const BRANCH = 'live-us';
const HOST = '127.0.0.1';
const PORT = 8911;
const ROUNDS = 60;
const P95 = 0.95;

export interface ReadMeasure {
  name: string;
  /** Whether an index covers conditions and sort order, or the text has at most 1,000 matches. */
  isBounded: boolean;
  /** Milliseconds of a request with empty caches; `p50`, `p95`: of sequential requests. */
  firstMs: number;
  p50: number;
  p95: number;
  rowsReturned: number;
  /** Rows that D1 read for the first request, and for a repeated one. */
  rowsReadFirst: number;
  rowsRead: number;
}

interface Query {
  name: string;
  /** Below `/v1/codexes/`. */
  path: string;
  isBounded: boolean;
}

const STAT = encodeURIComponent(COMMON_STAT);

const bounded = (name: string, path: string): Query => ({ name, path, isBounded: true });
const timed = (name: string, path: string): Query => ({ name, path, isBounded: false });

const QUERIES: readonly Query[] = [
  bounded('types', 'types'),
  ...['name', '-name', 'category', '-category', 'mastery', '-mastery', 'mastery_geode', '-power_rank', 'indexed_at', '-indexed_at'].flatMap(
    (sort) => [bounded(`type, ${sort}`, `mount?sort=${sort}`), bounded(`all types, ${sort}`, `search?sort=${sort}`)],
  ),
  bounded('type, category', 'mount?category=Category%207'),
  bounded('all types, category', 'search?category=Category%207'),
  bounded('type, stat, -stat_value', `mount?stat=${STAT}&sort=-stat_value`),
  bounded('all types, stat, -stat_value', `search?stat=${STAT}&sort=-stat_value`),
  bounded('ranking of a stat', `stats?stat=${STAT}&limit=50`),
  bounded('text, 1 match', 'search?q=otter%204321'),
  bounded('text, no match', 'search?q=nothing%20like%20it'),
  bounded('text, 250 matches', 'search?q=golden%20otter'),
  bounded('text, 250 matches, -mastery', 'search?q=golden%20otter&sort=-mastery'),
  bounded('text, 1,000 matches', 'search?q=%20otter%201&sort=category'),
  bounded('text of 2 characters, 100 matches', 'search?q=xq'),
  bounded('text of 1 character, no match', 'search?q=%23'),
  timed('text, 5,000 matches', 'search?q=golden'),
  timed('text, 5,000 matches, -indexed_at', 'search?q=golden&sort=-indexed_at'),
  timed('text, 5,000 matches, last page', 'search?q=golden&offset=4950'),
  timed('text, all entries', 'search?q=found'),
  timed('text, all entries, -mastery', 'search?q=found&sort=-mastery'),
  timed('text, all entries, middle page', 'search?q=found&offset=50000'),
  timed('text, matches late in the order', 'search?q=sable'),
  timed('text of 1 character', 'search?q=g'),
  timed('text of 1 character, all, middle page', 'search?q=t&offset=50000'),
  timed('text of 2 characters', 'search?q=go'),
  timed('text of 2 characters, late in the order', 'search?q=sa'),
  timed('text and category', 'search?q=golden&category=Category%207'),
  timed('text and type', 'mount?search=golden'),
  timed('text, category, tradable, stat', `search?q=found&category=Category%207&tradable=true&stat=${STAT}`),
  timed('type, tradable', 'mount?tradable=true'),
  timed('type, tradable, power_rank', 'mount?tradable=true&sort=power_rank'),
  timed('all types, tradable, mastery', 'search?tradable=true&sort=mastery'),
  timed('type, stat', `mount?stat=${STAT}`),
  timed('all types, stat, -mastery', `search?stat=${STAT}&sort=-mastery`),
  timed('all types, stat, stat_value', `search?stat=${STAT}&sort=stat_value`),
  timed('all types, ability', 'search?ability=abilities/bench/ability_7'),
  timed('type, ability, -category', 'mount?ability=abilities/bench/ability_7&sort=-category'),
  timed('all types, category, -mastery', 'search?category=Category%207&sort=-mastery'),
  timed('type, last page', 'mount?offset=5500'),
  timed('all types, middle page', 'search?offset=50000'),
  timed('all types, -indexed_at, last page', 'search?sort=-indexed_at&offset=99950'),
  timed('all types, -mastery, middle page', 'search?sort=-mastery&offset=50000'),
  bounded('links out', `links?path=${RECIPE}`),
  bounded('links in', `links?direction=in&rel=ingredient&path=${MATERIAL}`),
];

/** Measures sequential requests to a branch with `entries` entries on the deployable bundle. */
export async function measureCodexReads(entries: number): Promise<{ fillSeconds: number; megabytes: number; reads: ReadMeasure[] }> {
  const vars = { ENVIRONMENT: 'development', LOG_SAMPLE: '0', RATE_LIMIT_MULTIPLIER: '100000' };
  const bundle = await startBundle({ vars, withoutAssets: true, directSocket: { host: HOST, port: PORT } });
  try {
    const startedAt = performance.now();
    await fillCodex(createCodexWrites(databaseOf(bundle.database)), BRANCH, entries);
    const fillSeconds = (performance.now() - startedAt) / 1000;
    const { meta } = await bundle.database.prepare('SELECT 1').all();
    const counted = countRows(bundle.database);
    const reads: ReadMeasure[] = [];
    for (const query of QUERIES) {
      // Separate endpoints share no cache with earlier queries.
      const rows = await rowsOf(counted, await createCodexEndpoints(counted.database, { open: async () => null }), query.path);
      reads.push({ ...query, ...rows, ...(await timesOf(`${bundle.directUrl ?? bundle.url}/v1/codexes/${query.path}`)) });
    }
    return { fillSeconds, megabytes: Number(meta.size_after ?? 0) / 1e6, reads };
  } finally {
    await bundle.dispose();
  }
}

async function timesOf(url: string): Promise<{ p50: number; p95: number }> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const startedAt = performance.now();
    const response = await fetch(url, { headers: { 'CF-Connecting-IP': '10.0.0.1' } });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`${url}: ${response.status}`);
    times.push(performance.now() - startedAt);
  }
  return { p50: median(times), p95: quantile(times, P95) };
}

interface RowCounter {
  database: Database;
  /** Rows read since the last call. */
  reset(): number;
}

/** Runs the handlers with a database that counts the rows it reads. */
async function rowsOf(
  counter: RowCounter,
  endpoints: readonly Endpoint[],
  path: string,
): Promise<Pick<ReadMeasure, 'rowsReturned' | 'rowsReadFirst' | 'rowsRead' | 'firstMs'>> {
  const [route = '', query = ''] = path.split('?');
  const name = ['types', 'search', 'links', 'stats'].includes(route) ? route : '{type}';
  const endpoint = endpoints.find(({ spec }) => spec.path === `/v1/codexes/${name}`);
  if (!endpoint?.spec.query && route !== 'types') throw new Error(`endpoint not found: ${path}`);
  const ask = async () => {
    counter.reset();
    const input = { params: { type: route }, query: endpoint?.spec.query?.parse(Object.fromEntries(new URLSearchParams(query))) };
    const reply = await endpoint?.handler(input as never);
    const body = JSON.parse(reply?.kind === 'json' ? reply.text : '{}') as { items: unknown[] };
    return { returned: body.items.length, read: counter.reset() };
  };
  const startedAt = performance.now();
  const first = await ask();
  const firstMs = performance.now() - startedAt;
  const again = await ask();
  return { rowsReturned: again.returned, rowsReadFirst: first.read, rowsRead: again.read, firstMs };
}

function countRows(binding: D1Database): RowCounter {
  let read = 0;
  const wrap = (statement: D1PreparedStatement): D1PreparedStatement =>
    ({
      bind: (...values: unknown[]) => wrap(statement.bind(...values)),
      async all() {
        const result = await statement.all();
        read += Number(result.meta.rows_read ?? 0);
        return result;
      },
      run: () => statement.run(),
    }) as unknown as D1PreparedStatement;
  const counted = { prepare: (sql: string) => wrap(binding.prepare(sql)) } as unknown as D1Database;
  return {
    database: databaseOf(counted),
    reset() {
      const rows = read;
      read = 0;
      return rows;
    },
  };
}

function databaseOf(binding: D1Database): Database {
  return createDatabase(binding as unknown as Parameters<typeof createDatabase>[0]);
}
