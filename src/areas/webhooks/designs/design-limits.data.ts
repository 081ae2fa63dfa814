/** Designs an account may keep. */
export const MAX_DESIGNS = 10;
export const MAX_DESIGN_NAME_LENGTH = 80;
/** Longest drawing as it is stored, in bytes of UTF-8. */
export const MAX_SVG_BYTES = 64 * 1024;
/** Width and height of a picture, in pixels. */
export const MIN_SIDE = 16;
export const MAX_SIDE = 1600;

/** Elements as they are written, and how deep one may stand in another. */
export const MAX_ELEMENTS = 2000;
export const MAX_DEPTH = 32;
/** Elements that are drawn, each as often as it is referred to. */
export const MAX_DRAWN = 5000;
/** How deep an element may stand once references are followed. */
export const MAX_DRAWN_DEPTH = 64;
/** Rules of the style sheets, all together. */
export const MAX_STYLE_RULES = 200;
/** Colours of a gradient: each pixel looks for its place among them. */
export const MAX_STOPS = 16;
/** Parts of a text, and numbers that set its characters one by one: the renderer's work grows with their square. */
export const MAX_SPANS = 100;
export const MAX_PLACED_CHARACTERS = 500;
/** Largest size of any number of a drawing. */
export const MAX_NUMBER = 20_000;
/** Characters that are drawn, each as often as it is. */
export const MAX_DRAWN_CHARACTERS = 8000;
/** Longest value that a placeholder brings, in characters. */
export const MAX_VALUE_LENGTH = 300;

/** Pixels of one embedded picture, and how often a JPEG may say something about all of them. */
export const MAX_IMAGE_PIXELS = 2_000_000;
export const MAX_JPEG_SCANS = 12;

/** Work of a drawing, an estimate from above in units of `design-cost.data.ts`: one or two seconds at worst. */
export const MAX_WORK = 200_000_000;
/** Memory for what is in the making at once, in bytes. */
export const MAX_MEMORY_BYTES = 40 * 1024 * 1024;
