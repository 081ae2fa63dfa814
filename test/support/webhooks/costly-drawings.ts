import { Buffer } from 'node:buffer';
import { deflateSync } from 'node:zlib';
import { MAX_SVG_BYTES } from '../../../src/areas/webhooks/designs/design.data.ts';
import { createDrawing, type Drawing } from '../../../src/areas/webhooks/designs/design.domain.ts';
import { happens, pick, type RandomSource, randomBelow, randomUnit, seededRandom } from '../../../src/platform/kit/random.ts';
import { svg } from './drawings.ts';

/** A group of similar elements in a drawing. `seed` determines all other values. */
interface Part {
  kind: (typeof KINDS)[number];
  count: number;
  /** Number of path segments, text characters, or image pixels. */
  detail: number;
  /** Pixels. */
  size: number;
  seed: number;
  fill: string;
  stroke: string;
  strokeWidth: number;
  /** Dash length; 0: no dashes. */
  dash: number;
  look: string;
  transform: string;
}

/** A drawing that the search can change. */
export interface Plan {
  width: number;
  height: number;
  parts: readonly Part[];
}

const KINDS = ['rect', 'circle', 'lines', 'curves', 'arcs', 'polygon', 'text', 'spans', 'placed', 'image'] as const;
const PAINTS = ['none', 'red', '#0af8', 'url(#radial)', 'url(#linear)', 'url(#many)'];
const LOOKS = [
  '',
  'stroke-linejoin="round"',
  'stroke-linecap="round" stroke-linejoin="round"',
  'fill-rule="evenodd"',
  'opacity="0.5"',
  'paint-order="stroke"',
  'text-decoration="underline overline line-through" letter-spacing="2"',
  'font-family="Open Sans" font-weight="700"',
  'shape-rendering="geometricPrecision"',
];
const TRANSFORMS = ['', 'rotate(13)', 'scale(0.1)', 'scale(20)', 'skewX(60)', 'matrix(0.7 0.7 -0.7 0.7 800 -200)', 'scale(0.01 1)'];
const ALPHABETS = [
  'abcdefghijklmnopqrstuvwxyzABCMQW@%#8',
  '\u4e00\u4e2d\u6587\u5b57',
  'a\u05d0b\u05d1 ',
  'a\u0301\u0323\u0327',
  '\u0627\u0644\u0633',
  '\u202ea\u202c\u2067\u05d0\u2069',
  'ffi fl \u{1F600}\ufe0f',
  '@',
];

const DEFS =
  '<defs>' +
  `<radialGradient id="radial" fx="0.2" fy="0.3">${stops(16)}</radialGradient>` +
  `<linearGradient id="linear" gradientTransform="rotate(7)">${stops(2)}</linearGradient>` +
  `<radialGradient id="many" gradientUnits="userSpaceOnUse" cx="300" cy="300" r="900">${stops(16)}</radialGradient>` +
  '</defs>';

function stops(count: number): string {
  const stop = (_: unknown, index: number) =>
    `<stop offset="${index / (count - 1)}" stop-color="hsl(${(index * 77) % 360},90%,50%)" stop-opacity="0.${(index % 9) + 1}"/>`;
  return Array.from({ length: count }, stop).join('');
}

/** The drawing of a plan; null if it is rejected. */
export function acceptedDrawing(plan: Plan): Drawing | null {
  if (plan.parts.some(({ count, detail }) => count * detail > MAX_SVG_BYTES)) return null;
  const source = sourceOf(plan);
  if (source.length > MAX_SVG_BYTES) return null;
  try {
    return createDrawing(source, {});
  } catch {
    return null;
  }
}

function sourceOf({ width, height, parts }: Plan): string {
  return svg(DEFS + parts.map(partSource).join(''), `width="${width}" height="${height}"`);
}

function partSource(part: Part): string {
  const { count, fill, stroke, strokeWidth, dash, look, transform } = part;
  const random = seededRandom(part.seed);
  const attributes = [
    ...[`fill="${fill}"`, `stroke="${stroke}"`, `stroke-width="${short(strokeWidth)}"`, look],
    ...[dash === 0 ? '' : `stroke-dasharray="${short(dash)}"`, transform === '' ? '' : `transform="${transform}"`],
    `font-size="${short(part.size)}"`,
  ];
  return `<g ${attributes.join(' ')}>${Array.from({ length: count }, () => element(part, random)).join('')}</g>`;
}

const short = (number: number) => String(Number(number.toPrecision(4)));

/** One element of a part. */
function element({ kind, size, detail, look, seed }: Part, random: RandomSource): string {
  const at = (reach = 1600) => short(randomUnit(random) * reach);
  const by = () => short((randomUnit(random) - 0.5) * 2 * size);
  const list = (length: number, item: () => string) => Array.from({ length }, item).join('');
  const alphabet = [...(ALPHABETS[seed % ALPHABETS.length] ?? 'a')];
  const characters = (length: number) => list(length, () => pick(random, alphabet));
  switch (kind) {
    case 'rect':
      return `<rect x="${at()}" y="${at()}" width="${short(size)}" height="${short(size)}" rx="${detail % 9}"/>`;
    case 'circle':
      return `<ellipse cx="${at()}" cy="${at()}" rx="${short(size)}" ry="${short(size)}"/>`;
    case 'lines':
      return `<path d="M${at()} ${at()}${list(detail, () => `l${by()} ${by()}`)}"/>`;
    case 'curves':
      return `<path d="M800 800${list(detail, () => `c${by()} ${by()} ${by()} ${by()} ${by()} ${by()}`)}"/>`;
    case 'arcs':
      return `<path d="M800 800${list(detail, () => `a${at(size)} ${at(size)} 20 1 0 ${by()} ${by()}`)}"/>`;
    case 'polygon':
      return `<polygon points="${list(detail, () => `${at(size)},${at(size)} `)}"/>`;
    case 'text':
      return `<text x="${at(size)}" y="${at()}">${characters(detail)}</text>`;
    case 'spans':
      return `<text y="${at()}">${list(10, () => `<tspan ${happens(random, 0.5) ? 'font-weight="700"' : look}>${characters(Math.ceil(detail / 10))}</tspan>`)}</text>`;
    case 'placed':
      return `<text x="${list(Math.min(detail, 400), () => `${at(size)} `)}" rotate="10 20">${characters(detail)}</text>`;
    case 'image':
      return `<image x="${at()}" href="${pngOf(Math.max(1, Math.min(Math.round(size), 1600)), detail)}"/>`;
  }
}

const pngs = new Map<string, string>();

/** A PNG of the given side, with `excess` kilobytes of surplus pixel data. */
function pngOf(side: number, excess: number): string {
  const key = `${side} ${excess}`;
  const cached = pngs.get(key);
  if (cached) return cached;
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, side);
  view.setUint32(4, side);
  header.set([8, 6], 8);
  const pixels = deflateSync(new Uint8Array((side * 4 + 1) * side + excess * 1000), { level: 9 });
  const bytes = [
    new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10]),
    ...[chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', new Uint8Array())],
  ];
  const url = `data:image/png;base64,${Buffer.concat(bytes).toString('base64')}`;
  pngs.set(key, url);
  return url;
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(data.length + 12);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  bytes.set(new TextEncoder().encode(type), 4);
  bytes.set(data, 8);
  view.setUint32(data.length + 8, crc32(bytes.subarray(4, data.length + 8)));
  return bytes;
}

function crc32(bytes: Uint8Array): number {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

const WHOLE = { width: 1600, height: 1600 };

/** An initial plan: one or two kinds of elements, as many as are accepted. */
export function randomPlan(random: RandomSource): Plan {
  const side = () => 16 + randomBelow(random, 1585);
  const parts = Array.from({ length: 1 + randomBelow(random, 2) }, () => randomPart(random));
  return fillUp({ ...(happens(random, 0.9) ? WHOLE : { width: side(), height: side() }), parts }, random);
}

/** A plan of slow parts of other plans, because different parts can exhaust different bounds. */
export function mixedPlan(plans: readonly Plan[], random: RandomSource): Plan {
  const parts = plans.flatMap((plan) => plan.parts);
  if (parts.length === 0) return randomPlan(random);
  return fillUp({ ...WHOLE, parts: Array.from({ length: 3 + randomBelow(random, 4) }, () => pick(random, parts)) }, random);
}

function randomPart(random: RandomSource): Part {
  return {
    kind: pick(random, KINDS),
    count: 1 + randomBelow(random, 4),
    detail: 1 + Math.floor(300 ** randomUnit(random)),
    size: 4000 ** randomUnit(random),
    seed: randomBelow(random, 1e6),
    fill: pick(random, PAINTS),
    stroke: pick(random, PAINTS),
    strokeWidth: 0.05 * 10_000 ** randomUnit(random),
    dash: happens(random, 0.3) ? 0.1 * 1000 ** randomUnit(random) : 0,
    look: pick(random, LOOKS),
    transform: pick(random, TRANSFORMS),
  };
}

/** Changes a part of the plan, then fills the plan up. */
export function changedPlan({ parts, ...plan }: Plan, others: readonly Plan[], random: RandomSource): Plan {
  if (parts.length === 0) return randomPlan(random);
  const index = randomBelow(random, parts.length);
  const part = parts[index] ?? randomPart(random);
  const rest = parts.filter((_, at) => at !== index);
  const other = randomPart(random);
  const slow = others.flatMap((one) => one.parts);
  const factor = () => 4 ** (randomUnit(random) * 2 - 1);
  const positiveInteger = (number: number) => Math.max(1, Math.round(number));
  const changes: (() => Part[])[] = [
    () => [part, other],
    () => [part, slow.length === 0 ? other : pick(random, slow)],
    () => [],
    () => [{ ...part, size: part.size * factor() }],
    () => [{ ...part, detail: positiveInteger(part.detail * factor()) }],
    () => [{ ...part, count: positiveInteger(part.count * factor()) }],
    () => [{ ...part, strokeWidth: part.strokeWidth * factor(), dash: part.dash * factor() }],
    () => [{ ...part, dash: other.dash, stroke: other.stroke }],
    () => [{ ...part, fill: other.fill, look: other.look }],
    () => [{ ...part, seed: other.seed, transform: other.transform }],
    () => [{ ...part, kind: other.kind }],
  ];
  return fillUp({ ...plan, parts: [...rest, ...pick(random, changes)()] }, random);
}

/** Scales every part to the accepted maximum. */
function fillUp(plan: Plan, random: RandomSource): Plan {
  let { parts } = plan;
  while (parts.length > 0 && acceptedDrawing({ ...plan, parts }) === null) {
    const index = randomBelow(random, parts.length);
    parts = parts.flatMap((part, at) => (at === index ? shrinkPart(part) : [part]));
  }
  for (let tries = 0; tries < 20 && parts.length > 0; tries += 1) {
    const index = randomBelow(random, parts.length);
    const more = parts.map((part, at) => (at === index ? growPart(part, random) : part));
    if (acceptedDrawing({ ...plan, parts: more }) !== null) parts = more;
  }
  return { ...plan, parts };
}

function shrinkPart(part: Part): Part[] {
  const fewer = (number: number) => Math.floor(number * 0.7);
  if (part.count > 1) return [{ ...part, count: fewer(part.count) }];
  return part.detail > 1 ? [{ ...part, detail: fewer(part.detail), size: part.size * 0.9 }] : [];
}

function growPart(part: Part, random: RandomSource): Part {
  const factor = pick(random, [1.1, 1.5, 3]);
  const more = (number: number) => Math.max(number + 1, Math.round(number * factor));
  return happens(random, 0.5) ? { ...part, count: more(part.count) } : { ...part, detail: more(part.detail) };
}
