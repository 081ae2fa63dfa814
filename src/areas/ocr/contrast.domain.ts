import type { Luminance } from './luminance.domain.ts';

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
