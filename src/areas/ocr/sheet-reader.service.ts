import type { Pause } from '../../platform/kit/heavy-work.ts';
import { DOUBTFUL_CONFIDENCE, extractCharacterStats, type NumberLocation, type SheetReading } from './character-stats.domain.ts';
import { checkLimit, MAX_CHARACTERS, MAX_REREAD_CHARACTERS } from './limits.domain.ts';
import { type NumberToken, tokenizeLine } from './line-parts.domain.ts';
import type { Box, Luminance } from './luminance.domain.ts';
import type { EngineWord, TextEngine } from './tesseract-engine.service.ts';
import { estimateCharacters, type LineStyle, type PlacedSpan, spanAt, type TextLine, typeset } from './text-sheet.domain.ts';
import { findText, type Span, type TextLayout } from './text-spans.domain.ts';

/** A word of a line with its position in the image. */
interface LineWord {
  text: string;
  /** Position in the line. */
  start: number;
  confidence: number;
  span: Span;
}

interface Line {
  text: string;
  words: LineWord[];
}

/** Style with the best results of the engine. */
const FIRST_STYLE: LineStyle = { capHeight: 28, backgroundShare: 0.18 };
/** A different style for the second reading: the engine then makes different errors. */
const SECOND_STYLE: LineStyle = { capHeight: 36, backgroundShare: 0.05 };
const NUMBERS_IN_LINE = 7;
/** Minimum confidence of the engine; below, a number is doubtful even if both readings agree. */
const MIN_ENGINE_CONFIDENCE = 0.55;
/** Maximum characters between label and number to be treated as specks. */
const MAX_SPECK_LENGTH = 3;

/** Detected text of an image, not yet recognised. */
interface DetectedText {
  image: Luminance;
  layout: TextLayout;
}

/** Detects the text of an image. Throws `CostLimitError` above the limits of the engine. */
export function detectSheet(image: Luminance): DetectedText {
  const layout = findText(image);
  const characters = layout.rows.flat().reduce((sum, span) => sum + estimateCharacters(span), 0);
  checkLimit(MAX_CHARACTERS, Math.round(characters), 'characters (estimated from the text width)');
  return { image, layout };
}

/** Recognises the text: typesets the spans into lines and reads them, then reads the numbers of stats again in another style. */
export async function readSheet({ image, layout }: DetectedText, engine: TextEngine, pause: Pause): Promise<SheetReading> {
  const lines = joinLines(await readAllWords(typeset(image, layout, FIRST_STYLE), engine, pause));
  const texts = lines.map(({ text }) => text);
  const first = extractCharacterStats(texts);
  const locations = [...first.sources.values()];
  const confidences = await readAgain(image, layout, lines, locations, engine, pause);
  const confidenceByKey = new Map(locations.map((location, index) => [locationKey(location), confidences[index] ?? 1]));
  const second = extractCharacterStats(texts, (location) =>
    Math.min(confidenceByKey.get(locationKey(location)) ?? 1, locationConfidence(location)),
  );
  const boxes = new Map(
    [...second.sources].flatMap(([key, { line, number }]) => {
      const span = boundingSpan(findNumberWords(lines[line], number));
      return span ? [[key, boxOf(span)] as const] : [];
    }),
  );
  return { ...second, lines: texts, boxes };
}

/** A span without its measures of text, in whole pixels. */
function boxOf({ left, top, right, bottom }: Span): Box {
  return { left: Math.floor(left), top: Math.floor(top), right: Math.ceil(right), bottom: Math.ceil(bottom) };
}

function locationKey({ line, number }: NumberLocation): string {
  return `${line} ${number.index}`;
}

/**
 * Confidence that a number belongs to its label. Doubtful cases: words between label and number, which may be an unrecognised
 * label; a percentage of 10 or more without a fraction, which may have lost its point; zero, as icons are read as zeros.
 */
function locationConfidence({ number, between }: NumberLocation): number {
  const hasLostPoint = number.isPercent && Number.isInteger(number.value) && number.value >= 10;
  return between.length >= MAX_SPECK_LENGTH || hasLostPoint || number.value === 0 ? DOUBTFUL_CONFIDENCE : 1;
}

/** A recognised word with the span that contains it. */
interface ReadWord {
  word: EngineWord;
  placed: PlacedSpan;
}

/** Recognises the words of a line. */
function readLineWords(line: TextLine, engine: TextEngine): ReadWord[] {
  return engine.read(line.image).flatMap((word) => {
    const placed = spanAt(line, (word.box.left + word.box.right) / 2);
    return placed ? [{ word, placed }] : [];
  });
}

/** Recognises the words of all lines; pauses after each line, as the engine cannot be interrupted. */
async function readAllWords(lines: readonly TextLine[], engine: TextEngine, pause: Pause): Promise<ReadWord[]> {
  const words: ReadWord[] = [];
  for (const line of lines) {
    words.push(...readLineWords(line, engine));
    await pause();
  }
  return words;
}

/** Joins words to the rows of the image: a row may have been typeset in several lines. */
function joinLines(words: readonly ReadWord[]): Line[] {
  const rows = new Map<number, ReadWord[]>();
  for (const read of words) {
    if (read.word.text.trim() === '') continue;
    const row = rows.get(read.placed.row);
    if (row) row.push(read);
    else rows.set(read.placed.row, [read]);
  }
  return [...rows.entries()]
    .toSorted(([one], [other]) => one - other)
    .map(([, row]) => joinWords(row.toSorted((one, other) => locateWord(one).left - locateWord(other).left)));
}

function joinWords(row: readonly ReadWord[]): Line {
  const words: LineWord[] = [];
  let start = 0;
  for (const word of row) {
    const text = word.word.text.trim();
    words.push({ text, start, confidence: word.word.confidence, span: locateWord(word) });
    start += text.length + 1;
  }
  return { text: words.map(({ text }) => text).join(' '), words };
}

/** Position of a word in the image. */
function locateWord({ word, placed }: ReadWord): Span {
  const { span } = placed;
  const scale = span.capHeight / FIRST_STYLE.capHeight;
  const margin = ((placed.right - placed.left) * scale - (span.right - span.left)) / 2;
  const left = span.left - margin + (word.box.left - placed.left) * scale;
  const right = span.left - margin + (word.box.right - placed.left) * scale;
  return { ...span, left, right };
}

/** Reads numbers again; returns the confidence of each: `DOUBTFUL_CONFIDENCE` unless both readings agree. */
async function readAgain(
  image: Luminance,
  { polarity }: TextLayout,
  lines: readonly Line[],
  locations: readonly NumberLocation[],
  engine: TextEngine,
  pause: Pause,
): Promise<number[]> {
  const words = locations.map(({ line, number }) => findNumberWords(lines[line], number));
  const spans = limitSpans(words.map(boundingSpan));
  // Several numbers per line: the engine misses a number that is alone on a line.
  const rows = distribute(
    spans.filter((span) => span !== null),
    NUMBERS_IN_LINE,
  );
  const readings = new Map<Span, EngineWord[]>();
  for (const { word, placed } of await readAllWords(typeset(image, { polarity, rows }, SECOND_STYLE), engine, pause)) {
    readings.set(placed.span, [...(readings.get(placed.span) ?? []), word]);
  }
  return locations.map(({ number }, index) => {
    const span = spans[index];
    const rereadWords = ((span && readings.get(span)) ?? []).toSorted((one, other) => one.box.left - other.box.left);
    const [token, ...others] = tokenizeLine(rereadWords.map(({ text }) => text).join(''));
    const isSame = token?.kind === 'number' && others.length === 0 && token.value === number.value && token.isPercent === number.isPercent;
    const confidence = Math.min(...(words[index] ?? []).map(({ confidence }) => confidence));
    return isSame && confidence >= MIN_ENGINE_CONFIDENCE ? 1 : DOUBTFUL_CONFIDENCE;
  });
}

/** Replaces spans above the limit of the second reading with null: their numbers stay doubtful. */
function limitSpans(spans: readonly (Span | null)[]): (Span | null)[] {
  let characters = 0;
  return spans.map((span) => {
    characters += span ? estimateCharacters(span) : 0;
    return characters <= MAX_REREAD_CHARACTERS ? span : null;
  });
}

/** Distributes items evenly over the minimum number of rows. */
function distribute<Item>(items: readonly Item[], maxLength: number): Item[][] {
  const length = Math.ceil(items.length / Math.ceil(items.length / maxLength));
  return Array.from({ length: Math.ceil(items.length / maxLength) }, (_, row) => items.slice(row * length, (row + 1) * length));
}

/** Words that contain a number. */
function findNumberWords(line: Line | undefined, { index, raw }: NumberToken): LineWord[] {
  return line?.words.filter((word) => word.start < index + raw.length && word.start + word.text.length > index) ?? [];
}

function boundingSpan(words: readonly LineWord[]): Span | null {
  const [first] = words;
  if (!first) return null;
  const left = Math.min(...words.map(({ span }) => span.left));
  const right = Math.max(...words.map(({ span }) => span.right));
  return { ...first.span, left, right };
}
