/** Pixels of an image, four bytes each. */
export interface Pixels {
  width: number;
  height: number;
  rgba: Uint8Array | Uint8ClampedArray;
}

const CHANNELS = 4;
const OPAQUE = 255;

/** The source pixels of one target pixel, with the weight of each. */
interface Span {
  first: number;
  shares: number[];
}

/**
 * Resizes premultiplied pixels to a smaller width by averaging. The height is proportional and at least 1. Returns straight-alpha
 * pixels. Needs memory for one row in addition to source and target.
 */
export function shrink({ width, height, rgba }: Pixels, targetWidth: number): Pixels {
  const targetHeight = Math.max(1, Math.round((height * targetWidth) / width));
  const columns = spansOf(width, targetWidth);
  const target = new Uint8ClampedArray(targetWidth * targetHeight * CHANNELS);
  const row = new Float64Array(targetWidth * CHANNELS);
  spansOf(height, targetHeight).forEach(({ first, shares }, y) => {
    row.fill(0);
    shares.forEach((share, index) => {
      addRow(row, rgba, (first + index) * width * CHANNELS, columns, share);
    });
    writeStraightAlpha(target, y * row.length, row);
  });
  return { width: targetWidth, height: targetHeight, rgba: target };
}

function spansOf(size: number, targetSize: number): Span[] {
  const scale = size / targetSize;
  return Array.from({ length: targetSize }, (_, index) => {
    const [start, end] = [index * scale, Math.min(size, (index + 1) * scale)];
    const first = Math.min(Math.floor(start), size - 1);
    const shares: number[] = [];
    for (let at = first; at < Math.max(end, first + 1) && at < size; at += 1) {
      shares.push((Math.min(end, at + 1) - Math.max(start, at)) / (end - start));
    }
    return { first, shares };
  });
}

function addRow(row: Float64Array, rgba: Uint8Array | Uint8ClampedArray, offset: number, columns: readonly Span[], weight: number): void {
  let to = 0;
  for (const { first, shares } of columns) {
    let from = offset + first * CHANNELS;
    for (const share of shares) {
      const factor = share * weight;
      row[to] = (row[to] ?? 0) + (rgba[from] ?? 0) * factor;
      row[to + 1] = (row[to + 1] ?? 0) + (rgba[from + 1] ?? 0) * factor;
      row[to + 2] = (row[to + 2] ?? 0) + (rgba[from + 2] ?? 0) * factor;
      row[to + 3] = (row[to + 3] ?? 0) + (rgba[from + 3] ?? 0) * factor;
      from += CHANNELS;
    }
    to += CHANNELS;
  }
}

function writeStraightAlpha(target: Uint8ClampedArray, offset: number, row: Float64Array): void {
  for (let at = 0; at < row.length; at += CHANNELS) {
    const alpha = row[at + 3] ?? 0;
    const factor = alpha > 0 ? OPAQUE / alpha : 0;
    target[offset + at] = (row[at] ?? 0) * factor;
    target[offset + at + 1] = (row[at + 1] ?? 0) * factor;
    target[offset + at + 2] = (row[at + 2] ?? 0) * factor;
    target[offset + at + 3] = alpha;
  }
}
