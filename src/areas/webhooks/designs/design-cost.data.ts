/**
 * What drawing takes, in units of about six nanoseconds of processor time, measured with the renderer on drawings that are
 * nothing but one kind of part.
 */
export const WORK = {
  element: 2000,
  /** Of a pixel. */
  plainPixel: 2,
  gradientPixel: 8,
  patternPixel: 12,
  layerPixel: 8,
  filterStepPixel: 35,
  decodedPixel: 4,
  /** Of a point of an outline, and of a pixel that its lines are long. */
  point: 100,
  filledLine: 15,
  strokedLine: 30,
  dash: 400,
  glyph: 2000,
} as const;

/** Memory of a pixel. */
export const BYTES_OF_PIXEL = 4;
/** Layers that clipping or masking takes besides that of the element. */
export const LAYERS_OF_MASK = 3;
/** Layers that a filter takes besides one for each of its steps. */
export const LAYERS_OF_FILTER = 3;
/** A filter reaches a tenth farther than its element on each side, unless it says otherwise. */
export const REACH_OF_FILTER = 1.44;
export const DEFAULT_FONT_SIZE = 16;
/** The outline of a glyph, in font sizes. */
export const OUTLINE_OF_GLYPH = 20;
export const POINTS_OF_GLYPH = 40;
