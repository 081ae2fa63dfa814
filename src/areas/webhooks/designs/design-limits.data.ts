/** Designs per account. */
export const MAX_DESIGNS = 10;
export const MAX_DESIGN_NAME_LENGTH = 80;
/** Longest drawing as it is stored, in bytes of UTF-8. */
export const MAX_SVG_BYTES = 64 * 1024;
/** Width and height of a design, in pixels. */
export const MIN_SIDE = 16;
export const MAX_SIDE = 1600;

/** Elements of a drawing, and how deep one may stand in another. */
export const MAX_ELEMENTS = 1000;
export const MAX_DEPTH = 32;
/** Rules of the style sheets, all together. */
export const MAX_STYLE_RULES = 200;
/** Colours of a gradient: the renderer compares each pixel with all of them. */
export const MAX_STOPS = 16;
/** `tspan` elements of one text: the renderer shapes the whole text again for each. */
export const MAX_SPANS = 10;
/** Numbers that set the characters of a text one by one. */
export const MAX_PLACED_CHARACTERS = 500;
/** Largest size of any number of a drawing. */
export const MAX_NUMBER = 20_000;
/** Longest value that a placeholder brings, in characters. */
export const MAX_VALUE_LENGTH = 300;
/** Scans of an embedded JPEG. */
export const MAX_JPEG_SCANS = 12;

/**
 * Sums over a whole drawing. A drawing within all of them takes less than a second of processor time, encoding
 * included: `test/long/designs-cost.test.ts` searches for the slowest one.
 */
export const DRAWING_BOUNDS = {
  characters: { max: 800, unit: 'characters of text' },
  segments: { max: 4000, unit: 'segments and dashes' },
  outline: { max: 800_000, unit: 'pixels of outline (a stroke counts twice)' },
  painted: { max: 16_000_000, unit: 'painted pixels (a gradient counts 4 times, an image 24 times)' },
  imagePixels: { max: 1_000_000, unit: 'pixels in embedded images' },
} as const;

/** How often a painted pixel counts: 1 is about 13 nanoseconds. */
export const GRADIENT_WEIGHT = 4;
export const IMAGE_WEIGHT = 24;
