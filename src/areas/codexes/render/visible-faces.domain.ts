import type { Voxels } from './blueprint.domain.ts';
import { MAX_SIDE } from './blueprint.domain.ts';
import { isGlass } from './materials.domain.ts';

/** Bits of the sides of a voxel. */
export const SIDE_X = 1;
export const SIDE_Y = 2;
export const SIDE_Z = 4;

/** Visible faces of a model. */
export interface VisibleFaces {
  /** Indexes of voxels with a visible side, nearest to the camera first. */
  readonly order: Uint32Array;
  /** Visible sides of each voxel of the model. */
  readonly sides: Uint8Array;
}

const EMPTY = -1;
const [HASH_X, HASH_Y, HASH_Z] = [0x9e3779b1, 0x85ebca6b, 0xc2b2ae35];

/**
 * Sides not hidden by a neighbour: sides of a solid voxel without a solid neighbour, sides of glass without any neighbour.
 * The camera looks towards lower coordinates on every axis: a voxel can only hide voxels with a lower sum of coordinates.
 */
export function findVisibleFaces(voxels: Voxels): VisibleFaces {
  const { count, x, y, z, type } = voxels;
  const table = createPositionTable(voxels);
  const sides = new Uint8Array(count);
  for (let index = 0; index < count; index += 1) {
    const [px, py, pz] = [x[index] as number, y[index] as number, z[index] as number];
    if (table.find(px, py, pz) !== index) continue;
    const glass = isGlass(type[index] as number);
    const hides = (other: number) => other !== EMPTY && (glass || !isGlass(type[other] as number));
    let bits = 0;
    if (!hides(table.find(px + 1, py, pz))) bits |= SIDE_X;
    if (!hides(table.find(px, py + 1, pz))) bits |= SIDE_Y;
    if (!hides(table.find(px, py, pz + 1))) bits |= SIDE_Z;
    sides[index] = bits;
  }
  return { order: sortNearestFirst(voxels, sides), sides };
}

/** Counting sort by the sum of the coordinates, descending. */
function sortNearestFirst({ count, x, y, z }: Voxels, sides: Uint8Array): Uint32Array {
  const sumOf = (index: number) => (x[index] as number) + (y[index] as number) + (z[index] as number);
  const starts = new Uint32Array(3 * MAX_SIDE + 1);
  let visible = 0;
  for (let index = 0; index < count; index += 1) {
    if (sides[index] === 0) continue;
    visible += 1;
    const next = starts.length - 1 - sumOf(index);
    starts[next] = (starts[next] as number) + 1;
  }
  for (let bucket = 1; bucket < starts.length; bucket += 1) starts[bucket] = (starts[bucket] as number) + (starts[bucket - 1] as number);
  const order = new Uint32Array(visible);
  for (let index = 0; index < count; index += 1) {
    if (sides[index] === 0) continue;
    const bucket = starts.length - 2 - sumOf(index);
    const at = starts[bucket] as number;
    order[at] = index;
    starts[bucket] = at + 1;
  }
  return order;
}

/** Hash table of voxels by position; the last voxel at a position wins. Open addressing, load factor at most 0.5. */
function createPositionTable({ count, x, y, z }: Voxels): { find(px: number, py: number, pz: number): number } {
  const size = 2 ** Math.ceil(Math.log2(2 * count));
  const mask = size - 1;
  const slots = new Int32Array(size).fill(EMPTY);

  /** Slot of a position: the one that contains it, or the empty one for it. */
  function slotOf(px: number, py: number, pz: number): number {
    const sum = Math.imul(px, HASH_X) + Math.imul(py, HASH_Y) + Math.imul(pz, HASH_Z);
    const mixed = Math.imul(sum ^ (sum >>> 15), HASH_Y);
    let slot = (mixed ^ (mixed >>> 13)) & mask;
    for (;;) {
      const index = slots[slot] as number;
      if (index === EMPTY || (x[index] === px && y[index] === py && z[index] === pz)) return slot;
      slot = (slot + 1) & mask;
    }
  }

  for (let index = 0; index < count; index += 1) slots[slotOf(x[index] as number, y[index] as number, z[index] as number)] = index;
  return { find: (px, py, pz) => slots[slotOf(px, py, pz)] as number };
}
