import { createCache } from './cache.js';
import { backoff, retryAfter, wait } from './wait.js';

export interface SendOptions {
  /** Maximum retries of GET, HEAD, and other requests with an `Idempotency-Key`. Default: 3. */
  retries: number;
  /** Maximum wait for a new window or a `Retry-After`, in milliseconds. If the wait would be longer, the client does not wait. Default: 60000. */
  maxWaitMs: number;
  /** Behaviour when the rate limit is used up: `wait` for the next window (default), or `send` at once. */
  whenSpent: 'wait' | 'send';
  /** Size of the response cache for `If-None-Match`, in bytes; 0 disables it. Default: 4 MiB. */
  cacheBytes: number;
}

const DEFAULTS: SendOptions = { retries: 3, maxWaitMs: 60_000, whenSpent: 'wait', cacheBytes: 4 * 1024 * 1024 };

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
/** `"name";r=remaining;t=seconds to the end of the window`, as in draft-ietf-httpapi-ratelimit-headers. */
const RATE_LIMIT = /^"([^"]+)";r=(\d+);t=(\d+)/;
/** `"name";q=limit;w=seconds of a window`. */
const POLICY = /;q=(\d+);w=(\d+)/;

export function createSend(plainFetch: (request: Request) => Promise<Response>, options: Partial<SendOptions>) {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  const { retries, maxWaitMs, whenSpent, cacheBytes } = { ...DEFAULTS, ...Object.fromEntries(given) } as SendOptions;
  const cache = createCache(cacheBytes);
  const rateLimits = new Map<string, RateLimit>();
  /** Name of the rate limit of each path group. */
  const groups = new Map<string, string>();

  /** Counts a request. Waits for the next window first if the rate limit is used up. */
  async function acquireRequest(group: string, signal: AbortSignal): Promise<void> {
    for (;;) {
      const rateLimit = rateLimits.get(groups.get(group) ?? '');
      if (!rateLimit) return;
      const left = rateLimit.resetsAt - Date.now();
      if (left <= 0) {
        rateLimit.remaining = rateLimit.limit;
        rateLimit.resetsAt = Date.now() + rateLimit.windowMs;
      }
      if (rateLimit.remaining > 0 || whenSpent === 'send' || left > maxWaitMs) {
        rateLimit.remaining = Math.max(0, rateLimit.remaining - 1);
        return;
      }
      await wait(left, signal);
    }
  }

  function updateRateLimit(group: string, { headers }: Response): void {
    const [, name, remaining, seconds] = RATE_LIMIT.exec(headers.get('RateLimit') ?? '') ?? [];
    const [, limit, windowSeconds] = POLICY.exec(headers.get('RateLimit-Policy') ?? '') ?? [];
    if (name === undefined || limit === undefined) return;
    if (groups.size >= MAX_GROUPS) groups.clear();
    groups.set(group, name);
    const known = rateLimits.get(name);
    const resetsAt = Date.now() + Number(seconds) * 1000;
    // In the same window, the local count includes requests in flight, which the response does not.
    const isSame = known !== undefined && Math.abs(known.resetsAt - resetsAt) < 2000;
    const left = isSame ? Math.min(known.remaining, Number(remaining)) : Number(remaining);
    rateLimits.set(name, { limit: Number(limit), remaining: left, resetsAt, windowMs: Number(windowSeconds) * 1000 });
  }

  async function send(request: Request): Promise<Response> {
    const group = new URL(request.url).pathname.split('/', 3).join('/');
    const mayRepeat = ['GET', 'HEAD'].includes(request.method) || request.headers.has('Idempotency-Key');
    const fresh = cache.fresh(request);
    if (fresh) return fresh;
    for (let attempt = 0; ; attempt += 1) {
      await acquireRequest(group, request.signal);
      let delay = backoff(attempt, FIRST_DELAY_MS, MAX_DELAY_MS);
      const isLast = attempt >= retries || !mayRepeat;
      try {
        const response = await plainFetch(cache.conditional(isLast ? request : request.clone()));
        updateRateLimit(group, response);
        const retryAfterMs = retryAfter(response);
        if (isLast || !RETRIED.has(response.status) || (retryAfterMs ?? 0) > maxWaitMs) return await cache.resolve(request, response);
        await response.body?.cancel();
        delay = retryAfterMs ?? delay;
      } catch (error) {
        if (isLast || request.signal.aborted) throw error;
      }
      await wait(delay, request.signal);
    }
  }

  return { send, rateLimits };
}
