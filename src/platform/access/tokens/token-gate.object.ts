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
import type { GateCall, GateResult, GateState, SelfResult, SlotResult, TokenCounter } from './token-gate.contract.ts';
import { createTokensRepository, type TokensRepository } from './tokens.repository.ts';

/**
 * Maximum age of the cached token row. A change of a token calls `invalidate` and applies at once; the TTL bounds the effect of a
 * lost RPC.
 */
const RECORD_TTL_MS = 30_000;
/** Hash of the new secret while the history moves to its gate, and the number of moved pages. */
const MOVES_TO = 'moves-to';
const PAGES_MOVED = 'pages-moved';
const MOVE_RETRY_MS = 60_000;
/** Key of the number of pages imported from the gate of an earlier secret. */
const importedKey = (hashedToken: string) => `adopted:${hashedToken}`;

/** A page of history from the gate of an earlier secret. */
export interface HistoryMove {
  /** Hash of the earlier secret. */
  from: string;
  hashedToken: string;
  /** Index of the page, from 0. */
  number: number;
  page: HistoryPage | null;
}

/** The gate of one token, named by its hash. Checks allowlist, scope, expiry and rate limits in one RPC, and stores the usage history. */
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
    this.#counters = new StoredCounters(ctx.storage, (at) => this.#alarm.set('counters', at));
    this.#slots = new StoredSlots(ctx.storage, (at) => this.#alarm.set('slots', at));
    this.#usage = new TokenUsage(ctx.storage, createUsageWriter(db.$client), (at) => this.#alarm.set('usage', at));
    this.#alarm.note('counters', this.#counters.expiresAt);
    this.#alarm.note('usage', this.#usage.alarmAt);
    this.#tokens = createTokensRepository(db);
  }

  async admit(call: GateCall): Promise<GateResult> {
    const token = await this.#token(call.hashedToken);
    this.#recordUsage(token, call.finished);
    const before = decideBeforeCharge(token, call.demand, call.callerAddress, call.now);
    if (before !== 'charge' || !token) return { outcome: before === 'charge' ? 'unauthenticated' : before };
    const used = this.#counters.consume(call.counter, call.limit, call.windowSeconds, call.now);
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
  ): Promise<SelfResult> {
    const token = await this.#token(hashedToken);
    const before = decideBeforeCharge(token, { kind: 'any' }, callerAddress, now);
    if (!token || before === 'unauthenticated' || before === 'anonymous') return { outcome: 'unauthenticated' };
    if (before === 'ip_not_allowed' || before === 'expired') return { outcome: before };
    const { name, prefix, scopes, expiresAt, allowlist } = token;
    return {
      outcome: 'admitted',
      self: { name, prefix, scopes, expiresAt, allowedIpCount: allowlist.length, used: this.countUsed(now, windows) },
    };
  }

  /**
   * Acquires or renews a slot of a stream. A token that is no longer usable loses its slot, which ends the stream at its next
   * renewal.
   */
  async acquireSlot(id: string, hashedToken: string, limit: number, now: UnixSeconds): Promise<SlotResult> {
    const token = await this.#token(hashedToken);
    if (!isUsable(token, now)) {
      this.#slots.release(id);
      return 'unauthenticated';
    }
    return this.#slots.acquire(id, '', { own: limit, network: null }) === null ? 'acquired' : 'full';
  }

  releaseSlot(id: string): void {
    this.#slots.release(id);
  }

  /** Records finished requests that no `admit` has reported. */
  async recordUsage(hashedToken: string, finished: UsageRecord[]): Promise<void> {
    this.#recordUsage(await this.#token(hashedToken), finished);
  }

  /** Called after a rotation: invalidates the cached row, and returns and removes the state for the gate of the new secret. */
  exportState(newHash: string): GateState {
    this.invalidate();
    this.ctx.storage.kv.put(MOVES_TO, newHash);
    this.#alarm.set('moves', Date.now() + MOVE_RETRY_MS);
    return { windows: this.#counters.snapshot(), slots: this.#slots.removeAll(), usage: this.#usage.exportState() };
  }

  /** Continues the counts of the previous secret: a rotation neither resets rate limits nor ends streams. */
  importState({ windows, slots, usage }: GateState, now: UnixSeconds): void {
    this.#counters.importWindows(windows, now);
    this.#slots.importSlots(slots);
    this.#usage.importState(usage);
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
      for (let page = this.#usage.readPage(); page; page = this.#usage.readPage()) {
        const moved = kv.get<number>(PAGES_MOVED) ?? 0;
        await gate.importHistory({ from, hashedToken: newHash, number: moved, page });
        const sent = page;
        this.ctx.storage.transactionSync(() => {
          this.#usage.deletePage(sent);
          kv.put(PAGES_MOVED, moved + 1);
        });
      }
      await gate.importHistory({ from, hashedToken: newHash, number: 0, page: null });
      kv.delete(PAGES_MOVED);
      kv.delete(MOVES_TO);
    } finally {
      this.#isMoving = false;
    }
  }

  /** Stores a page of the history of an earlier secret exactly once; a null page ends the move. No effect for a deleted token. */
  async importHistory({ from, hashedToken, number, page }: HistoryMove): Promise<void> {
    const { kv } = this.ctx.storage;
    if (page === null) {
      kv.delete(importedKey(from));
      return;
    }
    const token = await this.#token(hashedToken);
    if (!token || (kv.get<number>(importedKey(from)) ?? 0) > number) return;
    this.ctx.storage.transactionSync(() => {
      this.#usage.importPage(page);
      kv.put(importedKey(from), number + 1);
    });
  }

  /** Sums of the token's requests since a time. */
  summarizeUsage(since: UnixSeconds, hoursSince: UnixSeconds): UsageReport {
    return this.#usage.summarizeWithHours(since, hoursSince);
  }

  /** The token's single requests, newest first. */
  listRequests(filter: RequestFilter, limit: number): StoredRequest[] {
    return this.#usage.listRequests(filter, limit);
  }

  /** Deletes all stored data of the token. */
  async erase(): Promise<void> {
    this.invalidate();
    await this.ctx.storage.deleteAll();
    this.#usage.reset();
    this.#alarm.note('usage', null);
    this.#alarm.note('moves', null);
    this.#alarm.rearm();
  }

  /** Called after each change of the token or its owner: the next request reads the row again. */
  invalidate(): void {
    this.#generation += 1;
    this.#record = null;
  }

  override async alarm(): Promise<void> {
    this.#alarm.note('usage', null);
    this.#alarm.note('counters', null);
    this.#alarm.note('slots', null);
    this.#alarm.note('moves', null);
    await this.#usage.onAlarm();
    await this.moveHistory().catch((error: unknown) => logError('token history could not be moved', error));
    await this.#counters.deleteExpired();
    const alarms = {
      ...{ counters: this.#counters.expiresAt, slots: this.#slots.deleteExpired(), usage: this.#usage.alarmAt },
      moves: this.ctx.storage.kv.get(MOVES_TO) === undefined ? null : Date.now() + MOVE_RETRY_MS,
    };
    for (const [name, at] of Object.entries(alarms)) this.#alarm.note(name, at);
    if (Object.values(alarms).every((at) => at === null)) {
      await this.ctx.storage.deleteAll();
      this.#usage.reset();
    } else this.#alarm.rearm();
  }

  #recordUsage(token: TokenRecord | null, finished: readonly UsageRecord[]): void {
    if (token) this.#usage.add(finished, { tokenId: token.id, userId: token.userId });
  }

  /** The token row, cached for `RECORD_TTL_MS`; null when the token or its owner does not exist. */
  async #token(hashedToken: string): Promise<TokenRecord | null> {
    return this.#record && Date.now() < this.#record.until ? this.#record.value : this.#load(hashedToken);
  }

  /** Reads the row, and reads again when it was invalidated meanwhile. Returns the cached row while the database is unavailable. */
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
