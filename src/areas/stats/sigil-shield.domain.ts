import { SHIELD_MATERIALS, type ShieldMaterial, SIGIL_SIZE } from './sigil.data.ts';
import { coordinate, gradient, star } from './sigil-svg.domain.ts';

const TIERS_PER_MATERIAL = 3;
const MIDDLE_X = SIGIL_SIZE / 2;
const MIDDLE_Y = 53;

/** A shield. Material, outline and crest change every three tiers; each tier of a material adds a chevron. */
export function shieldArt(tier: number): string {
  const step = Math.floor(tier / TIERS_PER_MATERIAL);
  const material = SHIELD_MATERIALS[step];
  if (material === undefined) throw new RangeError(`no shield of tier ${tier}`);
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
