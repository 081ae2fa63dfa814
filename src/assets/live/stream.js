/** Client of the event stream. */

/** Retry delay when the response has none. */
const PAUSE_SECONDS = 60;

/** Returns the reason for a rejected stream, or null when it opens again. `EventSource` does not expose it, so this sends another request. */
async function refusalOf(url) {
  const asked = new AbortController();
  try {
    const response = await fetch(url, { headers: { Accept: 'text/event-stream' }, cache: 'no-store', signal: asked.signal });
    if (response.ok) return null;
    const { error } = await response.json().catch(() => ({}));
    return {
      status: response.status,
      message: error?.message ?? '',
      seconds: Number(response.headers.get('Retry-After')) || PAUSE_SECONDS,
    };
  } catch {
    return { status: 0, message: '', seconds: PAUSE_SECONDS };
  } finally {
    asked.abort();
  }
}

const REFUSALS = {
  0: 'No connection',
  404: 'The event stream is switched off',
  429: 'Too many requests (429): the service ended the stream',
  503: 'The stream is full (503)',
};

/**
 * Reads the stream. Calls `receive(event)` for each message of `types` and `tell(state, text)` when the connection changes, with state
 * `open`, `waiting` or `lost`. After a rejection it waits for the time that the service requests.
 */
export function followStream(url, types, receive, tell) {
  const source = new EventSource(url);
  source.addEventListener('open', () => tell('open', ''));
  source.addEventListener('error', async () => {
    tell('waiting', 'Reconnecting…');
    if (source.readyState !== EventSource.CLOSED) return;
    const refusal = await refusalOf(url);
    if (refusal === null) return followStream(url, types, receive, tell);
    const until = Date.now() + refusal.seconds * 1000;
    const said = REFUSALS[refusal.status] ?? `Refused (${refusal.status}): ${refusal.message}`;
    const wait = setInterval(() => {
      const left = Math.ceil((until - Date.now()) / 1000);
      if (left > 0) return tell('lost', `${said}. Next try in ${left} s.`);
      clearInterval(wait);
      followStream(url, types, receive, tell);
    }, 1000);
    tell('lost', `${said}. Next try in ${refusal.seconds} s.`);
  });
  for (const type of types) source.addEventListener(type, receive);
}

export function duration(seconds) {
  const days = Math.floor(seconds / 86400);
  const clock = [Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60, seconds % 60];
  return `${days > 0 ? `${days} d ` : ''}${clock.map((part) => String(part).padStart(2, '0')).join(':')}`;
}
