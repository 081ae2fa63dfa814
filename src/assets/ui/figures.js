/** What charts reckon. */

const DAY_MILLISECONDS = 86_400_000;

/** The least round number that is not below a value: 1, 2 or 5 times a power of ten. */
export function roundUp(value) {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1)));
  return [1, 2, 5, 10].map((step) => step * power).find((round) => round >= value);
}

/** The days up to today, those without requests included. */
export function everyDay(days, rows, now = Date.now()) {
  const byDate = new Map(rows.map((row) => [row.date, row]));
  return Array.from({ length: days }, (_, index) => {
    const date = new Date(now - (days - 1 - index) * DAY_MILLISECONDS).toISOString().slice(0, 10);
    return byDate.get(date) ?? { date, count: 0, error_count: 0, rate_limited: 0, avg_duration_ms: 0 };
  });
}
