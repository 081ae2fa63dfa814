/** Converts times to the time zone of the visitor, with UTC as the tooltip. Without this script times are in UTC. */

const formats = {
  clock: new Intl.DateTimeFormat(undefined, { timeStyle: 'short' }),
  minute: new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }),
};

export const utcText = (iso) => `${iso.slice(0, 16).replace('T', ' ')} UTC`;

/** `iso`: ISO 8601. */
export const localText = (iso, kind = 'minute') => formats[kind].format(new Date(iso));

export function localizeTimes(root = document) {
  for (const time of root.querySelectorAll('time[data-local]')) {
    time.title = utcText(time.dateTime);
    time.textContent = localText(time.dateTime, time.dataset.local);
    delete time.dataset.local;
  }
}

localizeTimes();
