import { floorDiv, systemMs, type UnixSeconds } from '../../kit/time/clock.ts';
import { BoundedMap } from '../../storage/memory-caches.ts';

/** Rate limit: maximum number of requests of a client in each fixed window. */
export interface RateLimit {
  /** Name in the `RateLimit` headers: `anon`, `token`, `ingest` and so on. */
  name: string;
  limit: number;
  windowSeconds: number;
}

/** One request charged to a rate limit. */
export interface Charge {
  rateLimit: RateLimit;
  /** First second after the window. */
  resetAt: UnixSeconds;
  /** Requests in the window including this one; over the limit when this one was refused. */
  used: number;
}

/** Scales a limit; at least 1. */
export function scaleLimit(limit: number, scale: number): number {
  return Math.max(1, Math.round(limit * scale));
}

/** Start of the window of `now`. Windows are aligned to the epoch, not to a client's first request. */
export function windowStart(now: UnixSeconds, windowSeconds: number): UnixSeconds {
  return floorDiv(now, windowSeconds) * windowSeconds;
}

export function windowReset(now: UnixSeconds, windowSeconds: number): UnixSeconds {
  return windowStart(now, windowSeconds) + windowSeconds;
}

/** A charge of `used` requests, including this one, in the window of `now`. */
export function chargeOf(rateLimit: RateLimit, used: number, now: UnixSeconds): Charge {
  return { rateLimit, used, resetAt: windowReset(now, rateLimit.windowSeconds) };
}

export function isRefused(charge: Charge): boolean {
  return charge.used > charge.rateLimit.limit;
}

export function remainingOf(charge: Charge): number {
  return Math.max(0, charge.rateLimit.limit - charge.used);
}

/** Seconds until the reset for `Retry-After`, rounded up: a client that waits must not get a second 429. At least 1. */
export function retryAfterSeconds(resetAt: UnixSeconds, now: UnixSeconds): number {
  return Math.max(1, Math.ceil(resetAt - now));
}

/**
 * Writes the rate limit headers of the charges of a request, the first one first: the IETF headers
 * (draft-ietf-httpapi-ratelimit-headers-11) of all, and the `X-RateLimit-*` headers of the one that refused the request or has the
 * least left.
 */
export function writeRateHeaders(headers: Record<string, string>, charges: readonly Charge[], now: UnixSeconds): void {
  const [first] = charges;
  if (!first) return;
  const tightest =
    charges.find(isRefused) ?? charges.reduce((least, charge) => (remainingOf(charge) < remainingOf(least) ? charge : least));
  headers['X-RateLimit-Limit'] = String(tightest.rateLimit.limit);
  headers['X-RateLimit-Remaining'] = String(remainingOf(tightest));
  headers['X-RateLimit-Reset'] = String(tightest.resetAt);
  headers['RateLimit-Policy'] = charges
    .map(({ rateLimit: { name, limit, windowSeconds } }) => `"${name}";q=${limit};w=${windowSeconds}`)
    .join(', ');
  headers.RateLimit = charges.map((charge) => `"${charge.rateLimit.name}";r=${remainingOf(charge)};t=${charge.resetAt - now}`).join(', ');
}

/** The charges of a request with later ones. A later charge replaces that of the same rate limit. */
export function addCharges(charges: readonly Charge[], later: readonly Charge[]): readonly Charge[] {
  const sameIn = (all: readonly Charge[], { rateLimit }: Charge) => all.find((other) => other.rateLimit.name === rateLimit.name);
  return [...charges.map((charge) => sameIn(later, charge) ?? charge), ...later.filter((charge) => !sameIn(charges, charge))];
}

const CAPACITY = 20_000;

/** Cache of an isolate whose entries apply within one window of their key. A window is compared by its start: clocks of tests differ. */
export class WindowCache<Value> {
  readonly #entries = new BoundedMap<string, { start: UnixSeconds; windowSeconds: number; value: Value }>(CAPACITY);

  /** The value of the key in the window of `now`. */
  find(key: string, windowSeconds: number, now: UnixSeconds): Value | undefined {
    const entry = this.#entries.get(key);
    return entry?.windowSeconds === windowSeconds && entry.start === windowStart(now, windowSeconds) ? entry.value : undefined;
  }

  set(key: string, windowSeconds: number, now: UnixSeconds, value: Value): void {
    this.#entries.set(key, { start: windowStart(now, windowSeconds), windowSeconds, value });
  }
}

/**
 * The count that an isolate saw last, by key. It is sent with the next request: an object that was evicted meanwhile continues from
 * the larger count.
 */
export class SeenCounts {
  readonly #counts = new WindowCache<number>();

  /** Requests in the window of `now`; 0 when none was seen. */
  find(key: string, windowSeconds: number, now: UnixSeconds): number {
    return this.#counts.find(key, windowSeconds, now) ?? 0;
  }

  /** Notes a count. Replies may arrive out of order: the largest applies. A refusal (over the limit) was not counted. */
  note(key: string, rateLimit: { limit: number; windowSeconds: number }, now: UnixSeconds, used: number): void {
    const counted = Math.min(used, rateLimit.limit);
    if (counted > this.find(key, rateLimit.windowSeconds, now)) this.#counts.set(key, rateLimit.windowSeconds, now, counted);
  }
}

interface Block {
  start: UnixSeconds;
  limit: number;
  windowSeconds: number;
  charge: Charge;
  /** End of the block, real time in milliseconds. */
  until: number;
}

/**
 * Cache of refused keys per isolate: refuses floods from memory, without an RPC. A block applies within its window, by the clock of
 * the request, while the limit is unchanged.
 */
export class BlockedKeys {
  readonly #blocks = new BoundedMap<string, Block>(CAPACITY);
  readonly #maxBlockMs: number;

  /** `maxBlockMs`: maximum duration of a block in real time, for keys whose result can change within a window (revocation). */
  constructor(maxBlockMs: number = Number.POSITIVE_INFINITY) {
    this.#maxBlockMs = maxBlockMs;
  }

  /** The cached refusal; undefined when the key is not blocked. */
  find(key: string, rateLimit: RateLimit, now: UnixSeconds): Charge | undefined {
    const block = this.#blocks.get(key);
    if (!block) return undefined;
    const isSameLimit = block.limit === rateLimit.limit && block.windowSeconds === rateLimit.windowSeconds;
    if (isSameLimit && block.start === windowStart(now, rateLimit.windowSeconds) && systemMs() < block.until) return block.charge;
    return undefined;
  }

  add(key: string, charge: Charge): void {
    const { limit, windowSeconds } = charge.rateLimit;
    const until = systemMs() + this.#maxBlockMs;
    this.#blocks.set(key, { start: charge.resetAt - windowSeconds, limit, windowSeconds, charge, until });
  }
}
