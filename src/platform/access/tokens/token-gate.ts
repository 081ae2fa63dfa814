import { logError } from '../../logging.ts';
import { BoundedMap } from '../../storage/bounded-map.ts';
import type { UnixSeconds } from '../../time/clock.ts';
import type { TokenHistories } from '../../usage/usage.repository.ts';
import { UsageBuffer } from '../../usage/usage-buffer.ts';
import type { UsageRecord } from '../../usage/usage-record.ts';
import { anonymousKey } from '../policy/addresses.ts';
import type { GateCall, GateReply, LookupRefusal, SelfReply, SlotReply, TokenCounter } from './token-gate.contract.ts';
import type { TokenGateObject } from './token-gate.object.ts';
import type { TokensRepository } from './tokens.repository.ts';

/** Failed lookups per address, isolate and minute before the address is throttled. Anyone can compute the token checksum. */
const MAX_FAILED_LOOKUPS = 20;
const FAILURE_WINDOW_MS = 60_000;
/** Pause between two lookups of a throttled address. */
const SLOW_LOOKUP_MS = 1000;
const NEGATIVE_CACHE_MS = 5000;
const CAPACITY = 10_000;

/** The gates of all tokens: an isolate caches which hashes exist, the token's own object holds everything else. */
export interface TokenGate extends TokenHistories {
  admit(call: Omit<GateCall, 'finished'>): Promise<GateReply>;
  inspect(
    hashedToken: string,
    callerAddress: string | null,
    now: UnixSeconds,
    windows: Partial<Record<TokenCounter, number>>,
  ): Promise<SelfReply>;
  /** Usage of the open windows of a stored token, for its owner. */
  used(
    hashedToken: string,
    now: UnixSeconds,
    windows: Partial<Record<TokenCounter, number>>,
  ): Promise<Partial<Record<TokenCounter, number>>>;
  /** Takes or renews a slot for a stream of an admitted token, in the gate that counts it. */
  acquireSlot(hashedToken: string, id: string, limit: number, now: UnixSeconds): Promise<SlotReply>;
  freeSlot(hashedToken: string, id: string): Promise<void>;
  /** To be called after a token or its owner changed in storage; the change holds from the next request on. */
  forget(hashedToken: string): Promise<void>;
  /** Called after a token got a new secret in storage: the old one is invalid, the new one continues its counts. */
  rotated(oldHash: string, newHash: string, now: UnixSeconds): Promise<void>;
  /** Deletes what the object of a token keeps; its history too. */
  erase(hashedToken: string): Promise<void>;
  /** Records a finished request of a token for the statistics. `later` extends work beyond the response. */
  finished(hashedToken: string, record: UsageRecord, later: (work: Promise<unknown>) => void): void;
}

/** Failed lookups of an address in a window that began at `since`; times are real milliseconds. */
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
   * Null when the hash is that of a stored token; objects exist only for those. A hash that could not be looked up may be
   * valid, so it is never reported as unknown.
   */
  async function refusalOf(hashedToken: string, callerAddress: string | null): Promise<LookupRefusal | null> {
    if (known.get(hashedToken)) return null;
    const time = nowMs();
    if ((unknown.get(hashedToken) ?? 0) > time) return { outcome: 'unauthenticated' };
    const address = anonymousKey(callerAddress);
    let recent = failures.get(address);
    if (!recent || time - recent.since >= FAILURE_WINDOW_MS) {
      // Stored before the lookup, which counts concurrent lookups together.
      recent = { since: time, count: 0, nextLookupAt: 0 };
      failures.set(address, recent);
    }
    if (recent.count >= MAX_FAILED_LOOKUPS) {
      if (time < recent.nextLookupAt) return { outcome: 'lookups_spent' };
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
      const finished = usage.take(call.hashedToken);
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

    async freeSlot(hashedToken, id) {
      await objects.getByName(hashedToken).freeSlot(id);
    },

    async forget(hashedToken) {
      unknown.delete(hashedToken);
      await objects.getByName(hashedToken).forget();
    },

    async rotated(oldHash, newHash, now) {
      const old = objects.getByName(oldHash);
      const handover = await old.release(newHash);
      await objects.getByName(newHash).adopt(handover, now);
      await old.moveHistory();
    },

    overview: async (hashedToken, since, hoursSince) => objects.getByName(hashedToken).overview(since, hoursSince),
    used: async (hashedToken, now, windows) => objects.getByName(hashedToken).used(now, windows),
    requests: async (hashedToken, filter, limit) => objects.getByName(hashedToken).requests(filter, limit),

    async erase(hashedToken) {
      usage.take(hashedToken);
      await objects.getByName(hashedToken).erase();
    },

    finished(hashedToken, record, later) {
      usage.add(hashedToken, record, later, async () => {
        const waiting = usage.take(hashedToken);
        if (waiting.length === 0) return;
        try {
          await objects.getByName(hashedToken).report(hashedToken, waiting);
        } catch (error) {
          logError('token usage could not be stored', error);
          usage.restore(hashedToken, waiting);
        }
      });
    },
  };
}
