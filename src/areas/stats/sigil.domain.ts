import { namedValues } from '../../platform/kit/values/named-values.ts';

/** Minimum value of each tier. Values above the last threshold are in the top tier. */
export const SHIELD_THRESHOLDS = [
  0, 250, 550, 900, 1200, 2500, 5000, 7500, 10000, 15000, 20000, 25000, 30000, 35000, 40000, 45000, 50000, 55000, 60000, 65000,
] as const;
export const WING_THRESHOLDS = [
  0, 10, 30, 50, 75, 100, 150, 200, 250, 300, 350, 400, 450, 500, 550, 600, 650, 700, 750, 800, 850, 900, 950, 1000, 1050, 1100,
] as const;

/** Side length of the image, in pixels at scale 1. */
const SIGIL_SIZE = 88;

/** Version of the drawings, part of the ETag; increment with every change of them. */
export const SIGIL_ART_VERSION = 1;

/** Material of a shield, used for three tiers, the last one for two: rim from light to dark, field from light to dark, chevrons, crest. */
interface ShieldMaterial {
  rim: readonly [string, string, string];
  field: readonly [string, string];
  charge: string;
  gem: string;
}

const SHIELD_MATERIALS: readonly ShieldMaterial[] = [
  { rim: ['#c9cfd6', '#7f8a96', '#4a535e'], field: ['#7a4f33', '#4a2d1d'], charge: '#d9c7a8', gem: '#9aa4ae' },
  { rim: ['#f0c08a', '#b8733a', '#6b3b17'], field: ['#3f6b52', '#1f3d2e'], charge: '#f2d3a5', gem: '#7be0a2' },
  { rim: ['#ffffff', '#b4c3d4', '#66788f'], field: ['#2f5fae', '#16305f'], charge: '#eef5ff', gem: '#7fd0ff' },
  { rim: ['#fff3b8', '#e8b32c', '#94630a'], field: ['#a3232f', '#560d18'], charge: '#ffe79a', gem: '#ff6a5e' },
  { rim: ['#fbe9ff', '#b58cf0', '#5a34a8'], field: ['#2b1a66', '#0f0833'], charge: '#ffe9a8', gem: '#6ff2ff' },
  { rim: ['#ffe3c2', '#f0703a', '#7a1c10'], field: ['#3a0f14', '#120406'], charge: '#ffb347', gem: '#ffe04d' },
  { rim: ['#ffffff', '#8fe9ff', '#2a6fb5'], field: ['#f4fbff', '#8fc7ff'], charge: '#d99a1c', gem: '#ff5fd2' },
];

/** Plumage of wings, used for five tiers, the last one for the top tier only: long feathers and coverts from root to tip, outline, eyes. */
interface Plumage {
  feather: readonly [string, string];
  covert: readonly [string, string];
  edge: string;
  eye: string;
}

const PLUMAGES: readonly Plumage[] = [
  { feather: ['#c4b59d', '#8d7c64'], covert: ['#ded3c0', '#ad9d85'], edge: '#4f4435', eye: '#f3ead8' },
  { feather: ['#d99a5f', '#8f4f22'], covert: ['#f2c592', '#b9753d'], edge: '#4d270d', eye: '#ffe0b3' },
  { feather: ['#dfe8f2', '#8797ab'], covert: ['#ffffff', '#b7c5d6'], edge: '#3c4a5e', eye: '#9fe0ff' },
  { feather: ['#ffd965', '#c07f12'], covert: ['#fff2b0', '#e6b133'], edge: '#5f3c04', eye: '#ff7a5c' },
  { feather: ['#9f8bff', '#3d2aa6'], covert: ['#d9ccff', '#7a5fe0'], edge: '#1c1157', eye: '#74f5ff' },
  { feather: ['#8ff6ff', '#2f7be6'], covert: ['#ffffff', '#ffe08a'], edge: '#14356f', eye: '#ffffff' },
];

/** A coordinate with at most two decimals, finer than a pixel at any scale. */
function coordinate(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/** Linear interpolation; `share` from 0 to 1. */
function blend(from: number, to: number, share: number): number {
  return from + (to - from) * share;
}

/** Gradient of evenly spaced colours, from top to bottom or from left to right. */
function gradient(id: string, colours: readonly string[], direction: 'downward' | 'lengthwise'): string {
  const stops = colours.map((colour, index) => `<stop offset="${coordinate(index / (colours.length - 1))}" stop-color="${colour}"/>`);
  const [x, y] = direction === 'lengthwise' ? [1, 0] : [0, 1];
  return `<linearGradient id="${id}" x1="0" y1="0" x2="${x}" y2="${y}">${stops.join('')}</linearGradient>`;
}

/** A closed polygon of alternating outer and inner corners; the first corner points up. */
function star(x: number, y: number, rays: number, outer: number, inner: number): string {
  const corners = Array.from({ length: rays * 2 }, (_, index) => {
    const angle = (Math.PI * index) / rays;
    const radius = index % 2 === 0 ? outer : inner;
    return `${coordinate(x + radius * Math.sin(angle))},${coordinate(y - radius * Math.cos(angle))}`;
  });
  return `<polygon points="${corners.join(' ')}"/>`;
}

const TIERS_PER_MATERIAL = 3;
const MIDDLE_X = SIGIL_SIZE / 2;
const MIDDLE_Y = 53;

/** A shield. Material, outline and crest change every three tiers; each tier of a material adds a chevron. */
function shieldArt(tier: number): string {
  const step = Math.floor(tier / TIERS_PER_MATERIAL);
  const material = SHIELD_MATERIALS[step];
  if (material === undefined || tier >= SHIELD_THRESHOLDS.length) throw new RangeError(`no shield of tier ${tier}`);
  const defs = gradient('rim', material.rim, 'downward') + gradient('field', material.field, 'downward');
  const dark = material.rim[2];
  const body = [
    `<path d="${outline(step, 19, 24.5)}" transform="translate(0 1.5)" fill="#000" fill-opacity="0.3"/>`,
    `<path d="${outline(step, 18, 23.5)}" fill="url(#rim)" stroke="${dark}" stroke-width="1.2" stroke-linejoin="round"/>`,
    `<path d="${outline(step, 14, 18.6)}" fill="url(#field)" stroke="${dark}" stroke-width="0.9" stroke-linejoin="round"/>`,
  ];
  return `<defs>${defs}</defs>${body.join('')}${gloss(step)}${chevrons(material, (tier % TIERS_PER_MATERIAL) + 1)}${crest(material, step)}`;
}

/** Outline that extends `width` and `height` from the middle. The top edge has more detail with each material. */
function outline(step: number, width: number, height: number): string {
  return `${leftHalf(step, width, height)}${rightHalf(step, width, height)}Z`;
}

/** Path from the middle of the top along the left side to the point. */
function leftHalf(step: number, width: number, height: number): string {
  const { peak, dip, corner } = topEdge(step);
  const at = (x: number, y: number): string => `${coordinate(MIDDLE_X - x * width)} ${coordinate(MIDDLE_Y + y)}`;
  return `M${at(0, -height - peak)}Q${at(0.5, dip - height)} ${at(1, -height - corner)}C${at(1.03, height * 0.3)} ${at(0.56, height * 0.72)} ${at(0, height)}`;
}

/** Path from the point along the right side to the middle of the top. */
function rightHalf(step: number, width: number, height: number): string {
  const { peak, dip, corner } = topEdge(step);
  const at = (x: number, y: number): string => `${coordinate(MIDDLE_X + x * width)} ${coordinate(MIDDLE_Y + y)}`;
  return `C${at(0.56, height * 0.72)} ${at(1.03, height * 0.3)} ${at(1, -height - corner)}Q${at(0.5, dip - height)} ${at(0, -height - peak)}`;
}

/** Shape of the top edge: rise in the middle, dip beside it, rise at the corners. */
function topEdge(step: number): { peak: number; dip: number; corner: number } {
  return { peak: step >= 2 ? 3.4 : 0, dip: step >= 1 ? 3.2 : 0.6, corner: step >= 3 ? 2.6 : 0 };
}

/** Highlight on the left half of the field. */
function gloss(step: number): string {
  return `<path d="${leftHalf(step, 13.4, 18)}Z" fill="#fff" fill-opacity="0.13"/>`;
}

/** One to three chevrons, lowest first. */
function chevrons({ charge, rim }: ShieldMaterial, count: number): string {
  const chevron = (index: number): string => {
    const y = 62 - index * 5.4;
    const reach = 6 + index * 1.1;
    const rise = reach * 0.62;
    return `<path d="M44 ${coordinate(y - rise)}l${reach} ${coordinate(rise)}v3l-${reach} -${coordinate(rise)}l-${reach} ${coordinate(rise)}v-3z"/>`;
  };
  const chevronPaths = Array.from({ length: count }, (_, index) => chevron(index));
  return `<g fill="${charge}" stroke="${rim[2]}" stroke-width="0.5" stroke-linejoin="round">${chevronPaths.join('')}</g>`;
}

/** Crest above the chevrons: a rivet, a jewel, then stars with more rays per material. */
function crest({ gem, rim }: ShieldMaterial, step: number): string {
  const y = 41;
  const shape =
    step === 0
      ? `<circle cx="${MIDDLE_X}" cy="${y}" r="2"/>`
      : step === 1
        ? star(MIDDLE_X, y, 2, 3.6, 2)
        : star(MIDDLE_X, y, step * 2, 3.3 + step * 0.45, 1.5 + step * 0.3);
  return `<g fill="${gem}" stroke="${rim[2]}" stroke-width="0.4" stroke-linejoin="round">${shape}</g>`;
}

/** Tiers per plumage. Each tier within a plumage adds an eye on the upper feathers. */
const TIERS_PER_PLUMAGE = 5;
/** Index of the first plumage with a third row of feathers. */
const FIRST_RICH_PLUMAGE = 2;

/** A pair of wings. The colour changes every five tiers; feathers, span and eyes grow with each tier. */
function wingArt(tier: number): string {
  const family = Math.floor(tier / TIERS_PER_PLUMAGE);
  const plumage = PLUMAGES[family];
  if (plumage === undefined) throw new RangeError(`no wings of tier ${tier}`);
  const growth = tier / (WING_THRESHOLDS.length - 1);
  const defs = gradient('feather', plumage.feather, 'lengthwise') + gradient('covert', plumage.covert, 'lengthwise');
  const wing = feathers(plumage, family, growth) + eyes(plumage, tier % TIERS_PER_PLUMAGE, growth);
  return `<defs>${defs}</defs><g id="wing" stroke-linejoin="round">${wing}</g><use href="#wing" transform="translate(${SIGIL_SIZE} 0) scale(-1 1)"/>`;
}

/** Long feathers, then rows of coverts over their roots. */
function feathers({ edge }: Plumage, family: number, growth: number): string {
  const count = feathersAt(growth);
  const span = spanAt(growth);
  const fan = fanAt(growth);
  const long = row(count, { ...fan, span, fill: 'feather', edge, width: blend(9.4, 7.6, growth) });
  const coverts = row(count - 1, { ...fan, span: span * 0.64, fill: 'covert', edge, width: blend(7.6, 6.4, growth) });
  const inner = family >= FIRST_RICH_PLUMAGE ? row(count - 2, { ...fan, span: span * 0.4, fill: 'covert', edge, width: 5 }) : '';
  return long + coverts + inner;
}

/** A row of feathers that differ in position only. */
interface FeatherRow extends Fan {
  span: number;
  width: number;
  fill: string;
  edge: string;
}

/** Lowest feather first, so each overlaps the one below. */
function row(count: number, { span, width, fill, edge, ...fan }: FeatherRow): string {
  const drawn = Array.from({ length: count }, (_, index) => {
    const place = 1 - index / (count - 1);
    return `<path transform="${featherTransform(place, fan)}" d="${featherPath(lengthOf(place) * span, width * blend(1, 0.8, place))}"/>`;
  });
  return `<g fill="url(#${fill})" stroke="${edge}" stroke-width="0.8">${drawn.join('')}</g>`;
}

/** Directions of the uppermost and the lowest feather, in degrees below the horizontal. */
interface Fan {
  top: number;
  bottom: number;
}

/** Fewer feathers have a smaller angle between them, which avoids gaps. */
function fanAt(growth: number): Fan {
  return { top: blend(-50, -66, growth), bottom: blend(14, 26, growth) };
}

/** Transform of a feather drawn along the x axis. `place`: 0 is the uppermost feather, 1 the lowest. */
function featherTransform(place: number, { top, bottom }: Fan): string {
  const x = coordinate(blend(57, 50, place));
  const y = coordinate(blend(37, 60, place));
  return `translate(${x} ${y}) rotate(${coordinate(blend(top, bottom, place))})`;
}

function lengthOf(place: number): number {
  return 33 - 9 * place + 7 * Math.sin(Math.PI * place);
}

/** A feather along the x axis: wide at the upper edge, tip slightly raised. */
function featherPath(length: number, width: number): string {
  const at = (x: number, y: number): string => `${coordinate(x * length)} ${coordinate(y * width)}`;
  return `M0 0C${at(0.2, -0.62)} ${at(0.72, -0.74)} ${at(1, -0.34)}C${at(0.94, 0.28)} ${at(0.5, 0.6)} 0 0Z`;
}

/** Bright spots near the tips of the uppermost long feathers. */
function eyes({ edge, eye }: Plumage, count: number, growth: number): string {
  const gaps = feathersAt(growth) - 1;
  const fan = fanAt(growth);
  const drawn = Array.from({ length: count }, (_, index) => {
    const place = index / gaps;
    const x = coordinate(lengthOf(place) * spanAt(growth) * 0.84);
    return `<ellipse transform="${featherTransform(place, fan)}" cx="${x}" cy="-1.5" rx="2.1" ry="1.3"/>`;
  });
  return `<g fill="${eye}" stroke="${edge}" stroke-width="0.5">${drawn.join('')}</g>`;
}

/** Number of long feathers per wing. */
function feathersAt(growth: number): number {
  return Math.round(blend(4, 9, growth));
}

/** Length of the feathers relative to the maximum. */
function spanAt(growth: number): number {
  return blend(0.68, 1, growth);
}

/** Tiers of a sigil: shield 0 to 19 by Power Rank, wings 0 to 25 by total mastery. */
export interface SigilTiers {
  shield: number;
  wings: number;
}

/** Scale of the image: pixels per unit of 88. */
export const SIGIL_SCALES = namedValues('SigilScale', 'Scale of the image.', [1, 2]);
export type SigilScale = (typeof SIGIL_SCALES)[number];

export function sigilTiers(powerRank: number, mastery: number): SigilTiers {
  return { shield: tierAt(SHIELD_THRESHOLDS, powerRank), wings: tierAt(WING_THRESHOLDS, mastery) };
}

/** The sigil as SVG: a shield over a pair of wings, transparent background. Deterministic. */
export function sigilSvg({ shield, wings }: SigilTiers, scale: SigilScale = 1): string {
  const pixels = SIGIL_SIZE * scale;
  const head = `<svg xmlns="http://www.w3.org/2000/svg" width="${pixels}" height="${pixels}" viewBox="0 0 ${SIGIL_SIZE} ${SIGIL_SIZE}">`;
  return `${head}${wingArt(wings)}${shieldArt(shield)}</svg>`;
}

/** Index of the last threshold that does not exceed the value. */
function tierAt(thresholds: readonly number[], value: number): number {
  return Math.max(
    0,
    thresholds.findLastIndex((threshold) => threshold <= value),
  );
}
