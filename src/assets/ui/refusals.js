/** Why requests got 429: calculations without the page. */

const STREAMS = 'The limit of open event streams';
/** Titles and next steps of limits by name; others have the text of `other`. */
const LIMITS = new Map([
  [
    'token',
    [
      'The rate limit of the token',
      'Read the event stream instead of polling, use /v1/snapshot for several bodies, and wait Retry-After seconds.',
    ],
  ],
  ['ingest', ['The cooldown of inserts', 'Insert once per window; only accepted inserts count.']],
]);

/** The limit of a refused request as a sentence start, and what to do. */
export function limitText({ name, message }) {
  if (name === null && message.includes('event stream')) {
    return [STREAMS, 'Close streams that you no longer read. A lost connection frees its place after at most 30 minutes.'];
  }
  const known = LIMITS.get(name);
  if (known) return known;
  const group = name?.replace(/^token-/, '');
  const title = group ? `The rate limit "${group}"` : 'A rate limit';
  return [title, 'Wait Retry-After seconds before the next request, and cache responses as long as Cache-Control says.'];
}

/**
 * Groups refused requests by token, limit and window, newest window first. `requests`: newest first, as the service lists them. Times are ISO
 * 8601; `startedAt` is null for a limit without a window.
 */
export function fullWindows(requests) {
  const windows = new Map();
  for (const { refused_by: refusal, token_id: tokenId, created_at: at, count, method, route } of requests) {
    if (refusal === null) continue;
    const { name, limit, window_seconds: seconds, reset_at: resetAt, message } = refusal;
    // Open streams have no window: one entry a minute.
    const key = [tokenId, name ?? message, name === null ? at.slice(0, 16) : resetAt].join(' ');
    const window = windows.get(key) ?? { tokenId, name, limit, seconds, resetAt, message, refused: 0, routes: new Map() };
    window.refused += count;
    window.fullAt = at;
    window.startedAt =
      name === null || resetAt === null || seconds === null ? null : new Date(Date.parse(resetAt) - seconds * 1000).toISOString();
    const endpoint = `${method} ${route}`;
    window.routes.set(endpoint, (window.routes.get(endpoint) ?? 0) + count);
    windows.set(key, window);
  }
  return [...windows.values()].map(({ routes, ...window }) => ({ ...window, routes: [...routes].sort((one, other) => other[1] - one[1]) }));
}
