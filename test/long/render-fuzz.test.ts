import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { BlueprintError, BYTES_PER_VOXEL, MAX_VOXELS } from '../../src/areas/codexes/render/blueprint.domain.ts';
import { renderBlueprint } from '../../src/areas/codexes/render/render-blueprint.service.ts';
import { pick, seededRandom } from '../../src/platform/kit/random.ts';
import { damagedBlueprint } from '../support/codex/blueprint-fuzz.ts';
import { encodeListedBlueprint, encodePackedBlueprint, type Voxel } from '../support/codex/encode-blueprint.ts';
import { readPng } from '../support/codex/read-png.ts';

const COUNT = 50_000;
const MAX_CPU_MS = 1000;
const MAX_BYTES = 64 * 1024 * 1024;
/** Samples of an image of 512 pixels. */
const DRAWING_BYTES = 20 * 1024 * 1024;
/** Collect garbage before every 50th model, so that its memory is measured completely. */
const MEASURED_EVERY = 50;
const SIDES = [32, 32, 33, 48, 64, 64, 100, 256] as const;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const bytesInUse = () => {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
};

/** CPU milliseconds of an image, and its memory in bytes if no garbage was collected meanwhile. Null image: refused. */
function measure(file: Uint8Array, side: number): { image: Uint8Array | null; cpuMs: number; bytes: number } {
  const memory = bytesInUse();
  const before = process.threadCpuUsage();
  let image: Uint8Array | null = null;
  try {
    image = renderBlueprint(file, side);
  } catch (error) {
    if (!(error instanceof BlueprintError)) throw error;
  }
  const { user, system } = process.threadCpuUsage(before);
  return { image, cpuMs: (user + system) / 1000, bytes: bytesInUse() - memory };
}

it(`draws or refuses ${COUNT} damaged models within a second and 64 MiB`, { timeout: 1_800_000 }, () => {
  const seed = process.env.FUZZ_SEED ?? 'render';
  const random = seededRandom(seed);
  const worst = { cpuMs: 0, bytes: 0, drawn: 0 };
  for (let index = 0; index < COUNT; index += 1) {
    const file = damagedBlueprint(random);
    const side = index % 500 === 0 ? 512 : pick(random, SIDES);
    if (index % MEASURED_EVERY === 0) collectGarbage();
    const { image, cpuMs, bytes } = measure(file, side);
    if (image) {
      worst.drawn += 1;
      expect(readPng(image).width).toBe(side);
    }
    worst.cpuMs = Math.max(worst.cpuMs, cpuMs);
    worst.bytes = Math.max(worst.bytes, bytes);
    expect(cpuMs, `seed ${seed}, model ${index}`).toBeLessThan(MAX_CPU_MS);
    expect(bytes, `seed ${seed}, model ${index}`).toBeLessThan(MAX_BYTES);
  }
  process.stdout.write(
    `seed ${seed}: ${worst.drawn} of ${COUNT} drawn; at most ${worst.cpuMs.toFixed(0)} ms, ${(worst.bytes / 2 ** 20).toFixed(1)} MiB\n`,
  );
  expect(worst.drawn).toBeGreaterThan(COUNT / 10);
});

/** Voxels of models that are expensive for their size: the service renders them within a second. */
const COSTLY_VOXELS = 250_000;
/** Larger than any model of the game, which has at most 434,485 voxels. */
const MAX_LARGE_CPU_MS = 10_000;

/** Models that are expensive for their size. */
function* costlyModels(): Generator<[string, Voxel[]]> {
  const kinds: [string, Pick<Voxel, 'type' | 'surface'>][] = [
    ['solid', { type: 21 }],
    ['clear glass', { type: 18, surface: 0 }],
    ['glass', { type: 18, surface: 4 }],
  ];
  for (const [name, paint] of kinds) {
    const at = (x: number, y: number, z: number): Voxel => ({ x, y, z, colour: [x & 255, y & 255, z & 255], ...paint });
    const sieve: Voxel[] = [];
    for (let index = 0; sieve.length < COSTLY_VOXELS; index += 1) {
      const [x, y, z] = [index % 80, Math.floor(index / 80) % 80, Math.floor(index / 6400)];
      if ((x + y + z) % 2 === 0) sieve.push(at(x, y, z));
    }
    yield [`a sieve of ${name}`, sieve];
    yield [
      `dust of ${name}`,
      Array.from({ length: COSTLY_VOXELS }, (_, index) => at((index * 7919) % 4001, (index * 104_729) % 3989, (index * 1_299_709) % 4003)),
    ];
    for (const length of [60, 200, 700, 2500, 6000]) {
      // Along the line of sight, so that all voxels are drawn at the same pixels.
      yield [
        `a stick of ${length} ${name}`,
        Array.from({ length }, (_, far) => at(-Math.round(0.558 * far), Math.round(0.495 * far), Math.round(0.665 * far))),
      ];
    }
  }
}

it('draws or refuses models that are expensive for their size within a second and 64 MiB', { timeout: 600_000 }, () => {
  for (const [name, voxels] of costlyModels()) {
    for (const encode of [encodeListedBlueprint, encodePackedBlueprint]) {
      for (const side of [256, 512]) {
        const file = encode(voxels);
        collectGarbage();
        let { image, cpuMs, bytes } = measure(file, side);
        // Measure again, because other load increases single figures.
        for (let again = 0; again < 3 && cpuMs > MAX_CPU_MS / 2; again += 1) cpuMs = Math.min(cpuMs, measure(file, side).cpuMs);
        process.stdout.write(
          `${name}, ${encode.name}, ${side}: ${image ? 'drawn' : 'refused'}, ${cpuMs.toFixed(0)} ms, ${(bytes / 2 ** 20).toFixed(1)} MiB\n`,
        );
        expect(cpuMs, name).toBeLessThan(MAX_CPU_MS);
        expect(bytes, name).toBeLessThan(MAX_BYTES);
      }
    }
  }
});

it('draws a solid model of the maximum size within 10 s and its estimated memory', { timeout: 600_000 }, () => {
  const side = Math.ceil(Math.cbrt(MAX_VOXELS));
  const voxels = Array.from({ length: MAX_VOXELS }, (_, index): Voxel => {
    const [x, y, z] = [index % side, Math.floor(index / side) % side, Math.floor(index / side ** 2)];
    return { x, y, z, type: 21, colour: [x, y, z] };
  });
  const file = encodePackedBlueprint(voxels);
  voxels.length = 0;
  collectGarbage();
  const { image, cpuMs, bytes } = measure(file, 512);
  process.stdout.write(`${MAX_VOXELS} voxels, 512: ${cpuMs.toFixed(0)} ms, ${(bytes / 2 ** 20).toFixed(1)} MiB\n`);
  expect(image).not.toBeNull();
  expect(cpuMs).toBeLessThan(MAX_LARGE_CPU_MS);
  expect(bytes).toBeLessThan(BYTES_PER_VOXEL * MAX_VOXELS + DRAWING_BYTES);
});
