/** What the value of an attribute must look like. */
export type ValueKind =
  | 'name'
  | 'keyword'
  | 'number'
  | 'length'
  | 'numbers'
  | 'share'
  | 'paint'
  | 'reference'
  | 'link'
  | 'path'
  | 'transform'
  | 'families';

/** What an element is to the drawing. `dropped`: of no use to it, and left out with everything in it. */
export type ElementRole =
  | 'root'
  | 'group'
  | 'shape'
  | 'text'
  | 'image'
  | 'use'
  | 'paint'
  | 'stop'
  | 'clip'
  | 'filter'
  | 'step'
  | 'style'
  | 'dropped';

/** Every element of the vocabulary that a design may hold. */
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
  use: 'use',
  linearGradient: 'paint',
  radialGradient: 'paint',
  pattern: 'paint',
  stop: 'stop',
  clipPath: 'clip',
  mask: 'clip',
  filter: 'filter',
  feBlend: 'step',
  feColorMatrix: 'step',
  feComposite: 'step',
  feDropShadow: 'step',
  feFlood: 'step',
  feGaussianBlur: 'step',
  feMerge: 'step',
  feMergeNode: 'step',
  feOffset: 'step',
  style: 'style',
  title: 'dropped',
  desc: 'dropped',
  metadata: 'dropped',
};

/** Attributes that a style sheet may set as well. */
export const STYLE_PROPERTIES: Readonly<Record<string, ValueKind>> = {
  'clip-path': 'reference',
  'clip-rule': 'keyword',
  color: 'paint',
  'color-interpolation-filters': 'keyword',
  display: 'keyword',
  'dominant-baseline': 'keyword',
  fill: 'paint',
  'fill-opacity': 'share',
  'fill-rule': 'keyword',
  filter: 'reference',
  'flood-color': 'paint',
  'flood-opacity': 'share',
  'font-family': 'families',
  'font-size': 'number',
  'font-stretch': 'keyword',
  'font-style': 'keyword',
  'font-weight': 'keyword',
  isolation: 'keyword',
  'letter-spacing': 'number',
  mask: 'reference',
  'mask-type': 'keyword',
  'mix-blend-mode': 'keyword',
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
  'stroke-miterlimit': 'number',
  'stroke-opacity': 'share',
  'stroke-width': 'number',
  'text-anchor': 'keyword',
  'text-decoration': 'keyword',
  'text-rendering': 'keyword',
  visibility: 'keyword',
  'word-spacing': 'number',
};

/** Every attribute that reaches the drawing; others are left out, as the standard would have it. */
export const ATTRIBUTES: Readonly<Record<string, ValueKind>> = {
  ...STYLE_PROPERTIES,
  clipPathUnits: 'keyword',
  cx: 'length',
  cy: 'length',
  d: 'path',
  dx: 'numbers',
  dy: 'numbers',
  filterUnits: 'keyword',
  fr: 'length',
  fx: 'length',
  fy: 'length',
  gradientTransform: 'transform',
  gradientUnits: 'keyword',
  height: 'length',
  href: 'link',
  id: 'name',
  in: 'keyword',
  in2: 'keyword',
  k1: 'number',
  k2: 'number',
  k3: 'number',
  k4: 'number',
  maskContentUnits: 'keyword',
  maskUnits: 'keyword',
  mode: 'keyword',
  offset: 'length',
  operator: 'keyword',
  patternContentUnits: 'keyword',
  patternTransform: 'transform',
  patternUnits: 'keyword',
  points: 'numbers',
  preserveAspectRatio: 'keyword',
  r: 'length',
  result: 'keyword',
  rotate: 'numbers',
  rx: 'length',
  ry: 'length',
  spreadMethod: 'keyword',
  stdDeviation: 'numbers',
  transform: 'transform',
  type: 'keyword',
  values: 'numbers',
  viewBox: 'numbers',
  width: 'length',
  x: 'numbers',
  x1: 'length',
  x2: 'length',
  y: 'numbers',
  y1: 'length',
  y2: 'length',
};
