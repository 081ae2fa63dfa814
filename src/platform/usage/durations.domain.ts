/**
 * Upper bounds of the buckets of durations, in milliseconds; the last bucket has none. Stored: a change would give the stored counts another
 * meaning. A finer scale needs columns of its own.
 */
export const DURATION_BOUNDS_MS = [5, 10, 20, 35, 50, 75, 100, 150, 250, 400, 650, 1000, 2000, 5000, 15_000] as const;

/** The columns that count the requests of each bucket. */
export const DURATION_COLUMNS = [
  ...(['d0', 'd1', 'd2', 'd3', 'd4', 'd5', 'd6', 'd7'] as const),
  ...(['d8', 'd9', 'd10', 'd11', 'd12', 'd13', 'd14', 'd15'] as const),
] as const;

export type DurationColumn = (typeof DURATION_COLUMNS)[number];

/** Numbers of requests by bucket. */
export type DurationCounts = Record<DurationColumn, number>;

export function noDurations(): DurationCounts {
  return Object.fromEntries(DURATION_COLUMNS.map((name) => [name, 0])) as DurationCounts;
}

export function durationColumnOf(durationMs: number): DurationColumn {
  const index = DURATION_BOUNDS_MS.findIndex((bound) => durationMs < bound);
  return DURATION_COLUMNS[index < 0 ? DURATION_BOUNDS_MS.length : index] ?? 'd15';
}

/**
 * Estimates a quantile in milliseconds, with requests spread evenly within a bucket; null without requests. In the last bucket: its lower
 * bound.
 */
export function durationQuantile(counts: DurationCounts, share: number): number | null {
  const total = DURATION_COLUMNS.reduce((sum, name) => sum + counts[name], 0);
  if (total === 0) return null;
  const target = total * share;
  let below = 0;
  for (const [index, name] of DURATION_COLUMNS.entries()) {
    const low = DURATION_BOUNDS_MS[index - 1] ?? 0;
    const high = DURATION_BOUNDS_MS[index] ?? low;
    if (counts[name] > 0 && below + counts[name] >= target) return Math.round(low + ((high - low) * (target - below)) / counts[name]);
    below += counts[name];
  }
  return DURATION_BOUNDS_MS.at(-1) ?? null;
}
