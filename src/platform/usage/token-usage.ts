import { crc32 } from 'node:zlib';
import { logError } from '../logging.ts';
import type { UnixSeconds } from '../time/clock.ts';
import { type HistoryPage, type RequestFilter, type StoredRequest, TokenHistory } from './token-history.ts';
import { addRecord, MAX_WAITING_RECORDS, type UsageRecord } from './usage-record.ts';
import { addUp, type DayUsage, daySums, type UsageReport, type UsageSummary } from './usage-sums.ts';
import type { UsageBundle, UsageOwner, UsageWriter } from './usage-writer.ts';

const STORAGE_KEY = 'token-usage';
/** Pending records are written this long after the last request: an idle object is evicted some seconds later. */
const IDLE_WRITE_MS = 3000;
/** So many requests go to the history at once. */
const HISTORY_RECORDS = MAX_WAITING_RECORDS / 2;
/** The first requests after a pause reach the database this much later. */
const FIRST_FLUSH_MS = 60_000;
/** Further ones so often at most: 100,000 busy tokens write 37 rows of the database a second. */
export const FLUSH_MS = 90 * 60_000;

/** Pending records of an object. Times are real milliseconds. */
export interface PendingState {
  /** Requests that are not yet in the history. */
  records: UsageRecord[];
  owner: UsageOwner | null;
  /** Sums by day that are not yet in the database. */
  days: DayUsage[];
  /** Time of the last of them. */
  lastAt: UnixSeconds;
  bundle: UsageBundle | null;
  /** Time of the next write to the database; 0 when nothing is pending. */
  flushAt: number;
  /** When the database last got something. */
  flushedAt: number;
  /** Time of the next expiry in the history; 0 without one. */
  expiresAt: number;
}

const empty = (): PendingState => ({
  ...{ records: [], owner: null, days: [], lastAt: 0, bundle: null },
  ...{ flushAt: 0, flushedAt: 0, expiresAt: 0 },
});

/**
 * Finished requests of a token in its Durable Object: collected in memory, written to storage when idle, stored in its own
 * history a hundred at a time. The database receives only daily sums. A bundle keeps its number until it is confirmed as
 * stored.
 */
export class TokenUsage {
  readonly #storage: DurableObjectStorage;
  readonly #history: TokenHistory;
  readonly #writer: UsageWriter;
  readonly #arm: (at: number) => void;
  #state: PendingState;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #lastSequence = 0;

  constructor(storage: DurableObjectStorage, writer: UsageWriter, arm: (at: number) => void) {
    this.#storage = storage;
    this.#history = new TokenHistory(storage.sql);
    this.#writer = writer;
    this.#arm = arm;
    this.#state = { ...empty(), ...storage.kv.get<PendingState>(STORAGE_KEY) };
  }

  /** Real time in milliseconds at which the alarm is needed; null when nothing is pending or stored. */
  get wakesAt(): number | null {
    const times = [this.#state.flushAt, this.#state.expiresAt].filter((at) => at > 0);
    return times.length === 0 ? null : Math.min(...times);
  }

  add(records: readonly UsageRecord[], owner: UsageOwner): void {
    if (records.length === 0) return;
    this.#state.owner = owner;
    for (const record of records) addRecord(this.#state.records, record);
    if (this.#state.records.length >= HISTORY_RECORDS) this.#store();
    this.#planFlush();
    this.#writeWhenIdle();
  }

  /** Sums of the days from an instant on and of their routes. */
  summary(since: UnixSeconds): UsageSummary {
    this.#store();
    return this.#state.expiresAt === 0 ? { days: [], routes: [] } : this.#history.summary(since);
  }

  /** The summary with the hours from a later instant on. */
  overview(since: UnixSeconds, hoursSince: UnixSeconds): UsageReport {
    const summary = this.summary(since);
    return { ...summary, hours: this.#state.expiresAt === 0 ? [] : this.#history.hours(hoursSince) };
  }

  /** Single requests, newest first. */
  requests(filter: RequestFilter, limit: number): StoredRequest[] {
    this.#store();
    return this.#state.expiresAt === 0 ? [] : this.#history.requests(filter, limit);
  }

  /** For the object's alarm. */
  async wake(): Promise<void> {
    const { flushAt } = this.#state;
    if (flushAt !== 0 && Date.now() >= flushAt) {
      await this.#flush().catch((error: unknown) => {
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

  /** Returns and removes pending records: the token has another object from now on. The history follows page by page. */
  release(): PendingState {
    const state = this.#state;
    this.#state = { ...empty(), expiresAt: state.expiresAt };
    this.#write();
    return state;
  }

  /** Takes what another object of the token has released. */
  adopt({ records, owner, days, lastAt, bundle, flushedAt }: PendingState): void {
    // A bundle that may be stored already keeps its number.
    if (bundle) this.#state.bundle ??= bundle;
    if (owner) this.#state.owner = owner;
    this.#state.flushedAt = Math.max(this.#state.flushedAt, flushedAt);
    this.#addDays(days, lastAt);
    if (owner) this.add(records, owner);
    if (days.length > 0 || bundle) this.#planFlush();
    this.#write();
  }

  /** The oldest part of the history; null without any. */
  page(): HistoryPage | null {
    return this.#state.expiresAt === 0 ? null : this.#history.page();
  }

  /** Deletes a part that is stored elsewhere. */
  dropPage(page: HistoryPage): void {
    this.#history.dropPage(page);
    this.#keep(this.#history.expiresAt());
    this.#write();
  }

  adoptPage(page: HistoryPage): void {
    this.#history.adoptPage(page);
    this.#keep(this.#history.expiresAt());
    this.#write();
  }

  /** To be called after the storage was emptied. */
  noteEmpty(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#state = empty();
    this.#history.noteEmpty();
  }

  /** Moves what waits into the history: sums and requests in one transaction with what is left. */
  #store(): void {
    const { records, owner } = this.#state;
    if (records.length === 0 || !owner) return;
    this.#storage.transactionSync(() => {
      this.#history.add(records, crc32(owner.tokenId) % 1000, nowSeconds());
      this.#addDays(daySums(records), Math.max(...records.map(({ at }) => at)));
      this.#state.records = [];
      this.#keep(this.#history.expiresAt());
      this.#storage.kv.put(STORAGE_KEY, this.#state);
    });
  }

  #addDays(days: readonly DayUsage[], lastAt: UnixSeconds): void {
    this.#state.days = addUp([...this.#state.days, ...days], ({ day }) => day);
    this.#state.lastAt = Math.max(this.#state.lastAt, lastAt);
  }

  #keep(expiresAt: UnixSeconds | null): void {
    this.#state.expiresAt = (expiresAt ?? 0) * 1000;
    if (this.wakesAt !== null) this.#arm(this.wakesAt);
  }

  #planFlush(): void {
    if (this.#state.flushAt === 0) {
      this.#state.flushAt = Math.max(Date.now() + FIRST_FLUSH_MS, this.#state.flushedAt + FLUSH_MS);
    }
    if (this.wakesAt !== null) this.#arm(this.wakesAt);
  }

  async #flush(): Promise<void> {
    this.#store();
    await this.#storeBundle();
    const { days, lastAt, owner } = this.#state;
    if (days.length > 0 && owner) {
      this.#lastSequence = Math.max(Date.now(), this.#lastSequence + 1);
      this.#state = { ...this.#state, days: [], bundle: { ...owner, sequence: this.#lastSequence, days, lastAt } };
      // Before it is stored, so that a crash repeats it under the same number.
      this.#write();
      await this.#storeBundle();
    }
    this.#state.flushAt = 0;
    // Records added meanwhile.
    if (this.#state.records.length > 0 || this.#state.days.length > 0) this.#planFlush();
  }

  async #storeBundle(): Promise<void> {
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
