/** Rows of each board of a capture. */
export type BoardCounts = ReadonlyMap<number, number>;

export interface GuardRules {
  /** More boards missing than this reject a capture. */
  maxMissing: number;
  /** Boards with fewer rows before are not compared. */
  minEntries: number;
  /** A board below this share of its rows before rejects the capture. */
  collapseFraction: number;
}

/** Missing and collapsed boards of a capture, uuids ascending. */
export interface CaptureVerdict {
  missingBoards: number[];
  collapsedBoards: number[];
}

/** Compares a capture with the one before it; null when it looks complete. */
export function captureVerdict(now: BoardCounts, before: BoardCounts, rules: GuardRules): CaptureVerdict | null {
  const uuids = [...before.keys()].sort((one, other) => one - other);
  const missingBoards = uuids.filter((uuid) => !now.has(uuid));
  const collapsedBoards = uuids.filter((uuid) => {
    const rows = before.get(uuid) ?? 0;
    const rowsNow = now.get(uuid);
    return rowsNow !== undefined && rows >= rules.minEntries && rowsNow < rows * rules.collapseFraction;
  });
  if (missingBoards.length <= rules.maxMissing && collapsedBoards.length === 0) return null;
  return { missingBoards, collapsedBoards };
}
