import type { Polarity } from './contrast.domain.ts';
import { type Box, createLuminance, type Luminance } from './luminance.domain.ts';
import { percentile, type Span, type TextLayout } from './text-spans.domain.ts';

/**
 * The text of a picture set anew, for the reader alone: dark on white, every row of one height, nothing else on it.
 * Reading it costs what its text costs, whatever the picture was.
 */
export interface TextSheet {
  image: Luminance;
  spans: PlacedSpan[];
}

/** Where a span went. */
export interface PlacedSpan {
  span: Span;
  /** Row of the picture. */
  row: number;
  /** On the sheet. */
  baseline: number;
  box: Box;
}

/** How a sheet is set. */
export interface SheetStyle {
  /** Height of capitals. */
  capHeight: number;
  /** Share of the way from text to background that already counts as background: what is left of a texture goes. */
  cleared: number;
}

/** From line to line, in heights of capitals. */
const LINE_PITCH = 2.3;
const MARGIN = 16;
/** Between spans of a row, in heights of capitals. */
const GAP = 1.7;
/** A sheet that is full has 4 megapixels: the engine keeps several copies of it. */
const MOST_WIDTH = 1600;
const MOST_LINES = 40;
/** What comes along above and below the line that letters stand on, in heights of capitals: accents, commas, tails. */
const ABOVE = 1.45;
const BELOW = 0.45;

/** Sets the text of a picture. */
export function setText(image: Luminance, { rows, polarity }: TextLayout, style: SheetStyle): TextSheet {
  const { spans, lineCount, width } = placed(rows, style);
  const sheet = createLuminance(Math.max(width, MARGIN * 8), MARGIN * 2 + Math.max(1, lineCount) * pitchOf(style));
  sheet.data.fill(255);
  for (const span of spans) paint(image, sheet, span, polarity, style);
  return { image: sheet, spans };
}

/** The span at a point of the sheet, and the row of the picture it is from; null between spans. */
export function spanAt({ spans }: TextSheet, x: number, y: number): PlacedSpan | null {
  return spans.find(({ box }) => x >= box.left && x < box.right && y >= box.top && y < box.bottom) ?? null;
}

function pitchOf({ capHeight }: SheetStyle): number {
  return Math.round(capHeight * LINE_PITCH);
}

function placed(rows: readonly (readonly Span[])[], style: SheetStyle) {
  const spans: PlacedSpan[] = [];
  const { capHeight } = style;
  let lineCount = 0;
  let width = 0;
  for (const [row, inRow] of rows.entries()) {
    let left = MOST_WIDTH;
    for (const span of inRow) {
      const spanWidth = Math.min(
        MOST_WIDTH - 2 * MARGIN,
        Math.ceil((span.right - span.left + 2 * margin(span)) * (capHeight / span.capHeight)),
      );
      if (left + spanWidth + MARGIN > MOST_WIDTH) {
        if (lineCount >= MOST_LINES) return { spans, lineCount, width };
        lineCount++;
        left = MARGIN;
      }
      const baseline = MARGIN + (lineCount - 1) * pitchOf(style) + ABOVE * capHeight;
      const box = {
        left,
        top: Math.round(baseline - ABOVE * capHeight),
        right: left + spanWidth,
        bottom: Math.round(baseline + BELOW * capHeight),
      };
      spans.push({ span, row, baseline, box });
      left += spanWidth + Math.round(GAP * capHeight);
      width = Math.max(width, left);
    }
  }
  return { spans, lineCount, width };
}

function margin({ capHeight }: Span): number {
  return capHeight * 0.15;
}

/** Copies a span to its place, scaled, dark on white. */
function paint(image: Luminance, sheet: Luminance, { span, box, baseline }: PlacedSpan, polarity: Polarity, { cleared }: SheetStyle): void {
  const step = (span.right - span.left + 2 * margin(span)) / (box.right - box.left);
  const { text, ground } = levelsOf(image, span, polarity, cleared);
  const slope = 255 / (ground - text || 1);
  for (let y = box.top; y < box.bottom; y++) {
    const sourceY = span.baseline + (y + 0.5 - baseline) * step - 0.5;
    for (let x = box.left; x < box.right; x++) {
      const sourceX = span.left - margin(span) + (x + 0.5 - box.left) * step - 0.5;
      const value = (sampled(image, sourceX, sourceY, step) - text) * slope;
      sheet.data[y * sheet.width + x] = Math.max(0, Math.min(255, value));
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
