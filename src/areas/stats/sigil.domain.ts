import { namedValues } from '../../platform/kit/values/named-values.ts';
import { SHIELD_THRESHOLDS, SIGIL_SIZE, WING_THRESHOLDS } from './sigil.data.ts';
import { shieldArt } from './sigil-shield.domain.ts';
import { wingArt } from './sigil-wings.domain.ts';

/** Tiers of a sigil: shield 0 to 14 by Power Rank, wings 0 to 25 by total mastery. */
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
