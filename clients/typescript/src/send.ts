import { createCache, withEtag } from './cache.js';
import { backoff, retryAfter, wait } from './wait.js';

export interface SendOptions {
  /**
   * Maximum retries of GET, HEAD, and other requests with an `Idempotency-Key`. Default: 3. A retry of a write that is still running does
   * not count: it is repeated for at most `maxWaitMs`.
   */
  retries: number;
  /** Maximum wait for a new window or a `Retry-After`, in milliseconds. If the wait would be longer, the client does not wait. Default: 60000. */
  maxWaitMs: number;
  /** Behaviour when the rate limit is used up: `wait` for the next window (default), or `send` at once. */
  whenSpent: 'wait' | 'send';
  /** Silence within a JSON body after which the attempt fails, in milliseconds. Default: 30000. */
  timeoutMs: number;
  /** Size of the response cache for `If-None-Match`, in bytes; 0 disables it. Default: 4 MiB. */
  cacheBytes: number;
}

const DEFAULTS: SendOptions = { retries: 3, maxWaitMs: 60_000, whenSpent: 'wait', timeoutMs: 30_000, cacheBytes: 4 * 1024 * 1024 };

/** A rate limit, as of the newest response. */
export interface RateLimit {
  limit: number;
  remaining: number;
  /** End of the window in unix milliseconds, by the local clock. */
  resetsAt: number;
  windowMs: number;
}

const RETRIED = new Set([429, 502, 503, 504]);
const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 10_000;
/** Maximum number of path groups whose rate limit is stored. */
const MAX_GROUPS = 64;
/** Items `"name";r=remaining;t=seconds to the end of the window`, as in draft-ietf-httpapi-ratelimit-headers. */
const RATE_LIMITS = /"([^"]+)";r=(\d+);t=(\d+)/g;
/** Items `"name";q=limit;w=seconds of a window`, at least 1. */
const POLICIES = /"([^"]+)";q=(\d+);w=([1-9]\d*)/g;

export function createSend(plainFetch: (request: Request) => Promise<Response>, options: Partial<SendOptions>) {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  const { retries, maxWaitMs, whenSpent, timeoutMs, cacheBytes } = { ...DEFAULTS, ...Object.fromEntries(given) } as SendOptions;
  const cache = createCache(cacheBytes);
  const rateLimits = new Map<string, RateLimit>();
  /** Names of the rate limits of each path group. */
  const groups = new Map<string, string[]>();
  /** Requests without a response yet: the service counts them in this window or in the next one. */
  let inFlight = 0;

  /** What a new window has left, if the service counts the requests in flight in it. */
  const remainingOf = (left: number) => Math.max(0, left - inFlight);

  /** Counts a request. Waits for the next window first if a rate limit is used up. */
  async function acquireRequest(group: string, signal: AbortSignal): Promise<void> {
    for (;;) {
      const limits = (groups.get(group) ?? []).flatMap((name) => rateLimits.get(name) ?? []);
      let left = 0;
      for (const rateLimit of limits) {
        const over = Date.now() - rateLimit.resetsAt;
        if (over >= 0) {
          rateLimit.remaining = remainingOf(rateLimit.limit);
          rateLimit.resetsAt += rateLimit.windowMs * (1 + Math.floor(over / rateLimit.windowMs));
        }
        if (rateLimit.remaining === 0) left = Math.max(left, rateLimit.resetsAt - Date.now());
      }
      if (left === 0 || whenSpent === 'send' || left > maxWaitMs) {
        for (const rateLimit of limits) rateLimit.remaining = Math.max(0, rateLimit.remaining - 1);
        inFlight += 1;
        return;
      }
      await wait(left, signal);
    }
  }

  function updateRateLimit(group: string, { headers }: Response): void {
    const policies = new Map(
      [...(headers.get('RateLimit-Policy') ?? '').matchAll(POLICIES)].map(([, name = '', ...policy]) => [name, policy]),
    );
    const names: string[] = [];
    for (const [, name = '', remaining, seconds] of (headers.get('RateLimit') ?? '').matchAll(RATE_LIMITS)) {
      const [limit, windowSeconds] = policies.get(name) ?? [];
      if (limit === undefined) continue;
      names.push(name);
      const known = rateLimits.get(name);
      const windowMs = Number(windowSeconds) * 1000;
      const resetsAt = Date.now() + Number(seconds) * 1000;
      // The end of a window is known to within the age of the response, so windows are compared by whole windows.
      const windowsLater = known?.windowMs === windowMs ? Math.round((resetsAt - known.resetsAt) / windowMs) : null;
      if (known && windowsLater === -1) {
        // Counted in the window before, so not in this one.
        known.remaining = Math.min(known.limit, known.remaining + 1);
        continue;
      }
      // In the same window, the local count includes requests in flight, which the response does not.
      const left = known && windowsLater === 0 ? Math.min(known.remaining, Number(remaining)) : remainingOf(Number(remaining));
      rateLimits.set(name, { limit: Number(limit), remaining: left, resetsAt, windowMs });
    }
    if (names.length === 0) return;
    if (groups.size >= MAX_GROUPS) groups.clear();
    groups.set(group, names);
  }

  async function send(request: Request): Promise<Response> {
    request.signal.throwIfAborted();
    const group = new URL(request.url).pathname.split('/', 3).join('/');
    const hasKey = request.headers.has('Idempotency-Key');
    const mayRepeat = retries > 0 && (['GET', 'HEAD'].includes(request.method) || hasKey);
    const fresh = cache.fresh(request);
    if (fresh) return fresh;
    let waitedMs = 0;
    for (let attempt = 0; ; ) {
      await acquireRequest(group, request.signal);
      let delay = backoff(attempt, FIRST_DELAY_MS, MAX_DELAY_MS);
      const isLast = attempt >= retries || !mayRepeat;
      let isRunning = false;
      try {
        const stored = cache.stored(request);
        let response: Response;
        try {
          response = await plainFetch(withEtag(mayRepeat ? request.clone() : request, stored));
        } finally {
          inFlight -= 1;
        }
        updateRateLimit(group, response);
        const askedMs = retryAfter(response);
        delay = askedMs ?? delay;
        isRunning = mayRepeat && hasKey && response.status === 409 && waitedMs + delay <= maxWaitMs && (await isInProgress(response));
        const isFinal = isLast || !RETRIED.has(response.status) || (askedMs ?? 0) > maxWaitMs;
        if (isFinal && !isRunning) {
          return await cache.resolve(request, request.method === 'HEAD' ? response : await complete(response, timeoutMs), stored);
        }
        response.body?.cancel().catch(() => {});
      } catch (error) {
        if (isLast || request.signal.aborted) throw error;
      }
      await wait(delay, request.signal);
      if (isRunning) waitedMs += delay;
      else attempt += 1;
    }
  }

  return { send, rateLimits };
}

/**
 * Reads a JSON body to its end, so that a connection which breaks within it is a failed attempt. Some runtimes end a compressed body early
 * without an error, or never: a body that is not JSON, and silence of `timeoutMs`, are failures too. Returns other responses unread.
 */
async function complete(response: Response, timeoutMs: number): Promise<Response> {
  const { status, statusText, headers } = response;
  if (response.body === null || !(headers.get('Content-Type') ?? '').startsWith('application/json')) return response;
  const reader = response.body.getReader();
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for (;;) {
    const timeout = new AbortController();
    const silence = wait(timeoutMs, timeout.signal).then(
      () => Promise.reject(new Error(`no data for ${timeoutMs} ms`)),
      () => ({ done: true, value: undefined }),
    );
    const piece = await Promise.race([reader.read(), silence]).finally(() => timeout.abort());
    if (piece.value === undefined) break;
    pieces.push(piece.value as Uint8Array<ArrayBuffer>);
  }
  const body = await new Blob(pieces).text();
  JSON.parse(body);
  return new Response(body, { status, statusText, headers });
}

/** Whether the first request with this idempotency key is still running, so the same request gets its response later. */
async function isInProgress(response: Response): Promise<boolean> {
  const body = (await response
    .clone()
    .json()
    .catch(() => null)) as { error?: { details?: { in_progress?: unknown } } } | null;
  return body?.error?.details?.in_progress === true;
}

/** The base URL without a trailing slash. Throws for one that no request can use, which a retry would not mend. */
export function checkedBaseUrl(baseUrl: string): string {
  // In a browser, the URL may be relative to the page.
  const { protocol, username, search, hash, href } = new URL(baseUrl, (globalThis as { location?: { href: string } }).location?.href);
  if (!/^https?:$/.test(protocol) || username || search || hash) {
    throw new TypeError(`baseUrl must be an http or https URL without user, query and fragment, not ${baseUrl}`);
  }
  return href.replace(/\/+$/, '');
}

/** Throws for a path parameter that would lead to another path: URLs drop the segments `.` and `..`, even percent-encoded ones. */
export function checkPathParameters(parameters: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(parameters)) {
    if (['', '.', '..'].includes(String(value))) throw new TypeError(`path.${name} must not be "${value}"`);
  }
}
