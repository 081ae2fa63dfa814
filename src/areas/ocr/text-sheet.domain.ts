import { createLuminance, type Luminance } from './luminance.domain.ts';
import type { Polarity } from './marks.domain.ts';
import { percentile, type Span, type TextLayout } from './text-spans.domain.ts';

/**
 * A line of text typeset for the engine: dark on white, with a fixed height. The cost of a line depends only on its width. With several
 * lines in one image, the engine would detect lines itself, which takes minutes for textures or tiny text.
 */
export interface TextLine {
  image: Luminance;
  spans: PlacedSpan[];
}

/** A span with its position on a typeset line. */
export interface PlacedSpan {
  span: Span;
  /** Row of the image. */
  row: number;
  /** Horizontal range on the line. */
  left: number;
  right: number;
}

/** Parameters of typesetting. */
export interface LineStyle {
  /** Height of capitals. */
  capHeight: number;
  /** Share of the grey levels between background and text that is treated as background: removes textures. */
  backgroundShare: number;
}

/** Height of a line in cap heights, without margins. */
const LINE_HEIGHT = 2.3;
const MARGIN = { top: 8, side: 16 };
/** Gap between spans of a row in cap heights. */
const GAP = 1.7;
const MAX_LINE_WIDTH = 1600;
/** Average width of a character with spacing, in cap heights. */
const CHARACTER_WIDTH = 0.72;
/** Copied heights above and below the baseline in cap heights, for accents, commas and descenders. */
const ASCENT = 1.45;
const DESCENT = 0.45;

/** Typesets the text of an image into lines. */
export function typeset(image: Luminance, { rows, polarity }: TextLayout, style: LineStyle): TextLine[] {
  return layOutSpans(rows, style).map((spans) => {
    const width = Math.max(...spans.map(({ right }) => right)) + MARGIN.side;
    const line = createLuminance(width, Math.round(style.capHeight * LINE_HEIGHT) + 2 * MARGIN.top);
    line.data.fill(255);
    for (const span of spans) paint(image, line, span, polarity, style);
    return { image: line, spans };
  });
}

/** Estimates the number of characters of a span from its width, which determines the cost of the engine. */
export function estimateCharacters(span: Span): number {
  return widthOf(span) / CHARACTER_WIDTH;
}

/** Width of a span in cap heights. */
function widthOf(span: Span): number {
  return (span.right - span.left + 2 * margin(span)) / span.capHeight;
}

/** Span at a column of the line; null between spans. */
export function spanAt({ spans }: TextLine, x: number): PlacedSpan | null {
  return spans.find(({ left, right }) => x >= left && x < right) ?? null;
}

/** Assigns spans to lines. Each row starts a new line and continues on further lines if it is too long. */
function layOutSpans(rows: readonly (readonly Span[])[], style: LineStyle): PlacedSpan[][] {
  const lines: PlacedSpan[][] = [];
  for (const [row, inRow] of rows.entries()) {
    let line: PlacedSpan[] = [];
    for (const span of inRow) {
      const width = Math.min(MAX_LINE_WIDTH - 2 * MARGIN.side, Math.ceil(widthOf(span) * style.capHeight));
      const last = line.at(-1);
      let left = last ? last.right + Math.round(GAP * style.capHeight) : MARGIN.side;
      if (line.length === 0 || left + width + MARGIN.side > MAX_LINE_WIDTH) {
        left = MARGIN.side;
        line = [];
        lines.push(line);
      }
      line.push({ span, row, left, right: left + width });
    }
  }
  return lines;
}

function margin({ capHeight }: Span): number {
  return capHeight * 0.15;
}

/** Copies a span to its position on the line, scaled, dark on white. */
function paint(image: Luminance, line: Luminance, place: PlacedSpan, polarity: Polarity, { capHeight, backgroundShare }: LineStyle): void {
  const { span, left, right } = place;
  const step = (span.right - span.left + 2 * margin(span)) / (right - left);
  const { text, background } = measureLevels(image, span, polarity, backgroundShare);
  const slope = 255 / (background - text || 1);
  const baseline = MARGIN.top + ASCENT * capHeight;
  const bottom = Math.round(baseline + DESCENT * capHeight);
  for (let y = MARGIN.top; y < bottom; y++) {
    const sourceY = span.baseline + (y + 0.5 - baseline) * step - 0.5;
    for (let x = left; x < right; x++) {
      const sourceX = span.left - margin(span) + (x + 0.5 - left) * step - 0.5;
      const value = (samplePixel(image, sourceX, sourceY, step) - text) * slope;
      line.data[y * line.width + x] = Math.max(0, Math.min(255, value));
    }
  }
}

/** Samples bilinearly; the mean of four samples if the image is scaled down by 1.6 or more. */
function samplePixel(image: Luminance, x: number, y: number, step: number): number {
  if (step < 1.6) return bilinear(image, x, y);
  const offset = step / 4;
  return (
    (bilinear(image, x - offset, y - offset) +
      bilinear(image, x + offset, y - offset) +
      bilinear(image, x - offset, y + offset) +
      bilinear(image, x + offset, y + offset)) /
    4
  );
}

function bilinear({ width, height, data }: Luminance, x: number, y: number): number {
  const insideX = Math.max(0, Math.min(width - 1, x));
  const insideY = Math.max(0, Math.min(height - 1, y));
  const left = Math.floor(insideX);
  const top = Math.floor(insideY);
  const right = Math.min(width - 1, left + 1);
  const below = Math.min(height - 1, top + 1) * width;
  const across = insideX - left;
  const down = insideY - top;
  const upper = (data[top * width + left] ?? 0) * (1 - across) + (data[top * width + right] ?? 0) * across;
  const lower = (data[below + left] ?? 0) * (1 - across) + (data[below + right] ?? 0) * across;
  return upper * (1 - down) + lower * down;
}

/** Grey levels of text and background: a percentile at the end, and one near the middle, of the grey levels of the span. */
function measureLevels(image: Luminance, span: Span, polarity: Polarity, backgroundShare: number): { text: number; background: number } {
  const counts = new Uint32Array(256);
  const right = Math.min(image.width, Math.ceil(span.right));
  const bottom = Math.min(image.height, Math.ceil(span.bottom));
  for (let y = Math.max(0, Math.floor(span.top)); y < bottom; y++) {
    for (let x = Math.max(0, Math.floor(span.left)); x < right; x++) {
      const level = image.data[y * image.width + x] ?? 0;
      counts[level] = (counts[level] ?? 0) + 1;
    }
  }
  const [far, middle] = polarity === 'light' ? [0.96, 0.4] : [0.04, 0.6];
  const text = percentile(counts, far);
  const background = percentile(counts, middle);
  return { text, background: background + (text - background) * backgroundShare };
}
