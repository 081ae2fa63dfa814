/** Calculations for charts. */

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** Rounds up to 1, 2 or 5 times a power of ten. */
export function roundUp(value) {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1)));
  return [1, 2, 5, 10].map((step) => step * power).find((candidate) => candidate >= value);
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

/** Rows for the last `days` days, including days without requests. */
export function everyDay(days, rows, now = Date.now()) {
  const byDate = new Map(rows.map((row) => [row.date, row]));
  return Array.from({ length: days }, (_, index) => {
    const date = new Date(now - (days - 1 - index) * DAY_MS).toISOString().slice(0, 10);
    return byDate.get(date) ?? { date, count: 0, error_count: 0, rate_limited: 0, avg_duration_ms: 0 };
  });
}
