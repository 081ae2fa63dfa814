import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type BundleOptions, startBundle } from '../lib/bundle.ts';
import { runMain } from '../lib/main.ts';
import { quantile } from '../lib/measure/quantiles.ts';
import { runtimeMemory } from '../lib/measure/runtime-process.ts';
import { inRoot } from '../lib/paths.ts';

const CONCURRENCY = 4;
const PROBE_EVERY_MS = 100;
const NEIGHBOUR = '/v1/rotations/server-time';
const FIXTURES = ['sheet.png', 'sheet.jpg', 'sheet.webp', 'sheet.gif', 'sheet.bmp'];

interface Measured {
  name: string;
  /** Milliseconds of screenshots, of `server-time` before them, and of `server-time` meanwhile. */
  times: number[];
  calm: number[];
  busy: number[];
  seconds: number;
  statuses: Map<number, number>;
  memory: string[];
}

/** Sends screenshots, four at a time, and small requests in parallel. */
async function measure(name: string, options: Pick<BundleOptions, 'reuseBuild' | 'bundleFolder'>, requests: number): Promise<Measured> {
  const vars = { ENVIRONMENT: 'test', RATE_LIMIT_MULTIPLIER: '10000', LOG_SAMPLE: '0' };
  const bundle = await startBundle({ vars, ...options });
  try {
    const headers = { Authorization: `Bearer ${await bundle.mintToken()}` };
    const read = async (index: number) => {
      const body = formOf(FIXTURES[index % FIXTURES.length] ?? '');
      const response = await fetch(`${bundle.url}/v1/ocr/character`, { method: 'POST', headers, body });
      const { matched } = (await response.json()) as { matched?: number };
      if (response.status === 200 && matched !== 10) throw new Error(`request ${index}: ${matched} stats`);
      return response.status;
    };
    await read(0);
    const calm = await probe(bundle.url, 20);
    const result: Measured = { name, calm, busy: [], times: [], seconds: 0, statuses: new Map(), memory: [] };
    let sent = 0;
    let isDone = false;
    const worker = async () => {
      while (sent < requests) {
        const index = sent++;
        const started = performance.now();
        const status = await read(index);
        result.times.push(performance.now() - started);
        result.statuses.set(status, (result.statuses.get(status) ?? 0) + 1);
        if (index % 40 === 39) result.memory.push(`${Math.round((runtimeMemory()?.now ?? 0) / 2 ** 20)}`);
      }
    };
    const neighbour = probeUntil(bundle.url, () => isDone);
    const started = performance.now();
    await Promise.all(Array.from({ length: CONCURRENCY }, worker));
    isDone = true;
    result.seconds = (performance.now() - started) / 1000;
    result.busy = await neighbour;
    return result;
  } finally {
    await bundle.dispose();
  }
}

/**
 * `npm run bench -- ocr [--reuse] [--requests 200] [--against DIST]`: sends screenshots, four at a time, to the deployable bundle.
 * Reports errors, memory, and the latency of parallel requests to `server-time`. `--against` also measures the build of another
 * checkout.
 */
await runMain(async () => {
  const { values } = parseArgs({
    options: { reuse: { type: 'boolean', default: false }, requests: { type: 'string', default: '200' }, against: { type: 'string' } },
  });
  const requests = Number(values.requests);
  const measured = [await measure('this build', { reuseBuild: values.reuse }, requests)];
  if (values.against !== undefined) measured.push(await measure('other build', { bundleFolder: resolve(values.against) }, requests));
  const rows = measured.map(({ name, times, calm, busy, seconds, statuses }) => ({
    build: name,
    statuses: [...statuses].map(([status, count]) => `${count} x ${status}`).join(', '),
    'screenshots/s': (times.length / seconds).toFixed(1),
    'screenshot p50 ms': at(times, 0.5),
    'screenshot p95 ms': at(times, 0.95),
    'server-time idle p50 ms': at(calm, 0.5),
    'loaded p50 ms': at(busy, 0.5),
    'p95 ms': at(busy, 0.95),
    'worst ms': at(busy, 1),
    'p95 / screenshot p50': (quantile(busy, 0.95) / quantile(times, 0.5)).toFixed(2),
    requests: busy.length,
  }));
  for (const row of rows) console.table([row]);
  for (const { name, memory } of measured) console.log(`${name}: memory after each 40 screenshots (MiB): ${memory.join(', ')}`);
});

function formOf(name: string): FormData {
  const form = new FormData();
  const type = `image/${name.endsWith('jpg') ? 'jpeg' : name.split('.')[1]}`;
  form.set('file', new Blob([readFileSync(inRoot('test', 'fixtures', 'ocr', name))], { type }), name);
  return form;
}

async function probe(url: string, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index++) {
    const started = performance.now();
    await (await fetch(url + NEIGHBOUR)).text();
    times.push(performance.now() - started);
  }
  return times;
}

async function probeUntil(url: string, isDone: () => boolean): Promise<number[]> {
  const times: number[] = [];
  while (!isDone()) {
    times.push(...(await probe(url, 1)));
    await new Promise((resolve) => setTimeout(resolve, PROBE_EVERY_MS));
  }
  return times;
}

function at(times: readonly number[], share: number): number {
  return Math.round(quantile(times, share));
}
