import { readFileSync } from 'node:fs';
import { startBundle } from '../lib/bundle.ts';
import { runMain } from '../lib/main.ts';
import { quantile } from '../lib/measure/quantiles.ts';
import { runtimeMemory } from '../lib/measure/runtime-process.ts';
import { inRoot } from '../lib/paths.ts';

const REQUESTS = 200;
const AT_ONCE = 4;
const PROBE_EVERY_MILLISECONDS = 100;
const NEIGHBOUR = '/v1/rotations/server-time';
const FIXTURES = ['sheet.png', 'sheet.jpg', 'sheet.webp', 'sheet.gif', 'sheet.bmp'];

/**
 * `npm run bench -- ocr [--reuse]`: 200 screenshots, four at a time, through the bundle that would be deployed: whether it
 * stays up and its memory flat, and how long others wait meanwhile.
 */
await runMain(async () => {
  const vars = { ENVIRONMENT: 'test', RATE_LIMIT_MULTIPLIER: '10000', LOG_REQUESTS: 'off' };
  const bundle = await startBundle({ vars, reuseBuild: process.argv.includes('--reuse') });
  try {
    const headers = { Authorization: `Bearer ${await bundle.mintToken()}` };
    const calm = await probe(bundle.url, 20);
    const statuses = new Map<number, number>();
    const times: number[] = [];
    const memory: string[] = [];
    let sent = 0;
    let isDone = false;
    const worker = async () => {
      while (sent < REQUESTS) {
        const index = sent++;
        const started = performance.now();
        const response = await fetch(`${bundle.url}/v1/ocr/character`, {
          method: 'POST',
          headers,
          body: formOf(FIXTURES[index % FIXTURES.length] ?? ''),
        });
        const { matched } = (await response.json()) as { matched?: number };
        times.push(performance.now() - started);
        statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
        if (response.status === 200 && matched !== 10) throw new Error(`request ${index}: ${matched} stats`);
        if (index % 40 === 39) memory.push(`${Math.round((runtimeMemory()?.now ?? 0) / 2 ** 20)}`);
      }
    };
    const neighbour = probeUntil(bundle.url, () => isDone);
    const started = performance.now();
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    isDone = true;
    const seconds = (performance.now() - started) / 1000;
    console.log(
      `${REQUESTS} screenshots, ${AT_ONCE} at a time, in ${seconds.toFixed(1)} s: ${[...statuses].map(([status, count]) => `${count} x ${status}`).join(', ')}`,
    );
    console.log(`time of one: p50 ${at(times, 0.5)} ms, p95 ${at(times, 0.95)} ms`);
    console.log(`memory after each 40 (MiB): ${memory.join(', ')}`);
    const busy = await neighbour;
    console.log(
      `${NEIGHBOUR}: p50 ${at(calm, 0.5)} ms before; meanwhile p50 ${at(busy, 0.5)} ms, p95 ${at(busy, 0.95)} ms, worst ${at(busy, 1)} ms (${busy.length} calls)`,
    );
  } finally {
    await bundle.dispose();
  }
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
    await new Promise((resolve) => setTimeout(resolve, PROBE_EVERY_MILLISECONDS));
  }
  return times;
}

const at = (times: readonly number[], share: number) => Math.round(quantile(times, share));
