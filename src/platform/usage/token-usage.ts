import { crc32 } from 'node:zlib';
import { logError } from '../logging.ts';
import type { UnixSeconds } from '../time/clock.ts';
import { type HistoryPage, type RequestFilter, type StoredRequest, TokenHistory } from './token-history.ts';
import { addRecord, MAX_PENDING_RECORDS, type UsageRecord } from './usage-record.ts';
import { addUp, type DayUsage, daySums, type UsageReport, type UsageSummary } from './usage-sums.ts';
import type { UsageBundle, UsageOwner, UsageWriter } from './usage-writer.ts';

const STORAGE_KEY = 'token-usage';
/** Delay between the first unwritten request and the write of pending records: an idle object is evicted some seconds later. */
const IDLE_WRITE_MS = 3000;
/** Number of pending records that are moved to the history at once. */
const HISTORY_RECORDS = MAX_PENDING_RECORDS / 2;
/** Delay of the write to the database after the first request. */
const FIRST_FLUSH_MS = 60_000;
/** Minimum interval between writes to the database: 100,000 busy tokens write 37 rows per second. */
export const FLUSH_MS = 90 * 60_000;

/** Pending usage of a token, as stored. Times are real milliseconds unless noted. */
export interface PendingState {
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
  /** Time of the last write to the database. */
  flushedAt: number;
  /** Time of the next expiry in the history; 0 when the history is empty. */
  expiresAt: number;
}

const empty = (): PendingState => ({
  ...{ records: [], owner: null, days: [], lastAt: 0, bundle: null },
  ...{ flushAt: 0, flushedAt: 0, expiresAt: 0 },
});

/**
 * Finished requests of a token in its Durable Object: collected in memory, written to storage when idle, and moved to the history
 * 100 at a time. The database receives only daily sums, in bundles. A bundle keeps its sequence number until its write succeeds.
 */
export class TokenUsage {
  readonly #storage: DurableObjectStorage;
  readonly #history: TokenHistory;
  readonly #writer: UsageWriter;
  readonly #setAlarm: (at: number) => void;
  #state: PendingState;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #lastSequence = 0;

  constructor(storage: DurableObjectStorage, writer: UsageWriter, setAlarm: (at: number) => void) {
    this.#storage = storage;
    this.#history = new TokenHistory(storage.sql);
    this.#writer = writer;
    this.#setAlarm = setAlarm;
    this.#state = { ...empty(), ...storage.kv.get<PendingState>(STORAGE_KEY) };
  }

  /** Time of the next alarm, real milliseconds; null when nothing is pending or stored. */
  get alarmAt(): number | null {
    const times = [this.#state.flushAt, this.#state.expiresAt].filter((at) => at > 0);
    return times.length === 0 ? null : Math.min(...times);
  }

  add(records: readonly UsageRecord[], owner: UsageOwner): void {
    if (records.length === 0) return;
    this.#state.owner = owner;
    for (const record of records) addRecord(this.#state.records, record);
    if (this.#state.records.length >= HISTORY_RECORDS) this.#flushToHistory();
    this.#planFlush();
    this.#writeWhenIdle();
  }

  /** Sums since a time, by day and by route. */
  summarize(since: UnixSeconds): UsageSummary {
    this.#flushToHistory();
    return this.#state.expiresAt === 0 ? { days: [], routes: [] } : this.#history.summarize(since);
  }

  /** The summary, and sums by hour since `hoursSince`. */
  summarizeWithHours(since: UnixSeconds, hoursSince: UnixSeconds): UsageReport {
    const summary = this.summarize(since);
    return { ...summary, hours: this.#state.expiresAt === 0 ? [] : this.#history.sumByHour(hoursSince) };
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
        this.#state.flushAt = Date.now() + FIRST_FLUSH_MS;
      });
      this.#write();
    }
    if (this.#state.expiresAt !== 0 && Date.now() >= this.#state.expiresAt) {
      this.#state.expiresAt = (this.#history.deleteExpired(nowSeconds()) ?? 0) * 1000;
      this.#write();
    }
  }

  /** Returns and removes the pending usage, for the new object of the token. The history follows page by page. */
  exportState(): PendingState {
    const state = this.#state;
    this.#state = { ...empty(), expiresAt: state.expiresAt };
    this.#write();
    return state;
  }

  /** Adds the pending usage of the previous object of the token. */
  importState({ records, owner, days, lastAt, bundle, flushedAt }: PendingState): void {
    // The bundle may be stored already: it keeps its sequence number.
    if (bundle) this.#state.bundle ??= bundle;
    if (owner) this.#state.owner = owner;
    this.#state.flushedAt = Math.max(this.#state.flushedAt, flushedAt);
    this.#addDays(days, lastAt);
    if (owner) this.add(records, owner);
    if (days.length > 0 || bundle) this.#planFlush();
    this.#write();
  }

  /** The oldest rows of the history; null when the history is empty. */
  readPage(): HistoryPage | null {
    return this.#state.expiresAt === 0 ? null : this.#history.readPage();
  }

  /** Deletes a page that another object has stored. */
  deletePage(page: HistoryPage): void {
    this.#history.deletePage(page);
    this.#setExpiry(this.#history.expiresAt());
    this.#write();
  }

  importPage(page: HistoryPage): void {
    this.#history.importPage(page);
    this.#setExpiry(this.#history.expiresAt());
    this.#write();
  }

  /** Call after the storage of the object was emptied. */
  reset(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#state = empty();
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
      this.#setExpiry(this.#history.expiresAt());
      this.#storage.kv.put(STORAGE_KEY, this.#state);
    });
  }

  #addDays(days: readonly DayUsage[], lastAt: UnixSeconds): void {
    this.#state.days = addUp([...this.#state.days, ...days], ({ day }) => day);
    this.#state.lastAt = Math.max(this.#state.lastAt, lastAt);
  }

  #setExpiry(expiresAt: UnixSeconds | null): void {
    this.#state.expiresAt = (expiresAt ?? 0) * 1000;
    if (this.alarmAt !== null) this.#setAlarm(this.alarmAt);
  }

  #planFlush(): void {
    if (this.#state.flushAt === 0) {
      this.#state.flushAt = Math.max(Date.now() + FIRST_FLUSH_MS, this.#state.flushedAt + FLUSH_MS);
    }
    if (this.alarmAt !== null) this.#setAlarm(this.alarmAt);
  }

  async #flushToDatabase(): Promise<void> {
    this.#flushToHistory();
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
    this.#state.flushedAt = Date.now();
  }

  #writeWhenIdle(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.#write();
    }, IDLE_WRITE_MS);
  }

  #write(): void {
    const { records, days, bundle, expiresAt } = this.#state;
    const isEmpty = records.length === 0 && days.length === 0 && bundle === null && expiresAt === 0;
    if (isEmpty) void this.#storage.delete(STORAGE_KEY, { allowUnconfirmed: true });
    else void this.#storage.put(STORAGE_KEY, this.#state, { allowUnconfirmed: true });
  }
}

const nowSeconds = (): UnixSeconds => Math.floor(Date.now() / 1000);
