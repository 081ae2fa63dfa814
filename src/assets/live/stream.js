/** Client of the event stream. */

/** Retry delay if the response has no `Retry-After`. */
const DEFAULT_RETRY_SECONDS = 60;

/** Sends another request to get the error of a rejected stream, which `EventSource` does not expose. Null if the stream opens. */
async function rejectionOf(url) {
  const controller = new AbortController();
  try {
    const response = await fetch(url, { headers: { Accept: 'text/event-stream' }, cache: 'no-store', signal: controller.signal });
    if (response.ok) return null;
    const { error } = await response.json().catch(() => ({}));
    return {
      status: response.status,
      message: error?.message ?? '',
      seconds: Number(response.headers.get('Retry-After')) || DEFAULT_RETRY_SECONDS,
    };
  } catch {
    return { status: 0, message: '', seconds: DEFAULT_RETRY_SECONDS };
  } finally {
    controller.abort();
  }
}

const REJECTION_TEXTS = {
  0: 'No connection',
  404: 'The event stream is switched off',
  429: 'Rate limited (429)',
  503: 'The service has no free stream (503)',
};

/**
 * Reads the stream. Calls `receive(event)` for each message of `types`, and `onState(state, text)` when the connection changes: `open`,
 * `waiting` or `lost`. After a rejection the stream reconnects after the delay that the service requests.
 */
export function followStream(url, types, receive, onState) {
  const source = new EventSource(url);
  source.addEventListener('open', () => onState('open', ''));
  source.addEventListener('error', async () => {
    onState('waiting', 'Reconnecting…');
    if (source.readyState !== EventSource.CLOSED) return;
    const rejection = await rejectionOf(url);
    if (rejection === null) return followStream(url, types, receive, onState);
    const retryAt = Date.now() + rejection.seconds * 1000;
    const reason = REJECTION_TEXTS[rejection.status] ?? `Rejected (${rejection.status}): ${rejection.message}`;
    const timer = setInterval(() => {
      const secondsLeft = Math.ceil((retryAt - Date.now()) / 1000);
      if (secondsLeft > 0) return onState('lost', `${reason}. Retrying in ${secondsLeft} s.`);
      clearInterval(timer);
      followStream(url, types, receive, onState);
    }, 1000);
    onState('lost', `${reason}. Retrying in ${rejection.seconds} s.`);
  });
  for (const type of types) source.addEventListener(type, receive);
}

export function duration(seconds) {
  const days = Math.floor(seconds / 86400);
  const clock = [Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60, seconds % 60];
  return `${days > 0 ? `${days} d ` : ''}${clock.map((part) => String(part).padStart(2, '0')).join(':')}`;
}
