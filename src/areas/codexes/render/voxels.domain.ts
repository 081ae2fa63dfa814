/**
 * A decoded model: one element per voxel in each array. Coordinates start at 0 on every axis and are mirrored along x.
 * Of several voxels at one position, the last wins.
 */
export interface Voxels {
  readonly count: number;
  readonly x: Int32Array;
  readonly y: Int32Array;
  readonly z: Int32Array;
  readonly type: Uint16Array;
  /** Blue, green, red and surface, four bytes per voxel. */
  readonly bgrw: Uint8Array;
}
