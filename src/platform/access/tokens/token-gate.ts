import { bind } from '../../kit/bind.ts';
import { logError } from '../../kit/logging.ts';
import type { UnixSeconds } from '../../kit/time/clock.ts';
import { BoundedMap } from '../../storage/memory-caches.ts';
import type { SlotOfShard } from '../limits/stored-slots.ts';
import { SeenCounts } from '../limits/window.ts';
import { addressKey } from '../policy/addresses.ts';
import type { PresentedToken } from '../policy/credentials.ts';
import type { RequestFilter, StoredRequest } from '../usage/token-history.ts';
import type { TokenHistories, UsageTotals } from '../usage/token-usage.ts';
import type { UsageRecord } from '../usage/usage-buffer.ts';
import { UsageBuffer } from '../usage/usage-buffer.ts';
import type {
  GateCall,
  GateReply,
  GateResult,
  LookupRefusal,
  SelfReply,
  SelfResult,
  SlotResult,
  TokenCounter,
  UnknownToken,
} from './token-gate.contract.ts';
import type { TokenGateObject } from './token-gate.object.ts';
import type { TokenState, TokensStore } from './tokens.store.ts';

/** Numbers by counter: lengths of windows in seconds, or counted requests. */
type PerCounter = Partial<Record<TokenCounter, number>>;

/** What the client of a gate gives; the gate adds the rest. */
type AdmissionCall = Omit<GateCall, 'hashedToken' | 'seen' | 'finished' | 'deliveryId'>;

/** The gates of all tokens, by token id. An isolate remembers wrong tokens; the Durable Object of the token stores the rest. */
export interface TokenGate extends TokenHistories {
  admit(token: PresentedToken, call: AdmissionCall): Promise<GateResult>;
  inspect(token: PresentedToken, callerAddress: string | null, now: UnixSeconds, windows: PerCounter): Promise<SelfResult>;
  /** Requests of a stored token in the open windows. */
  countUsed(tokenId: string, now: UnixSeconds, windows: PerCounter): Promise<PerCounter>;
  /** Acquires or renews a slot for a stream of an admitted token. */
  acquireSlot(tokenId: string, slot: SlotOfShard, limit: number, now: UnixSeconds): Promise<SlotResult>;
  releaseSlot(tokenId: string, slotId: string): Promise<void>;
  /** Call after a token or its owner changed in storage; null after the token was deleted. Applies from the next request on. */
  apply(tokenId: string, state: TokenState | null): Promise<void>;
  /** Version of a token that its gate has; null when it has none. */
  heldVersion(tokenId: string): Promise<number | null>;
  /** Records a finished request of a token. `waitUntil` extends work beyond the response. */
  recordRequest(tokenId: string, record: UsageRecord, waitUntil: (work: Promise<unknown>) => void): void;
}

interface GateContext {
  objects: DurableObjectNamespace<TokenGateObject>;
  tokens: Pick<TokensStore, 'exists'> | null;
  /** Finished requests that no object has yet. */
  usage: UsageBuffer;
  refused: RefusedTokens;
  /** Counts of the last replies, by token id and counter. */
  seenCounts: SeenCounts;
}

/**
 * `tokens`: looks up each token before the first use of its object, because its check characters are not verified; otherwise null.
 * `usageDelaySeconds`: see `UsageBuffer`.
 */
export function createTokenGate(
  objects: DurableObjectNamespace<TokenGateObject>,
  tokens: Pick<TokensStore, 'exists'> | null = null,
  usageDelaySeconds: number | null = null,
  nowMs: () => number = Date.now,
): TokenGate {
  const context: GateContext = {
    objects,
    tokens,
    usage: new UsageBuffer(usageDelaySeconds),
    refused: new RefusedTokens(nowMs),
    seenCounts: new SeenCounts(),
  };
  return bind(context, {
    admit,
    inspect,
    acquireSlot,
    releaseSlot,
    heldVersion,
    apply,
    summarizeUsage,
    countUsed,
    usageTotals,
    listRequests,
    recordRequest,
  });
}

function admit(context: GateContext, token: PresentedToken, call: AdmissionCall): Promise<GateResult> {
  const { objects, usage, seenCounts } = context;
  return ask<GateReply>(context, token, call.callerAddress, async () => {
    // Drained only now: a token that is refused without its object keeps its pending records.
    const pending = usage.drainDue(token.id);
    const finished = pending.records;
    const key = `${token.id}:${call.counter}`;
    try {
      const seen = seenCounts.find(key, call.windowSeconds, call.now);
      const reply = await objects.getByName(token.id).admit({ ...call, hashedToken: token.hash, seen, finished, deliveryId: pending.id });
      if ('used' in reply) seenCounts.note(key, call, call.now, reply.used);
      return reply;
    } catch (error) {
      // Under the same delivery id: an object that stored them although its reply was lost drops the repeat.
      usage.restore(token.id, pending);
      throw error;
    }
  });
}

const inspect = (
  context: GateContext,
  token: PresentedToken,
  callerAddress: string | null,
  now: UnixSeconds,
  windows: PerCounter,
): Promise<SelfResult> =>
  ask<SelfReply>(context, token, callerAddress, async () => {
    const reply = await context.objects.getByName(token.id).inspect(token.hash, callerAddress, now, windows);
    if ('self' in reply) reply.self.used = withSeen(context, token.id, now, windows, reply.self.used);
    return reply;
  });

const acquireSlot = async (
  { objects }: GateContext,
  tokenId: string,
  slot: SlotOfShard,
  limit: number,
  now: UnixSeconds,
): Promise<SlotResult> => objects.getByName(tokenId).acquireSlot(slot, limit, now);

async function releaseSlot({ objects }: GateContext, tokenId: string, slotId: string): Promise<void> {
  await objects.getByName(tokenId).releaseSlot(slotId);
}

const heldVersion = async ({ objects }: GateContext, tokenId: string): Promise<number | null> => objects.getByName(tokenId).heldVersion();

async function apply({ objects, usage }: GateContext, tokenId: string, state: TokenState | null): Promise<void> {
  if (state) return objects.getByName(tokenId).apply(state);
  usage.forget(tokenId);
  await objects.getByName(tokenId).erase();
}

const summarizeUsage = async ({ objects }: GateContext, tokenId: string, since: UnixSeconds, hoursSince: UnixSeconds) =>
  objects.getByName(tokenId).summarizeUsage(since, hoursSince);

const countUsed = async (context: GateContext, tokenId: string, now: UnixSeconds, windows: PerCounter) =>
  withSeen(context, tokenId, now, windows, await context.objects.getByName(tokenId).countUsed(now, windows));

const usageTotals = async ({ objects }: GateContext, tokenId: string): Promise<UsageTotals> => objects.getByName(tokenId).usageTotals();

async function listRequests(context: GateContext, tokenId: string, filter: RequestFilter, limit: number): Promise<StoredRequest[]> {
  // A reader looks for the latest requests, which wait in this isolate.
  await deliver(context, tokenId);
  return context.objects.getByName(tokenId).listRequests(filter, limit);
}

function recordRequest(context: GateContext, tokenId: string, record: UsageRecord, waitUntil: (work: Promise<unknown>) => void): void {
  context.usage.add(tokenId, record, waitUntil, () => deliver(context, tokenId));
}

/** Asks the object of a token unless the token is known to be wrong. Only ids of stored tokens have an object. */
async function ask<Reply extends GateReply | SelfReply>(
  { refused, tokens }: GateContext,
  { id, hash }: PresentedToken,
  callerAddress: string | null,
  question: () => Promise<Reply>,
): Promise<Exclude<Reply, UnknownToken> | LookupRefusal> {
  const refusal = refused.find(hash, callerAddress);
  if (refusal) return refusal;
  const mayExist = tokens === null || refused.wasRight(hash) || (await tokens.exists(id));
  const reply = mayExist ? await question() : null;
  if (reply && reply.outcome !== 'unknown') {
    refused.addRight(hash);
    return reply as Exclude<Reply, UnknownToken>;
  }
  refused.addWrong(hash, callerAddress);
  return { outcome: 'unauthenticated' };
}

/** The counts of the object, or those that this isolate saw: the object may have lost its memory. */
const withSeen = ({ seenCounts }: GateContext, tokenId: string, now: UnixSeconds, windows: PerCounter, used: PerCounter): PerCounter =>
  Object.fromEntries(
    (Object.entries(windows) as [TokenCounter, number][]).map(([counter, seconds]) => [
      counter,
      Math.max(used[counter] ?? 0, seenCounts.find(`${tokenId}:${counter}`, seconds, now)),
    ]),
  );

/** Sends the pending records of a token, if there are any. */
async function deliver({ objects, usage }: GateContext, tokenId: string): Promise<void> {
  for (let pending = usage.drain(tokenId); pending.records.length > 0; pending = usage.drain(tokenId)) {
    try {
      await objects.getByName(tokenId).recordUsage(pending.records, pending.id);
    } catch (error) {
      logError('token usage could not be stored', error);
      return usage.restore(tokenId, pending);
    }
  }
}

/** Refused tokens per address, isolate and minute before the address is throttled. */
const MAX_FAILED_LOOKUPS = 20;
const FAILURE_WINDOW_MS = 60_000;
/** Pause between two lookups of a throttled address. */
const SLOW_LOOKUP_MS = 1000;
const REFUSAL_MS = 5000;
const CAPACITY = 10_000;

/** Refused tokens of an address in a window that started at `since`. Times are real milliseconds. */
interface Failures {
  since: number;
  count: number;
  nextLookupAt: number;
}

/**
 * Remembers in an isolate which tokens are wrong, and counts them by address: a client that guesses secrets reaches an object at most
 * 20 times per minute, then once per second. Tokens that were right are never throttled.
 */
class RefusedTokens {
  /** By hash: end of the refusal, or infinity for a token that was right. */
  readonly #refusedUntil = new BoundedMap<string, number>(CAPACITY);
  readonly #failures = new BoundedMap<string, Failures>(CAPACITY);
  readonly #nowMs: () => number;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** True when the token was right before in this isolate. */
  wasRight(hashedToken: string): boolean {
    return this.#refusedUntil.get(hashedToken) === Number.POSITIVE_INFINITY;
  }

  /** The refusal of a token without a look at it; null when it must be looked at. */
  find(hashedToken: string, callerAddress: string | null): LookupRefusal | null {
    const until = this.#refusedUntil.get(hashedToken) ?? 0;
    const time = this.#nowMs();
    if (until === Number.POSITIVE_INFINITY) return null;
    if (time < until) return { outcome: 'unauthenticated' };
    const recent = this.#failuresOf(callerAddress, time);
    if (recent.count < MAX_FAILED_LOOKUPS) return null;
    if (time < recent.nextLookupAt) return { outcome: 'lookups_exhausted' };
    recent.nextLookupAt = time + SLOW_LOOKUP_MS;
    return null;
  }

  addRight(hashedToken: string): void {
    if (!this.wasRight(hashedToken)) this.#refusedUntil.set(hashedToken, Number.POSITIVE_INFINITY);
  }

  addWrong(hashedToken: string, callerAddress: string | null): void {
    const time = this.#nowMs();
    this.#refusedUntil.set(hashedToken, time + REFUSAL_MS);
    this.#failuresOf(callerAddress, time).count += 1;
  }

  #failuresOf(callerAddress: string | null, time: number): Failures {
    const address = addressKey(callerAddress);
    const recent = this.#failures.get(address);
    if (recent && time - recent.since < FAILURE_WINDOW_MS) return recent;
    const fresh = { since: time, count: 0, nextLookupAt: 0 };
    this.#failures.set(address, fresh);
    return fresh;
  }
}
