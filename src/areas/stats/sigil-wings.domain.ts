import { PLUMAGES, type Plumage, SIGIL_SIZE, WING_THRESHOLDS } from './sigil.data.ts';
import { blend, coordinate, gradient } from './sigil-svg.domain.ts';

/** Tiers that share a plumage; within it each tier has an eye more on its upper feathers. */
const TIERS_PER_PLUMAGE = 5;
/** Plumages from this one on have a third row of feathers. */
const RICH_PLUMAGE = 2;

/** A pair of wings: colour by fives of tiers; feathers, span and eyes grow tier by tier. */
export function wingArt(tier: number): string {
  const family = Math.floor(tier / TIERS_PER_PLUMAGE);
  const plumage = PLUMAGES[family];
  if (plumage === undefined) throw new RangeError(`no wings of tier ${tier}`);
  const growth = tier / (WING_THRESHOLDS.length - 1);
  const defs = gradient('feather', plumage.feather, 'lengthwise') + gradient('covert', plumage.covert, 'lengthwise');
  const wing = feathers(plumage, family, growth) + eyes(plumage, tier % TIERS_PER_PLUMAGE, growth);
  return `<defs>${defs}</defs><g id="wing" stroke-linejoin="round">${wing}</g><use href="#wing" transform="translate(${SIGIL_SIZE} 0) scale(-1 1)"/>`;
}

/** Long feathers first, then the rows of coverts over their roots. */
function feathers({ edge }: Plumage, family: number, growth: number): string {
  const count = feathersAt(growth);
  const span = spanAt(growth);
  const fan = fanAt(growth);
  const long = row(count, { ...fan, span, fill: 'feather', edge, width: blend(9.4, 7.6, growth) });
  const coverts = row(count - 1, { ...fan, span: span * 0.64, fill: 'covert', edge, width: blend(7.6, 6.4, growth) });
  const inner = family >= RICH_PLUMAGE ? row(count - 2, { ...fan, span: span * 0.4, fill: 'covert', edge, width: 5 }) : '';
  return long + coverts + inner;
}

/** Feathers that differ in their place alone. */
interface FeatherRow extends Fan {
  span: number;
  width: number;
  fill: string;
  edge: string;
}

/** The lowest feather first, so that each lies over the one below it. */
function row(count: number, { span, width, fill, edge, ...fan }: FeatherRow): string {
  const drawn = Array.from({ length: count }, (_, index) => {
    const place = 1 - index / (count - 1);
    return `<path transform="${pose(place, fan)}" d="${leaf(lengthOf(place) * span, width * blend(1, 0.8, place))}"/>`;
  });
  return `<g fill="url(#${fill})" stroke="${edge}" stroke-width="0.8">${drawn.join('')}</g>`;
}

/** Directions of the uppermost and the lowest feather, in degrees below the horizontal. */
interface Fan {
  top: number;
  bottom: number;
}

/** Few feathers stand closer together, lest the wing fall apart. */
function fanAt(growth: number): Fan {
  return { top: blend(-50, -66, growth), bottom: blend(14, 26, growth) };
}

/** Root and direction of a feather, drawn along the x axis; `place` runs from 0, the uppermost, to 1, the lowest. */
function pose(place: number, { top, bottom }: Fan): string {
  const x = coordinate(blend(57, 50, place));
  const y = coordinate(blend(37, 60, place));
  return `translate(${x} ${y}) rotate(${coordinate(blend(top, bottom, place))})`;
}

function lengthOf(place: number): number {
  return 33 - 9 * place + 7 * Math.sin(Math.PI * place);
}

/** A feather along the x axis: full at the upper edge, slightly swept up towards the tip. */
function leaf(length: number, width: number): string {
  const at = (x: number, y: number): string => `${coordinate(x * length)} ${coordinate(y * width)}`;
  return `M0 0C${at(0.2, -0.62)} ${at(0.72, -0.74)} ${at(1, -0.34)}C${at(0.94, 0.28)} ${at(0.5, 0.6)} 0 0Z`;
}

/** A bright spot near the tips of the uppermost long feathers. */
function eyes({ edge, eye }: Plumage, count: number, growth: number): string {
  const gaps = feathersAt(growth) - 1;
  const fan = fanAt(growth);
  const drawn = Array.from({ length: count }, (_, index) => {
    const place = index / gaps;
    const x = coordinate(lengthOf(place) * spanAt(growth) * 0.84);
    return `<ellipse transform="${pose(place, fan)}" cx="${x}" cy="-1.5" rx="2.1" ry="1.3"/>`;
  });
  return `<g fill="${eye}" stroke="${edge}" stroke-width="0.5">${drawn.join('')}</g>`;
}

/** Long feathers of a wing. */
function feathersAt(growth: number): number {
  return Math.round(blend(4, 9, growth));
}

/** Share of their full length the feathers have. */
function spanAt(growth: number): number {
  return blend(0.68, 1, growth);
}
