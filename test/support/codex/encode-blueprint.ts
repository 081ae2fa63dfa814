import { deflateSync } from 'node:zlib';
import { pushVarint } from '../../../src/platform/kit/values/bytes.ts';

/** A voxel in the game's file format, before it is mirrored. */
export interface Voxel {
  x: number;
  y: number;
  z: number;
  type: number;
  /** Red, green and blue. */
  colour: readonly [number, number, number];
  /** Glass: 0 (clear) to 7 (milky). Solids: the finish. */
  surface?: number;
}

const MAGIC = [...Buffer.from('kiwib', 'latin1')];

/** Encodes a model file with a list of voxels. */
export function encodeListedBlueprint(voxels: readonly Voxel[], version: 3 | 4 = 3): Uint8Array<ArrayBuffer> {
  const bytes = [...MAGIC, version, 0, 0, 0];
  pushVarint(bytes, voxels.length);
  for (const { x, y, z, type, colour, surface = 0 } of voxels) {
    for (const place of [x, y, z]) pushVarint(bytes, (place << 1) ^ (place >> 31));
    bytes.push(type & 0xff, type >> 8, colour[2], colour[1], colour[0], surface);
  }
  return Uint8Array.from(bytes);
}

/** Encodes a model file of version 5, with the voxels sorted by position. */
export function encodePackedBlueprint(voxels: readonly Voxel[]): Uint8Array<ArrayBuffer> {
  const least = (axis: 'x' | 'y' | 'z') => voxels.reduce((min, voxel) => Math.min(min, voxel[axis]), Number.POSITIVE_INFINITY);
  const size = (axis: 'x' | 'y' | 'z') =>
    voxels.reduce((max, voxel) => Math.max(max, voxel[axis]), Number.NEGATIVE_INFINITY) - least(axis) + 1;
  const [x0, y0, z0] = [least('x'), least('y'), least('z')];
  const [width, height, depth] = [size('x'), size('y'), size('z')];
  const placeOf = ({ x, y, z }: Voxel) => (y - y0) * width * depth + (z - z0) * width + (x - x0);
  const sorted = voxels.toSorted((one, other) => placeOf(one) - placeOf(other));
  const places = sorted.map(placeOf);
  const body = Buffer.alloc(32 + 4 * (sorted.length - 1) + 6 * sorted.length);
  const head = [x0, y0, z0, width, height, depth, sorted.length, places[0] ?? 0];
  for (const [index, value] of head.entries()) body.writeInt32LE(value, 4 * index);
  sorted.forEach(({ type, colour: [red, green, blue], surface = 0 }, index) => {
    if (index > 0) body.writeInt32LE((places[index] ?? 0) - (places[index - 1] ?? 0), 28 + 4 * index);
    body.writeUInt16LE(type, 28 + 4 * sorted.length + 2 * index);
    body.set([blue, green, red, surface], 28 + 6 * sorted.length + 4 * index);
  });
  return Uint8Array.from([...MAGIC, 5, 0, 0, 0, ...deflateSync(body)]);
}
