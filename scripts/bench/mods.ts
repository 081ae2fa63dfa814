import { constants, deflateSync, inflateSync } from 'node:zlib';
import { type MutatedRequest, mutatedRequests } from '../../test/support/tmod-mutations.ts';
import { runMain } from '../lib/main.ts';
import { median } from '../lib/measure/quantiles.ts';
import { startModsRuntime } from './mods-runtime.ts';
import { makeSamples } from './mods-samples.ts';
import { createReport } from './report.ts';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 9);
const INJURED = Number(process.env.BENCH_INJURED ?? 10_000);
const SEED = 20260310;
const SETTLING_ROUNDS = 3;
const MIN_RATIO = 0.5;
const MAX_MEBIBYTES = 100;
const MAX_CPU_MS = 1000;
const MEGABYTE = 1e6;

const report = createReport(44, 44);

/** CPU milliseconds of this process for some work. */
function ownCpu(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const samples = makeSamples();
const { stored, compressed, reversed, request, contents, stream, storedOnly } = samples;

/** The request of each row, and the same work with Node's zlib, without HTTP, base64, JSON and checksums. */
const CASES = [
  { name: 'read metadata_only', path: '/v1/mods/read?metadata_only=true', body: stored, bytes: stored.length, zlib: null, target: null },
  {
    name: 'read full, compressed',
    path: '/v1/mods/read',
    body: compressed,
    bytes: samples.decodedBytes,
    zlib: () => inflateSync(stream),
    target: MIN_RATIO,
  },
  {
    name: 'read full, compressed, unordered table',
    path: '/v1/mods/read',
    body: reversed,
    bytes: samples.decodedBytes,
    zlib: () => inflateSync(stream),
    target: MIN_RATIO,
  },
  {
    name: 'read full, stored blocks',
    path: '/v1/mods/read',
    body: stored,
    bytes: stored.length,
    zlib: () => inflateSync(storedOnly, { finishFlush: constants.Z_SYNC_FLUSH }),
    target: null,
  },
  { name: 'build', path: '/v1/mods/build', body: request, bytes: contents.length, zlib: () => deflateSync(contents), target: MIN_RATIO },
  {
    name: 'build, compared with copying (deflate level 0)',
    path: '/v1/mods/build',
    body: request,
    bytes: contents.length,
    zlib: () => deflateSync(contents, { level: 0 }),
    target: null,
  },
];

const rateOf = (bytes: number, milliseconds: number): string => ((bytes / MEGABYTE / milliseconds) * 1000).toFixed(0);

type Runtime = Awaited<ReturnType<typeof startModsRuntime>>;

/** Alternates between service and zlib and compares CPU time, which other load affects less than wall time. */
async function measureRates(runtime: Runtime): Promise<void> {
  for (const { name, path, body, bytes, zlib, target } of CASES) {
    const ours: number[] = [];
    const walls: number[] = [];
    const theirs: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      if (zlib) theirs.push(ownCpu(zlib));
      const before = runtime.cpuMs();
      const { status, milliseconds } = await runtime.post(path, body);
      if (status !== 200) throw new Error(`${name}: ${status}`);
      ours.push(runtime.cpuMs() - before);
      walls.push(milliseconds);
    }
    const own = median(ours);
    const wall = `${rateOf(bytes, own)} MB/s cpu, ${rateOf(bytes, median(walls))} MB/s wall`;
    if (!zlib) report(name, wall, null, true);
    else {
      const ratio = median(theirs) / own;
      const compared = `${wall}; zlib ${rateOf(bytes, median(theirs))} = ${ratio.toFixed(2)}`;
      report(name, compared, target === null ? null : `at least ${target}`, target === null || ratio >= target);
    }
  }
}

/** Peak memory above that of the idle service during sequential requests. */
async function measureMemory(): Promise<void> {
  for (const { name, path, body } of CASES.slice(0, -1)) {
    const runtime = await startModsRuntime();
    try {
      await runtime.post('/v1/mods/read', new Uint8Array(0));
      const idle = runtime.memory();
      runtime.resetPeak();
      await runtime.post(path, body);
      const first = runtime.peakMemory() - idle;
      for (let round = 0; round < ROUNDS; round += 1) await runtime.post(path, body);
      const later = runtime.peakMemory() - idle;
      report(
        `memory, ${name}`,
        `${first.toFixed(0)} MiB, after ${ROUNDS} more ${later.toFixed(0)} MiB`,
        `at most ${MAX_MEBIBYTES}`,
        first <= MAX_MEBIBYTES && later <= MAX_MEBIBYTES,
      );
    } finally {
      await runtime.dispose();
    }
  }
}

/** Sends mutated files and requests. Checks for 5xx, slow responses and memory growth. */
async function measureInjured(runtime: Runtime, requests: readonly MutatedRequest[]): Promise<void> {
  let failed = 0;
  let slowest = 0;
  const sendAll = async () => {
    for (const { tool, body } of requests) {
      const { status, milliseconds } = await runtime.post(`/v1/mods/${tool}`, body);
      if (status >= 500) failed += 1;
      slowest = Math.max(slowest, milliseconds);
    }
  };
  // Memory grows in the first rounds and must be stable afterwards.
  for (let round = 0; round < SETTLING_ROUNDS; round += 1) await sendAll();
  const before = runtime.memory();
  await sendAll();
  const growth = runtime.memory() - before;
  report(`${INJURED} mutated inputs, ${SETTLING_ROUNDS + 1} times`, `${failed} of 5xx`, 'none', failed === 0);
  report('  slowest', `${slowest.toFixed(0)} ms`, `at most ${MAX_CPU_MS}`, slowest <= MAX_CPU_MS);
  report('  memory growth in the last round', `${growth.toFixed(0)} MiB`, 'at most 10', growth <= 10);
}

/** `npm run bench -- mods [rates | memory | injured]`: measures the mod tools in workerd. */
await runMain(async () => {
  const selected = process.argv[2];
  if (selected === undefined || selected === 'memory') await measureMemory();
  if (selected === 'memory') return;
  // Created before connections open: idle connections are closed.
  const injured = selected === 'rates' ? [] : [...mutatedRequests(INJURED, SEED)];
  const runtime = await startModsRuntime();
  try {
    if (selected !== 'injured') await measureRates(runtime);
    if (selected !== 'rates') await measureInjured(runtime, injured);
  } finally {
    await runtime.dispose();
  }
});
