import { PLUMAGES, type Plumage, SIGIL_SIZE, WING_THRESHOLDS } from './sigil.data.ts';
import { blend, coordinate, gradient } from './sigil-svg.domain.ts';

/** Tiers per plumage. Each tier within a plumage adds an eye on the upper feathers. */
const TIERS_PER_PLUMAGE = 5;
/** Index of the first plumage with a third row of feathers. */
const FIRST_RICH_PLUMAGE = 2;

/** A pair of wings. The colour changes every five tiers; feathers, span and eyes grow with each tier. */
export function wingArt(tier: number): string {
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
