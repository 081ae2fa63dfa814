import { DurableObject } from 'cloudflare:workers';
import { logError } from '../../logging.ts';
import { StoredCounters } from '../../rate-limits/stored-counters.ts';
import { StoredSlots } from '../../rate-limits/stored-slots.ts';
import { createDatabase } from '../../storage/database.ts';
import { ObjectAlarm } from '../../storage/object-alarm.ts';
import type { UnixSeconds } from '../../time/clock.ts';
import type { HistoryPage, RequestFilter, StoredRequest } from '../../usage/token-history.ts';
import { TokenUsage } from '../../usage/token-usage.ts';
import type { UsageRecord } from '../../usage/usage-record.ts';
import type { UsageReport } from '../../usage/usage-sums.ts';
import { createUsageWriter } from '../../usage/usage-writer.ts';
import { decideAfterCharge, decideBeforeCharge, isUsable, type TokenRecord } from './token-decision.ts';
import type { GateCall, GateReply, GateState, SelfReply, SlotReply, TokenCounter } from './token-gate.contract.ts';
import { createTokensRepository, type TokensRepository } from './tokens.repository.ts';

/**
 * Maximum age of a gate's copy of the token row. Changes of a token call `forget` and apply at once; this bounds the effect of
 * a lost RPC.
 */
const RECORD_TTL_MS = 30_000;
/** The gate of the new secret, while the history moves there; and how many pages it has got. */
const MOVES_TO = 'moves-to';
const PAGES_MOVED = 'pages-moved';
const MOVE_RETRY_MS = 60_000;
/** Pages received from the gate of an earlier secret, under its hash. */
const adoptedKey = (hashedToken: string) => `adopted:${hashedToken}`;

/** A page of history from the gate of an earlier secret. */
export interface HistoryMove {
  /** Hash of the earlier secret. */
  from: string;
  hashedToken: string;
  /** Counts from 0. */
  number: number;
  page: HistoryPage | null;
}

/** The gate of one token, named by its hash: allowlist, scope, expiry and exact counts in one call, and the home of its history. */
export class TokenGateObject extends DurableObject<Env> {
  readonly #counters: StoredCounters;
  readonly #slots: StoredSlots;
  readonly #tokens: TokensRepository;
  readonly #usage: TokenUsage;
  readonly #alarm: ObjectAlarm;
  #record: { value: TokenRecord | null; until: number } | null = null;
  #generation = 0;
  #isMoving = false;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    const db = createDatabase(env.DB);
    this.#alarm = new ObjectAlarm(ctx.storage);
    this.#counters = new StoredCounters(ctx.storage, (at) => this.#alarm.set('purge', at));
    this.#slots = new StoredSlots(ctx.storage, (at) => this.#alarm.set('slots', at));
    this.#usage = new TokenUsage(ctx.storage, createUsageWriter(db.$client), (at) => this.#alarm.set('usage', at));
    this.#alarm.note('purge', this.#counters.purgeAt);
    this.#alarm.note('usage', this.#usage.wakesAt);
    this.#tokens = createTokensRepository(db);
  }

  async admit(call: GateCall): Promise<GateReply> {
    const fresh = this.#fresh();
    const token = fresh === undefined ? await this.#load(call.hashedToken) : fresh;
    this.#note(token, call.finished);
    const before = decideBeforeCharge(token, call.demand, call.callerAddress, call.now);
    if (before !== 'charge' || !token) return { outcome: before === 'charge' ? 'unauthenticated' : before };
    const used = this.#counters.take(call.counter, call.limit, call.windowSeconds, call.now);
    const outcome = used > call.limit ? 'rate_limited' : decideAfterCharge(token, call.demand);
    return {
      outcome,
      used,
      caller: { kind: 'token', tokenId: token.id, userId: token.userId, isSuperuser: token.ownerIsSuperuser, scopes: token.scopes },
    };
  }

  /** Usage of the open windows; charges nothing. `windows`: length of the window of each counter to report. */
  used(now: UnixSeconds, windows: Partial<Record<TokenCounter, number>>): Partial<Record<TokenCounter, number>> {
    const used: Partial<Record<TokenCounter, number>> = {};
    for (const [counter, seconds] of Object.entries(windows) as [TokenCounter, number][]) {
      used[counter] = this.#counters.used(counter, seconds, now);
    }
    return used;
  }

  /** The token's view of itself, free of charge. `windows`: length of the window of each counter to report. */
  async inspect(
    hashedToken: string,
    callerAddress: string | null,
    now: UnixSeconds,
    windows: Partial<Record<TokenCounter, number>>,
  ): Promise<SelfReply> {
    const fresh = this.#fresh();
    const token = fresh === undefined ? await this.#load(hashedToken) : fresh;
    const before = decideBeforeCharge(token, { kind: 'any' }, callerAddress, now);
    if (!token || before === 'unauthenticated' || before === 'anonymous') return { outcome: 'unauthenticated' };
    if (before === 'ip_not_allowed' || before === 'expired') return { outcome: before };
    const { name, prefix, scopes, expiresAt, allowlist } = token;
    return {
      outcome: 'admitted',
      self: { name, prefix, scopes, expiresAt, allowedIpCount: allowlist.length, used: this.used(now, windows) },
    };
  }

  /**
   * Takes or renews a slot of a stream. A token that is no longer usable loses it, so that its streams end at their next
   * renewal.
   */
  async acquireSlot(id: string, hashedToken: string, limit: number, now: UnixSeconds): Promise<SlotReply> {
    const fresh = this.#fresh();
    const token = fresh === undefined ? await this.#load(hashedToken) : fresh;
    if (!isUsable(token, now)) {
      this.#slots.free(id);
      return 'unauthenticated';
    }
    return this.#slots.hold(id, '', { own: limit, network: null }) === null ? 'held' : 'full';
  }

  freeSlot(id: string): void {
    this.#slots.free(id);
  }

  /** Receives finished requests that no later RPC carried. */
  async report(hashedToken: string, finished: UsageRecord[]): Promise<void> {
    const fresh = this.#fresh();
    this.#note(fresh === undefined ? await this.#load(hashedToken) : fresh, finished);
  }

  /** The token has a new secret and so a new gate: drops the cached row and returns the state for the new gate. */
  release(newHash: string): GateState {
    this.forget();
    this.ctx.storage.kv.put(MOVES_TO, newHash);
    this.#alarm.set('moves', Date.now() + MOVE_RETRY_MS);
    return { windows: this.#counters.snapshot(), slots: this.#slots.release(), usage: this.#usage.release() };
  }

  /** Continues the counts of the previous secret: a rotation resets no rate limit and releases no stream. */
  adopt({ windows, slots, usage }: GateState, now: UnixSeconds): void {
    this.#counters.adopt(windows, now);
    this.#slots.adopt(slots);
    this.#usage.adopt(usage);
  }

  /** Moves the history to the gate of the new secret; the alarm resumes after a crash. */
  async moveHistory(): Promise<void> {
    const { kv } = this.ctx.storage;
    const newHash = kv.get<string>(MOVES_TO);
    const from = this.ctx.id.name;
    if (newHash === undefined || from === undefined || this.#isMoving) return;
    this.#isMoving = true;
    try {
      const gate = this.env.TOKEN_GATES.getByName(newHash);
      for (let page = this.#usage.page(); page; page = this.#usage.page()) {
        const moved = kv.get<number>(PAGES_MOVED) ?? 0;
        await gate.adoptHistory({ from, hashedToken: newHash, number: moved, page });
        const sent = page;
        this.ctx.storage.transactionSync(() => {
          this.#usage.dropPage(sent);
          kv.put(PAGES_MOVED, moved + 1);
        });
      }
      await gate.adoptHistory({ from, hashedToken: newHash, number: 0, page: null });
      kv.delete(PAGES_MOVED);
      kv.delete(MOVES_TO);
    } finally {
      this.#isMoving = false;
    }
  }

  /** Stores a page of the history of an earlier secret exactly once; null ends the move. A deleted token stores nothing. */
  async adoptHistory({ from, hashedToken, number, page }: HistoryMove): Promise<void> {
    const { kv } = this.ctx.storage;
    if (page === null) {
      kv.delete(adoptedKey(from));
      return;
    }
    const fresh = this.#fresh();
    const token = fresh === undefined ? await this.#load(hashedToken) : fresh;
    if (!token || (kv.get<number>(adoptedKey(from)) ?? 0) > number) return;
    this.ctx.storage.transactionSync(() => {
      this.#usage.adoptPage(page);
      kv.put(adoptedKey(from), number + 1);
    });
  }

  /** Sums of the token's requests from an instant on. */
  overview(since: UnixSeconds, hoursSince: UnixSeconds): UsageReport {
    return this.#usage.overview(since, hoursSince);
  }

  /** The token's single requests, newest first. */
  requests(filter: RequestFilter, limit: number): StoredRequest[] {
    return this.#usage.requests(filter, limit);
  }

  /** Deletes everything that is stored about the token. */
  async erase(): Promise<void> {
    this.forget();
    await this.ctx.storage.deleteAll();
    this.#usage.noteEmpty();
    this.#alarm.note('usage', null);
    this.#alarm.note('moves', null);
    this.#alarm.rearm();
  }

  /** Called after every change of the token or its owner: the next request reads the row again. */
  forget(): void {
    this.#generation += 1;
    this.#record = null;
  }

  override async alarm(): Promise<void> {
    this.#alarm.note('usage', null);
    this.#alarm.note('purge', null);
    this.#alarm.note('slots', null);
    this.#alarm.note('moves', null);
    await this.#usage.wake();
    await this.moveHistory().catch((error: unknown) => logError('token history could not be moved', error));
    await this.#counters.purge();
    const waitsFor = {
      ...{ purge: this.#counters.purgeAt, slots: this.#slots.sweep(), usage: this.#usage.wakesAt },
      moves: this.ctx.storage.kv.get(MOVES_TO) === undefined ? null : Date.now() + MOVE_RETRY_MS,
    };
    for (const [name, at] of Object.entries(waitsFor)) this.#alarm.note(name, at);
    if (Object.values(waitsFor).every((at) => at === null)) {
      await this.ctx.storage.deleteAll();
      this.#usage.noteEmpty();
    } else this.#alarm.rearm();
  }

  #note(token: TokenRecord | null, finished: readonly UsageRecord[]): void {
    if (token) this.#usage.add(finished, { tokenId: token.id, userId: token.userId });
  }

  /** The copy of the row while it is fresh; null when the token or its owner does not exist. */
  #fresh(): TokenRecord | null | undefined {
    return this.#record && Date.now() < this.#record.until ? this.#record.value : undefined;
  }

  /** Reads the row, and again when it changed meanwhile. Returns the last copy while the database is unavailable. */
  async #load(hashedToken: string): Promise<TokenRecord | null> {
    for (;;) {
      const generation = this.#generation;
      const lastGood = this.#record?.value;
      const value = await this.#tokens.find(hashedToken).catch((error: unknown) => {
        if (!lastGood) throw error;
        logError('token row could not be read', error, { token_id: lastGood.id });
        return lastGood;
      });
      if (generation !== this.#generation) continue;
      this.#record = { value, until: Date.now() + RECORD_TTL_MS };
      return value;
    }
  }
}
