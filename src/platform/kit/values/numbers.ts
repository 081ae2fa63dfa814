const POWERS_OF_TEN = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9] as const;

/** Number of decimal places. */
export type Decimals = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

/** 2^-52: twice the maximum relative error of a single multiplication. */
const RELATIVE_ERROR = 2 ** -52;

/**
 * Rounds the exact binary value to the nearest decimal, ties to even: 56.25 becomes 56.2, 1304.5 becomes 1304. Only products close to
 * a half take the slow, exact path.
 */
export function roundTo(value: number, decimals: Decimals): number {
  const power = POWERS_OF_TEN[decimals];
  const size = Math.abs(value);
  const scaled = size * power;
  const floored = Math.floor(scaled);
  const fraction = scaled - floored;
  const isUnambiguous = Math.abs(fraction - 0.5) > scaled * RELATIVE_ERROR;
  const rounded = isUnambiguous ? (fraction < 0.5 ? floored : floored + 1) / power : roundExactly(size, decimals);
  return value < 0 && rounded !== 0 ? -rounded : rounded;
}

/** `toFixed` is exact but rounds ties up. A tie is an odd multiple of 2^-(decimals + 1). */
function roundExactly(size: number, decimals: number): number {
  const upper = size.toFixed(decimals);
  const isTie = (size * 2 ** (decimals + 1)) % 2 === 1;
  const isOdd = Number(upper.at(-1)) % 2 === 1;
  return isTie && isOdd ? Number(size.toFixed(decimals + 1).slice(0, -1)) : Number(upper);
}

const ascending = (values: readonly number[] | Float64Array) =>
  values instanceof Float64Array ? values.toSorted() : values.toSorted((one, other) => one - other);

/** Median; the mean of the middle two for an even count. NaN for no numbers. */
export function median(values: readonly number[] | Float64Array): number {
  const sorted = ascending(values);
  const upper = sorted.length >> 1;
  const high = sorted[upper] ?? Number.NaN;
  return sorted.length % 2 === 1 ? high : ((sorted[upper - 1] ?? Number.NaN) + high) / 2;
}

/** Median; the upper one of the middle two for an even count. NaN for no numbers. */
export function upperMedian(values: readonly number[]): number {
  return ascending(values)[values.length >> 1] ?? Number.NaN;
}
