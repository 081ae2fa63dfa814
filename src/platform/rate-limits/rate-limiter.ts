import type { UnixSeconds } from '../time/clock.ts';
import { BlockedKeys } from './blocked-keys.ts';
import type { RateLimitObject } from './rate-limit.object.ts';
import { SharedCalls } from './shared-calls.ts';
import { type Budget, type Charge, isRefused, windowReset } from './window.ts';

/** Counts requests of callers named by a bucket key. */
export interface RateLimiter {
  /** Counts one request, or tells that it is refused (`isRefused`). */
  charge(key: string, budget: Budget, now: UnixSeconds): Promise<Charge>;
  /** The refusal that this isolate remembers for the key; undefined when only `charge` can tell. Counts nothing. */
  known(key: string, budget: Budget, now: UnixSeconds): Charge | undefined;
  /** As `charge`, for a request that may be given back: always asks the object, as a refusal may be lifted early. */
  reserve(key: string, budget: Budget, now: UnixSeconds): Promise<Charge>;
  /** Takes back a reserved request that turned out not to count. */
  giveBack(key: string, budget: Budget, now: UnixSeconds): Promise<void>;
}

/** Limiter over one Durable Object per key. Keys that are refused are answered from the isolate's memory. */
export function createRateLimiter(objects: DurableObjectNamespace<RateLimitObject>, callsAtOnce: number): RateLimiter {
  const blocked = new BlockedKeys();
  const calls = new SharedCalls<number>(callsAtOnce);

  async function reserve(key: string, budget: Budget, now: UnixSeconds): Promise<Charge> {
    const used = await objects.getByName(key).take(budget.limit, budget.windowSeconds, now);
    return { budget, used, resetAt: windowReset(now, budget.windowSeconds) };
  }

  return {
    reserve,
    known: (key, budget, now) => blocked.find(key, budget, now),

    async charge(key, budget, now) {
      const known = blocked.find(key, budget, now);
      if (known) return known;
      const { limit, windowSeconds } = budget;
      const { answer, place } = await calls.join(`${key} ${limit} ${windowSeconds} ${now}`, (requests) =>
        objects.getByName(key).take(limit, windowSeconds, now, requests),
      );
      const charge = { budget, used: Math.min(answer + place, limit + 1), resetAt: windowReset(now, windowSeconds) };
      if (isRefused(charge)) blocked.remember(key, charge);
      return charge;
    },

    async giveBack(key, budget, now) {
      await objects.getByName(key).giveBack(budget.windowSeconds, now);
    },
  };
}
