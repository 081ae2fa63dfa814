import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { BlueprintError, MAX_INFLATED_BYTES } from '../../../../src/areas/codexes/render/blueprint.domain.ts';
import { decodeBlueprint } from '../../../../src/areas/codexes/render/decode-blueprint.domain.ts';
import { inflateBlueprint, renderBlueprint } from '../../../../src/areas/codexes/render/render-blueprint.service.ts';
import { seededRandom } from '../../../../src/platform/kit/random.ts';
import { damagedBlueprint } from '../../../support/codex/blueprint-fuzz.ts';

const HEAD = [0x6b, 0x69, 0x77, 0x69, 0x62, 5, 0, 0, 0];

/** A packed model with the numbers of its head, and bytes after them. */
function packed(numbers: readonly number[], rest = new Uint8Array()): Uint8Array {
  const head = new Uint8Array(32);
  const view = new DataView(head.buffer);
  numbers.forEach((number, index) => {
    view.setInt32(4 * index, number, true);
  });
  return Uint8Array.from([...HEAD, ...deflateSync(Buffer.concat([head, rest]), { level: 9 })]);
}

describe('decodeBlueprint', () => {
  it.each([
    ['a bomb behind a head of one voxel', packed([0, 0, 0, 1, 1, 1, 1, 0], new Uint8Array(MAX_INFLATED_BYTES))],
    ['more voxels than bytes', packed([0, 0, 0, 9, 9, 9, 2_000_000, 0])],
    ['more voxels than are supported', packed([0, 0, 0, 9, 9, 9, 2 ** 31 - 1, 0])],
    ['a negative number of voxels', packed([0, 0, 0, 9, 9, 9, -1, 0])],
    ['a side of 2^31 - 1', packed([0, 0, 0, 2 ** 31 - 1, 1, 2 ** 31 - 1, 1, 0], new Uint8Array(64))],
    ['a voxel outside its bounds', packed([0, 0, 0, 1, 1, 1, 1, 2 ** 30], new Uint8Array(64))],
    ['a list with endless numbers', Uint8Array.from([...HEAD.slice(0, 5), 4, 0, 0, 0, ...Array.from({ length: 5000 }, () => 0xff)])],
    ['a list that says it has 2 million voxels', Uint8Array.from([...HEAD.slice(0, 5), 3, 0, 0, 0, 0x80, 0x89, 0x7a, 0])],
    ['a stream that is not zlib', Uint8Array.from([...HEAD, 0xff, 0xff, 0xff])],
  ])('refuses %s', (_, file) => {
    expect(() => decodeBlueprint(file, inflateBlueprint)).toThrow(BlueprintError);
  });

  it('draws or refuses 50 damaged models', () => {
    const random = seededRandom('hostile blueprints');
    let drawn = 0;
    for (let index = 0; index < 50; index += 1) {
      try {
        drawn += renderBlueprint(damagedBlueprint(random), 32).length > 0 ? 1 : 0;
      } catch (error) {
        expect(error).toBeInstanceOf(BlueprintError);
      }
    }
    expect(drawn).toBeGreaterThan(5);
  });
});
