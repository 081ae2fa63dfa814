/** Shows the announcement of the operator below the header of every page. Pages stay the same for all visitors: the text is not in them. */

const KEY = 'announcement';
/** As long as the response may be cached. */
const TTL_MS = 60_000;
/** `/status` has the whole text. */
const PAGE = '/status';

/** The announcement of the last minute; null when the browser blocks storage. */
function stored() {
  try {
    const { at, shown } = JSON.parse(sessionStorage.getItem(KEY) ?? '{}');
    return Date.now() - at < TTL_MS ? shown : null;
  } catch {
    return null;
  }
}

async function read() {
  const response = await fetch('/status/announcement');
  if (!response.ok) return { title: null };
  const shown = await response.json();
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ at: Date.now(), shown }));
  } catch {
    // The next page asks again.
  }
  return shown;
}

function show({ title, severity }) {
  const header = document.querySelector('header.site');
  if (!title || !header) return;
  const aside = document.createElement('aside');
  aside.className = `announcement-mark ${severity}`;
  aside.setAttribute('aria-label', 'Announcement');
  const link = document.createElement('a');
  link.href = `${PAGE}#announcements`;
  link.textContent = title;
  aside.append(link);
  header.after(aside);
}

try {
  show(stored() ?? (await read()));
} catch {
  // Without a network the page stays as it is.
}
