/** Calculations for charts. */

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** Rounds up to 1, 2 or 5 times a power of ten. */
export function roundUp(value) {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1)));
  return [1, 2, 5, 10].map((step) => step * power).find((candidate) => candidate >= value);
}

/** Fewer values have no outliers. */
const MIN_VALUES = 5;
/** Quartile ranges above the upper quartile within which a value is no outlier. */
const FENCE_RANGES = 3;
/** Share of the values that may be outliers; more are a part of the data. */
const MAX_OUTLIER_SHARE = 0.1;
/** An outlier is this many times the highest other value; less would leave most of the chart to the other values anyway. */
const MIN_OUTLIER_FACTOR = 2;

/** The highest value without outliers: few values so far above the others that they would flatten their chart. 0 without values. */
export function highestWithin(values) {
  const sorted = values.filter(Number.isFinite).sort((one, other) => one - other);
  const highest = sorted.at(-1) ?? 0;
  if (sorted.length < MIN_VALUES) return highest;
  const quartile = (share) => sorted[Math.round((sorted.length - 1) * share)];
  const fence = quartile(0.75) + FENCE_RANGES * (quartile(0.75) - quartile(0.25));
  const inside = sorted.findLast((value) => value <= fence) ?? 0;
  const outliers = sorted.filter((value) => value > fence).length;
  const isFlattened = inside > 0 && highest >= MIN_OUTLIER_FACTOR * inside && outliers <= Math.max(1, sorted.length * MAX_OUTLIER_SHARE);
  return isFlattened ? inside : highest;
}

/** Rows for the last `hours` hours, including hours without requests. */
export function everyHour(hours, rows, now = Date.now()) {
  const byHour = new Map(rows.map((row) => [row.hour, row]));
  const last = Math.floor(now / HOUR_MS) * HOUR_MS;
  return Array.from({ length: hours }, (_, index) => {
    const hour = new Date(last - (hours - 1 - index) * HOUR_MS).toISOString();
    return byHour.get(hour) ?? { hour, count: 0, error_count: 0, rate_limited: 0, avg_duration_ms: 0 };
  });
}

/**
 * Rows for each day of a window of `days` days that ends now, including days without requests. It has parts of `days + 1` days, whose counts
 * together are those of the window.
 */
export function everyDay(days, rows, now = Date.now()) {
  const byDate = new Map(rows.map((row) => [row.date, row]));
  return Array.from({ length: days + 1 }, (_, index) => {
    const date = new Date(now - (days - index) * DAY_MS).toISOString().slice(0, 10);
    return byDate.get(date) ?? { date, count: 0, error_count: 0, rate_limited: 0, avg_duration_ms: 0 };
  });
}
