import { type Blob, findBlobs } from './blobs.domain.ts';
import { type Polarity, polarityOf, standOut, surroundingsOf } from './contrast.domain.ts';
import { requireAtMost } from './cost-limit.domain.ts';
import { type Box, type Luminance, reduced } from './luminance.domain.ts';
import { MAX_LETTERS, MAX_LINES, MAX_WORDS } from './ocr.data.ts';

/** A span of text without a wide gap, in pixels of the full image. */
export interface Span extends Box {
  /** Height of its capitals and digits. */
  capHeight: number;
  /** Where its letters stand. */
  baseline: number;
}

/** Text spans of an image, row by row, left to right. */
export interface TextLayout {
  polarity: Polarity;
  rows: Span[][];
}

/** Maximum side for text detection; recognition uses the full image. */
const SEARCH_SIDE = 1920;
/** And their number of pixels: what is nearly square has more of them on the same side. */
const SEARCH_PIXELS = 4_700_000;
/** Letter heights in the downscaled image, in pixels. */
const MIN_TEXT_HEIGHT = 5;
const MAX_TEXT_HEIGHT = 72;
/** Widest blob in heights: letters of small text run together. */
const MAX_ASPECT = 18;
/** Aspects of icons, which stand before a label with more room than letters leave each other, in heights. A 4 is nearly as wide. */
const SQUARE = { least: 0.88, most: 1.25 };
const ICON_GAP = 0.4;
/** Share of its box that an icon fills at least; open letters and digits fill less. */
const ICON_FILL = 0.6;
/** Gap between letters and words of a span, in heights of the taller. */
const WIDEST_GAP = 1.25;
/** Difference of lines that is none, in heights of capitals. */
const SAME_LINE = 0.5;
/** Share of a span's letters on its line from which it is text. */
const MIN_ALIGNED_SHARE = 0.45;
/** Text contrast relative to the clearest quarter of the text. */
const MIN_CONTRAST_SHARE = 0.45;
/** Where among the heights of a span's letters its capitals are. */
const CAP_SHARE = 0.85;

/** Detects the text of an image. Throws `CostLimitError` when there is too much. */
export function findText(image: Luminance): TextLayout {
  const { width, height } = image;
  const factor = Math.max(1, Math.round(Math.max(width, height) / SEARCH_SIDE), Math.ceil(Math.sqrt((width * height) / SEARCH_PIXELS)));
  const searched = reduced(image, factor);
  const around = surroundingsOf(searched);
  const polarity = polarityOf(searched, around);
  const blobs = findBlobs(standOut(searched, polarity, around), searched.width, searched.height).filter(couldBeLetter);
  requireAtMost(MAX_LETTERS, blobs.length, 'letters');
  const found = spansOf(blobs)
    .map(withoutIcon)
    .map((group) => ({ ...measured(group), contrast: contrastOf(searched, group.box) }));
  const spans = clearSpans(found);
  requireAtMost(MAX_WORDS, spans.length, 'words');
  const rows = rowsOf(ofOneSize(spans));
  requireAtMost(MAX_LINES, rows.length, 'lines of text');
  return { polarity, rows: rows.map((row) => row.map((span) => enlarged(span, factor))) };
}

function couldBeLetter({ left, top, right, bottom }: Blob): boolean {
  const height = bottom - top;
  return height >= MIN_TEXT_HEIGHT && height <= MAX_TEXT_HEIGHT && right - left <= height * MAX_ASPECT;
}

/** Blobs of a span, from the left. */
interface Group {
  box: Box;
  blobs: Blob[];
}

/** Blobs side by side become spans. */
function spansOf(blobs: readonly Blob[]): Group[] {
  const sorted = blobs.toSorted((one, other) => one.left - other.left);
  const spans: Group[] = [];
  let open: typeof spans = [];
  for (const blob of sorted) {
    open = open.filter(({ box }) => blob.left - box.right <= MAX_TEXT_HEIGHT * WIDEST_GAP);
    const span = open.find(({ box, blobs: inIt }) => continues(box, inIt.at(-1), blob));
    if (span) {
      grow(span.box, blob);
      span.blobs.push(blob);
    } else {
      const begun = { box: { left: blob.left, top: blob.top, right: blob.right, bottom: blob.bottom }, blobs: [blob] };
      spans.push(begun);
      open.push(begun);
    }
  }
  return spans;
}

function continues(box: Box, last: Blob | undefined, blob: Blob): boolean {
  if (!last) return false;
  const height = blob.bottom - blob.top;
  const spanHeight = box.bottom - box.top;
  const gap = blob.left - box.right;
  const overlap = Math.min(box.bottom, blob.bottom) - Math.max(box.top, blob.top);
  const taller = Math.max(height, spanHeight);
  return (
    gap <= WIDEST_GAP * Math.max(height, last.bottom - last.top) &&
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

/** Without the icon in front of a label. */
function withoutIcon(group: Group): Group {
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
  return aspect > SQUARE.least && aspect < SQUARE.most;
}

/** A span as it was found, with what tells text from texture. */
type Found = Span & {
  letters: number;
  /** Share of its letters that stand on the line. */
  aligned: number;
  /** Difference between text and background, in grey levels. */
  contrast: number;
};

function measured({ box, blobs }: Group): Omit<Found, 'contrast'> {
  const baseline = median(blobs.map(({ bottom }) => bottom));
  const heights = blobs.map(({ top }) => baseline - top).sort((one, other) => one - other);
  const capHeight = Math.max(MIN_TEXT_HEIGHT, heights[Math.floor((heights.length - 1) * CAP_SHARE)] ?? 0);
  const onLine = blobs.filter(({ bottom }) => Math.abs(bottom - baseline) <= Math.max(1, capHeight * 0.12)).length;
  return { ...box, baseline, capHeight, letters: blobs.length, aligned: onLine / blobs.length };
}

/** Text of a sheet stands out alike and stands on lines; a lone letter is one when there is such text beside it. */
function clearSpans(found: readonly Found[]): Found[] {
  const sure = found.filter(({ letters, aligned }) => letters >= 3 && aligned >= MIN_ALIGNED_SHARE);
  const usual = upperQuartile(sure.map(({ contrast }) => contrast));
  const clear = ({ contrast }: Found) => contrast >= usual * MIN_CONTRAST_SHARE;
  const words = sure.filter(clear);
  // Before they are compared with each other.
  requireAtMost(MAX_WORDS, words.length, 'words');
  const few = found.filter(
    (span) => span.letters < 3 && !(span.letters === 1 && isSquare(span)) && clear(span) && words.some((word) => isBeside(span, word)),
  );
  return [...words, ...few];
}

/** Whether a span stands on the line of a word and is as high. */
function isBeside(span: Found, word: Found): boolean {
  const ratio = span.capHeight / word.capHeight;
  return Math.abs(span.baseline - word.baseline) <= word.capHeight * 0.3 && ratio > 0.6 && ratio < 1.5;
}

/** Between the greys at both ends of a box: text is at one, what it stands on at the other. */
function contrastOf({ width, data }: Luminance, { left, top, right, bottom }: Box): number {
  const counts = new Uint32Array(256);
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      const level = data[y * width + x] ?? 0;
      counts[level] = (counts[level] ?? 0) + 1;
    }
  }
  return percentile(counts, 0.92) - percentile(counts, 0.15);
}

/** The grey below which such a share of the counted pixels lies. */
export function percentile(counts: Uint32Array, share: number): number {
  const total = counts.reduce((sum, count) => sum + count, 0);
  let seen = 0;
  for (let level = 0; level < 256; level++) {
    seen += counts[level] ?? 0;
    if (seen >= total * share) return level;
  }
  return 255;
}

function enlarged({ left, top, right, bottom, baseline, capHeight }: Span, factor: number): Span {
  return {
    left: left * factor,
    top: top * factor,
    right: right * factor,
    bottom: bottom * factor,
    baseline: baseline * factor,
    capHeight: capHeight * factor,
  };
}

/** A sheet has one size of letters: spans that are near it have it, however few capitals they show. */
function ofOneSize(spans: readonly Span[]): Span[] {
  const usual = median(spans.map(({ capHeight }) => capHeight));
  return spans.map((span) => (span.capHeight > usual * 0.66 && span.capHeight < usual * 1.3 ? { ...span, capHeight: usual } : span));
}

function upperQuartile(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length * 0.75)] ?? 0;
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0;
}

/** Spans by row: those that stand on one line, from the left. Boxes are no measure, as a speck above a letter is in one. */
function rowsOf(spans: readonly Span[]): Span[][] {
  const rows: { baseline: number; spans: Span[] }[] = [];
  for (const span of spans.toSorted((one, other) => one.baseline - other.baseline)) {
    const row = rows.at(-1);
    if (row && span.baseline - row.baseline <= SAME_LINE * span.capHeight) row.spans.push(span);
    else rows.push({ baseline: span.baseline, spans: [span] });
  }
  return rows.map((row) => row.spans.sort((one, other) => one.left - other.left));
}
