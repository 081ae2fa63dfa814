import { namedValues } from '../../../platform/kit/values/named-values.ts';
import { KNOWN_BOARDS, type ResetCadence } from './board-table.data.ts';
import { cadenceOf, type ResetOverrides } from './resets.domain.ts';

/** Compares two boards by the display order of the game; unknown boards come last, by uuid. */
export function byDisplayOrder(one: number, other: number): number {
  const displayIndexOf = (uuid: number) => KNOWN_BOARDS.get(uuid)?.displayIndex ?? KNOWN_BOARDS.size;
  return displayIndexOf(one) - displayIndexOf(other) || one - other;
}

/** Sort orders of a list of boards. */
export const BOARD_SORTS = namedValues('BoardSort', 'Sort order of a list of boards.', ['order', 'name', 'uuid']);

/** Sorts boards by the display order of the game, by name or by number. Equal names are sorted by number. */
export function sortBoards<Board extends { uuid: number; name: string }>(
  boards: readonly Board[],
  sort: (typeof BOARD_SORTS)[number],
): Board[] {
  return boards.toSorted((one, other) => {
    if (sort === 'order') return byDisplayOrder(one.uuid, other.uuid);
    return (sort === 'name' ? one.name.localeCompare(other.name, 'en') : 0) || one.uuid - other.uuid;
  });
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
