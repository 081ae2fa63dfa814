import { deflateSync, inflateSync } from 'node:zlib';
import { happens, pick, type RandomSource, randomBelow } from '../../../src/platform/kit/random.ts';
import { encodeListedBlueprint, encodePackedBlueprint, type Voxel } from './encode-blueprint.ts';
import { mutated } from './mutations.ts';

const HEAD_BYTES = 9;
const HEAD_NUMBERS = 8;
const TELLING_NUMBERS = [-(2 ** 31), -1, 0, 1, 2, 255, 4096, 4097, 65_536, 2_000_000, 2_000_001, 2 ** 24, 2 ** 31 - 1];
const TYPES = [0, 1, 18, 21, 24, 54, 55, 56, 79, 65_535];

/** A random model: block, shell, stick or dust, of solids and glass. */
export function someModel(random: RandomSource): Voxel[] {
  const side = 1 + randomBelow(random, 14);
  const density = pick(random, [0.05, 0.3, 1]);
  const [stretchX, stretchY, stretchZ] = [pick(random, [1, 1, 7]), pick(random, [1, 1, 7]), pick(random, [1, 1, 60])];
  const types = [pick(random, TYPES), pick(random, TYPES)];
  const voxels: Voxel[] = [];
  for (let x = 0; x < side; x += 1) {
    for (let y = 0; y < side; y += 1) {
      for (let z = 0; z < side; z += 1) {
        if (!happens(random, density)) continue;
        const colour = [randomBelow(random, 256), randomBelow(random, 256), randomBelow(random, 40)] as const;
        const position = { x: (x - 3) * stretchX, y: y * stretchY, z: (z - 5) * stretchZ };
        voxels.push({ ...position, type: pick(random, types), colour, surface: randomBelow(random, 9) });
      }
    }
  }
  return voxels.length > 0 ? voxels : [{ x: 0, y: 0, z: 0, type: 18, colour: [1, 2, 3] }];
}

/** A mutated model file: changed outside, or inside the packed stream, which is then compressed again. */
export function damagedBlueprint(random: RandomSource, voxels = someModel(random)): Uint8Array<ArrayBuffer> {
  if (happens(random, 0.4)) return copyOf(mutated(encodeListedBlueprint(voxels, pick(random, [3, 4])), random));
  const packed = encodePackedBlueprint(voxels);
  if (happens(random, 0.3)) return copyOf(mutated(packed, random));
  const body = Buffer.from(inflateSync(packed.subarray(HEAD_BYTES)));
  if (happens(random, 0.5)) body.writeInt32LE(pick(random, TELLING_NUMBERS), 4 * randomBelow(random, HEAD_NUMBERS));
  const damaged = happens(random, 0.5) ? mutated(body, random) : body;
  return Uint8Array.from([...packed.subarray(0, HEAD_BYTES), ...deflateSync(damaged)]);
}

const copyOf = (bytes: Uint8Array) => new Uint8Array(bytes);
