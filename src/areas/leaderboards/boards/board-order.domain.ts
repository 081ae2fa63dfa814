import { KNOWN_BOARDS, type ResetCadence } from './board-table.data.ts';
import { cadenceOf, type ResetOverrides } from './resets.domain.ts';

/** Compares two boards by the display order of the game; unknown boards come last, by uuid. */
export function byDisplayOrder(one: number, other: number): number {
  const displayIndexOf = (uuid: number) => KNOWN_BOARDS.get(uuid)?.displayIndex ?? KNOWN_BOARDS.size;
  return displayIndexOf(one) - displayIndexOf(other) || one - other;
}

/** False for boards that rank clubs. */
export function isPlayerBoard(uuid: number): boolean {
  return KNOWN_BOARDS.get(uuid)?.isPlayerBoard ?? true;
}

export type ResetKind = 'daily' | 'weekly' | 'default';

/** Reset cadence in response format. */
export function resetKindOf(uuid: number, overrides: ResetOverrides): ResetKind {
  const cadence: ResetCadence = cadenceOf(uuid, overrides);
  return cadence === 'never' ? 'default' : cadence;
}
