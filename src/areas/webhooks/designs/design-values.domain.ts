import { ATTRIBUTES, UNSUPPORTED_PROPERTIES, type ValueKind } from './design-elements.data.ts';
import { embeddedImage } from './design-images.domain.ts';
import { MAX_NUMBER, MAX_PLACED_CHARACTERS } from './design-limits.data.ts';
import { pathExtent } from './design-path.domain.ts';
import { type DesignElement, refused, shown } from './design-tree.domain.ts';

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,2})?$/i;
const NONE_NAME = /^(?:none|normal|auto|inherit|initial|unset)$/i;
const NAME = /^[A-Za-z_][\w.:-]{0,63}$/;
const KEYWORD = /^[A-Za-z0-9_-]{1,40}(?: [A-Za-z0-9_-]{1,40}){0,3}$/;
const PAINT_REFERENCE = /^url\(\s*(['"]?)#([\w.:-]{1,64})\1\s*\)(?:\s+([^\s].{0,60}))?$/i;
const COLOUR = /^(?:#[0-9a-f]{3,8}|[a-z]{3,30}|(?:rgb|hsl)a?\([\d.,%/ +-]{1,50}\))$/i;
const FAMILIES = /^[\p{L}\d ,'"_-]{1,200}$/u;
const STEP = /^(matrix|translate|scale|rotate|skewX|skewY)\s*\(([^()]*)$/;
/** Longest value of every kind but those that list numbers, in characters. */
const MAX_LENGTH = 300;
const MAX_DASHES = 16;
/** Attributes that set the characters of a text one by one. */
const PLACED = ['x', 'y', 'dx', 'dy', 'rotate'];

/** Whether a paint is `url(#id)`. */
export function isReference(paint: string): boolean {
  return PAINT_REFERENCE.test(paint);
}

/** The numbers of a list; percentages count as `whole` times their share. */
export function numbersIn(text: string, whole = MAX_NUMBER): number[] {
  const items = text.split(/[\s,]+/).filter((item) => item !== '');
  return items.map((item) => (item.endsWith('%') ? (Number(item.slice(0, -1)) / 100) * whole : Number(item.replace(/px$/, ''))));
}

/** The steps of a transformation, each with its numbers; null when it is not one. */
export function transformSteps(text: string): { step: string; values: number[] }[] | null {
  const parts = text.split(')');
  const rest = parts.pop() ?? '';
  if (rest.trim() !== '') return null;
  const steps = parts.map((part) => {
    const [, step = '', inside = ''] = STEP.exec(part.replace(/^[\s,]+/, '')) ?? [];
    return { step, values: numbersIn(inside) };
  });
  return steps.every(({ step, values }) => step !== '' && values.length > 0 && values.every(isFit)) ? steps : null;
}

const isFit = (number: number) => Math.abs(number) <= MAX_NUMBER;

/** The element and all in it with the attributes that a drawing knows; throws for a value that is not one. */
export function withCheckedValues(element: DesignElement): DesignElement {
  const attributes: Record<string, string> = {};
  for (const [name, value] of Object.entries(element.attributes)) {
    const kind = Object.hasOwn(ATTRIBUTES, name) ? ATTRIBUTES[name] : undefined;
    refuseUnsupported(element, name, value.trim());
    if (!kind) continue;
    const checked = checkedValue(kind, name, value.trim());
    if (checked === null) throw refused(`${element.name}: ${name} has an invalid value: ${shown(value)}`);
    if (checked !== '') attributes[name] = checked;
  }
  const children = element.children.map((child) => (typeof child === 'string' ? child : withCheckedValues(child)));
  return { ...element, attributes, children };
}

/** Throws for what the subset leaves out and a drawing would look different without. */
function refuseUnsupported({ name: element, role }: DesignElement, name: string, value: string): void {
  if (UNSUPPORTED_PROPERTIES.includes(name) && !/^(?:none|normal|)$/i.test(value)) throw refused(`${element}: ${name} is not supported`);
  if (name === 'spreadMethod' && !/^(?:pad|)$/.test(value)) throw refused(`${element}: spreadMethod must be pad`);
  if (name === 'href' && role !== 'image') throw refused(`${element}: href is not supported`);
}

/** The value as it is drawn; empty when it says nothing, null when it is not right. */
function checkedValue(kind: ValueKind, name: string, value: string): string | null {
  if (value === '') return '';
  if (kind === 'path') return isPath(value) ? value : null;
  if (kind === 'numbers') return isWordForNothing(value) ? '' : checkedNumbers(name, value);
  if (kind === 'link') return embeddedImage(value).href;
  if (kind === 'transform') return transformSteps(value) ? value : null;
  if (value.length > MAX_LENGTH) return null;
  switch (kind) {
    case 'number':
    case 'length':
    case 'share':
      return isWordForNothing(value) ? '' : checkedNumber(kind, value);
    case 'name':
      return NAME.test(value) ? value : null;
    case 'keyword':
      return KEYWORD.test(value) ? value : null;
    case 'paint':
      return checkedPaint(value);
    case 'families':
      return FAMILIES.test(value) ? value : null;
  }
}

const isWordForNothing = (value: string) => NONE_NAME.test(value);

function checkedNumber(kind: 'number' | 'length' | 'share', value: string): string | null {
  const isPercentage = value.endsWith('%');
  const plain = isPercentage ? value.slice(0, -1) : value.replace(/px$/i, '');
  if (!NUMBER.test(plain) || !isFit(Number(plain))) return null;
  if (!isPercentage) return plain;
  // A share of the whole drawing: many times the whole is no length.
  return kind === 'number' || Math.abs(Number(plain)) > 1000 ? null : value;
}

function checkedNumbers(name: string, value: string): string | null {
  const items = value.split(/[\s,]+/).filter((item) => item !== '');
  const isRight = items.every((item) => checkedNumber('length', item) !== null);
  const numbers = numbersIn(value);
  if (!isRight) return null;
  if (PLACED.includes(name) && numbers.length > MAX_PLACED_CHARACTERS) return null;
  if (name === 'stroke-dasharray' && (numbers.length > MAX_DASHES || numbers.some((number) => number < 0) || value.includes('%')))
    return null;
  return items.map((item) => item.replace(/px$/i, '')).join(' ');
}

/** Quotes and spaces are left out: not everything that draws knows them. */
function checkedPaint(value: string): string | null {
  const [, , id, fallback] = PAINT_REFERENCE.exec(value) ?? [];
  if (id === undefined) return COLOUR.test(value) ? value : null;
  if (fallback === undefined) return `url(#${id})`;
  return COLOUR.test(fallback) ? `url(#${id}) ${fallback}` : null;
}

function isPath(value: string): boolean {
  const extent = pathExtent(value);
  return extent !== null && isFit(extent.width) && isFit(extent.height);
}
