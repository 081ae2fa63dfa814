/** Largest form, in bytes. */
export const MAX_FORM_BYTES = 12 * 1024 * 1024;
/** Maximum pixels per image, from its header: fits a 4K screen and the memory of an isolate. */
export const MAX_PIXELS = 9_500_000;
export const MAX_SIDE = 20_000;
/** Most scans of a JPEG. Encoders make up to 20. */
export const MAX_SCANS = 100;
/** Most pixels that all scans of a JPEG pass over: 19 scans of a 4K screen. */
export const MAX_SCANNED_PIXELS = 160_000_000;
/** Most memory of a JPEG or WebP decoder, in bytes: what a file makes one allocate does not follow from its size alone. */
export const MAX_DECODER_BYTES = 88 * 1024 * 1024;

/** Most marks that stand out from their background: icons, letters, and specks of a texture. */
export const MAX_MARKS = 200_000;
/** Most of them that have the size of letters. */
export const MAX_LETTERS = 6000;
/** Most pieces of text without a wide gap in them. */
export const MAX_WORDS = 240;
export const MAX_LINES = 80;
/** Most characters that all pieces of text have room for. The engine takes up to 3 ms of processor time for each. */
export const MAX_CHARACTERS = 800;
/** The same for the numbers that are read twice. */
export const MAX_REREAD_CHARACTERS = 250;

/**
 * Above this many pixels, decoding to colours and the text engine do not fit into an isolate side by side, and the memory of
 * the decoder, which never shrinks, is not worth keeping.
 */
export const LARGE_IMAGE_PIXELS = 2_500_000;

/** Processor time of a reading as the queue counts it, in milliseconds: the text of a character sheet, and the pixels around it. */
export const READING_MS = 400;
export const PIXELS_PER_MS = 10_000;
export const RETRY_AFTER_SECONDS = 5;
