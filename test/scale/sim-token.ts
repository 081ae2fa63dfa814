import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { StoredCounters } from '../../src/platform/access/limits/stored-counters.ts';
import { TokenUsage } from '../../src/platform/access/usage/token-usage.ts';
import type { UsageRecord } from '../../src/platform/access/usage/usage-buffer.ts';
import { UsageBuffer } from '../../src/platform/access/usage/usage-buffer.ts';
import type { UsageBundle } from '../../src/platform/access/usage/usage-writer.ts';

/** An object without requests is evicted after this time. */
const EVICTION_MS = 10_000;
/** The rate limit of a token. */
const LIMIT = 120;
const WINDOW_SECONDS = 60;

/** Costs of the object of a token, and of its writes to D1. */
export interface TokenCosts {
  /** RPC that only deliver usage. */
  deliveries: number;
  alarms: number;
  /** Rows written to the object's storage, alarms included. */
  objectRows: number;
  d1Rows: number;
  d1NewRows: number;
}

/** Simulated clock and timers, in milliseconds. */
export class SimClock {
  now = Date.UTC(2026, 0, 1);
  readonly #timers: { at: number; run: () => void }[] = [];

  /** Replaces the global clock and timers. Returns a function that restores them. */
  install(): () => void {
    const { now } = Date;
    const { setTimeout: real } = globalThis;
    Date.now = () => this.now;
    globalThis.setTimeout = ((run: () => void, milliseconds: number) => {
      this.#timers.push({ at: this.now + milliseconds, run });
      return this.#timers.length;
    }) as unknown as typeof setTimeout;
    return () => {
      Date.now = now;
      globalThis.setTimeout = real;
    };
  }

  /** Drops all timers. */
  reset(): void {
    this.#timers.length = 0;
  }

  /** Runs the timers up to a time, in order, with the work that waits for them. */
  async advance(to: number): Promise<void> {
    for (;;) {
      const [first] = this.#timers.toSorted((one, other) => one.at - other.at);
      if (!first || first.at > to) break;
      this.#timers.splice(this.#timers.indexOf(first), 1);
      this.now = Math.max(this.now, first.at);
      first.run();
      for (let turn = 0; turn < 8; turn += 1) await Promise.resolve();
    }
    this.now = Math.max(this.now, to);
  }
}

/** The subset of an object's storage that the counters and the usage use, over in-memory SQLite. Counts rows. */
function simStorage(database: DatabaseSync, costs: TokenCosts): DurableObjectStorage {
  const values = new Map<string, unknown>();
  const put = (key: string, value: unknown) => {
    costs.objectRows += 1;
    values.set(key, structuredClone(value));
  };
  const statements = new Map<string, ReturnType<DatabaseSync['prepare']>>();
  const exec = (text: string, ...params: SQLInputValue[]) => {
    if (text.includes('CREATE TABLE')) {
      database.exec(text);
      return cursor([]);
    }
    const statement = statements.get(text) ?? database.prepare(text);
    statements.set(text, statement);
    if (/^\s*SELECT/.test(text)) return cursor(statement.all(...params));
    costs.objectRows += Number(statement.run(...params).changes);
    return cursor([]);
  };
  const storage = {
    kv: { get: (key: string) => structuredClone(values.get(key)), put, delete: (key: string) => values.delete(key) },
    put: async (key: string, value: unknown) => put(key, value),
    delete: async (key: string) => values.delete(key),
    sql: { exec },
    transactionSync: <Result>(work: () => Result) => work(),
  };
  return storage as unknown as DurableObjectStorage;
}

function cursor(rows: unknown[]) {
  return { toArray: () => rows, one: () => rows[0], [Symbol.iterator]: () => rows[Symbol.iterator]() };
}

/** One token: its object and the buffer of the isolate that serves it. The service's code over simulated storage and time. */
export class SimToken {
  readonly costs: TokenCosts = { deliveries: 0, alarms: 0, objectRows: 0, d1Rows: 0, d1NewRows: 0 };
  readonly #database = new DatabaseSync(':memory:');
  readonly #storage: DurableObjectStorage;
  readonly #usage: TokenUsage;
  readonly #buffer = new UsageBuffer(20);
  readonly #clock: SimClock;
  readonly #owner: { tokenId: string; userId: string };
  readonly #days = new Set<number>();
  #counters: StoredCounters;
  #alarmAt = 0;
  #lastAt = 0;

  constructor(clock: SimClock, id: string) {
    this.#clock = clock;
    this.#owner = { tokenId: id, userId: id };
    this.#storage = simStorage(this.#database, this.costs);
    const writer = { write: async (bundle: UsageBundle) => this.#writeToDatabase(bundle) };
    this.#usage = new TokenUsage(this.#storage, writer, (at) => this.#setAlarm(at));
    this.#counters = new StoredCounters(this.#storage, (at) => this.#setAlarm(at));
  }

  /** A request at a simulated time. */
  async request(at: number, record: UsageRecord): Promise<void> {
    await this.#clock.advance(at);
    await this.#alarmUntil(at);
    if (at - this.#lastAt > EVICTION_MS) this.#counters = new StoredCounters(this.#storage, (due) => this.#setAlarm(due));
    this.#lastAt = at;
    this.#counters.consume('token', LIMIT, WINDOW_SECONDS, Math.floor(at / 1000));
    this.#usage.add(this.#buffer.drainDue('token').records, this.#owner);
    this.#buffer.add(
      'token',
      record,
      () => {},
      async () => {
        this.costs.deliveries += 1;
        this.#usage.add(this.#buffer.drain('token').records, this.#owner);
      },
    );
  }

  #setAlarm(at: number): void {
    if (at !== this.#alarmAt) this.costs.objectRows += 1;
    this.#alarmAt = at;
  }

  async #alarmUntil(now: number): Promise<void> {
    if (this.#alarmAt === 0 || this.#alarmAt > now) return;
    this.#alarmAt = 0;
    this.costs.alarms += 1;
    await this.#usage.onAlarm();
    const next = this.#usage.alarmAt;
    if (next !== null) this.#setAlarm(next);
  }

  #writeToDatabase({ days }: UsageBundle): void {
    for (const { day } of days) {
      if (!this.#days.has(day)) this.costs.d1NewRows += 1;
      this.#days.add(day);
    }
    // One row per day, and the row of the token.
    this.costs.d1Rows += days.length + 1;
  }

  /** Rows in the object's storage. */
  stored(): { hours: number; requests: number } {
    const read = (text: string) => Number(Object.values(this.#database.prepare(text).get() ?? {})[0]);
    if (read("SELECT count(*) FROM sqlite_master WHERE name = 'request_hours'") === 0) return { hours: 0, requests: 0 };
    return {
      hours: read('SELECT count(*) FROM request_hours'),
      requests: read('SELECT coalesce(sum(number), 0) FROM request_chunks'),
    };
  }

  close(): void {
    this.#database.close();
  }
}
