import { buildBundle } from '../lib/build-bundle.ts';
import { type RunningBundle, startBundle } from '../lib/bundle.ts';
import { runMain } from '../lib/main.ts';
import { median } from '../lib/measure/quantiles.ts';
import { recordResponse, startBareWorker } from './bare-worker.ts';
import { type LoadResult, putLoad } from './wrk.ts';

/** A request to measure. */
interface Scenario {
  name: string;
  path: string;
  headers(bundle: RunningBundle, url: string): Promise<Record<string, string>>;
  addresses?: number;
  /** Keep the rate limits instead of lifting them. */
  limited?: boolean;
}

const ADDRESS = { 'CF-Connecting-IP': '203.0.113.7' };
/** No request log: the bare Worker has none, and the cost of a log line depends on its reader. */
const QUIET = { LOG_SAMPLE: '0' };
const LIFTED = { ...QUIET, ENVIRONMENT: 'development', RATE_LIMIT_MULTIPLIER: '1000000' };
const BUNDLE_SOCKET = { host: '127.0.0.1', port: 18_787 };
const BARE_SOCKET = { host: '127.0.0.1', port: 18_788 };
/** Socket of the floor: a bare Worker with one call to a counting object and the same headers and bytes. */
const FLOOR_SOCKET = { host: '127.0.0.1', port: 18_789, callsObject: true };
const SECONDS = Number(process.env.BENCH_SECONDS ?? 4);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);

/** Minimum ratio to the throughput of the floor. A flood, which calls no object, is compared with the bare Worker. */
const TARGET = 0.9;
const FLOOD_TARGET = 0.75;

const anonymous = async () => ADDRESS;

const SCENARIOS: readonly Scenario[] = [
  { name: 'server-time, anonymous, one address', path: '/v1/rotations/server-time', headers: anonymous },
  { name: 'server-time, 1,000 addresses', path: '/v1/rotations/server-time', headers: anonymous, addresses: 1000 },
  {
    name: 'server-time, token',
    path: '/v1/rotations/server-time',
    headers: async (bundle) => ({ ...ADDRESS, Authorization: `Bearer ${await bundle.mintToken()}` }),
  },
  { name: 'calendar, 130 KB', path: '/v1/rotations/calendar', headers: anonymous },
  {
    name: 'server-time, 304',
    path: '/v1/rotations/server-time',
    headers: async (_bundle, url) => ({ ...ADDRESS, 'If-None-Match': (await recordResponse(url, ADDRESS)).headers.etag ?? '' }),
  },
  { name: 'news, from KV', path: '/v1/feeds/news', headers: withNews },
  { name: 'game-status, from KV', path: '/v1/misc/game-status', headers: withGameStatus },
  { name: 'flood of a blocked address', path: '/v1/rotations/server-time', headers: block, limited: true },
];

/** Stores news in KV in the refresher's format, with the maximum number of rows. */
async function withNews({ mf }: RunningBundle): Promise<Record<string, string>> {
  const summary = 'A new event comes to every world of the game, with rewards for everyone who takes part. '.repeat(3).slice(0, 220);
  const items = Array.from({ length: 150 }, (_, index) => ({
    url: `https://news.example/posts/${index}/`,
    title: `Patch notes ${index}`,
    author: 'The Team',
    summary,
    category: 'Patch Notes',
    categories: ['Patch Notes', 'PC'],
    image: `https://news.example/images/${index}.jpg`,
    publishedAt: 1_773_156_600 - index * 3600,
  }));
  const cache = await mf.getKVNamespace('CACHE');
  await cache.put('feeds/news', JSON.stringify({ fetchedAt: 1_773_156_600, items }));
  return ADDRESS;
}

/** Stores a status in KV in the prober's format. */
async function withGameStatus({ mf }: RunningBundle): Promise<Record<string, string>> {
  const game = { online: true, host: 'game.example', port: 6560, latency_ms: 42, error: null, probe: 'deep' };
  const environment = { status: 'online', online: true, game };
  const auth = { online: true, http_status: 200, latency_ms: 120, error: null };
  const environments = { eu: environment, us: environment, pts: environment };
  const cache = await mf.getKVNamespace('CACHE');
  await cache.put('game-status', JSON.stringify({ overall: 'online', auth, environments, checked_at: 1_773_156_600 }));
  return ADDRESS;
}

/** Uses up the rate limit of an address, so that further requests are refused. */
async function block(_bundle: RunningBundle, url: string): Promise<Record<string, string>> {
  const headers = { 'CF-Connecting-IP': '203.0.113.66' };
  for (let count = 0; count < 40; count += 1) await (await fetch(url, { headers })).text();
  return headers;
}

/** Alternates between the service and the bare Workers, so that other load affects all of them equally. */
async function measure(scenario: Scenario) {
  const bundle = await startBundle({
    reuseBuild: true,
    withoutAssets: true,
    directSocket: BUNDLE_SOCKET,
    vars: scenario.limited ? QUIET : LIFTED,
  });
  const url = `${bundle.directUrl}${scenario.path}`;
  const headers = await scenario.headers(bundle, url);
  const recorded = await recordResponse(url, headers);
  const bare = await startBareWorker(recorded, BARE_SOCKET);
  const floor = await startBareWorker(recorded, FLOOR_SOCKET);
  const addressOf = ({ host, port }: { host: string; port: number }) => `http://${host}:${port}${scenario.path}`;
  const spread = scenario.addresses === undefined ? {} : { addresses: scenario.addresses };
  const results: { ours: LoadResult[]; bare: LoadResult[]; floor: LoadResult[] } = { ours: [], bare: [], floor: [] };
  try {
    // Durable Objects are created on their first call, which takes longer with many addresses.
    await putLoad({ url, headers, seconds: scenario.addresses ? 8 : 2, ...spread });
    for (let round = 0; round < ROUNDS; round += 1) {
      results.bare.push(await putLoad({ url: addressOf(BARE_SOCKET), headers, seconds: SECONDS, ...spread }));
      results.floor.push(await putLoad({ url: addressOf(FLOOR_SOCKET), headers, seconds: SECONDS, ...spread }));
      if (scenario.limited) await scenario.headers(bundle, url);
      results.ours.push(await putLoad({ url, headers, seconds: SECONDS, ...spread }));
    }
  } finally {
    await bare.dispose();
    await floor.dispose();
    await bundle.dispose();
  }
  return results;
}

await runMain(async () => {
  const { gzipBytes } = await buildBundle();
  const selected = process.argv[2];
  const rows: Record<string, Record<string, string>> = {};
  for (const scenario of SCENARIOS) {
    if (selected !== undefined && !scenario.name.includes(selected)) continue;
    const { ours, bare, floor } = await measure(scenario);
    const rate = (results: LoadResult[]) => median(results.map((result) => result.requestsPerSecond));
    const p50 = (results: LoadResult[]) => median(results.map((result) => result.p50Ms));
    const [ratio, target] = scenario.limited ? [rate(ours) / rate(bare), FLOOD_TARGET] : [rate(ours) / rate(floor), TARGET];
    rows[scenario.name] = {
      'service req/s': rate(ours).toFixed(0),
      'floor req/s': rate(floor).toFixed(0),
      'bare req/s': rate(bare).toFixed(0),
      [scenario.limited ? 'service / bare' : 'service / floor']: ratio.toFixed(2),
      target: target.toFixed(2),
      'service p50 ms': p50(ours).toFixed(2),
      'bare p50 ms': p50(bare).toFixed(2),
      errors: String(ours.reduce((sum, result) => sum + result.errors, 0)),
      met: ratio >= target ? 'yes' : 'NO',
    };
    console.log(scenario.name, JSON.stringify(rows[scenario.name]));
  }
  console.table(rows);
  console.log(`Bundle: ${(gzipBytes / 1024).toFixed(1)} KiB gzip.`);
});
