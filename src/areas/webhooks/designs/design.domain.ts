import { MONTH_NAMES } from '../../../platform/kit/time/time-text.ts';
import { fillPlaceholders, type TemplateVariables } from '../events/template.domain.ts';
import { MAX_SIDE, MAX_SVG_BYTES, MAX_VALUE_LENGTH, MIN_SIDE } from './design.data.ts';
import { costWithinBounds } from './design-bounds.domain.ts';
import { inlineStyles } from './design-styles.domain.ts';
import { type DesignElement, designError, parseDesign } from './design-tree.domain.ts';
import { normalizeValues, numbersIn } from './design-values.domain.ts';

/** A checked drawing: SVG written by `writeTree`, which contains only checked elements and values. */
export interface Drawing {
  svg: string;
  width: number;
  height: number;
  /** Processor time that drawing takes at most, in milliseconds. */
  costMs: number;
}

/**
 * Fills a design with the variables of an event. Throws an `InputError` for a design that is not allowed. The checks run after the
 * placeholders are replaced, so values are checked too.
 */
export function createDrawing(svg: string, variables: TemplateVariables): Drawing {
  const tree = parseDesign(svg);
  const size = parseSize(tree);
  const filled = fillTexts(inlineStyles(tree), variables);
  const checked = moveOpacityToShapes(normalizeValues(filled));
  const root = { ...checked, attributes: { ...checked.attributes, width: String(size.width), height: String(size.height) } };
  return { costMs: costWithinBounds(root, size), svg: writeTree(root), ...size };
}

const PIXELS = /^\s*(\d{1,5}(?:\.\d{1,6})?)(?:px)?\s*$/;
const BOX = /^\s*-?[\d.]+[\s,]+-?[\d.]+[\s,]+([\d.]+)[\s,]+([\d.]+)\s*$/;

/** Size of a drawing in whole pixels, from `width` and `height` or else from `viewBox`. */
function parseSize({ attributes }: DesignElement): { width: number; height: number } {
  const [, boxWidth, boxHeight] = BOX.exec(attributes.viewBox ?? '') ?? [];
  if (attributes.viewBox !== undefined && boxWidth === undefined) throw designError('svg: viewBox must be four numbers');
  return { width: parseSide('width', attributes.width, boxWidth), height: parseSide('height', attributes.height, boxHeight) };
}

function parseSide(name: string, specified: string | undefined, box: string | undefined): number {
  const isRelative = specified === undefined || specified.trim() === '100%' || specified.trim() === 'auto';
  const pixels = Number(isRelative ? box : PIXELS.exec(specified)?.[1]);
  const side = Math.round(pixels);
  if (!(side >= MIN_SIDE && side <= MAX_SIDE)) {
    throw designError(`svg: ${name} must be ${MIN_SIDE} to ${MAX_SIDE} pixels, set by ${name}="600" or the viewBox`);
  }
  return side;
}

/** Characters that XML does not allow, not even escaped. */
const NOT_IN_XML = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;
/** Attribute of a text: maximum number of characters drawn. Longer texts are truncated. */
const LIMIT_ATTRIBUTE = 'data-max';
const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** Replaces placeholders in the texts and attributes of an element and its descendants. */
function fillTexts(element: DesignElement, variables: TemplateVariables): DesignElement {
  const limit = Number(element.attributes[LIMIT_ATTRIBUTE]);
  const attributes = Object.fromEntries(
    Object.entries(element.attributes).map(([name, value]) => [name, element.role === 'image' ? value : fillText(value, variables)]),
  );
  const children = element.children.map((child) => {
    if (typeof child !== 'string') return fillTexts(child, variables);
    const text = fillText(child, variables);
    return limit > 0 ? truncate(text, limit) : text;
  });
  return { ...element, attributes, children };
}

function fillText(text: string, variables: TemplateVariables): string {
  const drawable = (value: string) => truncate(value.replaceAll(NOT_IN_XML, ''), MAX_VALUE_LENGTH);
  return fillPlaceholders(text, variables, drawable, formatTimestamp);
}

/** Truncates to `max` characters; the last one is then an ellipsis. */
function truncate(text: string, max: number): string {
  const characters = [...text];
  return characters.length <= max
    ? text
    : `${characters
        .slice(0, max - 1)
        .join('')
        .trimEnd()}…`;
}

/**
 * A time in one of the styles of chat timestamps, in UTC. The relative style is a date too, because an image does not update. Returns the
 * number when it is too large for a date.
 */
export function formatTimestamp(instant: number, style: string): string {
  const date = new Date(instant * 1000);
  if (Number.isNaN(date.getTime())) return String(instant);
  const month = MONTH_NAMES[date.getUTCMonth()] ?? '';
  const [day, year] = [date.getUTCDate(), date.getUTCFullYear()];
  const seconds = date.toISOString().slice(-13, -5);
  const minutes = seconds.slice(0, 5);
  const shortDate = `${day} ${month.slice(0, 3)} ${year}`;
  const styles: Readonly<Record<string, string>> = {
    t: `${minutes} UTC`,
    T: `${seconds} UTC`,
    d: shortDate,
    D: `${day} ${month} ${year}`,
    f: `${day} ${month} ${year}, ${minutes} UTC`,
    F: `${DAYS[date.getUTCDay()]}, ${day} ${month} ${year}, ${minutes} UTC`,
    R: `${shortDate}, ${minutes} UTC`,
  };
  return styles[style] ?? String(instant);
}

/** Opacities that an element inherits. */
interface Opacities {
  /** Product of the `opacity` of all ancestors. */
  opacity: number;
  fill: number;
  stroke: number;
}

/**
 * Moves `opacity` from groups to the shapes, texts and images in them. The renderer would draw a group with `opacity` on a layer up to 25
 * times as large as the image. Overlapping shapes of a group therefore show through each other.
 */
function moveOpacityToShapes(element: DesignElement, outer: Opacities = { opacity: 1, fill: 1, stroke: 1 }): DesignElement {
  const { opacity, ...attributes } = element.attributes;
  const { 'fill-opacity': fill, 'stroke-opacity': stroke } = attributes;
  const own = {
    opacity: outer.opacity * parseShare(opacity, 1),
    fill: parseShare(fill, outer.fill),
    stroke: parseShare(stroke, outer.stroke),
  };
  const children = element.children.map((child) => (typeof child === 'string' ? child : moveOpacityToShapes(child, own)));
  return { ...element, attributes: own.opacity === 1 ? attributes : { ...attributes, ...opacityAttributes(element, own) }, children };
}

/** Opacity attributes of a drawn element. */
function opacityAttributes({ role }: DesignElement, { opacity, fill, stroke }: Opacities): Record<string, string> {
  if (role === 'image') return { opacity: String(opacity) };
  return role === 'shape' || role === 'text' ? { 'fill-opacity': String(fill * opacity), 'stroke-opacity': String(stroke * opacity) } : {};
}

/** A number or percentage between 0 and 1. */
function parseShare(value: string | undefined, fallback: number): number {
  const [share = fallback] = value === undefined ? [] : numbersIn(value, 1);
  return Math.min(Math.max(share, 0), 1);
}

/** Maximum length of the written drawing, in characters. Applied styles and values make it longer than its source. */
const MAX_WRITTEN_LENGTH = 4 * MAX_SVG_BYTES;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

const escapeText = (text: string) => text.replaceAll(/[&<>]/g, (character) => ENTITIES[character] ?? '');
const escapeAttribute = (text: string) => text.replaceAll(/[&<>"\t\n\r]/g, (character) => ENTITIES[character] ?? '');

/** Writes a tree as an SVG document. Throws when it is longer than `MAX_WRITTEN_LENGTH`. */
function writeTree(root: DesignElement): string {
  const chunks: string[] = [];
  let length = 0;
  const append = (part: string) => {
    length += part.length;
    if (length > MAX_WRITTEN_LENGTH) throw designError('must be shorter: too long after styles and values are applied');
    chunks.push(part);
  };
  const write = ({ name, attributes, children }: DesignElement, namespace: string) => {
    append(`<${name}${namespace}`);
    for (const [attribute, value] of Object.entries(attributes)) append(` ${attribute}="${escapeAttribute(value)}"`);
    append(children.length === 0 ? '/>' : '>');
    for (const child of children) {
      if (typeof child === 'string') append(escapeText(child));
      else write(child, '');
    }
    if (children.length > 0) append(`</${name}>`);
  };
  write(root, ' xmlns="http://www.w3.org/2000/svg"');
  return chunks.join('');
}
