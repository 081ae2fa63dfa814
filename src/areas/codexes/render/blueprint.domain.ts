import { SECONDS_PER_DAY } from '../../../platform/kit/time/clock.ts';

/**
 * A decoded model: one element per voxel in each array. Coordinates start at 0 on every axis and are mirrored along x.
 * Of several voxels at one position, the last wins.
 */
export interface Voxels {
  readonly count: number;
  readonly x: Int16Array;
  readonly y: Int16Array;
  readonly z: Int16Array;
  readonly type: Uint16Array;
  /** Blue, green, red and surface, four bytes per voxel. */
  readonly bgrw: Uint8Array;
}

/** The model cannot be rendered. The message is returned to the client. */
export class BlueprintError extends Error {}

/** Maximum number of voxels of a rendered model. */
export const MAX_VOXELS = 2_000_000;
export const MAX_BLUEPRINT_BYTES = 4 * 1024 * 1024;
/** Limit of decompression of a version 5 model: the size of `MAX_VOXELS` voxels, with a margin for trailing bytes. */
export const MAX_INFLATED_BYTES = 20 * 1024 * 1024;
/** Memory to decode and draw a voxel, in bytes: its decompressed bytes, itself, its place in the order and in the table of positions. */
export const BYTES_PER_VOXEL = 36;
/** Maximum number of voxels along an axis. */
export const MAX_SIDE = 4096;
/** Limits of the image width and height in pixels. */
export const MIN_IMAGE_SIDE = 32;
export const MAX_IMAGE_SIDE = 512;
/** Increment when the output for the same model changes: part of ETags and storage keys. */
export const RENDERER_VERSION = 1;

/** Sides of stored images in pixels. Other sizes are scaled from the next larger one. */
export const STORED_SIDES = [64, 128, 256, MAX_IMAGE_SIDE] as const;
/** A stored image is deleted after this long and rendered again on demand. */
export const IMAGE_TTL_SECONDS = 30 * SECONDS_PER_DAY;
