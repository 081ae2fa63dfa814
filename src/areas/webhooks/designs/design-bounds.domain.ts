import { BASE_COST_MS, DRAWING_BOUNDS, GRADIENT_WEIGHT, IMAGE_WEIGHT, MAX_SPANS, MAX_STOPS, PIXEL_COST_MS } from './design.data.ts';
import { type Extent, pathExtent, polylineExtent } from './design-path.domain.ts';
import { type DesignElement, designError } from './design-tree.domain.ts';
import { embeddedImage, isReference, numbersIn, transformSteps } from './design-values.domain.ts';

interface Size {
  width: number;
  height: number;
}

/** Values that an element inherits. */
interface Frame {
  matrix: Matrix;
  fontSize: number;
  strokeWidth: number;
  /** Average length of a dash or gap in units of the element; null: no dashes. */
  dash: number | null;
  fill: string;
  stroke: string;
}

/** Outline of a shape or text, in units of its element. */
interface Outline {
  /** Number of boxes of this size that the fill covers. */
  boxes: number;
  box: Size;
  length: number;
  points: number;
}

type Sum = keyof typeof DRAWING_BOUNDS;

const DEFAULTS = { fontSize: 16, strokeWidth: 1, dash: null, fill: 'black', stroke: 'none' } as const;
/** Upper bounds for one character, in font sizes: box, outline length, and points of the outline. */
const GLYPH = { width: 1.2, height: 2, length: 20, points: 40 };
/** Stroke widths that a stroke extends beyond its outline at sharp corners. */
const STROKE_REACH = 2;
/** Tolerance in pixels for rotated images. */
const ROUNDING = 0.5;

/**
 * Sums up a design and returns its cost: processor time in milliseconds, at least what drawing takes. Throws when a sum exceeds its bound.
 * All figures are upper bounds: boxes outside the image count fully.
 */
export function costWithinBounds(root: DesignElement, image: Size): number {
  const [, , width = 0, height = 0] = numbersIn(root.attributes.viewBox ?? '');
  const viewBox = width > 0 && height > 0 ? { width, height } : image;
  const scale = Math.max(image.width / viewBox.width, image.height / viewBox.height);
  const drawing = new Drawing(image, viewBox);
  drawing.visit(root, { ...DEFAULTS, matrix: [scale, 0, 0, scale] }, true);
  return drawing.costMs();
}

class Drawing {
  readonly #imageSize: Size;
  readonly #viewport: Size;
  readonly #ids = new Set<string>();
  readonly #totals: Record<Sum, number> = { characters: 0, segments: 0, outline: 0, painted: 0, imagePixels: 0 };

  constructor(imageSize: Size, viewport: Size) {
    this.#imageSize = imageSize;
    this.#viewport = viewport;
  }

  /** `isDrawn`: false inside `defs`. */
  visit(element: DesignElement, outer: Frame, isDrawn: boolean): void {
    const { name, role, attributes, children } = element;
    const { id } = attributes;
    if (id !== undefined && this.#ids.has(id)) throw designError(`duplicate id "${id}"`);
    if (id !== undefined) this.#ids.add(id);
    if (role === 'paint' && children.length > MAX_STOPS) throw designError(`${name}: must have at most ${MAX_STOPS} stops`);
    if (name === 'text' && countElements(element) > MAX_SPANS) throw designError(`text: must have at most ${MAX_SPANS} tspan elements`);
    const frame = inheritedFrame(element, outer);
    const isShown = isDrawn && name !== 'defs';
    if (isShown && role === 'shape') this.#shape(element, frame);
    if (isShown && role === 'image') this.#image(element, frame);
    for (const child of children) {
      if (typeof child !== 'string') this.visit(child, frame, isShown);
      else if (isShown && role === 'text') this.#text(child, name, frame);
    }
  }

  /** Processor time in milliseconds. */
  costMs(): number {
    const sums = Object.keys(DRAWING_BOUNDS) as Sum[];
    const drawn = sums.reduce((total, sum) => total + this.#totals[sum] * DRAWING_BOUNDS[sum].costMs, 0);
    return Math.ceil(BASE_COST_MS + this.#imageSize.width * this.#imageSize.height * PIXEL_COST_MS + drawn);
  }

  #add(sum: Sum, amount: number, element: string): void {
    this.#totals[sum] += amount;
    const { max, unit } = DRAWING_BOUNDS[sum];
    if (!(this.#totals[sum] <= max)) throw designError(`${element}: the drawing must have at most ${max} ${unit}`);
  }

  #shape(element: DesignElement, frame: Frame): void {
    const { width, height, length, points } = extentOf(element, this.#viewport);
    this.#outline({ boxes: 1, box: { width, height }, length, points }, frame, element.name);
  }

  #text(text: string, name: string, frame: Frame): void {
    const characters = [...text.replaceAll(/\s+/g, ' ')].length;
    this.#add('characters', characters, name);
    const { fontSize } = frame;
    const box = { width: GLYPH.width * fontSize, height: GLYPH.height * fontSize };
    const outline = { boxes: characters, box, length: characters * GLYPH.length * fontSize, points: characters * GLYPH.points };
    // No segments: the bound on characters covers the points of their outlines.
    this.#outline(outline, frame, name, 0);
  }

  #outline(outline: Outline, frame: Frame, name: string, segments = outline.points): void {
    const stretch = largestStretch(frame.matrix);
    if (frame.fill !== 'none' && name !== 'line') {
      this.#add('segments', segments, name);
      this.#add('outline', outline.length * stretch, name);
      this.#paint(frame.fill, outline.boxes * coveredPixels(frame.matrix, outline.box, this.#imageSize), name);
    }
    if (frame.stroke !== 'none') this.#stroke(outline, frame, name, segments);
  }

  #stroke({ boxes, box, length, points }: Outline, { matrix, strokeWidth, dash, stroke }: Frame, name: string, segments: number): void {
    const dashes = dash === null ? 0 : length / dash;
    const stretch = largestStretch(matrix);
    // Each point and each dash adds ends or corners about two stroke widths long.
    const outlined = length + (points + dashes) * STROKE_REACH * strokeWidth;
    this.#add('segments', segments + dashes, name);
    this.#add('outline', 2 * outlined * stretch, name);
    const reach = 2 * STROKE_REACH * strokeWidth;
    const outerPixels = boxes * coveredPixels(matrix, { width: box.width + reach, height: box.height + reach }, this.#imageSize);
    this.#paint(stroke, Math.min(outerPixels, 2 * outlined * strokeWidth * stretch ** 2), name);
  }

  #paint(paint: string, pixels: number, name: string): void {
    this.#add('painted', pixels * (isReference(paint) ? GRADIENT_WEIGHT : 1), name);
  }

  #image(element: DesignElement, { matrix }: Frame): void {
    const { name, attributes } = element;
    if (attributes.href === undefined) return;
    const natural = embeddedImage(attributes.href);
    this.#add('imagePixels', natural.width * natural.height, name);
    const side = (attribute: 'width' | 'height') =>
      attributes[attribute] === undefined ? natural[attribute] : Math.abs(lengthOf(element, attribute, this.#viewport));
    const box = { width: side('width'), height: side('height') };
    const stretch = largestStretch(matrix);
    const isNaturalSize = (drawn: number, natural: number) => drawn * stretch <= natural + ROUNDING;
    if (!isNaturalSize(box.width, natural.width) || !isNaturalSize(box.height, natural.height)) {
      throw designError(`image: must not be drawn larger than its own ${natural.width} x ${natural.height} pixels`);
    }
    this.#add('painted', coveredPixels(matrix, box, this.#imageSize) * IMAGE_WEIGHT, name);
  }
}

/** Number of descendant elements. */
function countElements({ children }: DesignElement): number {
  return children.reduce((sum, child) => (typeof child === 'string' ? sum : sum + 1 + countElements(child)), 0);
}

/** Values that apply inside an element. */
function inheritedFrame({ attributes }: DesignElement, outer: Frame): Frame {
  const { 'stroke-dasharray': dashes, 'stroke-width': strokeWidth, 'font-size': fontSize, fill, stroke, transform } = attributes;
  return {
    matrix: applyTransform(outer.matrix, transform),
    fontSize: fontSize === undefined ? outer.fontSize : Math.abs(Number(fontSize)),
    strokeWidth: strokeWidth === undefined ? outer.strokeWidth : Math.abs(Number(strokeWidth)),
    dash: dashes === undefined ? outer.dash : averageOf(numbersIn(dashes)),
    fill: fill ?? outer.fill,
    stroke: stroke ?? outer.stroke,
  };
}

/** Null when the dashes have no length. */
function averageOf(numbers: readonly number[]): number | null {
  const sum = numbers.reduce((total, number) => total + number, 0);
  return sum > 0 ? sum / numbers.length : null;
}

/** Linear part of a transformation: (x, y) becomes (ax + cy, bx + dy). The position of an element does not affect its drawing cost. */
type Matrix = readonly [a: number, b: number, c: number, d: number];

const IDENTITY: Matrix = [1, 0, 0, 1];
const POINTS_OF_BOX = 8;

/** Length of an attribute. Percentages refer to the viewport. */
function lengthOf({ attributes }: DesignElement, name: string, { width, height }: Size): number {
  const fullLength = name === 'r' ? Math.max(width, height) : /y|height/.test(name) ? height : width;
  return numbersIn(attributes[name] ?? '0', fullLength)[0] ?? 0;
}

/** Size of a shape in its own units. */
function extentOf(element: DesignElement, viewport: Size): Extent {
  const { name, attributes } = element;
  const size = (attribute: string) => Math.abs(lengthOf(element, attribute, viewport));
  // Of all convex shapes in a box, the rectangle has the longest outline.
  const box = (width: number, height: number): Extent => ({ width, height, length: 2 * (width + height), points: POINTS_OF_BOX });
  switch (name) {
    case 'rect':
      return box(size('width'), size('height'));
    case 'circle':
      return box(2 * size('r'), 2 * size('r'));
    case 'ellipse': {
      // An absent radius equals the other one.
      const [rx, ry] = [size('rx'), size('ry')];
      return box(2 * (attributes.rx === undefined ? ry : rx), 2 * (attributes.ry === undefined ? rx : ry));
    }
    case 'line':
      return polylineExtent(['x1', 'y1', 'x2', 'y2'].map((attribute) => lengthOf(element, attribute, viewport)));
    case 'path':
      return pathExtent(attributes.d ?? '') ?? { width: 0, height: 0, length: 0, points: 0 };
    default:
      return polylineExtent(numbersIn(attributes.points ?? ''));
  }
}

/** `outer` combined with the `transform` of an element. */
function applyTransform(outer: Matrix, transform: string | undefined): Matrix {
  const steps = transform === undefined ? [] : (transformSteps(transform) ?? []);
  return steps.reduce((matrix, { step, values }) => multiply(matrix, stepMatrix(step, values)), outer);
}

function stepMatrix(step: string, values: readonly number[]): Matrix {
  const [a = 1, b = 0, c = 0, d = 1] = values;
  const radians = (a * Math.PI) / 180;
  if (step === 'matrix') return [a, b, c, d];
  if (step === 'scale') return [a, 0, 0, values[1] ?? a];
  if (step === 'rotate') return [Math.cos(radians), Math.sin(radians), -Math.sin(radians), Math.cos(radians)];
  if (step === 'skewX') return [1, 0, Math.tan(radians), 1];
  return step === 'skewY' ? [1, Math.tan(radians), 0, 1] : IDENTITY;
}

function multiply([a, b, c, d]: Matrix, [e, f, g, h]: Matrix): Matrix {
  return [a * e + c * f, b * e + d * f, a * g + c * h, b * g + d * h];
}

/** Maximum factor by which the matrix stretches a line. */
function largestStretch([a, b, c, d]: Matrix): number {
  const sum = a * a + b * b + c * c + d * d;
  const difference = Math.hypot(a * a + b * b - c * c - d * d, 2 * (a * c + b * d));
  return Math.sqrt((sum + difference) / 2);
}

/** Maximum number of image pixels that a box covers at any position. */
function coveredPixels([a, b, c, d]: Matrix, box: Size, image: Size): number {
  const width = Math.abs(a) * box.width + Math.abs(c) * box.height;
  const height = Math.abs(b) * box.width + Math.abs(d) * box.height;
  return Math.min(width, image.width) * Math.min(height, image.height);
}
