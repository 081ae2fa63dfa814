import {
  BYTES_OF_PIXEL,
  DEFAULT_FONT_SIZE,
  LAYERS_OF_FILTER,
  LAYERS_OF_MASK,
  OUTLINE_OF_GLYPH,
  POINTS_OF_GLYPH,
  REACH_OF_FILTER,
  WORK,
} from './design-cost.data.ts';
import { extentOf, largestScale, lineArea } from './design-extent.domain.ts';
import { embeddedImage } from './design-images.domain.ts';
import { MAX_DRAWN, MAX_DRAWN_CHARACTERS, MAX_DRAWN_DEPTH, MAX_MEMORY_BYTES, MAX_NUMBER, MAX_WORK } from './design-limits.data.ts';
import { elementsBelow, type Ids, idsOf, refuseCircles, refuseCrowds } from './design-references.domain.ts';
import { type DesignElement, refused } from './design-tree.domain.ts';
import { linkOf, numbersIn, referenceOf } from './design-values.domain.ts';

/** What holds for an element from those around it. */
interface Frame {
  depth: number;
  /** Pixels of the picture to a unit of the element, at most. */
  scale: number;
  /** Memory of the layers it is drawn on, in bytes. */
  bytes: number;
  fontSize: number;
  strokeWidth: number;
  /** Length of a dash and the gap behind it, on average; null without dashes. */
  dash: number | null;
  fill: string;
  stroke: string;
}

/** What holds where nothing was said. */
const BARE = { fontSize: DEFAULT_FONT_SIZE, strokeWidth: 1, dash: null, fill: 'black', stroke: 'none' } as const;
/** What stands in units of the element it is put on may be as large as the picture. */
const UNITS_OF_BOX = 'objectBoundingBox';

/**
 * Follows a drawing as it would be drawn, each element as often as it is referred to, and adds up what that takes. Every
 * figure is from above, so that what passes is drawn within bounds of time and memory. Throws when it is too much.
 */
export function checkCost(root: DesignElement, size: { width: number; height: number }): void {
  const ids = idsOf(root);
  refuseCircles(root, ids);
  refuseCrowds(root);
  new Tally(size, ids).draw(root);
}

/** Sums up a drawing. */
class Tally {
  readonly #area: number;
  /** Longest line that there is room for. */
  readonly #longest: number;
  readonly #ids: Ids;
  #work = 0;
  #drawn = 0;
  #characters = 0;

  constructor({ width, height }: { width: number; height: number }, ids: Ids) {
    this.#area = width * height;
    this.#longest = width + height;
    this.#ids = ids;
  }

  draw(root: DesignElement): void {
    const [, , boxWidth = 0, boxHeight = 0] = numbersIn(root.attributes.viewBox ?? '');
    const [width, height] = [Number(root.attributes.width), Number(root.attributes.height)];
    const hasBox = boxWidth > 0 && boxHeight > 0;
    const scale = hasBox ? Math.max(width / boxWidth, height / boxHeight) : 1;
    // The picture, and a copy of it while it is compressed.
    const bytes = this.#area * BYTES_OF_PIXEL * 2;
    this.#children(root, this.#inner(root, { ...BARE, depth: 0, scale, bytes }));
  }

  #children(element: DesignElement, frame: Frame): void {
    for (const child of element.children) {
      if (typeof child !== 'string') this.#element(child, frame);
      else if (element.role === 'text') this.#text(child, frame);
    }
  }

  #element(element: DesignElement, outer: Frame): void {
    if (element.name === 'defs' || ['paint', 'clip', 'filter', 'stop', 'step'].includes(element.role)) return;
    this.#drawn += 1;
    if (this.#drawn > MAX_DRAWN || outer.depth >= MAX_DRAWN_DEPTH) throw refused('too many elements once references are followed');
    this.#spend(WORK.element);
    const frame = this.#layers(element, this.#inner(element, outer));
    if (element.role === 'use') this.#target(linkOf(element), frame);
    if (element.role === 'shape') this.#shape(element, frame);
    if (element.role === 'image') this.#image(element, frame);
    this.#children(element, frame);
  }

  #target(id: string | null, frame: Frame): void {
    const target = id === null ? undefined : this.#ids.get(id);
    if (target) this.#element(target, frame);
  }

  /** What an element changes for itself and all in it. */
  #inner({ attributes }: DesignElement, outer: Frame): Frame {
    const { 'stroke-dasharray': dashes, 'stroke-width': strokeWidth, 'font-size': fontSize, fill, stroke, transform } = attributes;
    const numbers = dashes === undefined ? null : numbersIn(dashes);
    const sum = numbers?.reduce((total, number) => total + number, 0) ?? 0;
    return {
      ...outer,
      depth: outer.depth + 1,
      scale: outer.scale * largestScale(transform),
      fontSize: fontSize === undefined ? outer.fontSize : Math.abs(Number(fontSize)),
      strokeWidth: strokeWidth === undefined ? outer.strokeWidth : Math.abs(Number(strokeWidth)),
      dash: numbers === null ? outer.dash : sum > 0 ? sum / numbers.length : null,
      fill: fill ?? outer.fill,
      stroke: stroke ?? outer.stroke,
    };
  }

  /** Layers that are made for an element, and what is drawn on them to clip, mask or filter it. */
  #layers(element: DesignElement, frame: Frame): Frame {
    const { opacity, isolation, 'mix-blend-mode': blend, 'clip-path': clip, mask, filter } = element.attributes;
    const isLayer = (opacity ?? '1') !== '1' || (isolation ?? 'auto') !== 'auto' || (blend ?? 'normal') !== 'normal';
    if (!isLayer && !clip && !mask && !filter) return frame;
    const pixels = this.#pixelsOf(element, frame);
    let bytes = frame.bytes + this.#stack(1, pixels);
    for (const id of [clip, mask].map(referenceOf)) {
      if (id === null) continue;
      bytes += this.#stack(LAYERS_OF_MASK, pixels);
      this.#content(id, { ...frame, bytes });
    }
    this.#filter(referenceOf(filter), pixels, bytes);
    this.#hold(bytes);
    return { ...frame, bytes };
  }

  /** Memory of so many layers, each as large as the picture; the work is that of the pixels that are drawn on. */
  #stack(count: number, pixels: number): number {
    this.#spend(count * pixels * WORK.layerPixel);
    return count * this.#area * BYTES_OF_PIXEL;
  }

  #filter(id: string | null, pixels: number, bytes: number): void {
    const target = id === null ? undefined : this.#ids.get(id);
    if (!target) return;
    const steps = elementsBelow(target) + LAYERS_OF_FILTER;
    const { x, y, width, height, filterUnits } = target.attributes;
    const isUsual = [x, y, width, height, filterUnits].every((attribute) => attribute === undefined);
    this.#spend(steps * (isUsual ? Math.min(pixels * REACH_OF_FILTER, this.#area) : this.#area) * WORK.filterStepPixel);
    this.#hold(bytes + steps * this.#area * BYTES_OF_PIXEL);
  }

  /** What stands in an element that is referred to by others, on their layers. */
  #content(id: string, frame: Frame): void {
    const target = this.#ids.get(id);
    if (!target) return;
    const inner = this.#layers(target, this.#inner(target, { ...frame, ...BARE, depth: frame.depth + 1 }));
    const isInBox = [target.attributes.clipPathUnits, target.attributes.maskContentUnits].includes(UNITS_OF_BOX);
    this.#children(target, isInBox ? { ...inner, scale: inner.scale * this.#longest } : inner);
  }

  /** Pixels that an element covers at most. */
  #pixelsOf(element: DesignElement, { scale, fontSize, strokeWidth }: Frame): number {
    const { role } = element;
    if (role === 'text') return Math.min(this.#area, (lineArea(element, fontSize) ?? Number.POSITIVE_INFINITY) * scale ** 2);
    if (role !== 'shape') return this.#area;
    const { width, height } = extentOf(element);
    return Math.min(this.#area, (width + 2 * strokeWidth) * (height + 2 * strokeWidth) * scale ** 2);
  }

  #shape(element: DesignElement, frame: Frame): void {
    const { points, length } = extentOf(element);
    this.#outline(this.#pixelsOf(element, frame), { points, length }, frame);
  }

  /** Fills and strokes an outline. */
  #outline(pixels: number, { points, length }: { points: number; length: number }, frame: Frame): void {
    const lines = Math.min(length * frame.scale, points * this.#longest);
    this.#spend(points * WORK.point);
    this.#paint(frame.fill, pixels, lines * WORK.filledLine, frame);
    this.#paint(frame.stroke, pixels, lines * WORK.strokedLine, frame);
    if (frame.dash !== null && frame.stroke !== 'none') this.#spend((length / frame.dash) * WORK.dash);
  }

  #paint(paint: string, pixels: number, lines: number, frame: Frame): void {
    if (paint === 'none') return;
    const id = referenceOf(paint);
    const source = id === null ? undefined : this.#ids.get(id);
    const isPattern = source?.name === 'pattern';
    this.#spend(lines + pixels * (isPattern ? WORK.patternPixel : source ? WORK.gradientPixel : WORK.plainPixel));
    if (id !== null && isPattern) this.#pattern(id, source, frame);
  }

  /** Patterns are drawn anew for each shape that is painted with them. */
  #pattern(id: string, { attributes }: DesignElement, frame: Frame): void {
    const { patternUnits, patternContentUnits, patternTransform, href, width = '', height = '' } = attributes;
    const sides = [width, height].map(Number);
    if (patternUnits !== 'userSpaceOnUse' || patternContentUnits === UNITS_OF_BOX || href !== undefined) {
      throw refused('pattern: patternUnits must be userSpaceOnUse, the contents in the same units, and without href');
    }
    const scale = frame.scale * largestScale(patternTransform);
    const tile = sides.reduce((area, side) => area * (Number.isFinite(side) ? Math.max(1, Math.abs(side) * scale) : MAX_NUMBER), 1);
    const bytes = frame.bytes + tile * BYTES_OF_PIXEL;
    this.#hold(bytes);
    this.#spend(tile * WORK.layerPixel);
    this.#content(id, { ...frame, scale, bytes });
  }

  #text(text: string, frame: Frame): void {
    const characters = [...text.replaceAll(/\s+/g, ' ')].length;
    this.#characters += characters;
    if (this.#characters > MAX_DRAWN_CHARACTERS) throw refused(`more than ${MAX_DRAWN_CHARACTERS} characters are drawn`);
    if (text.trim() === '') return;
    this.#spend(characters * WORK.glyph);
    const pixels = characters * Math.min(this.#area, (frame.fontSize * frame.scale) ** 2);
    this.#outline(pixels, { points: characters * POINTS_OF_GLYPH, length: characters * frame.fontSize * OUTLINE_OF_GLYPH }, frame);
  }

  #image({ attributes }: DesignElement, frame: Frame): void {
    if (attributes.href === undefined) return;
    const { pixels } = embeddedImage(attributes.href);
    this.#hold(frame.bytes + pixels * BYTES_OF_PIXEL * 2);
    // The text of the picture is decoded as well, each time.
    this.#spend((pixels + attributes.href.length) * WORK.decodedPixel + this.#area * WORK.patternPixel);
  }

  #spend(work: number): void {
    this.#work += work;
    if (!(this.#work <= MAX_WORK)) throw refused('it takes too long to draw: use fewer, smaller or simpler parts');
  }

  #hold(bytes: number): void {
    if (!(bytes <= MAX_MEMORY_BYTES))
      throw refused('it takes too much memory: use fewer layers (opacity, masks, filters) or a smaller picture');
  }
}
