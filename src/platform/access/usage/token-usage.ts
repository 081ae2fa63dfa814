import { crc32 } from 'node:zlib';
import { logError } from '../../kit/logging.ts';
import { SECONDS_PER_HOUR, type UnixSeconds } from '../../kit/time/clock.ts';
import { type RequestFilter, type StoredRequest, TokenHistory } from './token-history.ts';
import { addRecord, type UsageRecord } from './usage-buffer.ts';
import { addUp, type DayUsage, daySums, type UsageReport, type UsageSummary } from './usage-sums.ts';
import type { UsageBundle, UsageOwner, UsageWriter } from './usage-writer.ts';

export const TOKEN_USAGE_KEY = 'token-usage';
/** Number of pending requests that are moved to the history at once. */
const HISTORY_REQUESTS = 100;
/** Time from the first request that is not in the database to the write: 100,000 busy tokens write 10 rows per second. */
export const FLUSH_SECONDS = 6 * SECONDS_PER_HOUR;
/** Time until a request is in the sums of the database. */
export const USAGE_LAG_SECONDS = FLUSH_SECONDS;
/** Deliveries that are recognised when they are repeated: one of each isolate that was in flight during a failure. */
const MAX_DELIVERIES = 8;
/** Pause after a write to the database that failed. */
const RETRY_MS = 60_000;

/** All requests of a token. */
export interface UsageTotals {
  requestCount: number;
  /** Time of the last request; null without one. */
  lastUsedAt: UnixSeconds | null;
}

/** Usage histories in the objects of the tokens, by token id. */
export interface TokenHistories {
  summarizeUsage(tokenId: string, since: UnixSeconds, hoursSince: UnixSeconds): Promise<UsageReport>;
  listRequests(tokenId: string, filter: RequestFilter, limit: number): Promise<StoredRequest[]>;
  /** Number of requests and last use of a token. */
  usageTotals(tokenId: string): Promise<UsageTotals>;
}

/** Usage of a token, as stored. Times are real milliseconds unless noted. */
export interface StoredUsage {
  /** Requests that are not in the history yet. */
  records: UsageRecord[];
  owner: UsageOwner | null;
  /** Sums by day that are not in the database yet. */
  days: DayUsage[];
  /** Time of the last request in `days`, unix seconds. */
  lastAt: UnixSeconds;
  bundle: UsageBundle | null;
  /** Time of the next write to the database; 0 when nothing is pending. */
  flushAt: number;
  /** Time of the next expiry in the history; 0 when the history is empty. */
  expiresAt: number;
  totals: UsageTotals;
  /** Ids of the newest deliveries: an isolate repeats one whose reply was lost. */
  deliveries?: string[] | undefined;
}

const empty = (): StoredUsage => ({
  records: [],
  owner: null,
  days: [],
  lastAt: 0,
  bundle: null,
  flushAt: 0,
  expiresAt: 0,
  totals: { requestCount: 0, lastUsedAt: null },
});

/**
 * Finished requests of a token in its Durable Object: each delivery overwrites one row, and 100 requests, or the pending ones when a
 * report is read, move to the history. The database receives only daily sums, in bundles. A bundle keeps its sequence number until its
 * write succeeds.
 */
export class TokenUsage {
  readonly #storage: DurableObjectStorage;
  readonly #history: TokenHistory;
  readonly #writer: UsageWriter;
  readonly #setAlarm: (at: number) => void;
  #state: StoredUsage;
  /** Time of the alarm that is set. */
  #alarmAt: number | null;
  #lastSequence = 0;

  constructor(storage: DurableObjectStorage, writer: UsageWriter, setAlarm: (at: number) => void) {
    this.#storage = storage;
    this.#history = new TokenHistory(storage.sql);
    this.#writer = writer;
    this.#setAlarm = setAlarm;
    this.#state = { ...empty(), ...storage.kv.get<StoredUsage>(TOKEN_USAGE_KEY) };
    this.#alarmAt = this.alarmAt;
  }

  /** Time of the next alarm, real milliseconds; null when nothing is pending or stored. */
  get alarmAt(): number | null {
    const times = [this.#state.flushAt, this.#state.expiresAt].filter((at) => at > 0);
    return times.length === 0 ? null : Math.min(...times);
  }

  /** All requests since the token was created. */
  get totals(): UsageTotals {
    return this.#state.totals;
  }

  /** Time of the last request; null without one. */
  get lastUsedAt(): UnixSeconds | null {
    return this.#state.totals.lastUsedAt;
  }

  /** Stores finished requests, once per delivery. */
  add(records: readonly UsageRecord[], owner: UsageOwner, deliveryId?: string): void {
    const { deliveries = [] } = this.#state;
    if (records.length === 0 || (deliveryId !== undefined && deliveries.includes(deliveryId))) return;
    if (deliveryId !== undefined) this.#state.deliveries = [...deliveries, deliveryId].slice(-MAX_DELIVERIES);
    const { totals } = this.#state;
    this.#state.owner = owner;
    for (const record of records) {
      addRecord(this.#state.records, record);
      totals.requestCount += record.count;
      totals.lastUsedAt = Math.max(totals.lastUsedAt ?? 0, record.at);
    }
    this.#planFlush();
    if (this.#state.records.reduce((sum, { count }) => sum + count, 0) >= HISTORY_REQUESTS) this.#flushToHistory();
    else this.#write();
  }

  /** Sums since a time, by day and by route. */
  summarize(since: UnixSeconds): UsageSummary {
    this.#flushToHistory();
    return this.#state.expiresAt === 0 ? { days: [], routes: [] } : this.#history.summarize(since);
  }

  /** The summary, and sums by hour since `hoursSince`. */
  summarizeWithHours(since: UnixSeconds, hoursSince: UnixSeconds): UsageReport {
    const summary = this.summarize(since);
    const hours = this.#state.expiresAt === 0 ? [] : this.#history.sumByHour(hoursSince);
    return { ...summary, hours, lastUsedAt: this.lastUsedAt };
  }

  /** Requests, newest first. */
  listRequests(filter: RequestFilter, limit: number): StoredRequest[] {
    this.#flushToHistory();
    return this.#state.expiresAt === 0 ? [] : this.#history.listRequests(filter, limit);
  }

  /** Call in the alarm handler of the object. */
  async onAlarm(): Promise<void> {
    const { flushAt } = this.#state;
    if (flushAt !== 0 && Date.now() >= flushAt) {
      await this.#flushToDatabase().catch((error: unknown) => {
        logError('usage could not be stored', error);
        this.#state.flushAt = Date.now() + RETRY_MS;
      });
      this.#write();
    }
    if (this.#state.expiresAt !== 0 && Date.now() >= this.#state.expiresAt) {
      this.#state.expiresAt = (this.#history.deleteExpired(nowSeconds()) ?? 0) * 1000;
      this.#write();
    }
    // The object sets the alarm again after its handler.
    this.#alarmAt = this.alarmAt;
  }

  /** Call after the storage of the object was emptied. */
  reset(): void {
    this.#state = empty();
    this.#alarmAt = null;
    this.#history.reset();
  }

  /** Moves pending records to the history and stores the remaining state in the same transaction. */
  #flushToHistory(): void {
    const { records, owner } = this.#state;
    if (records.length === 0 || !owner) return;
    this.#storage.transactionSync(() => {
      this.#history.add(records, crc32(owner.tokenId) % 1000, nowSeconds());
      this.#addDays(daySums(records), Math.max(...records.map(({ at }) => at)));
      this.#state.records = [];
      this.#state.expiresAt = (this.#history.expiresAt() ?? 0) * 1000;
      this.#storage.kv.put(TOKEN_USAGE_KEY, this.#state);
    });
    this.#setChangedAlarm();
  }

  #addDays(days: readonly DayUsage[], lastAt: UnixSeconds): void {
    this.#state.days = addUp([...this.#state.days, ...days], ({ day }) => day);
    this.#state.lastAt = Math.max(this.#state.lastAt, lastAt);
  }

  #planFlush(): void {
    if (this.#state.flushAt === 0) this.#state.flushAt = Date.now() + FLUSH_SECONDS * 1000;
    this.#setChangedAlarm();
  }

  /** Sets the alarm only when its time changed: each call is a write. */
  #setChangedAlarm(): void {
    const at = this.alarmAt;
    if (at === null || at === this.#alarmAt) return;
    this.#alarmAt = at;
    this.#setAlarm(at);
  }

  async #flushToDatabase(): Promise<void> {
    this.#flushToHistory();
    this.#state.expiresAt = (this.#history.deleteExpired(nowSeconds()) ?? 0) * 1000;
    await this.#writeBundle();
    const { days, lastAt, owner } = this.#state;
    if (days.length > 0 && owner) {
      this.#lastSequence = Math.max(Date.now(), this.#lastSequence + 1);
      this.#state = { ...this.#state, days: [], bundle: { ...owner, sequence: this.#lastSequence, days, lastAt } };
      // Stored first: after a crash the bundle is written again with the same sequence number.
      this.#write();
      await this.#writeBundle();
    }
    this.#state.flushAt = 0;
    // Records were added meanwhile.
    if (this.#state.records.length > 0 || this.#state.days.length > 0) this.#planFlush();
  }

  async #writeBundle(): Promise<void> {
    const { bundle } = this.#state;
    if (!bundle) return;
    await this.#writer.write(bundle);
    if (this.#state.bundle === bundle) this.#state.bundle = null;
  }

  #write(): void {
    void this.#storage.put(TOKEN_USAGE_KEY, this.#state, { allowUnconfirmed: true });
  }
}

const nowSeconds = (): UnixSeconds => Math.floor(Date.now() / 1000);
