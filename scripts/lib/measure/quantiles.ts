/** Quantile of the values; NaN for an empty list. */
export function quantile(values: readonly number[], share: number): number {
  const ascending = values.toSorted((one, other) => one - other);
  return ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * share))] ?? Number.NaN;
}

/** Median of the values; NaN for an empty list. */
export const median = (values: readonly number[]): number => quantile(values, 0.5);
