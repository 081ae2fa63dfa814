/** Ticks of a time axis: round times in the time zone of the reader. The server draws them in UTC, the script of charts in the visitor's zone. */

const HOUR = 3600;
const DAY = 86_400;
/** Distances of ticks up to a fortnight, in seconds. */
const STEPS = [60, 300, 600, 900, 1800, HOUR, 2 * HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY, 2 * DAY, 3 * DAY, 7 * DAY, 14 * DAY];
/** Distances of ticks in months. */
const MONTH_STEPS = [1, 2, 3, 6];

/**
 * At most `limit` round times in `[from, to]`, in Unix seconds, with the form of their label: `clock`, `day` or `month`. `offsetAt(at)`:
 * seconds that the zone is ahead of UTC. On an axis of hours the first tick and each midnight have the day: `dayClock` or `day`.
 */
export function ticksOf(from, to, offsetAt = () => 0, limit = 5) {
  const step = STEPS.find((seconds) => (to - from) / seconds < limit);
  return step === undefined ? monthTicks(from, to, offsetAt, limit) : evenTicks(from, to, offsetAt, step);
}

function evenTicks(from, to, offsetAt, step) {
  const ticks = [];
  // Steps of whole days count from the start of the epoch, so their midnights are those of the zone at that time.
  for (let local = Math.ceil((from + offsetAt(from)) / step) * step; ; local += step) {
    const at = local - offsetAt(local - offsetAt(from));
    if (at > to) return ticks;
    const isMidnight = local % DAY === 0;
    if (at >= from) ticks.push({ at, form: isMidnight ? 'day' : ticks.length === 0 ? 'dayClock' : 'clock' });
  }
}

function monthTicks(from, to, offsetAt, limit) {
  const start = new Date((from + offsetAt(from)) * 1000);
  const months = (to - from) / (30.4 * DAY);
  const step = MONTH_STEPS.find((count) => months / count < limit) ?? 12 * Math.ceil(months / 12 / (limit - 1));
  const ticks = [];
  for (let index = 1; index <= months + step + 1; index += 1) {
    const month = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + index));
    if ((month.getUTCFullYear() * 12 + month.getUTCMonth()) % step !== 0) continue;
    const local = month.getTime() / 1000;
    const at = local - offsetAt(local);
    if (at <= to) ticks.push({ at, form: 'month' });
  }
  return ticks;
}

const FORMS = {
  clock: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  day: { day: 'numeric', month: 'short' },
  dayClock: { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  month: { month: 'short', year: 'numeric' },
};

/** Text of a tick. `timeZone`: default, that of the visitor. */
export function tickText({ at, form }, timeZone) {
  return new Intl.DateTimeFormat('en-GB', { ...FORMS[form], timeZone }).format(new Date(at * 1000));
}
