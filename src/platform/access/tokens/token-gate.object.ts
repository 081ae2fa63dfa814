import { DurableObject } from 'cloudflare:workers';
import { objectsOf } from '../../durable/object-calls.ts';
import { logError } from '../../kit/logging.ts';
import type { UnixSeconds } from '../../kit/time/clock.ts';
import { createDatabase } from '../../storage/database.ts';
import { ObjectAlarm } from '../../storage/object-alarm.ts';
import { StoredCounters } from '../limits/stored-counters.ts';
import { type SlotOfShard, StoredSlots } from '../limits/stored-slots.ts';
import type { RequestFilter, StoredRequest } from '../usage/token-history.ts';
import { TokenUsage, type UsageTotals } from '../usage/token-usage.ts';
import type { UsageRecord } from '../usage/usage-buffer.ts';
import type { UsageReport } from '../usage/usage-sums.ts';
import { createUsageWriter } from '../usage/usage-writer.ts';
import { decideAfterCharge, decideBeforeCharge, hasSecret, isLive, isUsable, type TokenRecord } from './token-decision.ts';
import type { GateCall, GateReply, SelfReply, SlotResult, TokenCounter } from './token-gate.contract.ts';
import { createTokensStore, type TokenState, type TokensStore } from './tokens.store.ts';

/** The gate of one token, named by its id. Checks secret, allowlist, scope, expiry and rate limits in one RPC, and stores the usage history. */
export class TokenGateObject extends DurableObject<Env> {
  readonly #counters: StoredCounters;
  readonly #slots: StoredSlots;
  readonly #token: TokenCopy;
  readonly #usage: TokenUsage;
  readonly #alarm: ObjectAlarm;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    const db = createDatabase(env.DB);
    this.#alarm = new ObjectAlarm(ctx.storage);
    this.#counters = new StoredCounters(ctx.storage, (at) => this.#alarm.set('counters', at));
    this.#slots = new StoredSlots(ctx.storage, (at) => this.#alarm.set('slots', at));
    this.#usage = new TokenUsage(ctx.storage, createUsageWriter(db.$client), (at) => this.#alarm.set('usage', at));
    this.#alarm.note('counters', this.#counters.expiresAt);
    this.#alarm.note('usage', this.#usage.alarmAt);
    const tokens = createTokensStore(db);
    this.#token = new TokenCopy({
      kv: ctx.storage.kv,
      find: async () => (ctx.id.name === undefined ? null : tokens.find(ctx.id.name)),
      waitUntil: (work) => ctx.waitUntil(work),
      nowMs: () => Date.now(),
    });
  }

  async admit(call: GateCall): Promise<GateReply> {
    const token = await this.#token.read();
    this.#recordUsage(token, call.finished, call.deliveryId);
    if (!token || !hasSecret(token, call.hashedToken, call.now)) return { outcome: 'unknown' };
    const before = decideBeforeCharge(token, call.demand, call.callerAddress, call.now);
    if (before !== 'charge') return { outcome: before };
    const used = this.#counters.consume(call.counter, call.limit, call.windowSeconds, call.now, call.seen);
    const outcome = used > call.limit ? 'rate_limited' : decideAfterCharge(token, call.demand);
    return {
      outcome,
      used,
      caller: { kind: 'token', tokenId: token.id, userId: token.userId, isSuperuser: token.ownerIsSuperuser, scopes: token.scopes },
    };
  }

  /** Requests in the open windows; charges nothing. `windows`: window length in seconds of each requested counter. */
  countUsed(now: UnixSeconds, windows: Partial<Record<TokenCounter, number>>): Partial<Record<TokenCounter, number>> {
    const used: Partial<Record<TokenCounter, number>> = {};
    for (const [counter, seconds] of Object.entries(windows) as [TokenCounter, number][]) {
      used[counter] = this.#counters.used(counter, seconds, now);
    }
    return used;
  }

  /** Data of the token for its owner; charges nothing. `windows`: window length in seconds of each requested counter. */
  async inspect(
    hashedToken: string,
    callerAddress: string | null,
    now: UnixSeconds,
    windows: Partial<Record<TokenCounter, number>>,
  ): Promise<SelfReply> {
    const token = await this.#token.read();
    if (!token || !hasSecret(token, hashedToken, now)) return { outcome: 'unknown' };
    const before = decideBeforeCharge(token, { kind: 'any' }, callerAddress, now);
    if (before === 'unauthenticated' || before === 'anonymous') return { outcome: 'unauthenticated' };
    if (before === 'ip_not_allowed' || before === 'expired') return { outcome: before };
    const { name, prefix, scopes, expiresAt, allowlist } = token;
    return {
      outcome: 'admitted',
      self: { name, prefix, scopes, expiresAt, allowedIpCount: allowlist.length, used: this.countUsed(now, windows) },
    };
  }

  /** Acquires or renews a slot of a stream. A token that is no longer usable loses its slot. */
  async acquireSlot(slot: SlotOfShard, limit: number, now: UnixSeconds): Promise<SlotResult> {
    const token = await this.#token.read();
    if (!isUsable(token, now)) {
      this.#slots.release(slot.id);
      return { outcome: 'unauthenticated' };
    }
    const full = this.#slots.acquire(slot, token.id, { own: limit, network: null });
    return full ? { outcome: 'full', ...full } : { outcome: 'acquired', expiresAt: token.expiresAt };
  }

  /** Ends the open streams of the token. Rejects unless every shard with a stream confirms: repeat the call. */
  async endStreams(): Promise<void> {
    const shards = objectsOf(this.env, 'EVENT_SHARDS');
    await Promise.all(this.#slots.holders().map(({ shard, holder }) => shards.getByName(shard).endStreamsOf(holder)));
  }

  releaseSlot(id: string): void {
    this.#slots.release(id);
  }

  /** Records finished requests that no `admit` has reported, once per `deliveryId`. */
  async recordUsage(finished: UsageRecord[], deliveryId?: string): Promise<void> {
    this.#recordUsage(await this.#token.read(), finished, deliveryId);
  }

  /** Sums of the token's requests since a time. */
  summarizeUsage(since: UnixSeconds, hoursSince: UnixSeconds): UsageReport {
    return this.#usage.summarizeWithHours(since, hoursSince);
  }

  /** The token's single requests, newest first. */
  listRequests(filter: RequestFilter, limit: number): StoredRequest[] {
    return this.#usage.listRequests(filter, limit);
  }

  /** Number of requests of the token and its last use. */
  usageTotals(): UsageTotals {
    return this.#usage.totals;
  }

  /**
   * Call after each change of the token or its owner. An older version than the stored one has no effect. Ends the streams of a token that
   * is no longer live; rejects unless that is confirmed: repeat the call.
   */
  async apply(state: TokenState): Promise<void> {
    this.#token.apply(state);
    if (this.#slots.holders().length > 0 && !isLive(await this.#token.read())) await this.endStreams();
  }

  /** Version of the token that the gate has; null when it has none. The version of a deleted token is the greatest safe integer. */
  heldVersion(): number | null {
    return this.#token.version;
  }

  /** Call after the token was deleted: ends its streams, deletes its data and refuses it permanently. */
  async erase(): Promise<void> {
    this.#token.markDeleted();
    await this.endStreams();
    await this.ctx.storage.deleteAll();
    this.#token.markDeleted();
    this.#usage.reset();
    this.#alarm.note('usage', null);
    this.#alarm.rearm();
  }

  override async alarm(): Promise<void> {
    this.#alarm.note('usage', null);
    this.#alarm.note('counters', null);
    this.#alarm.note('slots', null);
    await this.#usage.onAlarm();
    this.#counters.deleteExpired();
    const alarms = { counters: this.#counters.expiresAt, slots: this.#slots.deleteExpired(), usage: this.#usage.alarmAt };
    for (const [name, at] of Object.entries(alarms)) this.#alarm.note(name, at);
    this.#alarm.rearm();
  }

  #recordUsage(token: TokenRecord | null, finished: readonly UsageRecord[], deliveryId?: string): void {
    if (token && finished.length > 0) this.#usage.add(finished, { tokenId: token.id, userId: token.userId }, deliveryId);
  }
}

/** Age after which the next request starts a refresh in the background. It bounds the effect of a row edited by hand. */
const REFRESH_MS = 600_000;
/** Pause after a refresh that failed. */
const REFRESH_RETRY_MS = 60_000;
/** How long a token without a row is refused from memory. */
const MISSING_MS = 5000;
export const TOKEN_COPY_KEY = 'token';
/** Version of a deleted token: no later row replaces it. */
const DELETED_VERSION = Number.MAX_SAFE_INTEGER;

/** A stored copy. `record` null: the token was deleted. `readAt`: real milliseconds. */
export interface StoredCopy {
  version: number;
  record: TokenRecord | null;
  readAt: number;
}

interface TokenCopyDeps {
  kv: Pick<SyncKvStorage, 'get' | 'put'>;
  /** The row in the primary database. */
  find(): ReturnType<TokensStore['find']>;
  waitUntil(work: Promise<unknown>): void;
  /** Real time in milliseconds. */
  nowMs(): number;
}

/**
 * A gate's copy of its token, in the storage of the gate. The greatest version wins: a read of the database that ends after a newer
 * message is discarded. Only the first use of a gate waits for the database.
 */
class TokenCopy {
  readonly #deps: TokenCopyDeps;
  #copy: StoredCopy | undefined;
  #loading: Promise<TokenRecord | null> | null = null;
  #isRefreshing = false;
  #missingUntil = 0;

  constructor(deps: TokenCopyDeps) {
    this.#deps = deps;
    this.#copy = deps.kv.get<StoredCopy>(TOKEN_COPY_KEY);
  }

  /** The token; null when it does not exist. Rejects when the first read of the database fails. */
  async read(): Promise<TokenRecord | null> {
    if (this.#copy) {
      this.#refreshWhenOld(this.#copy);
      return this.#copy.record;
    }
    if (this.#deps.nowMs() < this.#missingUntil) return null;
    this.#loading ??= this.#load().finally(() => {
      this.#loading = null;
    });
    return this.#loading;
  }

  /** Version of the stored copy; null without one. */
  get version(): number | null {
    return this.#copy?.version ?? null;
  }

  /** Stores a newer or equal version of the token. */
  apply({ version, record }: TokenState): void {
    if (this.#copy && version < this.#copy.version) return;
    this.#store({ version, record, readAt: this.#deps.nowMs() });
  }

  /** Marks the token as deleted; call again after the storage was emptied. */
  markDeleted(): void {
    this.#store({ version: DELETED_VERSION, record: null, readAt: this.#deps.nowMs() });
  }

  #store(copy: StoredCopy): void {
    this.#copy = copy;
    this.#deps.kv.put(TOKEN_COPY_KEY, copy);
  }

  async #load(): Promise<TokenRecord | null> {
    const found = await this.#deps.find();
    if (found) this.apply(found);
    else if (!this.#copy) this.#missingUntil = this.#deps.nowMs() + MISSING_MS;
    return this.#copy?.record ?? null;
  }

  #refreshWhenOld({ version, readAt }: StoredCopy): void {
    if (this.#isRefreshing || version === DELETED_VERSION || this.#deps.nowMs() - readAt < REFRESH_MS) return;
    this.#isRefreshing = true;
    this.#deps.waitUntil(
      this.#refresh().finally(() => {
        this.#isRefreshing = false;
      }),
    );
  }

  async #refresh(): Promise<void> {
    try {
      const found = await this.#deps.find();
      if (found) this.apply(found);
      // A row that disappeared without a message, as after a restore of the database: a later refresh may find it again.
      else if (this.#copy && this.#copy.version !== DELETED_VERSION)
        this.#store({ ...this.#copy, record: null, readAt: this.#deps.nowMs() });
    } catch (error) {
      logError('token row could not be refreshed', error);
      if (this.#copy) this.#copy.readAt = this.#deps.nowMs() - REFRESH_MS + REFRESH_RETRY_MS;
    }
  }
}
