/** Kinds of attribute values. */
export type ValueKind =
  | 'name'
  | 'keyword'
  | 'number'
  | 'length'
  | 'numbers'
  | 'share'
  | 'paint'
  | 'link'
  | 'path'
  | 'transform'
  | 'families';

/** Role of an element in a drawing. `dropped`: omitted with its children, because it is never drawn. */
export type ElementRole = 'root' | 'group' | 'shape' | 'text' | 'image' | 'paint' | 'stop' | 'style' | 'dropped';

/** Elements that a design may contain. */
export const ELEMENTS: Readonly<Record<string, ElementRole>> = {
  svg: 'root',
  g: 'group',
  defs: 'group',
  rect: 'shape',
  circle: 'shape',
  ellipse: 'shape',
  line: 'shape',
  polyline: 'shape',
  polygon: 'shape',
  path: 'shape',
  text: 'text',
  tspan: 'text',
  image: 'image',
  linearGradient: 'paint',
  radialGradient: 'paint',
  stop: 'stop',
  style: 'style',
  title: 'dropped',
  desc: 'dropped',
  metadata: 'dropped',
};

/**
 * Attributes and style properties that the renderer does not support. A design with one of them is rejected, because it would look
 * different elsewhere.
 */
export const UNSUPPORTED_PROPERTIES: readonly string[] = ['clip-path', 'mask', 'filter', 'mix-blend-mode'];

/** Attributes that a style sheet may also set. */
export const STYLE_PROPERTIES: Readonly<Record<string, ValueKind>> = {
  color: 'paint',
  display: 'keyword',
  'dominant-baseline': 'keyword',
  fill: 'paint',
  'fill-opacity': 'share',
  'fill-rule': 'keyword',
  'font-family': 'families',
  'font-size': 'number',
  'font-stretch': 'keyword',
  'font-style': 'keyword',
  'font-weight': 'keyword',
  'letter-spacing': 'number',
  opacity: 'share',
  'paint-order': 'keyword',
  'shape-rendering': 'keyword',
  'stop-color': 'paint',
  'stop-opacity': 'share',
  stroke: 'paint',
  'stroke-dasharray': 'numbers',
  'stroke-dashoffset': 'number',
  'stroke-linecap': 'keyword',
  'stroke-linejoin': 'keyword',
  'stroke-opacity': 'share',
  'stroke-width': 'number',
  'text-anchor': 'keyword',
  'text-decoration': 'keyword',
  'text-rendering': 'keyword',
  visibility: 'keyword',
  'word-spacing': 'number',
};

/** Supported attributes. Others are ignored, as SVG requires. */
export const ATTRIBUTES: Readonly<Record<string, ValueKind>> = {
  ...STYLE_PROPERTIES,
  cx: 'length',
  cy: 'length',
  d: 'path',
  dx: 'numbers',
  dy: 'numbers',
  fr: 'length',
  fx: 'length',
  fy: 'length',
  gradientTransform: 'transform',
  gradientUnits: 'keyword',
  height: 'length',
  href: 'link',
  id: 'name',
  offset: 'length',
  points: 'numbers',
  preserveAspectRatio: 'keyword',
  r: 'length',
  rotate: 'numbers',
  rx: 'length',
  ry: 'length',
  transform: 'transform',
  viewBox: 'numbers',
  width: 'length',
  x: 'numbers',
  x1: 'length',
  x2: 'length',
  y: 'numbers',
  y1: 'length',
  y2: 'length',
};

/** Designs per account. */
export const MAX_DESIGNS = 10;
export const MAX_DESIGN_NAME_LENGTH = 80;
/** Maximum size of a stored drawing, in bytes of UTF-8. */
export const MAX_SVG_BYTES = 64 * 1024;
/** Width and height of a design, in pixels. */
export const MIN_SIDE = 16;
export const MAX_SIDE = 1600;

/** Elements of a drawing, and their nesting depth. */
export const MAX_ELEMENTS = 1000;
export const MAX_DEPTH = 32;
/** Style rules of a drawing in total. */
export const MAX_STYLE_RULES = 200;
/** Stops of a gradient: the renderer compares each pixel with all of them. */
export const MAX_STOPS = 16;
/** `tspan` elements per text: the renderer lays out the whole text again for each. */
export const MAX_SPANS = 10;
/** Values of an attribute that positions characters individually. */
export const MAX_POSITION_VALUES = 500;
/** Maximum absolute value of any number. */
export const MAX_NUMBER = 20_000;
/** Maximum length of a placeholder value, in characters. */
export const MAX_VALUE_LENGTH = 300;
/** Scans per embedded JPEG. */
export const MAX_JPEG_SCANS = 12;

/**
 * Bounds on sums over a drawing, and the processor time of a unit in milliseconds. A drawing within all of them takes less than 1 s of CPU time, including encoding;
 * `test/long/designs-cost.test.ts` searches for the slowest one.
 */
export const DRAWING_BOUNDS = {
  characters: { max: 800, unit: 'characters of text', costMs: 0.2 },
  segments: { max: 4000, unit: 'segments and dashes', costMs: 0.03 },
  outline: { max: 800_000, unit: 'pixels of outline (a stroke counts twice)', costMs: 0.0003 },
  painted: { max: 16_000_000, unit: 'painted pixels (a gradient counts 4 times, an image 24 times)', costMs: 0.000015 },
  imagePixels: { max: 1_000_000, unit: 'pixels in embedded images', costMs: 0.00005 },
} as const;
/** Cost of the checks of a design, which an invalid one takes too. */
export const CHECK_COST_MS = 50;
/** Cost of every drawing, and of a pixel of the image: checks, fonts and encoding. */
export const BASE_COST_MS = CHECK_COST_MS;
export const PIXEL_COST_MS = 0.0001;

/** Weights of a painted pixel; 1 is about 13 ns. */
export const GRADIENT_WEIGHT = 4;
export const IMAGE_WEIGHT = 24;
