import { distance } from 'fastest-levenshtein';
import { KNOWN_STATS, type KnownStat } from './character-stats.data.ts';

/** A number in a line of text. */
export interface NumberToken {
  kind: 'number';
  /** Text of the number with its percent sign. */
  raw: string;
  value: number;
  isPercent: boolean;
  /** Whether only a blank separates it from other digits with which it forms no number: it may be a part of one. */
  isPart: boolean;
  /** Position in the line. */
  index: number;
}

/** Text between numbers, normalised to lower case. */
interface TextToken {
  kind: 'text';
  words: string;
}

export type LineToken = NumberToken | TextToken;

/** Maximum digits of a number. */
const MAX_DIGITS = 15;
/** Digits with points and commas between them. */
const NUMBER = /\d[\d.,]*\d|\d/g;
/** Numbers with one blank between them, a no-break space for example. */
const RUN = new RegExp(`(?:${NUMBER.source})(?:\\s(?:${NUMBER.source}))*`, 'g');
/** Groups of three digits that blanks separate: `1 155 050`, `4 582,5`. */
const GROUPED = /^\d{1,3}(?:\s\d{3})+(?:[.,]\d{1,2})?$/;
const PERCENT = /^\s*%/;

/** Splits a line into numbers and the text between them. */
export function tokenizeLine(line: string): LineToken[] {
  const tokens: LineToken[] = [];
  let end = 0;
  for (const { text, index, isPart } of numbersIn(line)) {
    if (countDigits(text) > MAX_DIGITS) continue;
    const sign = PERCENT.exec(line.slice(index + text.length))?.[0] ?? '';
    pushText(tokens, line.slice(end, index));
    end = index + text.length + sign.length;
    tokens.push({ kind: 'number', raw: text + sign, value: parseNumber(text), isPercent: sign !== '', isPart, index });
  }
  pushText(tokens, line.slice(end));
  return tokens;
}

function* numbersIn(line: string): Generator<{ text: string; index: number; isPart: boolean }> {
  for (const { 0: run, index } of line.matchAll(RUN)) {
    const parts = GROUPED.test(run) && countDigits(run) <= MAX_DIGITS ? [{ 0: run, index: 0 }] : [...run.matchAll(NUMBER)];
    for (const part of parts) yield { text: part[0], index: index + part.index, isPart: parts.length > 1 };
  }
}

function countDigits(text: string): number {
  return text.replaceAll(/\D/g, '').length;
}

function pushText(tokens: LineToken[], text: string): void {
  const words = normalizeText(text);
  if (words !== '') tokens.push({ kind: 'text', words });
}

/** Parses a number. The engine confuses comma and point: only the last separator is decimal, if one or two digits follow. */
function parseNumber(digits: string): number {
  const last = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','));
  const fraction = last < 0 ? '' : digits.slice(last + 1);
  const removeSeparators = (text: string) => text.replace(/[.,\s]/g, '');
  return fraction.length === 1 || fraction.length === 2
    ? Number(`${removeSeparators(digits.slice(0, last))}.${fraction}`)
    : Number(removeSeparators(digits));
}

/** Removes accents and punctuation and converts to lower case. */
export function normalizeText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();
}

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
const MAX_EDITS = 2;
/** Shorter labels differ from other words by as few letters. */
const MIN_EDITED_LENGTH = 8;
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
  return Math.max(similarityScore(words, label), isMisread(words, label) ? MIN_LABEL_SCORE : 0);
}

/** Whether a text is a label with at most `MAX_EDITS` wrong letters: an engine without accents reads some letters as others. */
function isMisread(words: string, label: string): boolean {
  if (label.length < MIN_EDITED_LENGTH || Math.abs(words.length - label.length) > MAX_EDITS) return false;
  return distance(words, label) <= MAX_EDITS;
}

function similarityScore(words: string, label: string): number {
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
