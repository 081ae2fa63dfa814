import type { Pause } from '../../platform/heavy-work.ts';
import { DOUBTFUL, extractCharacterStats, type NumberPlace, type SheetReading } from './character-stats.domain.ts';
import { requireAtMost } from './cost-limit.domain.ts';
import { type NumberToken, tokensOf } from './line-tokens.domain.ts';
import type { Luminance } from './luminance.domain.ts';
import { MAX_CHARACTERS, MAX_REREAD_CHARACTERS } from './ocr.data.ts';
import type { EngineWord, TextEngine } from './tesseract-engine.ts';
import { charactersIn, type LineStyle, type PlacedSpan, setText, spanAt, type TextLine } from './text-sheet.domain.ts';
import { findText, type Span, type TextLayout } from './text-spans.domain.ts';

/** A word of a line with its position in the image. */
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
const FIRST_STYLE: LineStyle = { capHeight: 28, cleared: 0.18 };
/** Otherwise, so that the engine's mistakes are other ones. */
const SECOND_STYLE: LineStyle = { capHeight: 36, cleared: 0.05 };
const NUMBERS_IN_LINE = 7;
/** Confidence of the engine below which it is believed only a little, even when it repeats itself. */
const MIN_ENGINE_CONFIDENCE = 0.55;
/** Characters between label and number that may be specks. */
const MAX_SPECK_CHARACTERS = 3;

/** Detected text of an image, not yet recognised. */
export interface FoundText {
  image: Luminance;
  layout: TextLayout;
}

/** Detects the text of an image. Throws `CostLimitError` above the limits of the engine. */
export function findSheet(image: Luminance): FoundText {
  const layout = findText(image);
  const characters = layout.rows.flat().reduce((sum, span) => sum + charactersIn(span), 0);
  requireAtMost(MAX_CHARACTERS, Math.round(characters), 'characters, by the width of the text');
  return { image, layout };
}

/** Reads text: it is set anew and read; then the numbers that count are read again another way. */
export async function readSheet({ image, layout }: FoundText, engine: TextEngine, pause: Pause): Promise<SheetReading> {
  const lines = linesOf(await wordsOfAll(setText(image, layout, FIRST_STYLE), engine, pause));
  const texts = lines.map(({ text }) => text);
  const first = extractCharacterStats(texts);
  const places = [...first.sources.values()];
  const sureties = await readAgain(image, layout, lines, places, engine, pause);
  const known = new Map(places.map((place, index) => [keyOf(place), sureties[index] ?? 1]));
  const second = extractCharacterStats(texts, (place) => Math.min(known.get(keyOf(place)) ?? 1, likelihoodOf(place)));
  return { ...second, lines: texts };
}

function keyOf({ line, number }: NumberPlace): string {
  return `${line} ${number.index}`;
}

/**
 * How likely a number is one that belongs to its label. Doubtful: words between the two, as another label that was not
 * recognised; a percentage without a fraction, as a point is easily overlooked; a zero, as which icons are read.
 */
function likelihoodOf({ number, between }: NumberPlace): number {
  const hasLostPoint = number.isPercent && Number.isInteger(number.value) && number.value >= 10;
  return between.length >= MAX_SPECK_CHARACTERS || hasLostPoint || number.value === 0 ? DOUBTFUL : 1;
}

/** A word of a line as it was set, and the span that it is in. */
interface ReadWord {
  word: EngineWord;
  placed: PlacedSpan;
}

/** Recognised words per line. */
function wordsIn(line: TextLine, engine: TextEngine): ReadWord[] {
  return engine.read(line.image).flatMap((word) => {
    const placed = spanAt(line, (word.box.left + word.box.right) / 2);
    return placed ? [{ word, placed }] : [];
  });
}

/** What the engine reads in all lines. It cannot be interrupted within a line. */
async function wordsOfAll(lines: readonly TextLine[], engine: TextEngine, pause: Pause): Promise<ReadWord[]> {
  const words: ReadWord[] = [];
  for (const line of lines) {
    words.push(...wordsIn(line, engine));
    await pause();
  }
  return words;
}

/** The lines of the picture: a row that was set in several lines is one again. */
function linesOf(words: readonly ReadWord[]): Line[] {
  const rows = new Map<number, ReadWord[]>();
  for (const read of words) {
    if (read.word.text.trim() === '') continue;
    const row = rows.get(read.placed.row);
    if (row) row.push(read);
    else rows.set(read.placed.row, [read]);
  }
  return [...rows.entries()]
    .toSorted(([one], [other]) => one - other)
    .map(([, row]) => lineOf(row.toSorted((one, other) => placeOf(one).left - placeOf(other).left)));
}

function lineOf(row: readonly ReadWord[]): Line {
  const words: LineWord[] = [];
  let start = 0;
  for (const found of row) {
    const text = found.word.text.trim();
    words.push({ text, start, confidence: found.word.confidence, place: placeOf(found) });
    start += text.length + 1;
  }
  return { text: words.map(({ text }) => text).join(' '), words };
}

/** Position of a word in the image. */
function placeOf({ word, placed }: ReadWord): Span {
  const { span } = placed;
  const scale = span.capHeight / FIRST_STYLE.capHeight;
  const margin = ((placed.right - placed.left) * scale - (span.right - span.left)) / 2;
  const left = span.left - margin + (word.box.left - placed.left) * scale;
  const right = span.left - margin + (word.box.right - placed.left) * scale;
  return { ...span, left, right };
}

/** For each number how surely it was read: a second reading should say the same. */
async function readAgain(
  image: Luminance,
  { polarity }: TextLayout,
  lines: readonly Line[],
  places: readonly NumberPlace[],
  engine: TextEngine,
  pause: Pause,
): Promise<number[]> {
  const words = places.map(({ line, number }) => wordsOf(lines[line], number));
  const spans = withinCost(words.map(boxAround));
  // Side by side: the engine overlooks a number that has a line of its own.
  const rows = evenly(
    spans.filter((span) => span !== null),
    NUMBERS_IN_LINE,
  );
  const readings = new Map<Span, EngineWord[]>();
  for (const { word, placed } of await wordsOfAll(setText(image, { polarity, rows }, SECOND_STYLE), engine, pause)) {
    readings.set(placed.span, [...(readings.get(placed.span) ?? []), word]);
  }
  return places.map(({ number }, index) => {
    const span = spans[index];
    const again = ((span && readings.get(span)) ?? []).toSorted((one, other) => one.box.left - other.box.left);
    const [token, ...others] = tokensOf(again.map(({ text }) => text).join(''));
    const isSame = token?.kind === 'number' && others.length === 0 && token.value === number.value && token.isPercent === number.isPercent;
    const surety = Math.min(...(words[index] ?? []).map(({ confidence }) => confidence));
    return isSame && surety >= MIN_ENGINE_CONFIDENCE ? 1 : DOUBTFUL;
  });
}

/** Without the spans that would take more than a second reading may: what is left out stays doubtful. */
function withinCost(spans: readonly (Span | null)[]): (Span | null)[] {
  let characters = 0;
  return spans.map((span) => {
    characters += span ? charactersIn(span) : 0;
    return characters <= MAX_REREAD_CHARACTERS ? span : null;
  });
}

/** The items in as few rows as that takes, all about as long. */
function evenly<Item>(items: readonly Item[], longest: number): Item[][] {
  const length = Math.ceil(items.length / Math.ceil(items.length / longest));
  return Array.from({ length: Math.ceil(items.length / longest) }, (_, row) => items.slice(row * length, (row + 1) * length));
}

/** Words of a number. */
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
