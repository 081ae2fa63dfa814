import type { Luminance } from './luminance.domain.ts';

/** Which side of its surroundings the text is on. */
export type Polarity = 'light' | 'dark';

/** Mean and spread of the surroundings of each pixel. */
interface Surroundings {
  mean: Uint8Array;
  spread: Uint8Array;
}

/** Half the window that counts as surroundings: wider than letters are high. */
const RADIUS = 22;
/** Least difference from the surroundings that can be text, in grey levels. */
const MIN_CONTRAST = 14;
/** Share of the spread around that a pixel of text must differ by. */
const SPREAD_SHARE = 0.55;

/** Marks the pixels that stand out from their surroundings, lighter or darker: 1 in the mask. */
export function standOut(image: Luminance, polarity: Polarity, { mean, spread }: Surroundings): Uint8Array {
  const { data } = image;
  const mask = new Uint8Array(data.length);
  const sign = polarity === 'light' ? 1 : -1;
  for (let index = 0; index < data.length; index++) {
    const difference = sign * ((data[index] ?? 0) - (mean[index] ?? 0));
    mask[index] = difference > MIN_CONTRAST && difference > SPREAD_SHARE * (spread[index] ?? 0) ? 1 : 0;
  }
  return mask;
}

/** Text is the smaller part of where it stands, so the greys there lean to its side. */
export function polarityOf(image: Luminance, { mean, spread }: Surroundings): Polarity {
  let lean = 0;
  for (let index = 0; index < image.data.length; index++) {
    const around = spread[index] ?? 0;
    if (around < MIN_CONTRAST) continue;
    const relative = ((image.data[index] ?? 0) - (mean[index] ?? 0)) / around;
    lean += relative * relative * relative;
  }
  return lean >= 0 ? 'light' : 'dark';
}

/** Means and spreads over square windows, by sums that move along. */
export function surroundingsOf({ width, height, data }: Luminance): Surroundings {
  const mean = new Uint8Array(data.length);
  const spread = new Uint8Array(data.length);
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
    alongRow({ sums, squares, rows, width, offset: y * width, mean, spread });
    if (y + RADIUS + 1 < height) addRow(y + RADIUS + 1, 1);
    if (y - RADIUS >= 0) addRow(y - RADIUS, -1);
  }
  return { mean, spread };
}

interface RowSums extends Surroundings {
  /** Sums of each column over the rows of the window. */
  sums: Int32Array;
  squares: Int32Array;
  rows: number;
  width: number;
  offset: number;
}

function alongRow({ sums, squares, rows, width, offset, mean, spread }: RowSums): void {
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
    spread[offset + x] = Math.sqrt(Math.max(0, square / count - average * average));
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
