import type { D1Database, D1PreparedStatement } from '@cloudflare/workers-types';
import { createCodexEndpoints } from '../../src/areas/codexes/index.ts';
import { createCodexWrites } from '../../src/areas/codexes/indexer/codex-writes.repository.ts';
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
  /** Milliseconds of the whole request, in turn. */
  p50: number;
  p95: number;
  rowsReturned: number;
  /** Rows that D1 read for the answer, the first time and again. */
  rowsReadFirst: number;
  rowsRead: number;
}

/** What clients ask for, by name; the path is below `/v1/codexes/`. */
const QUERIES: readonly [name: string, path: string][] = [
  ['types', 'types'],
  ['the first list of an isolate', 'item?limit=50'],
  ['search, a rare text', 'search?q=otter%204321'],
  ['search, a common text', 'search?q=golden'],
  ['search, two letters', 'search?q=go'],
  ['search, text and category', 'search?q=golden&category=Category%207'],
  ['list by name', 'mount?limit=50'],
  ['list by mastery, falling', 'mount?sort=-mastery&limit=50'],
  ['list, tradable, by power rank', 'mount?tradable=true&sort=power_rank&limit=50'],
  ['list, category', 'mount?category=Category%207'],
  ['list, stat', `mount?stat=${encodeURIComponent(COMMON_STAT)}`],
  ['list, stat, by mastery', `mount?stat=${encodeURIComponent(COMMON_STAT)}&sort=-mastery`],
  ['links out', `links?path=${RECIPE}`],
  ['links in', `links?direction=in&rel=ingredient&path=${MATERIAL}`],
  ['ranking of a stat', `stats?stat=${encodeURIComponent(COMMON_STAT)}&limit=50`],
];

/** Asks a branch of so many entries on the deployable bundle, one request after the other. */
export async function measureCodexReads(entries: number): Promise<{ fillSeconds: number; reads: ReadMeasure[] }> {
  const vars = { ENVIRONMENT: 'development', LOG_REQUESTS: 'off', RATE_LIMIT_MULTIPLIER: '100000' };
  const bundle = await startBundle({ vars, withoutAssets: true, directSocket: { host: HOST, port: PORT } });
  try {
    const startedAt = performance.now();
    await fillCodex(createCodexWrites(databaseOf(bundle.database)), BRANCH, entries);
    const fillSeconds = (performance.now() - startedAt) / 1000;
    const counted = countRows(bundle.database);
    const endpoints = createCodexEndpoints(counted.database, { open: async () => null });
    const reads: ReadMeasure[] = [];
    for (const [name, path] of QUERIES) {
      const rows = await rowsOf(counted, endpoints, path);
      reads.push({ name, ...(await timesOf(`${bundle.directUrl ?? bundle.url}/v1/codexes/${path}`)), ...rows });
    }
    return { fillSeconds, reads };
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
  /** Rows read since it was last asked. */
  take(): number;
}

/** The same handlers over a database that counts the rows it reads. */
async function rowsOf(
  counter: RowCounter,
  endpoints: readonly Endpoint[],
  path: string,
): Promise<Pick<ReadMeasure, 'rowsReturned' | 'rowsReadFirst' | 'rowsRead'>> {
  const [route = '', query = ''] = path.split('?');
  const name = ['types', 'search', 'links', 'stats'].includes(route) ? route : '{type}';
  const endpoint = endpoints.find(({ spec }) => spec.path === `/v1/codexes/${name}`);
  if (!endpoint?.spec.query && route !== 'types') throw new Error(`no endpoint for ${path}`);
  const ask = async () => {
    counter.take();
    const input = { params: { type: route }, query: endpoint?.spec.query?.parse(Object.fromEntries(new URLSearchParams(query))) };
    const reply = await endpoint?.handler(input as never);
    const body = JSON.parse(reply?.kind === 'json' ? reply.text : '{}') as { items: unknown[] };
    return { returned: body.items.length, read: counter.take() };
  };
  const first = await ask();
  const again = await ask();
  return { rowsReturned: again.returned, rowsReadFirst: first.read, rowsRead: again.read };
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
    }) as unknown as D1PreparedStatement;
  const counted = { prepare: (sql: string) => wrap(binding.prepare(sql)) } as unknown as D1Database;
  return {
    database: databaseOf(counted),
    take() {
      const rows = read;
      read = 0;
      return rows;
    },
  };
}

function databaseOf(binding: D1Database): Database {
  return createDatabase(binding as unknown as Parameters<typeof createDatabase>[0]);
}
