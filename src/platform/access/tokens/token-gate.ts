import { logError } from '../../logging.ts';
import { BoundedMap } from '../../storage/bounded-map.ts';
import type { UnixSeconds } from '../../time/clock.ts';
import type { TokenHistories } from '../../usage/usage.repository.ts';
import { UsageBuffer } from '../../usage/usage-buffer.ts';
import type { UsageRecord } from '../../usage/usage-record.ts';
import { anonymousKey } from '../policy/addresses.ts';
import type { GateCall, GateResult, LookupRefusal, SelfResult, SlotResult, TokenCounter } from './token-gate.contract.ts';
import type { TokenGateObject } from './token-gate.object.ts';
import type { TokensRepository } from './tokens.repository.ts';

/** Failed lookups per address, isolate and minute before the address is throttled. Anyone can compute the checksum of a token. */
const MAX_FAILED_LOOKUPS = 20;
const FAILURE_WINDOW_MS = 60_000;
/** Pause between two lookups of a throttled address. */
const SLOW_LOOKUP_MS = 1000;
const NEGATIVE_CACHE_MS = 5000;
const CAPACITY = 10_000;

/** The gates of all tokens. An isolate caches which hashes exist; the Durable Object of the token stores the rest. */
export interface TokenGate extends TokenHistories {
  admit(call: Omit<GateCall, 'finished'>): Promise<GateResult>;
  inspect(
    hashedToken: string,
    callerAddress: string | null,
    now: UnixSeconds,
    windows: Partial<Record<TokenCounter, number>>,
  ): Promise<SelfResult>;
  /** Requests of a stored token in the open windows. */
  countUsed(
    hashedToken: string,
    now: UnixSeconds,
    windows: Partial<Record<TokenCounter, number>>,
  ): Promise<Partial<Record<TokenCounter, number>>>;
  /** Acquires or renews a slot for a stream of an admitted token. */
  acquireSlot(hashedToken: string, id: string, limit: number, now: UnixSeconds): Promise<SlotResult>;
  releaseSlot(hashedToken: string, id: string): Promise<void>;
  /** Call after a token or its owner changed in storage: the change applies from the next request on. */
  invalidate(hashedToken: string): Promise<void>;
  /** Call after a token got a new secret in storage: the old secret becomes invalid, the new one continues its counts. */
  rotated(oldHash: string, newHash: string, now: UnixSeconds): Promise<void>;
  /** Deletes all data in the object of a token, including its history. */
  erase(hashedToken: string): Promise<void>;
  /** Records a finished request of a token. `waitUntil` extends work beyond the response. */
  recordRequest(hashedToken: string, record: UsageRecord, waitUntil: (work: Promise<unknown>) => void): void;
}

/** Failed lookups of an address in a window that started at `since`. Times are real milliseconds. */
interface Failures {
  since: number;
  count: number;
  nextLookupAt: number;
}

/** `usageDelaySeconds`: see `UsageBuffer`. */
export function createTokenGate(
  objects: DurableObjectNamespace<TokenGateObject>,
  tokens: Pick<TokensRepository, 'exists'>,
  usageDelaySeconds: number | null = null,
  nowMs: () => number = Date.now,
): TokenGate {
  const usage = new UsageBuffer(usageDelaySeconds);
  const known = new BoundedMap<string, true>(CAPACITY);
  const unknown = new BoundedMap<string, number>(CAPACITY);
  const failures = new BoundedMap<string, Failures>(CAPACITY);

  /**
   * Null for the hash of a stored token: only those have an object. A failed lookup throws, because the token may be valid.
   */
  async function refusalOf(hashedToken: string, callerAddress: string | null): Promise<LookupRefusal | null> {
    if (known.get(hashedToken)) return null;
    const time = nowMs();
    if ((unknown.get(hashedToken) ?? 0) > time) return { outcome: 'unauthenticated' };
    const address = anonymousKey(callerAddress);
    let recent = failures.get(address);
    if (!recent || time - recent.since >= FAILURE_WINDOW_MS) {
      // Stored before the lookup, to count concurrent lookups together.
      recent = { since: time, count: 0, nextLookupAt: 0 };
      failures.set(address, recent);
    }
    if (recent.count >= MAX_FAILED_LOOKUPS) {
      if (time < recent.nextLookupAt) return { outcome: 'lookups_exhausted' };
      recent.nextLookupAt = time + SLOW_LOOKUP_MS;
    }
    if (await tokens.exists(hashedToken)) {
      known.set(hashedToken, true);
      return null;
    }
    unknown.set(hashedToken, time + NEGATIVE_CACHE_MS);
    recent.count += 1;
    return { outcome: 'unauthenticated' };
  }

  return {
    async admit(call) {
      const refusal = await refusalOf(call.hashedToken, call.callerAddress);
      if (refusal) return refusal;
      const finished = usage.drain(call.hashedToken);
      try {
        return await objects.getByName(call.hashedToken).admit({ ...call, finished });
      } catch (error) {
        usage.restore(call.hashedToken, finished);
        throw error;
      }
    },

    async inspect(hashedToken, callerAddress, now, windows) {
      const refusal = await refusalOf(hashedToken, callerAddress);
      return refusal ?? objects.getByName(hashedToken).inspect(hashedToken, callerAddress, now, windows);
    },

    acquireSlot: async (hashedToken, id, limit, now) => objects.getByName(hashedToken).acquireSlot(id, hashedToken, limit, now),

    async releaseSlot(hashedToken, id) {
      await objects.getByName(hashedToken).releaseSlot(id);
    },

    async invalidate(hashedToken) {
      unknown.delete(hashedToken);
      await objects.getByName(hashedToken).invalidate();
    },

    async rotated(oldHash, newHash, now) {
      const old = objects.getByName(oldHash);
      const state = await old.exportState(newHash);
      await objects.getByName(newHash).importState(state, now);
      await old.moveHistory();
    },

    summarizeUsage: async (hashedToken, since, hoursSince) => objects.getByName(hashedToken).summarizeUsage(since, hoursSince),
    countUsed: async (hashedToken, now, windows) => objects.getByName(hashedToken).countUsed(now, windows),
    listRequests: async (hashedToken, filter, limit) => objects.getByName(hashedToken).listRequests(filter, limit),

    async erase(hashedToken) {
      usage.drain(hashedToken);
      await objects.getByName(hashedToken).erase();
    },

    recordRequest(hashedToken, record, waitUntil) {
      usage.add(hashedToken, record, waitUntil, async () => {
        const pending = usage.drain(hashedToken);
        if (pending.length === 0) return;
        try {
          await objects.getByName(hashedToken).recordUsage(hashedToken, pending);
        } catch (error) {
          logError('token usage could not be stored', error);
          usage.restore(hashedToken, pending);
        }
      });
    },
  };
}
