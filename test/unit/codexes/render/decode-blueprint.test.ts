import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Voxels } from '../../../../src/areas/codexes/render/blueprint.domain.ts';
import { BlueprintError } from '../../../../src/areas/codexes/render/blueprint.domain.ts';
import { decodeBlueprint } from '../../../../src/areas/codexes/render/decode-blueprint.domain.ts';
import { inflateBlueprint } from '../../../../src/areas/codexes/render/render-blueprint.service.ts';
import { encodeListedBlueprint, encodePackedBlueprint, type Voxel } from '../../../support/codex/encode-blueprint.ts';
import { bytesOf } from '../../../support/codex/hex.ts';

const LISTED = '6b697769620300000002000000' + '15000080ff00' + '020000' + '120060402003';
const PACKED =
  '6b69776962050000007801013400cbffffffffff0000000000000000020000000100000001000000020000000000000001000000' +
  '150012000080ff006040200300000000e19b066d';

/** Voxels of a model by position. */
function contentOf({ count, x, y, z, type, bgrw }: Voxels): string[] {
  return Array.from({ length: count }, (_, index) => {
    const colour = [...bgrw.subarray(4 * index, 4 * index + 4)];
    return `${x[index]},${y[index]},${z[index]} type ${type[index]} bgrw ${colour}`;
  }).sort();
}

const TWO_VOXELS = ['0,0,0 type 18 bgrw 96,64,32,3', '1,0,0 type 21 bgrw 0,128,255,0'];

const MODEL: Voxel[] = [
  { x: -3, y: 2, z: 70, type: 21, colour: [255, 128, 0] },
  { x: 4, y: 2, z: -9, type: 18, colour: [1, 2, 3], surface: 7 },
  { x: 0, y: 90, z: 0, type: 0x1234, colour: [9, 8, 7], surface: 5 },
];

const versions: [string, (voxels: readonly Voxel[]) => Uint8Array<ArrayBuffer>][] = [
  ['3', (voxels) => encodeListedBlueprint(voxels, 3)],
  ['4', (voxels) => encodeListedBlueprint(voxels, 4)],
  ['5', encodePackedBlueprint],
];

const decode = (bytes: Uint8Array) => decodeBlueprint(bytes, inflateBlueprint);

describe('decodeBlueprint', () => {
  it('reads the documented example of version 3', () => expect(contentOf(decode(bytesOf(LISTED)))).toEqual(TWO_VOXELS));

  it('reads version 4 like version 3', () => expect(contentOf(decode(bytesOf(LISTED).with(5, 4)))).toEqual(TWO_VOXELS));

  it('reads the documented example of version 5', () => expect(contentOf(decode(bytesOf(PACKED)))).toEqual(TWO_VOXELS));

  it.each(['', '00', '789c0300000000010102030405'])('ignores bytes after the voxels (%s)', (rest) => {
    expect(contentOf(decode(bytesOf(LISTED + rest)))).toEqual(TWO_VOXELS);
    expect(contentOf(decode(bytesOf(PACKED + rest)))).toEqual(TWO_VOXELS);
  });

  it('reads a stream without its checksum', () => expect(contentOf(decode(bytesOf(PACKED.slice(0, -8))))).toEqual(TWO_VOXELS));

  it.each(versions)('shifts positions to 0 and mirrors x in version %s', (_, encode) => {
    expect(contentOf(decode(encode(MODEL)))).toEqual([
      '0,0,0 type 18 bgrw 3,2,1,7',
      '4,88,9 type 4660 bgrw 7,8,9,5',
      '7,0,79 type 21 bgrw 0,128,255,0',
    ]);
  });

  const listOf = (count: string, ...rest: string[]) => bytesOf(`6b6977696203000000${count}${rest.join('')}`);
  const packedOf = (numbers: readonly number[], rest = 64) => {
    const body = Buffer.alloc(32 + rest);
    for (const [index, number] of numbers.entries()) body.writeInt32LE(number, 4 * index);
    return Uint8Array.from([...bytesOf('6b6977696205000000'), ...deflateSync(body)]);
  };

  it.each<[string, Uint8Array, string]>([
    ['another file', bytesOf('89504e470d0a1a0a00'), 'not a blueprint'],
    ['a file of nothing', new Uint8Array(0), 'not a blueprint'],
    ['version 6', bytesOf(LISTED).with(5, 6), 'unsupported blueprint version 6'],
    ['no voxels', listOf('00'), 'empty'],
    ['no packed voxels', packedOf([0, 0, 0, 1, 1, 1, 0, 0]), 'empty'],
    ['a negative number of voxels', packedOf([0, 0, 0, 1, 1, 1, -5, 0]), 'empty'],
    ['2,000,001 voxels', listOf('81897a'), 'at most 2000000'],
    ['2,000,000,000 packed voxels', packedOf([0, 0, 0, 1, 1, 1, 2e9, 0]), 'at most 2000000'],
    ['more voxels than bytes', listOf('02', '000000', '15000080ff00'), 'is truncated'],
    ['a voxel that is cut off', listOf('01', '800180018001', '150000'), 'is truncated'],
    ['packed voxels that are cut off', packedOf([0, 0, 0, 1, 1, 1, 9, 0], 70), 'is truncated'],
    ['a head that is cut off', Uint8Array.from([...bytesOf('6b6977696205000000'), ...deflateSync(Buffer.alloc(31))]), 'is truncated'],
    ['a side of 4,097', listOf('02', '000000', '15000080ff00', '804000', '00', '15000080ff00'), '1 to 4096'],
    ['a side of 0', packedOf([0, 0, 0, 0, 1, 1, 1, 0]), '1 to 4096'],
    ['a place below 0', packedOf([0, 0, 0, 1, 1, 1, 1, -1]), 'outside'],
    ['a place far above', packedOf([0, 0, 0, 1, 1, 1, 1, 5000]), 'outside'],
    ['a broken stream', bytesOf('6b6977696205000000ffffffff'), 'cannot be decompressed'],
    ['a voxel before 21 MiB of zeros', packedOf([0, 0, 0, 1, 1, 1, 1, 0], 21 << 20), 'too large'],
  ])('rejects %s', (_, file, message) => {
    expect(() => decode(file)).toThrow(BlueprintError);
    expect(() => decode(file)).toThrow(message);
  });
});
