import { extractCharacterStats, type NumberPlace, type SheetReading } from './character-stats.domain.ts';
import { type NumberToken, tokensOf } from './line-tokens.domain.ts';
import type { Luminance } from './luminance.domain.ts';
import type { EngineWord, TextEngine } from './tesseract-engine.ts';
import { type PlacedSpan, type SheetStyle, setText, spanAt, type TextSheet } from './text-sheet.domain.ts';
import { findText, type Span, type TextLayout } from './text-spans.domain.ts';

/** A word of a line, and where it is in the picture. */
interface LineWord {
  text: string;
  /** Position in the line. */
  start: number;
  confidence: number;
  place: Span;
}

interface Line {
  text: string;
  words: LineWord[];
}

/** As the engine reads best. */
const FIRST_STYLE: SheetStyle = { capHeight: 28, cleared: 0.18 };
/** Otherwise, so that the engine's mistakes are other ones. */
const SECOND_STYLE: SheetStyle = { capHeight: 36, cleared: 0.05 };
const NUMBERS_IN_LINE = 7;
/** Surety of a number that the engine reads otherwise the second time, or that something else speaks against. */
const DOUBTFUL = 0.85;
/** Surety of the engine below which it is believed only a little, even when it repeats itself. */
const LEAST_ENGINE_SURETY = 0.55;
/** Characters between label and number that may be specks. */
const LONGEST_DIRT = 3;

/** Reads a picture: its text is found, set anew and read; then the numbers that count are read again another way. */
export function readSheet(image: Luminance, engine: TextEngine): SheetReading {
  const layout = findText(image);
  const sheet = setText(image, layout, FIRST_STYLE);
  const lines = linesOf(sheet, engine.read(sheet.image));
  const texts = lines.map(({ text }) => text);
  const first = extractCharacterStats(texts);
  const places = [...first.sources.values()];
  const sureties = readAgain(image, layout, lines, places, engine);
  const known = new Map(places.map((place, index) => [keyOf(place), sureties[index] ?? 1]));
  const second = extractCharacterStats(texts, (place) => Math.min(known.get(keyOf(place)) ?? 1, likelihoodOf(place)));
  return { ...second, lines: texts };
}

function keyOf({ line, number }: NumberPlace): string {
  return `${line} ${number.index}`;
}

/**
 * How likely a number is one that belongs to its label. Doubtful: words between the two, as another label that was not
 * recognised; a number right after it, as it may be cut in two; a percentage without a fraction, as a point is easily overlooked; a zero, as which icons are read.
 */
function likelihoodOf({ number, between, isFollowed }: NumberPlace): number {
  const hasLostPoint = number.isPercent && Number.isInteger(number.value) && number.value >= 10;
  return isFollowed || between.length >= LONGEST_DIRT || hasLostPoint || number.value === 0 ? DOUBTFUL : 1;
}

/** Words of the sheet as lines of the picture: the engine's own order of lines is not to be relied on. */
function linesOf(sheet: TextSheet, words: readonly EngineWord[]): Line[] {
  const rows = new Map<number, { word: EngineWord; placed: PlacedSpan }[]>();
  for (const word of words) {
    const placed = spanAt(sheet, (word.box.left + word.box.right) / 2, (word.box.top + word.box.bottom) / 2);
    if (!placed || word.text.trim() === '') continue;
    const row = rows.get(placed.row) ?? [];
    rows.set(placed.row, [...row, { word, placed }]);
  }
  return [...rows.entries()]
    .toSorted(([one], [other]) => one - other)
    .map(([, row]) => lineOf(row.toSorted((one, other) => placeOf(one).left - placeOf(other).left)));
}

function lineOf(row: readonly { word: EngineWord; placed: PlacedSpan }[]): Line {
  const words: LineWord[] = [];
  let start = 0;
  for (const found of row) {
    const text = found.word.text.trim();
    words.push({ text, start, confidence: found.word.confidence, place: placeOf(found) });
    start += text.length + 1;
  }
  return { text: words.map(({ text }) => text).join(' '), words };
}

/** Where a word of the sheet is in the picture. */
function placeOf({ word, placed }: { word: EngineWord; placed: PlacedSpan }): Span {
  const { span, box } = placed;
  const scale = span.capHeight / FIRST_STYLE.capHeight;
  const margin = ((box.right - box.left) * scale - (span.right - span.left)) / 2;
  const left = span.left - margin + (word.box.left - box.left) * scale;
  const right = span.left - margin + (word.box.right - box.left) * scale;
  return { ...span, left, right };
}

/** For each number how surely it was read: a second reading should say the same. */
function readAgain(
  image: Luminance,
  { polarity }: TextLayout,
  lines: readonly Line[],
  places: readonly NumberPlace[],
  engine: TextEngine,
): number[] {
  const words = places.map(({ line, number }) => wordsOf(lines[line], number));
  const spans = words.map(boxAround);
  // Side by side: the engine overlooks a number that has a line of its own.
  const sheet = setText(
    image,
    {
      polarity,
      rows: evenly(
        spans.filter((span) => span !== null),
        NUMBERS_IN_LINE,
      ),
    },
    SECOND_STYLE,
  );
  const readings = new Map<Span, EngineWord[]>();
  for (const word of engine.read(sheet.image)) {
    const placed = spanAt(sheet, (word.box.left + word.box.right) / 2, (word.box.top + word.box.bottom) / 2);
    if (placed) readings.set(placed.span, [...(readings.get(placed.span) ?? []), word]);
  }
  return places.map(({ number }, index) => {
    const span = spans[index];
    const again = ((span && readings.get(span)) ?? []).toSorted((one, other) => one.box.left - other.box.left);
    const [token, ...others] = tokensOf(again.map(({ text }) => text).join(''));
    const isSame = token?.kind === 'number' && others.length === 0 && token.value === number.value && token.isPercent === number.isPercent;
    const surety = Math.min(...(words[index] ?? []).map(({ confidence }) => confidence));
    return isSame && surety >= LEAST_ENGINE_SURETY ? 1 : DOUBTFUL;
  });
}

/** The items in as few rows as that takes, all about as long. */
function evenly<Item>(items: readonly Item[], longest: number): Item[][] {
  const length = Math.ceil(items.length / Math.ceil(items.length / longest));
  return Array.from({ length: Math.ceil(items.length / longest) }, (_, row) => items.slice(row * length, (row + 1) * length));
}

/** The words that a number is made of. */
function wordsOf(line: Line | undefined, { index, raw }: NumberToken): LineWord[] {
  return line?.words.filter((word) => word.start < index + raw.length && word.start + word.text.length > index) ?? [];
}

function boxAround(words: readonly LineWord[]): Span | null {
  const [first] = words;
  if (!first) return null;
  const left = Math.min(...words.map(({ place }) => place.left));
  const right = Math.max(...words.map(({ place }) => place.right));
  return { ...first.place, left, right };
}
