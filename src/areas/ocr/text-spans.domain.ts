import { upperMedian } from '../../platform/kit/values/numbers.ts';
import { checkLimit, MAX_LETTERS, MAX_LINES, MAX_WORDS } from './limits.domain.ts';
import { type Box, downscale, type Luminance } from './luminance.domain.ts';
import { type Blob, createTextMask, detectPolarity, findBlobs, measureSurroundings, type Polarity } from './marks.domain.ts';

/** A span of text without a wide gap, in pixels of the full image. */
export interface Span extends Box {
  /** Height of capitals and digits. */
  capHeight: number;
  /** Vertical position of the baseline. */
  baseline: number;
}

/** Text spans of an image, row by row, left to right. */
export interface TextLayout {
  polarity: Polarity;
  rows: Span[][];
}

/** Maximum side for text detection; recognition uses the full image. */
const MAX_DETECTION_SIDE = 1920;
/** Maximum pixels for text detection: limits images that are nearly square. */
const MAX_DETECTION_PIXELS = 4_700_000;
/** Letter heights in the downscaled image, in pixels. */
const MIN_TEXT_HEIGHT = 5;
const MAX_TEXT_HEIGHT = 72;
/** Maximum width of a blob, relative to its height: letters of small text merge. */
const MAX_ASPECT = 18;
/** Aspect ratios of icons; the digit 4 has nearly the same. */
const ICON_ASPECT = { min: 0.88, max: 1.25 };
const ICON_GAP = 0.4;
/** Minimum share of its box that an icon fills; open letters and digits fill less. */
const ICON_FILL = 0.6;
/** Maximum gap between letters and words of a span, relative to the height of the taller blob. */
const MAX_GAP = 1.25;
/** Maximum difference of the baselines of a row, in cap heights. */
const MAX_BASELINE_DIFFERENCE = 0.5;
/** Minimum share of the letters of a span on its baseline to be text. */
const MIN_ALIGNED_SHARE = 0.45;
/** Minimum contrast of text, relative to the upper quartile of the contrast of all text. */
const MIN_CONTRAST_SHARE = 0.45;
/** Quantile of the letter heights of a span that is its cap height. */
const CAP_HEIGHT_QUANTILE = 0.85;

/** Detects the text of an image. Throws `CostLimitError` above a limit. */
export function findText(image: Luminance): TextLayout {
  const { width, height } = image;
  const factor = Math.max(
    1,
    Math.round(Math.max(width, height) / MAX_DETECTION_SIDE),
    Math.ceil(Math.sqrt((width * height) / MAX_DETECTION_PIXELS)),
  );
  const downscaled = downscale(image, factor);
  const surroundings = measureSurroundings(downscaled);
  const polarity = detectPolarity(downscaled, surroundings);
  const blobs = findBlobs(createTextMask(downscaled, polarity, surroundings), downscaled.width, downscaled.height).filter(canBeLetter);
  checkLimit(MAX_LETTERS, blobs.length, 'letters');
  const measured = groupBlobs(blobs)
    .map(removeIcon)
    .map((group) => ({ ...measureSpan(group), contrast: measureContrast(downscaled, group.box) }));
  const spans = selectTextSpans(measured);
  checkLimit(MAX_WORDS, spans.length, 'words');
  const rows = groupRows(unifyCapHeight(spans));
  checkLimit(MAX_LINES, rows.length, 'lines of text');
  return { polarity, rows: rows.map((row) => row.map((span) => scaleSpan(span, factor))) };
}

function canBeLetter({ left, top, right, bottom }: Blob): boolean {
  const height = bottom - top;
  return height >= MIN_TEXT_HEIGHT && height <= MAX_TEXT_HEIGHT && right - left <= height * MAX_ASPECT;
}

/** Blobs of a span, from left to right. */
interface Group {
  box: Box;
  blobs: Blob[];
}

/** Groups adjacent blobs into spans. */
function groupBlobs(blobs: readonly Blob[]): Group[] {
  const sorted = blobs.toSorted((one, other) => one.left - other.left);
  const spans: Group[] = [];
  let open: typeof spans = [];
  for (const blob of sorted) {
    open = open.filter(({ box }) => blob.left - box.right <= MAX_TEXT_HEIGHT * MAX_GAP);
    const span = open.find(({ box, blobs: spanBlobs }) => belongsToSpan(box, spanBlobs.at(-1), blob));
    if (span) {
      grow(span.box, blob);
      span.blobs.push(blob);
    } else {
      const newSpan = { box: { left: blob.left, top: blob.top, right: blob.right, bottom: blob.bottom }, blobs: [blob] };
      spans.push(newSpan);
      open.push(newSpan);
    }
  }
  return spans;
}

function belongsToSpan(box: Box, last: Blob | undefined, blob: Blob): boolean {
  if (!last) return false;
  const height = blob.bottom - blob.top;
  const spanHeight = box.bottom - box.top;
  const gap = blob.left - box.right;
  const overlap = Math.min(box.bottom, blob.bottom) - Math.max(box.top, blob.top);
  const taller = Math.max(height, spanHeight);
  return (
    gap <= MAX_GAP * Math.max(height, last.bottom - last.top) &&
    overlap >= 0.5 * Math.min(height, spanHeight) &&
    taller <= 2.4 * Math.min(height, spanHeight)
  );
}

function grow(box: Box, other: Box): void {
  box.left = Math.min(box.left, other.left);
  box.top = Math.min(box.top, other.top);
  box.right = Math.max(box.right, other.right);
  box.bottom = Math.max(box.bottom, other.bottom);
}

/** Removes the icon before a label. */
function removeIcon(group: Group): Group {
  const [first, second, ...others] = group.blobs;
  if (!first || !second || !isIcon(first) || second.left - first.right < ICON_GAP * (first.bottom - first.top)) return group;
  const blobs = [second, ...others];
  const box = { ...second };
  for (const blob of others) grow(box, blob);
  return { box, blobs };
}

function isIcon(blob: Blob): boolean {
  return isSquare(blob) && blob.area > ICON_FILL * (blob.right - blob.left) * (blob.bottom - blob.top);
}

function isSquare({ left, top, right, bottom }: Box): boolean {
  const aspect = (right - left) / (bottom - top);
  return aspect > ICON_ASPECT.min && aspect < ICON_ASPECT.max;
}

/** A detected span with the properties that distinguish text from texture. */
type MeasuredSpan = Span & {
  letters: number;
  /** Share of letters on the baseline. */
  aligned: number;
  /** Difference between text and background, in grey levels. */
  contrast: number;
};

function measureSpan({ box, blobs }: Group): Omit<MeasuredSpan, 'contrast'> {
  const baseline = upperMedian(blobs.map(({ bottom }) => bottom));
  const heights = blobs.map(({ top }) => baseline - top).sort((one, other) => one - other);
  const capHeight = Math.max(MIN_TEXT_HEIGHT, heights[Math.floor((heights.length - 1) * CAP_HEIGHT_QUANTILE)] ?? 0);
  const onLine = blobs.filter(({ bottom }) => Math.abs(bottom - baseline) <= Math.max(1, capHeight * 0.12)).length;
  return { ...box, baseline, capHeight, letters: blobs.length, aligned: onLine / blobs.length };
}

/** Selects spans of text: spans of three or more letters on a baseline with high contrast, and shorter spans beside such a span. */
function selectTextSpans(measured: readonly MeasuredSpan[]): MeasuredSpan[] {
  const longSpans = measured.filter(({ letters, aligned }) => letters >= 3 && aligned >= MIN_ALIGNED_SHARE);
  const typicalContrast = upperQuartile(longSpans.map(({ contrast }) => contrast));
  const clear = ({ contrast }: MeasuredSpan) => contrast >= typicalContrast * MIN_CONTRAST_SHARE;
  const words = longSpans.filter(clear);
  // Checked before the quadratic comparison below.
  checkLimit(MAX_WORDS, words.length, 'words');
  const shortSpans = measured.filter(
    (span) => span.letters < 3 && !(span.letters === 1 && isSquare(span)) && clear(span) && words.some((word) => isBeside(span, word)),
  );
  return [...words, ...shortSpans];
}

/** Whether a span has the baseline and approximately the height of a word. */
function isBeside(span: MeasuredSpan, word: MeasuredSpan): boolean {
  const ratio = span.capHeight / word.capHeight;
  return Math.abs(span.baseline - word.baseline) <= word.capHeight * 0.3 && ratio > 0.6 && ratio < 1.5;
}

/** Contrast between text and background of a box: difference between a high and a low percentile of the grey levels. */
function measureContrast({ width, data }: Luminance, { left, top, right, bottom }: Box): number {
  const counts = new Uint32Array(256);
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      const level = data[y * width + x] ?? 0;
      counts[level] = (counts[level] ?? 0) + 1;
    }
  }
  return percentile(counts, 0.92) - percentile(counts, 0.15);
}

/** Lowest grey level at or below which the share of the pixels lies. */
export function percentile(counts: Uint32Array, share: number): number {
  const total = counts.reduce((sum, count) => sum + count, 0);
  let seen = 0;
  for (let level = 0; level < 256; level++) {
    seen += counts[level] ?? 0;
    if (seen >= total * share) return level;
  }
  return 255;
}

function scaleSpan({ left, top, right, bottom, baseline, capHeight }: Span, factor: number): Span {
  return {
    left: left * factor,
    top: top * factor,
    right: right * factor,
    bottom: bottom * factor,
    baseline: baseline * factor,
    capHeight: capHeight * factor,
  };
}

/** Sets the median cap height on all spans with a similar one: a sheet has one font size. */
function unifyCapHeight(spans: readonly Span[]): Span[] {
  const typicalHeight = upperMedian(spans.map(({ capHeight }) => capHeight));
  return spans.map((span) =>
    span.capHeight > typicalHeight * 0.66 && span.capHeight < typicalHeight * 1.3 ? { ...span, capHeight: typicalHeight } : span,
  );
}

function upperQuartile(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length * 0.75)] ?? 0;
}

/** Groups spans into rows by baseline, from left to right. Boxes are unreliable: they can include specks above letters. */
function groupRows(spans: readonly Span[]): Span[][] {
  const rows: { baseline: number; spans: Span[] }[] = [];
  for (const span of spans.toSorted((one, other) => one.baseline - other.baseline)) {
    const row = rows.at(-1);
    if (row && span.baseline - row.baseline <= MAX_BASELINE_DIFFERENCE * span.capHeight) row.spans.push(span);
    else rows.push({ baseline: span.baseline, spans: [span] });
  }
  return rows.map((row) => row.spans.sort((one, other) => one.left - other.left));
}
