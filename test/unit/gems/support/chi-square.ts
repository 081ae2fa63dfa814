/**
 * Deviation of counts from probabilities: the chi-square statistic as a standard normal value (Wilson and Hilferty). A fair source
 * exceeds 4 once in 30,000 runs.
 */
export function deviation(counts: readonly number[], probabilities: readonly number[]): number {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const terms = counts.map((count, index) => {
    const expected = (probabilities[index] ?? 0) * total;
    return (count - expected) ** 2 / expected;
  });
  const statistic = terms.reduce((sum, term) => sum + term, 0);
  const freedom = counts.length - 1;
  const spread = 2 / (9 * freedom);
  return (Math.cbrt(statistic / freedom) - (1 - spread)) / Math.sqrt(spread);
}

export const SUSPICIOUS = 4;

/** Counts the draws of each key, in the order of `keys`; fails for any other value. */
export function tally<Key>(keys: readonly Key[], draws: number, draw: () => Key): number[] {
  const counts = keys.map(() => 0);
  for (let made = 0; made < draws; made += 1) {
    const drawn = draw();
    const index = keys.indexOf(drawn);
    if (index < 0) throw new Error(`unexpected ${String(drawn)}`);
    counts[index] = (counts[index] ?? 0) + 1;
  }
  return counts;
}

export const even = (count: number): number[] => Array.from({ length: count }, () => 1 / count);
