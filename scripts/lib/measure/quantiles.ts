/** The value below which such a share of them lies; NaN of none. */
export function quantile(values: readonly number[], share: number): number {
  const ascending = values.toSorted((one, other) => one - other);
  return ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * share))] ?? Number.NaN;
}

/** The middle of the values; NaN of none. */
export const median = (values: readonly number[]): number => quantile(values, 0.5);
