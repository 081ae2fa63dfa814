import { createCache } from './cache.js';
import { backoff, retryAfter, wait } from './wait.js';

export interface SendOptions {
  /** Further tries of a request that may be repeated: GET, HEAD, and others with an `Idempotency-Key`. */
  retries: number;
  /** Longest wait for a new window or a `Retry-After`, in milliseconds; the client does not wait for a longer one. */
  maxWaitMs: number;
  /** `wait`: a request whose rate limit is known to be used up waits for the next window. `send`: it is sent at once. */
  whenSpent: 'wait' | 'send';
  /** Bytes of responses to keep for `If-None-Match`; 0 keeps none. */
  cacheBytes: number;
}

const DEFAULTS: SendOptions = { retries: 3, maxWaitMs: 60_000, whenSpent: 'wait', cacheBytes: 4 * 1024 * 1024 };

/** One rate limit as the newest response states it. */
export interface RateLimit {
  limit: number;
  remaining: number;
  /** When the window ends, on the clock of this machine (milliseconds). */
  resetsAt: number;
  windowMs: number;
}

const RETRIED = new Set([429, 502, 503, 504]);
const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 10_000;
/** Path groups whose rate limit is remembered. */
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
  /** Rate limit that each group of paths was counted in. */
  const groups = new Map<string, string>();

  /** Counts a request, or waits for the next window when none is left. */
  async function takeBudget(group: string, signal: AbortSignal): Promise<void> {
    for (;;) {
      const budget = rateLimits.get(groups.get(group) ?? '');
      if (!budget) return;
      const left = budget.resetsAt - Date.now();
      if (left <= 0) {
        budget.remaining = budget.limit;
        budget.resetsAt = Date.now() + budget.windowMs;
      }
      if (budget.remaining > 0 || whenSpent === 'send' || left > maxWaitMs) {
        budget.remaining = Math.max(0, budget.remaining - 1);
        return;
      }
      await wait(left, signal);
    }
  }

  function noteBudget(group: string, { headers }: Response): void {
    const [, name, remaining, seconds] = RATE_LIMIT.exec(headers.get('RateLimit') ?? '') ?? [];
    const [, limit, windowSeconds] = POLICY.exec(headers.get('RateLimit-Policy') ?? '') ?? [];
    if (name === undefined || limit === undefined) return;
    if (groups.size >= MAX_GROUPS) groups.clear();
    groups.set(group, name);
    const known = rateLimits.get(name);
    const resetsAt = Date.now() + Number(seconds) * 1000;
    // Of the same window: requests under way are counted here, and not in the response yet.
    const isSame = known !== undefined && Math.abs(known.resetsAt - resetsAt) < 2000;
    const left = isSame ? Math.min(known.remaining, Number(remaining)) : Number(remaining);
    rateLimits.set(name, { limit: Number(limit), remaining: left, resetsAt, windowMs: Number(windowSeconds) * 1000 });
  }

  async function send(request: Request): Promise<Response> {
    const group = new URL(request.url).pathname.split('/', 3).join('/');
    const mayRepeat = ['GET', 'HEAD'].includes(request.method) || request.headers.has('Idempotency-Key');
    const fresh = cache.fresh(request);
    if (fresh) return fresh;
    for (let tried = 0; ; tried += 1) {
      await takeBudget(group, request.signal);
      let delay = backoff(tried, FIRST_DELAY_MS, MAX_DELAY_MS);
      const isLast = tried >= retries || !mayRepeat;
      try {
        const response = await plainFetch(cache.conditional(isLast ? request : request.clone()));
        noteBudget(group, response);
        const asked = retryAfter(response);
        if (isLast || !RETRIED.has(response.status) || (asked ?? 0) > maxWaitMs) return await cache.answer(request, response);
        await response.body?.cancel();
        delay = asked ?? delay;
      } catch (error) {
        if (isLast || request.signal.aborted) throw error;
      }
      await wait(delay, request.signal);
    }
  }

  return { send, rateLimits };
}
