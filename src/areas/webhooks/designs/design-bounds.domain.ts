import { coveredPixels, extentOf, largestStretch, lengthOf, type Matrix, type Size, transformed } from './design-extent.domain.ts';
import { embeddedImage } from './design-images.domain.ts';
import { DRAWING_BOUNDS, GRADIENT_WEIGHT, IMAGE_WEIGHT, MAX_SPANS, MAX_STOPS } from './design-limits.data.ts';
import { type DesignElement, refused } from './design-tree.domain.ts';
import { isReference, numbersIn } from './design-values.domain.ts';

/** Values that an element inherits. */
interface Frame {
  matrix: Matrix;
  fontSize: number;
  strokeWidth: number;
  /** Length of a dash or gap on average, in units of the element; null without dashes. */
  dash: number | null;
  fill: string;
  stroke: string;
}

/** An outline in units of its element. */
interface Outline {
  /** Boxes that its fill covers, each of them. */
  boxes: number;
  box: Size;
  length: number;
  points: number;
}

type Sum = keyof typeof DRAWING_BOUNDS;

const DEFAULTS = { fontSize: 16, strokeWidth: 1, dash: null, fill: 'black', stroke: 'none' } as const;
/** Of the widest characters, in font sizes: box, outline, and points of the outline. */
const GLYPH = { width: 1.2, height: 2, length: 20, points: 40 };
/** A stroke reaches so many widths beyond its outline where corners are sharp. */
const STROKE_REACH = 2;
/** Half a pixel: a rotated image is not enlarged. */
const ROUNDING = 0.5;

/**
 * Adds up what a drawing is made of. Throws when a sum is beyond its bound. Every figure is from above: boxes count as if all of them
 * were inside the picture.
 */
export function checkBounds(root: DesignElement, picture: Size): void {
  const [, , width = 0, height = 0] = numbersIn(root.attributes.viewBox ?? '');
  const viewBox = width > 0 && height > 0 ? { width, height } : picture;
  const scale = Math.max(picture.width / viewBox.width, picture.height / viewBox.height);
  const drawing = new Drawing(picture, viewBox);
  drawing.visit(root, { ...DEFAULTS, matrix: [scale, 0, 0, scale] }, true);
}

class Drawing {
  readonly #picture: Size;
  readonly #viewport: Size;
  readonly #ids = new Set<string>();
  readonly #sums: Record<Sum, number> = { characters: 0, segments: 0, outline: 0, painted: 0, imagePixels: 0 };

  constructor(picture: Size, viewport: Size) {
    this.#picture = picture;
    this.#viewport = viewport;
  }

  /** `isDrawn`: false for what stands in `defs`. */
  visit(element: DesignElement, outer: Frame, isDrawn: boolean): void {
    const { name, role, attributes, children } = element;
    const { id } = attributes;
    if (id !== undefined && this.#ids.has(id)) throw refused(`duplicate id "${id}"`);
    if (id !== undefined) this.#ids.add(id);
    if (role === 'paint' && children.length > MAX_STOPS) throw refused(`${name}: must have at most ${MAX_STOPS} stops`);
    if (name === 'text' && elementsIn(element) > MAX_SPANS) throw refused(`text: must have at most ${MAX_SPANS} tspan elements`);
    const frame = inner(element, outer);
    const isShown = isDrawn && name !== 'defs';
    if (isShown && role === 'shape') this.#shape(element, frame);
    if (isShown && role === 'image') this.#image(element, frame);
    for (const child of children) {
      if (typeof child !== 'string') this.visit(child, frame, isShown);
      else if (isShown && role === 'text') this.#text(child, name, frame);
    }
  }

  #add(sum: Sum, amount: number, element: string): void {
    this.#sums[sum] += amount;
    const { max, unit } = DRAWING_BOUNDS[sum];
    if (!(this.#sums[sum] <= max)) throw refused(`${element}: the drawing must have at most ${max} ${unit}`);
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
    // The bound of characters stands for the points of their outlines.
    this.#outline(outline, frame, name, 0);
  }

  #outline(outline: Outline, frame: Frame, name: string, segments = outline.points): void {
    const stretch = largestStretch(frame.matrix);
    if (frame.fill !== 'none' && name !== 'line') {
      this.#add('segments', segments, name);
      this.#add('outline', outline.length * stretch, name);
      this.#paint(frame.fill, outline.boxes * coveredPixels(frame.matrix, outline.box, this.#picture), name);
    }
    if (frame.stroke !== 'none') this.#stroke(outline, frame, name, segments);
  }

  #stroke({ boxes, box, length, points }: Outline, { matrix, strokeWidth, dash, stroke }: Frame, name: string, segments: number): void {
    const dashes = dash === null ? 0 : length / dash;
    const stretch = largestStretch(matrix);
    // Each point and each dash has ends or corners of its own, about as long as two widths.
    const outlined = length + (points + dashes) * STROKE_REACH * strokeWidth;
    this.#add('segments', segments + dashes, name);
    this.#add('outline', 2 * outlined * stretch, name);
    const reach = 2 * STROKE_REACH * strokeWidth;
    const around = boxes * coveredPixels(matrix, { width: box.width + reach, height: box.height + reach }, this.#picture);
    this.#paint(stroke, Math.min(around, 2 * outlined * strokeWidth * stretch ** 2), name);
  }

  #paint(paint: string, pixels: number, name: string): void {
    this.#add('painted', pixels * (isReference(paint) ? GRADIENT_WEIGHT : 1), name);
  }

  #image(element: DesignElement, { matrix }: Frame): void {
    const { name, attributes } = element;
    if (attributes.href === undefined) return;
    const own = embeddedImage(attributes.href);
    this.#add('imagePixels', own.width * own.height, name);
    const side = (attribute: 'width' | 'height') =>
      attributes[attribute] === undefined ? own[attribute] : Math.abs(lengthOf(element, attribute, this.#viewport));
    const box = { width: side('width'), height: side('height') };
    const stretch = largestStretch(matrix);
    const isWithin = (drawn: number, natural: number) => drawn * stretch <= natural + ROUNDING;
    if (!isWithin(box.width, own.width) || !isWithin(box.height, own.height)) {
      throw refused(`image: must not be drawn larger than its own ${own.width} x ${own.height} pixels`);
    }
    this.#add('painted', coveredPixels(matrix, box, this.#picture) * IMAGE_WEIGHT, name);
  }
}

/** Elements in an element, at any depth. */
function elementsIn({ children }: DesignElement): number {
  return children.reduce((sum, child) => (typeof child === 'string' ? sum : sum + 1 + elementsIn(child)), 0);
}

/** What an element changes for itself and all in it. */
function inner({ attributes }: DesignElement, outer: Frame): Frame {
  const { 'stroke-dasharray': dashes, 'stroke-width': strokeWidth, 'font-size': fontSize, fill, stroke, transform } = attributes;
  return {
    matrix: transformed(outer.matrix, transform),
    fontSize: fontSize === undefined ? outer.fontSize : Math.abs(Number(fontSize)),
    strokeWidth: strokeWidth === undefined ? outer.strokeWidth : Math.abs(Number(strokeWidth)),
    dash: dashes === undefined ? outer.dash : averageOf(numbersIn(dashes)),
    fill: fill ?? outer.fill,
    stroke: stroke ?? outer.stroke,
  };
}

/** Null for dashes that are none. */
function averageOf(numbers: readonly number[]): number | null {
  const sum = numbers.reduce((total, number) => total + number, 0);
  return sum > 0 ? sum / numbers.length : null;
}
