/**
 * One rule for all times: the time zone of the visitor, with UTC as the tooltip. Without this script times are in UTC, and the footer says
 * so. Loaded by every page.
 */

const formats = {
  clock: new Intl.DateTimeFormat(undefined, { timeStyle: 'short' }),
  minute: new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }),
  day: new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' }),
};

export const utcText = (iso) => `${iso.slice(0, 16).replace('T', ' ')} UTC`;

/** `iso`: ISO 8601. `kind`: `minute`, `clock` or `day`. */
export const localText = (iso, kind = 'minute') => formats[kind].format(new Date(iso));

/** The same for Unix seconds. */
export const localTextAt = (at, kind) => localText(new Date(at * 1000).toISOString(), kind);

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

/** A time relative to now: `in 3 hours`, `2 days ago`. */
export function relativeText(iso) {
  const seconds = (Date.parse(iso) - Date.now()) / 1000;
  const [unit, length] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1];
  return relative.format(Math.round(seconds / length), unit);
}

export function localizeTimes(root = document) {
  for (const time of root.querySelectorAll('time[data-local]')) {
    const { local: kind, relative: isRelative } = time.dataset;
    time.title = utcText(time.dateTime);
    time.textContent =
      isRelative === undefined ? localText(time.dateTime, kind) : `${relativeText(time.dateTime)} (${localText(time.dateTime)})`;
    delete time.dataset.local;
  }
}

function nameZone() {
  const note = document.getElementById('zone');
  if (!note) return;
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  note.textContent = `Times are in your time zone (${timeZone.replaceAll('_', ' ')}). Point at one for UTC.`;
}

localizeTimes();
nameZone();
// Not awaited: the script of charts imports this one.
if (document.querySelectorAll('svg:is([data-points], [data-spans], [data-bars])').length > 0) import('./plots.js');
