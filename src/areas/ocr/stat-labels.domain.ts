import { KNOWN_STATS, type KnownStat } from './character-stats.data.ts';
import { normalizeText } from './line-tokens.domain.ts';

/** A stat whose label matches a text. */
export interface LabelMatch {
  stat: KnownStat;
  /** 1 for an exact match, 0.97 for a label in a longer text, otherwise the similarity. */
  score: number;
  /** Words before and after the label in the text. */
  before: string;
  after: string;
}

interface Label {
  words: string;
  stat: KnownStat;
}

/** Longest first: `critical damage` must not match `damage`. */
const LABELS: readonly Label[] = KNOWN_STATS.flatMap((stat) =>
  stat.labels.map((label) => ({ words: normalizeText(label), stat })),
).toSorted((one, other) => other.words.length - one.words.length);
const INSIDE_SCORE = 0.97;
const MIN_LABEL_SCORE = 0.82;
/** Longer text is not compared by similarity, which costs the product of the lengths. */
const MAX_COMPARED_LENGTH = 60;

/** Finds the stat of a normalised text, or null. */
export function findLabel(words: string): LabelMatch | null {
  let best: LabelMatch | null = null;
  for (const label of LABELS) {
    const score = scoreOf(words, label.words);
    if (score >= MIN_LABEL_SCORE && score > (best?.score ?? 0)) best = { stat: label.stat, score, ...surroundingWords(words, label.words) };
  }
  return best;
}

/** Splits a text before each label except the first: `Maximum Energy Light` contains two stats. */
export function splitLabels(words: string): string[] {
  const padded = ` ${words} `;
  const matches: { start: number; end: number }[] = [];
  for (const { words: label } of LABELS) {
    const start = padded.indexOf(` ${label} `);
    const end = start + label.length + 1;
    if (start >= 0 && matches.every((other) => end <= other.start || start >= other.end)) matches.push({ start, end });
  }
  const cuts = matches
    .map(({ start }) => start)
    .toSorted((one, other) => one - other)
    .slice(1);
  return [0, ...cuts].map((start, index) => padded.slice(start, cuts[index]).trim());
}

function scoreOf(words: string, label: string): number {
  if (words === label) return 1;
  if (contains(words, label)) return INSIDE_SCORE;
  if (words.length > MAX_COMPARED_LENGTH) return 0;
  // Upper bound of the similarity, from the lengths alone.
  const bound = (2 * Math.min(words.length, label.length)) / (words.length + label.length);
  return bound < MIN_LABEL_SCORE ? 0 : similarity(words, label);
}

/** Words before and after the label; empty if the text only resembles it. */
function surroundingWords(words: string, label: string): { before: string; after: string } {
  const padded = ` ${words} `;
  const start = padded.indexOf(` ${label} `);
  return start < 0
    ? { before: '', after: '' }
    : { before: padded.slice(0, start).trim(), after: padded.slice(start + label.length + 1).trim() };
}

/** Whether a text contains the label as whole words: `lightning` does not contain `light`. */
function contains(words: string, label: string): boolean {
  return ` ${words} `.includes(` ${label} `);
}

/** Ratcliff/Obershelp similarity: twice the length of the common substrings over the sum of the lengths. */
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
