/** Shows times in the time zone of the visitor, with UTC on hover. Without this script times are in UTC. */

const formats = {
  clock: new Intl.DateTimeFormat(undefined, { timeStyle: 'short' }),
  minute: new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }),
};

export const utcText = (iso) => `${iso.slice(0, 16).replace('T', ' ')} UTC`;

/** `iso`: ISO 8601. */
export const localText = (iso, kind = 'minute') => formats[kind].format(new Date(iso));

export function localizeTimes(root = document) {
  for (const shown of root.querySelectorAll('time[data-local]')) {
    shown.title = utcText(shown.dateTime);
    shown.textContent = localText(shown.dateTime, shown.dataset.local);
    delete shown.dataset.local;
  }
}

localizeTimes();
