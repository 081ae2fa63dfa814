import { KNOWN_STATS, type KnownStat } from './character-stats.data.ts';
import { normalised } from './line-tokens.domain.ts';

/** A stat that a piece of text names, and how surely. */
export interface LabelMatch {
  stat: KnownStat;
  /** 1 for the label itself, 0.97 for one inside a longer text, else how alike they are. */
  score: number;
  /** Words of the text that come before and after the label. */
  before: string;
  after: string;
}

interface Label {
  words: string;
  stat: KnownStat;
}

/** Longest first: `critical damage` must not match `damage`. */
const LABELS: readonly Label[] = KNOWN_STATS.flatMap((stat) => stat.labels.map((label) => ({ words: normalised(label), stat }))).toSorted(
  (one, other) => other.words.length - one.words.length,
);
const INSIDE_SCORE = 0.97;
const MIN_LABEL_SCORE = 0.82;
/** Text much longer than any label is compared with none: comparing costs the product of the lengths. */
const MAX_COMPARED_LENGTH = 60;

/** The stat that a normalised text names, or null. */
export function labelIn(words: string): LabelMatch | null {
  let best: LabelMatch | null = null;
  for (const label of LABELS) {
    const score = scoreOf(words, label.words);
    if (score >= MIN_LABEL_SCORE && score > (best?.score ?? 0)) best = { stat: label.stat, score, ...around(words, label.words) };
  }
  return best;
}

/** Cuts a text with several labels in it before each but the first: `Maximum Energy Light` names two stats. */
export function piecesOf(words: string): string[] {
  const padded = ` ${words} `;
  const taken: { start: number; end: number }[] = [];
  for (const { words: label } of LABELS) {
    const start = padded.indexOf(` ${label} `);
    const end = start + label.length + 1;
    if (start >= 0 && taken.every((other) => end <= other.start || start >= other.end)) taken.push({ start, end });
  }
  const cuts = taken
    .map(({ start }) => start)
    .toSorted((one, other) => one - other)
    .slice(1);
  return [0, ...cuts].map((start, index) => padded.slice(start, cuts[index]).trim());
}

function scoreOf(words: string, label: string): number {
  if (words === label) return 1;
  if (contains(words, label)) return INSIDE_SCORE;
  if (words.length > MAX_COMPARED_LENGTH) return 0;
  // Even if all of the shorter is found in the longer, they may not be alike enough.
  const bound = (2 * Math.min(words.length, label.length)) / (words.length + label.length);
  return bound < MIN_LABEL_SCORE ? 0 : similarity(words, label);
}

/** What is left of a text that has the label in it; nothing where it only resembles it. */
function around(words: string, label: string): { before: string; after: string } {
  const padded = ` ${words} `;
  const start = padded.indexOf(` ${label} `);
  return start < 0
    ? { before: '', after: '' }
    : { before: padded.slice(0, start).trim(), after: padded.slice(start + label.length + 1).trim() };
}

/** As whole words: `light` is not in `lightning`. */
function contains(words: string, label: string): boolean {
  return ` ${words} `.includes(` ${label} `);
}

/** Ratcliff and Obershelp: twice what they have in common, by longest common pieces, over what there is. */
export function similarity(one: string, other: string): number {
  return one.length + other.length === 0 ? 1 : (2 * commonLength(one, other)) / (one.length + other.length);
}

function commonLength(one: string, other: string): number {
  const { start, otherStart, length } = longestCommon(one, other);
  if (length === 0) return 0;
  const before = commonLength(one.slice(0, start), other.slice(0, otherStart));
  const after = commonLength(one.slice(start + length), other.slice(otherStart + length));
  return length + before + after;
}

function longestCommon(one: string, other: string): { start: number; otherStart: number; length: number } {
  let best = { start: 0, otherStart: 0, length: 0 };
  let previous = new Uint16Array(other.length + 1);
  for (let row = 0; row < one.length; row++) {
    const lengths = new Uint16Array(other.length + 1);
    for (let column = 0; column < other.length; column++) {
      if (one[row] !== other[column]) continue;
      const length = (previous[column] ?? 0) + 1;
      lengths[column + 1] = length;
      if (length > best.length) best = { start: row - length + 1, otherStart: column - length + 1, length };
    }
    previous = lengths;
  }
  return best;
}
