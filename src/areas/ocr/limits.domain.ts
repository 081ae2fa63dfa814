/** An image exceeds a limit of the work per request. The message names the limit. */
export class CostLimitError extends Error {}

/** Throws `CostLimitError` if `count` exceeds `limit`. Call before the work starts. */
export function checkLimit(limit: number, count: number, name: string): void {
  if (count > limit) throw new CostLimitError(`too many ${name}: ${count}; at most ${limit} are allowed`);
}

export const MAX_FORM_BYTES = 12 * 1024 * 1024;
/** Maximum pixels per image: a 4K screen fits, and so does the memory of an isolate. */
export const MAX_PIXELS = 9_500_000;
export const MAX_SIDE = 20_000;
/** Maximum scans of a JPEG. Encoders write up to 20. */
export const MAX_SCANS = 100;
/** Maximum pixels of all scans of a JPEG: 19 scans of a 4K screen. */
export const MAX_SCANNED_PIXELS = 160_000_000;
/** Memory limit of a JPEG or WebP decoder: the allocations of a decoder depend on the content of the file, not only on its size. */
export const MAX_DECODER_BYTES = 88 * 1024 * 1024;
/** Memory of a JPEG or WebP decoder at its start, and for each pixel of a progressive JPEG or a lossy WebP. Both never shrink. */
export const DECODER_START_BYTES = 17 * 1024 * 1024;
export const DECODER_PIXEL_BYTES = 8.6;
/** Memory of the text engine: 28 MiB with its model, more after some images. */
export const MAX_ENGINE_BYTES = 40 * 1024 * 1024;
/** Memory of the decoded image and of its copies, for each pixel. */
export const IMAGE_PIXEL_BYTES = 4;

/** Maximum groups of pixels that differ from the background: icons, letters, and specks of a texture. */
export const MAX_MARKS = 200_000;
/** Maximum groups with the size of letters. */
export const MAX_LETTERS = 6000;
/** Maximum text spans, which have no wide gap. */
export const MAX_WORDS = 240;
export const MAX_LINES = 80;
/** Maximum characters of all text spans, estimated by their width. The engine needs up to 3 ms of CPU time for each. */
export const MAX_CHARACTERS = 800;
/** Maximum characters of numbers in the second reading. */
export const MAX_REREAD_CHARACTERS = 250;

/**
 * Above this number of pixels, the memory of the decoder and of the text engine do not fit into an isolate together. The decoder
 * is not cached either, as WebAssembly memory never shrinks.
 */
export const LARGE_IMAGE_PIXELS = 2_500_000;

/** CPU time of a request for the queue: a constant for the text of a character sheet, and the pixels. */
export const RECOGNITION_MS = 400;
export const PIXELS_PER_MS = 10_000;
export const RETRY_AFTER_SECONDS = 5;
