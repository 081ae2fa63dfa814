import type { R2Bucket } from '@cloudflare/workers-types';
import { createCamera } from '../../src/areas/codexes/render/camera.domain.ts';
import { decodeBlueprint } from '../../src/areas/codexes/render/decode-blueprint.domain.ts';
import { fitFrame } from '../../src/areas/codexes/render/image-frame.domain.ts';
import { averageSamples, paint } from '../../src/areas/codexes/render/render-blueprint.domain.ts';
import { findVisibleFaces } from '../../src/areas/codexes/render/visible-faces.domain.ts';
import { NO_END_ORDINAL } from '../../src/areas/updates/updates.data.ts';
import { encodePng } from '../../src/platform/kit/images/png.domain.ts';
import { contentKey, sha256Of } from '../../src/platform/storage/content-store.ts';
import { encodePackedBlueprint, type Voxel } from '../../test/support/codex/encode-blueprint.ts';
import { MODELS } from '../demo/models/demo-models.ts';
import { type RunningBundle, startBundle } from '../lib/bundle.ts';
import { runMain } from '../lib/main.ts';
import { median, quantile } from '../lib/measure/quantiles.ts';
import { printRow } from './report.ts';

const ROUNDS = 15;
const REQUESTS = 60;
const STEPS = ['decode', 'raster', 'encode'] as const;
/** Maximum CPU milliseconds of an image of 50,000 voxels, by its side in pixels. */
const TARGETS: Readonly<Record<number, number>> = { 256: 80, 512: 250 };
const TARGET_MODELS = ['ball of 50,000', 'sieve of 50,000'];

/** Models by name: one of the demo data, and large solid and porous ones. */
function models(): [name: string, voxels: Voxel[]][] {
  const dragon = MODELS.dragon?.([104, 172, 80]).voxels() ?? [];
  return [
    [`dragon of ${dragon.length}`, dragon],
    ['ball of 50,000', ball(23, () => true)],
    ['sieve of 50,000', ball(29, (x, y, z) => ((x + y + z) & 1) === 0)],
    ['glass ball of 50,000', ball(23, () => true).map((voxel) => ({ ...voxel, type: 18, surface: 3 }))],
    ['sieve of 250,000', ball(49, (x, y, z) => ((x + y + z) & 1) === 0).slice(0, 250_000)],
  ];
}

function ball(radius: number, isFilled: (x: number, y: number, z: number) => boolean): Voxel[] {
  const voxels: Voxel[] = [];
  for (let x = -radius; x <= radius; x += 1) {
    for (let y = -radius; y <= radius; y += 1) {
      for (let z = -radius; z <= radius; z += 1) {
        if (x * x + y * y + z * z > radius * radius || !isFilled(x, y, z)) continue;
        voxels.push({ x, y, z, type: 21, colour: [(8 * x + 128) & 255, (8 * y + 128) & 255, (8 * z + 128) & 255] });
      }
    }
  }
  return voxels;
}

/** Result and CPU milliseconds of a step. */
function timed<Value>(work: () => Value): [value: Value, milliseconds: number] {
  const before = process.cpuUsage();
  const value = work();
  const { user, system } = process.cpuUsage(before);
  return [value, (user + system) / 1000];
}

function drawOnce(file: Uint8Array, side: number): { times: number[]; bytes: number } {
  const [voxels, decode] = timed(() => decodeBlueprint(file));
  const [pixels, raster] = timed(() => {
    const faces = findVisibleFaces(voxels);
    const camera = createCamera(voxels);
    const frame = fitFrame(voxels, faces, camera, side);
    return averageSamples(paint(voxels, faces, camera, frame), frame.side, frame.samplesPerPixel);
  });
  const [png, encode] = timed(() => encodePng(pixels));
  return { times: [decode, raster, encode], bytes: png.length };
}

function measureSteps(): void {
  printRow('CPU time in ms, median of 15', 36, [...STEPS, 'all', 'first', 'PNG bytes'], 11);
  for (const [name, voxels] of models()) {
    const file = encodePackedBlueprint(voxels);
    for (const side of [256, 512]) {
      const first = drawOnce(file, side);
      const rounds = Array.from({ length: ROUNDS }, () => drawOnce(file, side).times);
      const steps = STEPS.map((_, index) => median(rounds.map((times) => times[index] ?? 0)));
      const all = steps.reduce((sum, time) => sum + time, 0);
      const target = TARGETS[side] ?? 0;
      const isMissed = TARGET_MODELS.includes(name) && all > target;
      if (isMissed) process.exitCode = 1;
      const numbers = [...steps, all, first.times.reduce((sum, time) => sum + time, 0)].map((time) => time.toFixed(1));
      const verdict = TARGET_MODELS.includes(name) ? `${isMissed ? 'MISSED' : 'ok'}: at most ${target}` : '';
      printRow(`${name}, ${side} px`, 36, [...numbers, first.bytes], 11, verdict);
    }
  }
}

/** Measures response times of the bundle: each size is drawn once and stored afterwards. */
async function measureRequests(bundle: RunningBundle): Promise<void> {
  console.log();
  printRow('response time in ms, one at a time', 36, ['new p50', 'new p95', 'stored p50', 'stored p95', '304 p50'], 11);
  for (const [index, [name, voxels]] of models().slice(0, 3).entries()) {
    await store(bundle, `model_${index}`, encodePackedBlueprint(voxels));
    const urls = Array.from({ length: REQUESTS }, (_, at) => `${bundle.url}/v1/codexes/render?blueprint=model_${index}&dim=${226 + at}`);
    const cold = await timesOf(urls, {});
    const stored = await timesOf(urls, {});
    const etag = (await fetch(urls[0] ?? '')).headers.get('ETag') ?? '';
    const current = await timesOf(
      urls.map(() => urls[0] ?? ''),
      { 'If-None-Match': etag },
    );
    const numbers = [quantile(cold, 0.5), quantile(cold, 0.95), quantile(stored, 0.5), quantile(stored, 0.95), quantile(current, 0.5)];
    printRow(
      `${name}, about 256 px`,
      36,
      numbers.map((time) => time.toFixed(1)),
      11,
    );
  }
}

async function timesOf(urls: readonly string[], headers: Record<string, string>): Promise<number[]> {
  const times: number[] = [];
  for (const url of urls) {
    const started = performance.now();
    const response = await fetch(url, { headers });
    await response.arrayBuffer();
    if (!response.ok && response.status !== 304) throw new Error(`${url}: ${response.status}`);
    times.push(performance.now() - started);
  }
  return times;
}

/** Stores a model in the archive, in the format of the sync. */
async function store({ mf, database }: RunningBundle, name: string, file: Uint8Array<ArrayBuffer>): Promise<void> {
  const sha256 = await sha256Of(file);
  const bucket = (await mf.getR2Bucket('ARCHIVE')) as unknown as R2Bucket;
  await bucket.put(contentKey(sha256), file);
  await database
    .prepare(`INSERT INTO archive_files (branch, dir, name, from_ordinal, to_ordinal, changed_ordinal, content_sha256, size)
      VALUES ('live-us', 'blueprints/', ?, 1, ?, 1, ?, ?)`)
    .bind(`${name}.blueprint`, NO_END_ORDINAL, sha256, file.length)
    .run();
  await database.prepare("INSERT OR IGNORE INTO archive_branches (branch, current_ordinal) VALUES ('live-us', 1)").run();
}

/** `npm run bench -- render`: measures decoding, raster and encoding of model images, and requests for new and stored ones. */
await runMain(async () => {
  measureSteps();
  const vars = { ENVIRONMENT: 'test', RATE_LIMIT_MULTIPLIER: '10000', LOG_SAMPLE: '0' };
  const bundle = await startBundle({ vars, withoutAssets: true });
  try {
    await measureRequests(bundle);
  } finally {
    await bundle.dispose();
  }
});
