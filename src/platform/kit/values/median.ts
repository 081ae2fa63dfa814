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
