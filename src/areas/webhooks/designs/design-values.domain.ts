import { decodeBase64InPlace } from '../../../platform/kit/values/base64.ts';
import { readImageHeader } from '../../../platform/kit/values/image-header.ts';
import { ATTRIBUTES, MAX_JPEG_SCANS, MAX_NUMBER, MAX_POSITION_VALUES, UNSUPPORTED_PROPERTIES, type ValueKind } from './design.data.ts';
import { pathExtent } from './design-path.domain.ts';
import { type DesignElement, designError, truncated } from './design-tree.domain.ts';

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,2})?$/i;
const UNSET_KEYWORD = /^(?:none|normal|auto|inherit|initial|unset)$/i;
const NAME = /^[A-Za-z_][\w.:-]{0,63}$/;
const KEYWORD = /^[A-Za-z0-9_-]{1,40}(?: [A-Za-z0-9_-]{1,40}){0,3}$/;
const PAINT_REFERENCE = /^url\(\s*(['"]?)#([\w.:-]{1,64})\1\s*\)(?:\s+([^\s].{0,60}))?$/i;
const COLOUR = /^(?:#[0-9a-f]{3,8}|[a-z]{3,30}|(?:rgb|hsl)a?\([\d.,%/ +-]{1,50}\))$/i;
const FAMILIES = /^[\p{L}\d ,'"_-]{1,200}$/u;
const STEP = /^(matrix|translate|scale|rotate|skewX|skewY)\s*\(([^()]*)$/;
/** Maximum length of a value in characters, except for paths, transformations and lists of numbers. */
const MAX_LENGTH = 300;
const MAX_DASHES = 16;
/** Attributes that position the characters of a text individually. */
const POSITION_ATTRIBUTES = ['x', 'y', 'dx', 'dy', 'rotate'];

/** Whether a paint is `url(#id)`. */
export function isReference(paint: string): boolean {
  return PAINT_REFERENCE.test(paint);
}

/** Numbers of a list. 100% is `whole`. */
export function numbersIn(text: string, whole = MAX_NUMBER): number[] {
  const items = text.split(/[\s,]+/).filter((item) => item !== '');
  return items.map((item) => (item.endsWith('%') ? (Number(item.slice(0, -1)) / 100) * whole : Number(item.replace(/px$/, ''))));
}

/** Steps of a transformation with their arguments; null when malformed. */
export function transformSteps(text: string): { step: string; values: number[] }[] | null {
  const parts = text.split(')');
  const rest = parts.pop() ?? '';
  if (rest.trim() !== '') return null;
  const steps = parts.map((part) => {
    const [, step = '', inside = ''] = STEP.exec(part.replace(/^[\s,]+/, '')) ?? [];
    return { step, values: numbersIn(inside) };
  });
  return steps.every(({ step, values }) => step !== '' && values.length > 0 && values.every(isInRange)) ? steps : null;
}

const isInRange = (number: number) => Math.abs(number) <= MAX_NUMBER;

/** Keeps the supported attributes of an element and its descendants. Throws for an invalid value. */
export function normalizeValues(element: DesignElement): DesignElement {
  const attributes: Record<string, string> = {};
  for (const [name, value] of Object.entries(element.attributes)) {
    const kind = Object.hasOwn(ATTRIBUTES, name) ? ATTRIBUTES[name] : undefined;
    rejectUnsupported(element, name, value.trim());
    if (!kind) continue;
    const checked = normalizeValue(kind, name, value.trim());
    if (checked === null) throw designError(`${element.name}: ${name} has an invalid value: ${truncated(value)}`);
    if (checked !== '') attributes[name] = checked;
  }
  const children = element.children.map((child) => (typeof child === 'string' ? child : normalizeValues(child)));
  return { ...element, attributes, children };
}

/** Throws for unsupported attributes that would change the drawing. */
function rejectUnsupported({ name: element, role }: DesignElement, name: string, value: string): void {
  if (UNSUPPORTED_PROPERTIES.includes(name) && !/^(?:none|normal|)$/i.test(value))
    throw designError(`${element}: ${name} is not supported`);
  if (name === 'spreadMethod' && !/^(?:pad|)$/.test(value)) throw designError(`${element}: spreadMethod must be pad`);
  if (name === 'href' && role !== 'image') throw designError(`${element}: href is not supported`);
}

/** The value to draw; empty: the attribute is not set; null: invalid. */
function normalizeValue(kind: ValueKind, name: string, value: string): string | null {
  if (value === '') return '';
  if (kind === 'path') return isPath(value) ? value : null;
  if (kind === 'numbers') return isUnset(value) ? '' : normalizeNumbers(name, value);
  if (kind === 'link') return embeddedImage(value).href;
  if (kind === 'transform') return transformSteps(value) ? value : null;
  if (value.length > MAX_LENGTH) return null;
  switch (kind) {
    case 'number':
    case 'length':
    case 'share':
      return isUnset(value) ? '' : normalizeNumber(kind, value);
    case 'name':
      return NAME.test(value) ? value : null;
    case 'keyword':
      return KEYWORD.test(value) ? value : null;
    case 'paint':
      return normalizePaint(value);
    case 'families':
      return FAMILIES.test(value) ? value : null;
  }
}

const isUnset = (value: string) => UNSET_KEYWORD.test(value);

function normalizeNumber(kind: 'number' | 'length' | 'share', value: string): string | null {
  const isPercentage = value.endsWith('%');
  const plain = isPercentage ? value.slice(0, -1) : value.replace(/px$/i, '');
  if (!NUMBER.test(plain) || !isInRange(Number(plain))) return null;
  if (!isPercentage) return plain;
  // Percentage of the drawing; more than 1000% is invalid.
  return kind === 'number' || Math.abs(Number(plain)) > 1000 ? null : value;
}

function normalizeNumbers(name: string, value: string): string | null {
  const items = value.split(/[\s,]+/).filter((item) => item !== '');
  const isValid = items.every((item) => normalizeNumber('length', item) !== null);
  const numbers = numbersIn(value);
  if (!isValid) return null;
  if (POSITION_ATTRIBUTES.includes(name) && numbers.length > MAX_POSITION_VALUES) return null;
  if (name === 'stroke-dasharray' && (numbers.length > MAX_DASHES || numbers.some((number) => number < 0) || value.includes('%')))
    return null;
  return items.map((item) => item.replace(/px$/i, '')).join(' ');
}

/** Removes quotes and spaces in references, because not every renderer accepts them. */
function normalizePaint(value: string): string | null {
  const [, , id, fallback] = PAINT_REFERENCE.exec(value) ?? [];
  if (id === undefined) return COLOUR.test(value) ? value : null;
  if (fallback === undefined) return `url(#${id})`;
  return COLOUR.test(fallback) ? `url(#${id}) ${fallback}` : null;
}

function isPath(value: string): boolean {
  const extent = pathExtent(value);
  return extent !== null && isInRange(extent.width) && isInRange(extent.height);
}

/** An embedded image. */
export interface EmbeddedImage {
  /** `data:` URL with the type of the actual bytes. */
  href: string;
  width: number;
  height: number;
}

const DATA_URL = /^data:image\/(?:png|jpe?g);base64,/i;
const START_OF_SCAN = 0xda;

/** Parses a `data:` URL of a PNG or JPEG; the size comes from the image header. Throws for other values. */
export function embeddedImage(address: string): EmbeddedImage {
  const [head] = DATA_URL.exec(address) ?? [];
  if (!head) throw designError('image: href must be a base64 data: URL of a PNG or JPEG');
  const base64 = address.slice(head.length).replaceAll(/\s/g, '');
  const bytes = decodeBase64InPlace(new TextEncoder().encode(base64));
  const header = bytes && readImageHeader(bytes);
  if (!bytes || (header?.type !== 'image/png' && header?.type !== 'image/jpeg')) throw designError('image: the data must be a PNG or JPEG');
  const { width, height } = header;
  if (width === 0 || height === 0) throw designError('image: width and height must be at least 1 pixel');
  if (header.type === 'image/jpeg' && scansIn(bytes) > MAX_JPEG_SCANS)
    throw designError(`image: must have at most ${MAX_JPEG_SCANS} scans`);
  return { href: `data:${header.type};base64,${base64}`, width, height };
}

/** Counts the scans of a JPEG. A scan is a few bytes, but decoding it touches every pixel. */
function scansIn(bytes: Uint8Array): number {
  let scans = 0;
  for (let at = 0; at + 1 < bytes.length; at += 1) if (bytes[at] === 0xff && bytes[at + 1] === START_OF_SCAN) scans += 1;
  return scans;
}
