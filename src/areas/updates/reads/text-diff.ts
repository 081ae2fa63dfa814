import { structuredPatch } from 'diff';

/** A line of a hunk with its line numbers. */
export interface DiffLine {
  kind: 'equal' | 'add' | 'remove';
  left: number | null;
  right: number | null;
  text: string;
}

/** Changed lines with equal lines around them; line numbers start at 1. */
export interface Hunk {
  leftStart: number;
  rightStart: number;
  lines: DiffLine[];
}

/** Equal lines around a change. Hunks with at most twice as many equal lines between them are merged. */
const CONTEXT_LINES = 3;
/** Maximum number of differences: bounds the CPU time. */
const MAX_EDITS = 1000;
const BACKSLASH_MARK = '\\';

/** Line difference of two texts; null if they have more than `MAX_EDITS` differences. */
export function diffLines(left: string, right: string): Hunk[] | null {
  const patch = structuredPatch('', '', left, right, '', '', { context: CONTEXT_LINES, maxEditLength: MAX_EDITS });
  return patch === undefined ? null : patch.hunks.map(toHunk);
}

function toHunk({ oldStart, newStart, lines }: { oldStart: number; newStart: number; lines: string[] }): Hunk {
  let left = oldStart;
  let right = newStart;
  const numbered: DiffLine[] = [];
  for (const line of lines) {
    const text = line.slice(1);
    const mark = line.charAt(0);
    // `\ No newline at end of file`
    if (mark === BACKSLASH_MARK) continue;
    if (mark === '+') numbered.push({ kind: 'add', left: null, right: right++, text });
    else if (mark === '-') numbered.push({ kind: 'remove', left: left++, right: null, text });
    else numbered.push({ kind: 'equal', left: left++, right: right++, text });
  }
  return { leftStart: oldStart, rightStart: newStart, lines: numbered };
}
