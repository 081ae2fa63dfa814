import { type RunningBundle, startBundle } from '../lib/bundle.ts';
import { median } from '../lib/measure/quantiles.ts';
import { cpuSecondsOf, runtimePids } from '../lib/measure/runtime-process.ts';
import { recordResponse, startBareWorker } from './bare-worker.ts';
import { DIFFERENT_BUILDS, GUESSED_GEM } from './calc-cases.ts';
import { type Load, putLoad } from './wrk.ts';

/** An endpoint under load; without bodies it is a GET. */
interface Scenario {
  name: string;
  path: string;
  bodies?: readonly string[];
  /** Minimum ratio to the bare Worker's throughput; absent: no target. */
  target?: number;
  /** Sends `If-None-Match` with the current ETag. */
  revalidates?: boolean;
}

const json = (body: unknown): string => JSON.stringify(body);

const SCENARIOS: readonly Scenario[] = [
  { name: 'evaluate', path: '/v1/gems/evaluate', bodies: [json(GUESSED_GEM)], target: 0.35 },
  { name: 'calculate Light, one build', path: '/v1/gems/builds/calculate', bodies: [json({ food: 'zephyr_rune' })], target: 0.3 },
  { name: 'calculate Light, 324 builds', path: '/v1/gems/builds/calculate', bodies: DIFFERENT_BUILDS },
  { name: 'level-up', path: '/v1/gems/level-up', bodies: [json({ gem: exampleGem() })] },
  { name: 'classes', path: '/v1/stats/classes' },
  { name: 'classes, 304', path: '/v1/stats/classes', revalidates: true },
  { name: 'sigil', path: '/v1/stats/sigil?power_rank=31250&mastery=840' },
];

/** No effective rate limits and no request log, like the bare Worker. */
const VARS = { LOG_SAMPLE: '0', ENVIRONMENT: 'development', RATE_LIMIT_MULTIPLIER: '1000000' };
const BUNDLE_SOCKET = { host: '127.0.0.1', port: 18_790 };
const BARE_SOCKET = { host: '127.0.0.1', port: 18_791 };
const SECONDS = Number(process.env.BENCH_SECONDS ?? 4);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const WARM_UP_SECONDS = 5;

/** One Worker under load. `cpu`: CPU microseconds per request, independent of other load on the machine. */
interface Side {
  rate: number;
  cpu: number;
  errors: number;
}

export interface EndpointResult {
  name: string;
  ours: Side;
  bare: Side;
  target: number | null;
}

/** Measures the endpoints under load, each next to a bare Worker that sends the same headers and bytes. */
export async function measureEndpoints(onResult: (result: EndpointResult) => void): Promise<void> {
  const bundle = await startBundle({ withoutAssets: true, directSocket: BUNDLE_SOCKET, vars: VARS });
  const [bundlePid = 0] = runtimePids();
  try {
    for (const scenario of SCENARIOS) onResult(await measure(scenario, bundle, bundlePid));
  } finally {
    await bundle.dispose();
  }
}

/** Alternates between the service and the bare Worker, so that other load affects both equally. */
async function measure(
  { name, path, bodies, target, revalidates }: Scenario,
  bundle: RunningBundle,
  bundlePid: number,
): Promise<EndpointResult> {
  const url = `${bundle.directUrl}${path}`;
  const headers = await headersFor(bundle, url, revalidates === true);
  const recorded = await recordResponse(url, headers, bodies?.[0]);
  if (recorded.status >= 400) throw new Error(`${name}: ${recorded.status} ${recorded.body.slice(0, 200)}`);
  const bare = await startBareWorker(recorded, BARE_SOCKET);
  const barePid = runtimePids().find((pid) => pid !== bundlePid) ?? 0;
  const bareUrl = `http://${BARE_SOCKET.host}:${BARE_SOCKET.port}${path}`;
  const sides: Record<'ours' | 'bare', Side[]> = { ours: [], bare: [] };
  try {
    await putLoad({ headers, bodies, url, seconds: WARM_UP_SECONDS });
    for (let round = 0; round < ROUNDS; round += 1) {
      sides.bare.push(await loadOn({ headers, bodies, url: bareUrl, seconds: SECONDS }, barePid));
      sides.ours.push(await loadOn({ headers, bodies, url, seconds: SECONDS }, bundlePid));
    }
  } finally {
    await bare.dispose();
  }
  return { name, ours: middleOf(sides.ours), bare: middleOf(sides.bare), target: target ?? null };
}

async function loadOn(load: Load, pid: number): Promise<Side> {
  const before = cpuSecondsOf(pid) ?? Number.NaN;
  const { requestsPerSecond, errors } = await putLoad(load);
  const used = (cpuSecondsOf(pid) ?? Number.NaN) - before;
  return { rate: requestsPerSecond, cpu: (used * 1e6) / (requestsPerSecond * load.seconds), errors };
}

function middleOf(sides: readonly Side[]): Side {
  return {
    rate: median(sides.map(({ rate }) => rate)),
    cpu: median(sides.map(({ cpu }) => cpu)),
    errors: sides.reduce((sum, { errors }) => sum + errors, 0),
  };
}

async function headersFor(bundle: RunningBundle, url: string, revalidates: boolean): Promise<Record<string, string>> {
  const authorization = { Authorization: `Bearer ${await bundle.mintToken()}` };
  const headers = { 'CF-Connecting-IP': '203.0.113.7', 'Content-Type': 'application/json', ...authorization };
  if (!revalidates) return headers;
  return { ...headers, 'If-None-Match': (await recordResponse(url, headers)).headers.etag ?? '' };
}

/** A gem of average size. */
function exampleGem(): object {
  const containers = [{ base: 0.5, augments: [{ type: 3, count: 2 }] }, { base: 0.25 }];
  return { id: 1, tier: 4, type: 1, element: 2, restriction: 1, level: 30, stats: [1, 3, 6].map((type) => ({ type, containers })) };
}
