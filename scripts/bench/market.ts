import type { D1Database, D1PreparedStatement } from '@cloudflare/workers-types';
import type { ListingPageRequest, PageEnd } from '../../src/areas/market/listings.domain.ts';
import { createListingsRepository } from '../../src/areas/market/listings.store.ts';
import { createDatabase } from '../../src/platform/storage/database.ts';
import { type RunningBundle, startBundle } from '../lib/bundle.ts';
import { postMarketDump, SyntheticMarket } from '../lib/dumps/market-dumps.ts';
import { runMain } from '../lib/main.ts';
import { median, quantile } from '../lib/measure/quantiles.ts';

/** Stored listings; about one sixth of them are active at the end. */
const LISTINGS = Number(process.env.BENCH_LISTINGS ?? 200_000);
const HOURS = 20;
const REQUESTS = Number(process.env.BENCH_REQUESTS ?? 200);
/** Maximum rows read per row of a page. */
const MAX_ROWS_READ = 20;
const NOW = 1_773_156_600;
const SECONDS_PER_HOUR = 3600;
const ITEM = 'Bardium';
const SOCKET = { host: '127.0.0.1', port: 18_794 };
const VARS = { LOG_SAMPLE: '0', ENVIRONMENT: 'development', RATE_LIMIT_MULTIPLIER: '1000000' };

/** Wraps a database to count the rows that it reads. */
function counting(binding: D1Database): { database: D1Database; rowsRead(): number } {
  let rows = 0;
  const count = <Result extends { meta: { rows_read?: number } }>(result: Result): Result => {
    rows += result.meta.rows_read ?? 0;
    return result;
  };
  const database = {
    prepare: (sql: string) => wrap(binding.prepare(sql)),
    batch: async (statements: { inner: D1PreparedStatement }[]) => (await binding.batch(statements.map(({ inner }) => inner))).map(count),
  };
  const wrap = (inner: D1PreparedStatement): unknown => ({
    inner,
    bind: (...values: unknown[]) => wrap(inner.bind(...values)),
    all: async () => count(await inner.all()),
  });
  return { database: database as unknown as D1Database, rowsRead: () => rows };
}

interface Scenario {
  name: string;
  /** Below `/v1/market/`. */
  path: string;
  request?: Pick<ListingPageRequest, 'sort' | 'limit'> & Partial<ListingPageRequest['filter']>;
  /** Pages to read before the measured one. */
  pages?: number;
}

const by = (field: ListingPageRequest['sort']['field'], descending: boolean) => ({ field, descending });
const newest = by('last_seen', true);

const SCENARIOS: readonly Scenario[] = [
  { name: 'first page', path: 'listings', request: { sort: newest, limit: 100 } },
  { name: 'page 50, by cursor', path: 'listings', request: { sort: newest, limit: 100 }, pages: 49 },
  { name: 'largest page', path: 'listings?limit=1000', request: { sort: newest, limit: 1000 } },
  { name: 'cheapest, by price per piece', path: 'listings?sort=price_each', request: { sort: by('price_each', false), limit: 100 } },
  { name: 'most expensive, by price per piece', path: 'listings?sort=-price_each', request: { sort: by('price_each', true), limit: 100 } },
  { name: 'largest stacks', path: 'listings?sort=-stack', request: { sort: by('stack', true), limit: 100 } },
  { name: 'by name', path: 'listings?sort=name', request: { sort: by('name', false), limit: 100 } },
  {
    name: 'one item, cheapest',
    path: `listings?name=${ITEM}&sort=price_each`,
    request: { sort: by('price_each', false), limit: 100, name: ITEM },
  },
  {
    name: 'a range of prices, newest',
    path: 'listings?price_min=100&price_max=200',
    request: { sort: newest, limit: 100, milliMin: 100_000, milliMax: 200_000 },
  },
  { name: 'with expired, newest', path: 'listings?hide_expired=false', request: { sort: newest, limit: 100, activeAt: null } },
  {
    name: 'with expired, oldest',
    path: 'listings?hide_expired=false&sort=created_at',
    request: { sort: by('created_at', false), limit: 100, activeAt: null },
  },
  { name: 'summary of an item', path: `items/${ITEM}/summary` },
  { name: 'history of an item', path: `items/${ITEM}/history?include_expired=true` },
  { name: 'timeline of an item', path: `items/${ITEM}/timeline?bucket_hours=1` },
  { name: 'names', path: 'items' },
  // Base cost of a request, without storage.
  { name: 'floor: server-time', path: '../rotations/server-time' },
];

/** Stores the listings through the endpoint, in one dump per hour. */
async function fill(bundle: RunningBundle): Promise<void> {
  const target = { baseUrl: bundle.directUrl ?? bundle.url, superuserToken: await bundle.mintToken({ superuser: true }) };
  // One in twelve listings is of an untracked item.
  const market = new SyntheticMarket({ seed: 8, newEachHour: Math.ceil(((LISTINGS / HOURS) * 12) / 11), meanHours: 3 });
  const times: number[] = [];
  let last = '';
  for (let hour = HOURS - 1; hour >= 0; hour -= 1) {
    const now = NOW - hour * SECONDS_PER_HOUR;
    last = market.nextDump(now);
    const startedAt = performance.now();
    await postMarketDump(target, last, now);
    times.push(performance.now() - startedAt);
  }
  const lines = last.split('\n').length;
  const size = (last.length / 1e6).toFixed(1);
  console.log(
    `Insert of a dump of ${lines} lines (${size} MB): median ${median(times).toFixed(0)} ms, last ${times.at(-1)?.toFixed(0)} ms.`,
  );
}

/** Rows read for a page with a cached total, and for counting the total. */
async function rowsReadOf({ request, pages = 0 }: Scenario, bundle: RunningBundle) {
  if (!request) return null;
  const { database, rowsRead } = counting(bundle.database);
  const listings = createListingsRepository(createDatabase(database as never));
  const { sort, limit, activeAt = NOW, ...filter } = request;
  const pageRequest = { filter: { ...filter, activeAt }, sort, limit };
  const read = async (start: ListingPageRequest['start']) => {
    const before = rowsRead();
    const page = await listings.readPage({ ...pageRequest, start }, NOW);
    return { page, cost: rowsRead() - before };
  };
  const first = await read({ offset: 0 });
  let { page, cost } = await read({ offset: 0 });
  for (let walked = 0; walked < pages; walked += 1) ({ page, cost } = await read({ after: page?.end as PageEnd }));
  const rows = page?.listings.length ?? 0;
  return { rows, cost, count: first.cost - cost, ratio: cost / Math.max(1, rows) };
}

/** Times of sequential requests, each from the first byte sent to the last byte read. */
async function timesOf({ path, pages = 0 }: Scenario, bundle: RunningBundle, token: string): Promise<number[]> {
  const headers = { 'CF-Connecting-IP': '203.0.113.7', Authorization: `Bearer ${token}`, 'X-Test-Now': String(NOW) };
  const get = async (address: string) => {
    const response = await fetch(`${bundle.directUrl}${address}`, { headers });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${address}: ${response.status} ${text.slice(0, 300)}`);
    return /<([^>]+)>; rel="next"/.exec(response.headers.get('Link') ?? '')?.[1] ?? '';
  };
  let address = new URL(`/v1/market/${path}`, 'http://localhost').href.slice('http://localhost'.length);
  for (let walked = 0; walked < pages; walked += 1) address = await get(address);
  for (let warmUp = 0; warmUp < 10; warmUp += 1) await get(address);
  const times: number[] = [];
  for (let count = 0; count < REQUESTS; count += 1) {
    const startedAt = performance.now();
    await get(address);
    times.push(performance.now() - startedAt);
  }
  return times;
}

/** `npm run bench -- market`: measures time and rows read of requests to 200,000 listings. */
await runMain(async () => {
  const bundle = await startBundle({ withoutAssets: true, directSocket: SOCKET, vars: VARS });
  const rows: Record<string, Record<string, string>> = {};
  try {
    await fill(bundle);
    const state = await bundle.database.prepare('SELECT listings, live FROM market_state').first<{ listings: number; live: number }>();
    console.log(`${state?.listings} listings, ${state?.live} of them may be active; ${REQUESTS} sequential requests each.`);
    const token = await bundle.mintToken();
    for (const scenario of SCENARIOS) {
      const read = await rowsReadOf(scenario, bundle);
      const times = await timesOf(scenario, bundle, token);
      const isMet = read === null || read.ratio <= MAX_ROWS_READ;
      if (!isMet) process.exitCode = 1;
      rows[scenario.name] = {
        rows: read ? String(read.rows) : '',
        'rows read': read ? String(read.cost) : '',
        'per row': read ? read.ratio.toFixed(1) : '',
        'to count': read ? String(Math.max(0, read.count)) : '',
        'p50 ms': median(times).toFixed(1),
        'p95 ms': quantile(times, 0.95).toFixed(1),
        met: isMet ? 'yes' : 'NO',
      };
    }
  } finally {
    await bundle.dispose();
  }
  console.table(rows);
  console.log(
    `Target: at most ${MAX_ROWS_READ} rows read for each row of a page; totals are counted every 30 s. Compare times with the floor of the same run.`,
  );
});
