import type { Polarity } from './contrast.domain.ts';
import { createLuminance, type Luminance } from './luminance.domain.ts';
import { percentile, type Span, type TextLayout } from './text-spans.domain.ts';

/**
 * A line of text set anew for the engine: dark on white, one height, nothing else on it. What the engine does with a line depends on
 * its width alone; given several lines at once it looks for lines itself, and texture or tiny text then costs it minutes.
 */
export interface TextLine {
  image: Luminance;
  spans: PlacedSpan[];
}

/** Where a span went. */
export interface PlacedSpan {
  span: Span;
  /** Row of the image. */
  row: number;
  /** On the line. */
  left: number;
  right: number;
}

/** How lines are set. */
export interface LineStyle {
  /** Height of capitals. */
  capHeight: number;
  /** Share of the way from text to background that already counts as background: what is left of a texture goes. */
  cleared: number;
}

/** Height of a line, in heights of capitals, without the margins. */
const LINE_HEIGHT = 2.3;
const MARGIN = { top: 8, side: 16 };
/** Between spans of a row, in heights of capitals. */
const GAP = 1.7;
const MAX_LINE_WIDTH = 1600;
/** Of an average character with the room around it, in heights of capitals. */
const CHARACTER_WIDTH = 0.72;
/** What comes along above and below the line that letters stand on, in heights of capitals: accents, commas, tails. */
const ABOVE = 1.45;
const BELOW = 0.45;

/** Lays out the text of an image. */
export function setText(image: Luminance, { rows, polarity }: TextLayout, style: LineStyle): TextLine[] {
  return placed(rows, style).map((spans) => {
    const width = Math.max(...spans.map(({ right }) => right)) + MARGIN.side;
    const line = createLuminance(width, Math.round(style.capHeight * LINE_HEIGHT) + 2 * MARGIN.top);
    line.data.fill(255);
    for (const span of spans) paint(image, line, span, polarity, style);
    return { image: line, spans };
  });
}

/** How many characters a span has room for, whatever it holds: what the engine does with it depends on its width alone. */
export function charactersIn(span: Span): number {
  return widthOf(span) / CHARACTER_WIDTH;
}

/** Width of a span in heights of capitals. */
function widthOf(span: Span): number {
  return (span.right - span.left + 2 * margin(span)) / span.capHeight;
}

/** The span at a column of the line; null between spans. */
export function spanAt({ spans }: TextLine, x: number): PlacedSpan | null {
  return spans.find(({ left, right }) => x >= left && x < right) ?? null;
}

/** The spans of each line. A row begins a line, and goes on in another when it is too long for one. */
function placed(rows: readonly (readonly Span[])[], style: LineStyle): PlacedSpan[][] {
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

/** Copies a span to its place, scaled, dark on white. */
function paint(image: Luminance, line: Luminance, place: PlacedSpan, polarity: Polarity, { capHeight, cleared }: LineStyle): void {
  const { span, left, right } = place;
  const step = (span.right - span.left + 2 * margin(span)) / (right - left);
  const { text, ground } = levelsOf(image, span, polarity, cleared);
  const slope = 255 / (ground - text || 1);
  const baseline = MARGIN.top + ABOVE * capHeight;
  const bottom = Math.round(baseline + BELOW * capHeight);
  for (let y = MARGIN.top; y < bottom; y++) {
    const sourceY = span.baseline + (y + 0.5 - baseline) * step - 0.5;
    for (let x = left; x < right; x++) {
      const sourceX = span.left - margin(span) + (x + 0.5 - left) * step - 0.5;
      const value = (sampled(image, sourceX, sourceY, step) - text) * slope;
      line.data[y * line.width + x] = Math.max(0, Math.min(255, value));
    }
  }
}

/** Bilinear; the mean of four such samples where the picture is much larger than the sheet. */
function sampled(image: Luminance, x: number, y: number, step: number): number {
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

/** The grey of the text and that of what it stands on: the far end, and the middle, of the greys in the span. */
function levelsOf(image: Luminance, span: Span, polarity: Polarity, cleared: number): { text: number; ground: number } {
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
  const ground = percentile(counts, middle);
  return { text, ground: ground + (text - ground) * cleared };
}
