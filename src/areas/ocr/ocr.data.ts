import type { ImageType } from '../../platform/values/image-header.ts';

/** Largest form, in bytes. */
export const MAX_FORM_BYTES = 12 * 1024 * 1024;
/** Most pixels of a picture, by its header: what decoding it takes must fit into the memory of an isolate. */
export const MAX_PIXELS: Readonly<Record<ImageType, number>> = {
  // Read row by row.
  'image/png': 40_000_000,
  // These are decoded as colours first, four bytes a pixel and more.
  'image/jpeg': 12_000_000,
  'image/webp': 9_500_000,
  'image/gif': 9_500_000,
  'image/bmp': 9_500_000,
};
export const MAX_SIDE = 20_000;
/**
 * Above this many pixels, decoding to colours and the text engine do not fit into an isolate side by side, and the memory of
 * the decoder, which never shrinks, is not worth keeping.
 */
export const BIG_PICTURE_PIXELS = 2_500_000;

/** Longest that a request waits for the reader, in milliseconds. */
export const PATIENCE_MILLISECONDS = 20_000;
/** A reading that has not ended by then never will: its client has left. */
export const LEASE_MILLISECONDS = 60_000;
/** Requests that wait at once. */
export const MAX_WAITING = 8;
export const RETRY_AFTER_SECONDS = 5;
