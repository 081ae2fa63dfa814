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
  const long = row(count, span, 'feather', edge, 7.6);
  const coverts = row(count - 1, span * 0.64, 'covert', edge, 6.4);
  const inner = family >= RICH_PLUMAGE ? row(count - 2, span * 0.4, 'covert', edge, 5) : '';
  return long + coverts + inner;
}

/** The lowest feather first, so that each lies over the one below it. */
function row(count: number, span: number, fill: string, edge: string, width: number): string {
  const drawn = Array.from({ length: count }, (_, index) => feather(1 - index / (count - 1), span, width));
  return `<g fill="url(#${fill})" stroke="${edge}" stroke-width="0.8">${drawn.join('')}</g>`;
}

/** One feather; `place` runs from 0, the uppermost, to 1, the lowest. */
function feather(place: number, span: number, width: number): string {
  return `<path transform="${pose(place)}" d="${leaf(lengthOf(place) * span, width * blend(1, 0.8, place))}"/>`;
}

/** Root and direction of a feather, drawn along the x axis. */
function pose(place: number): string {
  const x = coordinate(blend(57, 50, place));
  const y = coordinate(blend(37, 60, place));
  return `translate(${x} ${y}) rotate(${coordinate(blend(-66, 26, place))})`;
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
  const drawn = Array.from({ length: count }, (_, index) => {
    const place = index / gaps;
    const x = coordinate(lengthOf(place) * spanAt(growth) * 0.84);
    return `<ellipse transform="${pose(place)}" cx="${x}" cy="-1.5" rx="2.1" ry="1.3"/>`;
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
