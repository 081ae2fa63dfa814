/** Number of rows by uuid of the board. */
export type BoardCounts = ReadonlyMap<number, number>;

export interface GuardRules {
  /** Maximum number of missing boards. */
  maxMissing: number;
  /** Boards with fewer rows in the previous capture are not compared. */
  minEntries: number;
  /** Minimum share of the previous rows of a board. */
  collapseFraction: number;
}

/** Missing and collapsed boards of an incomplete capture, uuids ascending. */
export interface CaptureVerdict {
  missingBoards: number[];
  collapsedBoards: number[];
}

/** Compares a capture with the previous one; null if it looks complete. */
export function captureVerdict(current: BoardCounts, previous: BoardCounts, rules: GuardRules): CaptureVerdict | null {
  const uuids = [...previous.keys()].sort((one, other) => one - other);
  const missingBoards = uuids.filter((uuid) => !current.has(uuid));
  const collapsedBoards = uuids.filter((uuid) => {
    const previousRows = previous.get(uuid) ?? 0;
    const rows = current.get(uuid);
    return rows !== undefined && previousRows >= rules.minEntries && rows < previousRows * rules.collapseFraction;
  });
  if (missingBoards.length <= rules.maxMissing && collapsedBoards.length === 0) return null;
  return { missingBoards, collapsedBoards };
}
