import { checkLimit, MAX_MARKS } from './limits.domain.ts';
import type { Box, Luminance } from './luminance.domain.ts';

/** Brightness of the text relative to its surroundings. */
export type Polarity = 'light' | 'dark';

/** Mean and standard deviation of the surroundings of each pixel. */
interface Surroundings {
  mean: Uint8Array;
  deviation: Uint8Array;
}

/** Half the side of the window of surroundings, in pixels: larger than the height of letters. */
const RADIUS = 22;
/** Minimum difference of text from its surroundings, in grey levels. */
const MIN_CONTRAST = 14;
/** Minimum difference of text from its surroundings, relative to the standard deviation. */
const MIN_DEVIATION_RATIO = 0.55;

/** Mask with 1 for each pixel that is lighter (or darker) than its surroundings. */
export function createTextMask(image: Luminance, polarity: Polarity, { mean, deviation }: Surroundings): Uint8Array {
  const { data } = image;
  const mask = new Uint8Array(data.length);
  const sign = polarity === 'light' ? 1 : -1;
  for (let index = 0; index < data.length; index++) {
    const difference = sign * ((data[index] ?? 0) - (mean[index] ?? 0));
    mask[index] = difference > MIN_CONTRAST && difference > MIN_DEVIATION_RATIO * (deviation[index] ?? 0) ? 1 : 0;
  }
  return mask;
}

/** Detects the polarity of text from the skewness of grey levels: text covers the smaller part of its surroundings. */
export function detectPolarity(image: Luminance, { mean, deviation }: Surroundings): Polarity {
  let skewness = 0;
  for (let index = 0; index < image.data.length; index++) {
    const local = deviation[index] ?? 0;
    if (local < MIN_CONTRAST) continue;
    const relative = ((image.data[index] ?? 0) - (mean[index] ?? 0)) / local;
    skewness += relative * relative * relative;
  }
  return skewness >= 0 ? 'light' : 'dark';
}

/** Computes means and standard deviations over square windows with sliding sums. */
export function measureSurroundings({ width, height, data }: Luminance): Surroundings {
  const mean = new Uint8Array(data.length);
  const deviation = new Uint8Array(data.length);
  const sums = new Int32Array(width);
  const squares = new Int32Array(width);
  const addRow = (y: number, sign: number) => {
    for (let x = 0, at = y * width; x < width; x++, at++) {
      const value = data[at] ?? 0;
      sums[x] = (sums[x] ?? 0) + sign * value;
      squares[x] = (squares[x] ?? 0) + sign * value * value;
    }
  };
  for (let y = 0; y <= Math.min(RADIUS, height - 1); y++) addRow(y, 1);
  for (let y = 0; y < height; y++) {
    const rows = Math.min(height - 1, y + RADIUS) - Math.max(0, y - RADIUS) + 1;
    measureRow({ sums, squares, rows, width, offset: y * width, mean, deviation });
    if (y + RADIUS + 1 < height) addRow(y + RADIUS + 1, 1);
    if (y - RADIUS >= 0) addRow(y - RADIUS, -1);
  }
  return { mean, deviation };
}

interface RowSums extends Surroundings {
  /** Column sums over the rows of the window. */
  sums: Int32Array;
  squares: Int32Array;
  rows: number;
  width: number;
  offset: number;
}

function measureRow({ sums, squares, rows, width, offset, mean, deviation }: RowSums): void {
  let sum = 0;
  let square = 0;
  for (let x = 0; x <= Math.min(RADIUS, width - 1); x++) {
    sum += sums[x] ?? 0;
    square += squares[x] ?? 0;
  }
  for (let x = 0; x < width; x++) {
    const count = rows * (Math.min(width - 1, x + RADIUS) - Math.max(0, x - RADIUS) + 1);
    const average = sum / count;
    mean[offset + x] = average;
    deviation[offset + x] = Math.sqrt(Math.max(0, square / count - average * average));
    if (x + RADIUS + 1 < width) {
      sum += sums[x + RADIUS + 1] ?? 0;
      square += squares[x + RADIUS + 1] ?? 0;
    }
    if (x - RADIUS >= 0) {
      sum -= sums[x - RADIUS] ?? 0;
      square -= squares[x - RADIUS] ?? 0;
    }
  }
}

/** A group of connected pixels: bounding box and number of pixels. */
export interface Blob extends Box {
  area: number;
}

/** Consecutive marked pixels of a row. */
interface Run {
  left: number;
  right: number;
  blob: number;
}

/** Finds groups of connected pixels of a mask, including diagonals. Throws `CostLimitError` above `MAX_MARKS` groups. */
export function findBlobs(mask: Uint8Array, width: number, height: number): Blob[] {
  const blobs: Blob[] = [];
  const parents: number[] = [];
  let above: Run[] = [];
  for (let y = 0; y < height; y++) {
    const runs: Run[] = [];
    let first = 0;
    for (let x = 0, row = y * width; x < width; x++) {
      if (mask[row + x] === 0) continue;
      const left = x;
      while (x < width && mask[row + x] === 1) x++;
      while (first < above.length && (above[first]?.right ?? 0) < left) first++;
      runs.push({ left, right: x, blob: joinRun(blobs, parents, above, first, left, x, y) });
    }
    checkLimit(MAX_MARKS, blobs.length, 'marks');
    above = runs;
  }
  return mergeBlobs(blobs, parents);
}

/** Adds a run to the blob of the adjacent runs above, merging blobs that the run connects. Returns the blob. */
function joinRun(blobs: Blob[], parents: number[], above: readonly Run[], first: number, left: number, right: number, y: number): number {
  let target = -1;
  for (let index = first; index < above.length; index++) {
    const run = above[index];
    if (!run || run.left > right) break;
    const root = findRoot(parents, run.blob);
    if (target < 0) target = root;
    else if (root !== target) parents[Math.max(root, target)] = target = Math.min(root, target);
  }
  if (target < 0) {
    target = blobs.length;
    parents.push(target);
    blobs.push({ left, top: y, right, bottom: y + 1, area: 0 });
  }
  const blob = blobs[target];
  if (blob) {
    blob.left = Math.min(blob.left, left);
    blob.right = Math.max(blob.right, right);
    blob.bottom = y + 1;
    blob.area += right - left;
  }
  return target;
}

function findRoot(parents: number[], index: number): number {
  let root = index;
  while (parents[root] !== root) root = parents[root] ?? root;
  for (let at = index; at !== root; ) {
    const next = parents[at] ?? root;
    parents[at] = root;
    at = next;
  }
  return root;
}

function mergeBlobs(blobs: readonly Blob[], parents: number[]): Blob[] {
  blobs.forEach((blob, index) => {
    const root = blobs[findRoot(parents, index)];
    if (!root || root === blob) return;
    root.left = Math.min(root.left, blob.left);
    root.top = Math.min(root.top, blob.top);
    root.right = Math.max(root.right, blob.right);
    root.bottom = Math.max(root.bottom, blob.bottom);
    root.area += blob.area;
  });
  return blobs.filter((_, index) => parents[index] === index);
}
