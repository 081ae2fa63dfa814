import { logError } from '../logging.ts';
import type { UnixSeconds } from '../time/clock.ts';
import { BlockedKeys } from './blocked-keys.ts';
import type { RateLimitObject } from './rate-limit.object.ts';
import { RESERVATION_RENEWAL_MS } from './reservations.ts';
import type { BucketLimits } from './stored-slots.ts';
import { type Budget, type Charge, isRefused, windowReset } from './window.ts';

/** Key of a counted client: the name of its object, or a member of a network, whose object counts member and network in one RPC. */
export type BucketKey = string | { network: string; member: string };

/** Limit of a network as a multiple of the limit of a member: bounds a client with many addresses in one network. */
export const NETWORK_FACTOR = 20;

/** Counts requests of clients by bucket key. */
export interface RateLimiter {
  /** Counts one request, or refuses it (see `isRefused`). */
  charge(key: BucketKey, budget: Budget, now: UnixSeconds): Promise<Charge>;
  /** The cached refusal of the key in this isolate; undefined when only `charge` can decide. Counts nothing. */
  cachedRefusal(key: BucketKey, budget: Budget, now: UnixSeconds): Charge | undefined;
  /**
   * Like `charge`, for a request that counts depending on its result. Refusals are not cached, because a reservation may end early.
   * After a crash of the Worker the reservation ends within `RESERVATION_LEASE_MS`.
   */
  reserve(key: BucketKey, budget: Budget, now: UnixSeconds): Promise<Reservation>;
  /** Acquires or renews a slot for a stream of the client. Returns null, or the limit that is reached. */
  acquireSlot(key: BucketKey, id: string, limit: number): Promise<number | null>;
  releaseSlot(key: BucketKey, id: string): Promise<void>;
}

/** An admitted or refused request (see `isRefused`), and the function that ends the reservation. */
export interface Reservation {
  charge: Charge;
  settle: Settle;
}

/** Ends a reservation; `counts`: whether the request counts. Never rejects. */
export type Settle = (counts: boolean) => Promise<void>;

/** Rate limiter with one Durable Object per key. Refusals are cached in the memory of the isolate. */
export function createRateLimiter(objects: DurableObjectNamespace<RateLimitObject>): RateLimiter {
  const blocked = new BlockedKeys();

  const objectOf = (key: BucketKey) => objects.getByName(typeof key === 'string' ? key : key.network);

  async function consume(key: BucketKey, budget: Budget, now: UnixSeconds): Promise<Charge> {
    const { limit, windowSeconds } = budget;
    const resetAt = windowReset(now, windowSeconds);
    if (typeof key === 'string') return { budget, used: await objectOf(key).consume(limit, windowSeconds, now), resetAt };
    const limits = { member: limit, network: limit * NETWORK_FACTOR };
    const { used, refusedBy } = await objectOf(key).consumeMember(key.member, limits, windowSeconds, now);
    return { budget: refusedBy === 'network' ? networkBudget(budget) : budget, used, resetAt };
  }

  function findCachedRefusal(key: BucketKey, budget: Budget, now: UnixSeconds): Charge | undefined {
    if (typeof key === 'string') return blocked.find(key, budget, now);
    return blocked.find(memberKey(key), budget, now) ?? blocked.find(key.network, networkBudget(budget), now);
  }

  function cacheRefusal(key: BucketKey, charge: Charge, budget: Budget): void {
    if (typeof key === 'string') blocked.add(key, charge);
    else blocked.add(charge.budget === budget ? memberKey(key) : key.network, charge);
  }

  async function reserve(key: BucketKey, budget: Budget, now: UnixSeconds): Promise<Reservation> {
    const { windowSeconds } = budget;
    const member = typeof key === 'string' ? undefined : key.member;
    const {
      used,
      id,
      isNetworkExhausted,
      endsInMs: lapsesInMs,
    } = await objectOf(key).reserve(limitsOf(key, budget.limit), windowSeconds, now, member);
    const reset = windowReset(now, windowSeconds);
    if (id === null) {
      const resetAt = lapsesInMs === null ? reset : Math.min(reset, now + Math.ceil(lapsesInMs / 1000));
      return { charge: { budget: isNetworkExhausted ? networkBudget(budget) : budget, used, resetAt }, settle: async () => {} };
    }
    const logFailure = (error: unknown) => logError('reservation was not stored', error, { budget: budget.name });
    const renewal = setInterval(() => {
      objectOf(key).renew(id, windowSeconds, now, member).catch(logFailure);
    }, RESERVATION_RENEWAL_MS);
    return {
      charge: { budget, used, resetAt: reset },
      async settle(counts) {
        clearInterval(renewal);
        await objectOf(key).settle(id, windowSeconds, now, counts, member).catch(logFailure);
      },
    };
  }

  return {
    cachedRefusal: findCachedRefusal,
    reserve,

    async charge(key, budget, now) {
      const refusal = findCachedRefusal(key, budget, now);
      if (refusal) return refusal;
      const charge = await consume(key, budget, now);
      if (isRefused(charge)) cacheRefusal(key, charge, budget);
      return charge;
    },

    acquireSlot: (key, id, limit) => objectOf(key).acquireSlot(id, typeof key === 'string' ? key : key.member, limitsOf(key, limit)),

    async releaseSlot(key, id) {
      await objectOf(key).releaseSlot(id);
    },
  };
}

/** The limits of a client and, for a member of a network, of the network. */
function limitsOf(key: BucketKey, limit: number): BucketLimits {
  return { own: limit, network: typeof key === 'string' ? null : limit * NETWORK_FACTOR };
}

/** The shared limit of all members of a network. */
function networkBudget({ name, limit, windowSeconds }: Budget): Budget {
  return { name: `${name}-network`, limit: limit * NETWORK_FACTOR, windowSeconds };
}

function memberKey({ network, member }: { network: string; member: string }): string {
  return `${network} ${member}`;
}
