import { happens, pick, type RandomSource, randomBelow } from '../../../src/platform/kit/random.ts';
import { PIXEL_PNG } from '../pixel.data.ts';

/** A PNG of one pixel, and the same with a header that declares a larger size. */
export const PIXEL = `data:image/png;base64,${PIXEL_PNG}`;

/** An SVG of the given size with the given content. */
export const svg = (content: string, attributes = 'width="200" height="100"') =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${content}</svg>`;

const IDS = ['a', 'b', 'c', 'd', 'e'];
const COLOURS = ['none', 'red', '#fff', '#10203040', 'rgb(1,2,3)', 'currentColor', 'url(#a)', 'url(#b)', "url('#c') blue", 'url(#none)'];
const NUMBERS = ['0', '1', '10', '50', '100', '-20', '0.5', '1e3', '19999', '100%', '0.0001', '3px'];
const TRANSFORMS = [
  'scale(2)',
  'rotate(30)',
  'matrix(1 0.5 0 1 10 10)',
  'skewX(30) translate(5)',
  'scale(0.001)',
  'scale(-1, 1)',
  'scale(0)',
  'scale(300)',
];
const PATHS = [
  'M0 0L100 100H20V-30Z',
  'M10 10c5 5 10 10 20 0s10 10 30 0t5 5',
  'M5 5a20 10 30 0110 10A1 1 0 1 0 90 90',
  'M0 0',
  'm1 1zm2 2z',
  'M0 0Q1e3 1e3 5 5',
];
const TEXTS = [
  'Hello {name}',
  '{ends_at:R}',
  '∞ — ÄÖ',
  '\u4e2d\u6587',
  'x'.repeat(60),
  '  ',
  '&amp;&lt;',
  '{changelog}',
  'fi fl \u0301\u0301',
];
/** A random drawing of individually allowed parts; the combination may be refused. */
export function exampleDrawing(random: RandomSource): string {
  const used = new Set<string>();
  const parts = Array.from({ length: 1 + randomBelow(random, 8) }, () => randomElement(random, 0, used));
  const box = happens(random, 0.3) ? ` viewBox="0 0 ${pick(random, ['100 50', '1 1', '5000 2500', '0 0', '200 3'])}"` : '';
  return svg(parts.join(''), `width="${16 + randomBelow(random, 400)}" height="${16 + randomBelow(random, 300)}"${box}`);
}

function randomElement(random: RandomSource, depth: number, used: Set<string>): string {
  const id = pick(random, IDS);
  const own = happens(random, 0.4) && !used.has(id) ? ` id="${id}"` : '';
  if (own !== '') used.add(id);
  const look = own + randomAttributes(random);
  const number = () => pick(random, NUMBERS);
  const inner = () =>
    depth > 3 ? '' : Array.from({ length: randomBelow(random, 3) }, () => randomElement(random, depth + 1, used)).join('');
  const kinds: (() => string)[] = [
    () => `<rect x="${number()}" y="${number()}" width="${number()}" height="${number()}" rx="${number()}"${look}/>`,
    () => `<circle cx="${number()}" cy="50" r="${number()}"${look}/>`,
    () => `<ellipse rx="${number()}" ry="${number()}"${look}/>`,
    () => `<line x2="${number()}" y2="${number()}" stroke="red"${look}/>`,
    () => `<polygon points="0 0 10,10 ${pick(random, ['20 0', '5', '1e3 -1e3'])}"${look}/>`,
    () => `<path d="${pick(random, PATHS)}"${look}/>`,
    () =>
      `<text x="${number()}" y="20" font-size="${pick(random, ['1', '20', '0', '900', '-5'])}"${look}>${pick(random, TEXTS)}<tspan dx="1 2 3">${pick(random, TEXTS)}</tspan></text>`,
    () => `<g${look}>${inner()}</g>`,
    () => `<image href="${PIXEL}" width="${pick(random, ['1', '0.5', '2', '0'])}" height="1"${look}/>`,
    () =>
      `<linearGradient${own} gradientUnits="${pick(random, ['userSpaceOnUse', 'objectBoundingBox'])}" x2="${number()}"><stop offset="0.5" stop-color="red"/><stop offset="${pick(random, ['0.2', '1', '50%'])}"/></linearGradient>`,
    () => `<radialGradient${own} r="${number()}" fx="${number()}"><stop/><stop offset="1"/></radialGradient>`,
  ];
  return pick(random, kinds)();
}

function randomAttributes(random: RandomSource): string {
  const looks = [
    () => `fill="${pick(random, COLOURS)}"`,
    () => `stroke="${pick(random, COLOURS)}"`,
    () => `stroke-width="${pick(random, ['0', '1', '40', '-1', '500'])}"`,
    () => `stroke-dasharray="${pick(random, ['5 3', '0.1', '0', '1e3 1', 'none'])}"`,
    () => `opacity="${pick(random, ['0.5', '0', '1', '50%', '3'])}"`,
    () => `transform="${pick(random, TRANSFORMS)}"`,
    () => `style="fill:${pick(random, COLOURS)};isolation:isolate"`,
    () => `font-family="${pick(random, ['Exo 2', 'Arial', "'Open Sans', serif"])}"`,
  ];
  const chosen = new Map(Array.from({ length: randomBelow(random, 4) }, () => [randomBelow(random, looks.length), true]));
  return [...chosen.keys()].map((index) => ` ${looks[index]?.()}`).join('');
}

/** A drawing with a few characters replaced, deleted, duplicated or moved. */
export function mutateDrawing(random: RandomSource, drawing: string): string {
  let text = drawing;
  for (let count = 1 + randomBelow(random, 4); count > 0; count -= 1) {
    const at = randomBelow(random, text.length);
    const length = randomBelow(random, 12);
    const from = randomBelow(random, text.length);
    const kinds = [
      () => text.slice(0, at) + text.slice(at + length),
      () => text.slice(0, at) + text.slice(from, from + length * 4) + text.slice(at),
      () =>
        text.slice(0, at) +
        pick(random, ['<', '>', '"', '&', '{', '}', '\0', '<!--', ']]>', '#', 'url(', '\ud800', '-', 'e9']) +
        text.slice(at),
    ];
    text = pick(random, kinds)();
  }
  return text;
}
