import { structuredPatch } from 'diff';

/** A line of a hunk with its line numbers. */
export interface DiffLine {
  kind: 'equal' | 'add' | 'remove';
  left: number | null;
  right: number | null;
  text: string;
}

/** Lines that changed with some equal ones around them; line numbers count from 1. */
export interface Hunk {
  leftStart: number;
  rightStart: number;
  lines: DiffLine[];
}

/** Two hunks with at most twice as many equal lines between them are one. */
const CONTEXT_LINES = 3;
/** Maximum differences: bounds the CPU time of the diff. */
const MAX_EDITS = 1000;
const BACKSLASH_MARK = '\\';

/** How two texts differ, line by line; null when they differ too much. */
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
    // Says that the last line has no line feed.
    if (mark === BACKSLASH_MARK) continue;
    if (mark === '+') numbered.push({ kind: 'add', left: null, right: right++, text });
    else if (mark === '-') numbered.push({ kind: 'remove', left: left++, right: null, text });
    else numbered.push({ kind: 'equal', left: left++, right: right++, text });
  }
  return { leftStart: oldStart, rightStart: newStart, lines: numbered };
}
