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
