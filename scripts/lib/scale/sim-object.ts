import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { TokenUsage } from '../../../src/platform/usage/token-usage.ts';
import type { UsageRecord } from '../../../src/platform/usage/usage-record.ts';
import type { UsageBundle } from '../../../src/platform/usage/usage-writer.ts';

/** Costs of an object and of D1. */
export interface Costs {
  /** Rows written to the object's storage, alarms included. */
  objectRows: number;
  alarms: number;
  /** Transactions and rows of D1. */
  d1Batches: number;
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

  /** Runs the timers up to a time, in order. */
  advance(to: number): void {
    for (;;) {
      const index = this.#timers.findIndex(({ at }) => at <= to);
      const [timer] = index < 0 ? [] : this.#timers.splice(index, 1);
      if (!timer) break;
      this.now = Math.max(this.now, timer.at);
      timer.run();
    }
    this.now = Math.max(this.now, to);
  }
}

/** The subset of an object's storage that `TokenUsage` uses, over in-memory SQLite. Counts rows. */
function simStorage(database: DatabaseSync, costs: Costs): DurableObjectStorage {
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
    kv: { get: (key: string) => values.get(key), put, delete: (key: string) => values.delete(key) },
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

/** The object of one token: production code over simulated storage and time. */
export class SimObject {
  readonly costs: Costs = { objectRows: 0, alarms: 0, d1Batches: 0, d1Rows: 0, d1NewRows: 0 };
  readonly #database = new DatabaseSync(':memory:');
  readonly #usage: TokenUsage;
  readonly #clock: SimClock;
  readonly #days = new Set<number>();
  #alarmAt = 0;

  constructor(clock: SimClock) {
    this.#clock = clock;
    const writer = { write: async (bundle: UsageBundle) => this.#write(bundle) };
    this.#usage = new TokenUsage(simStorage(this.#database, this.costs), writer, (at) => {
      if (at !== this.#alarmAt) this.costs.objectRows += 1;
      this.#alarmAt = at;
    });
  }

  /** Records a finished request at the current simulated time. */
  async request(record: UsageRecord, owner: { tokenId: string; userId: string }): Promise<void> {
    await this.#alarmUntil(this.#clock.now);
    this.#usage.add([record], owner);
  }

  async #alarmUntil(now: number): Promise<void> {
    if (this.#alarmAt === 0 || this.#alarmAt > now) return;
    this.#alarmAt = 0;
    this.costs.alarms += 1;
    await this.#usage.onAlarm();
    const next = this.#usage.alarmAt;
    if (next !== null && this.#alarmAt !== next) {
      this.#alarmAt = next;
      this.costs.objectRows += 1;
    }
  }

  #write({ days }: UsageBundle): void {
    this.costs.d1Batches += 1;
    for (const { day } of days) {
      if (!this.#days.has(day)) this.costs.d1NewRows += 1;
      this.#days.add(day);
    }
    // One row per day, and the row of the token.
    this.costs.d1Rows += days.length + 1;
  }

  /** Rows and bytes in the object's storage. */
  stored(): { bytes: number; hours: number; requests: number } {
    const read = <Value>(text: string) => Object.values(this.#database.prepare(text).get() ?? {})[0] as Value;
    const hasTables = read<number>("SELECT count(*) FROM sqlite_master WHERE name = 'request_hours'") > 0;
    if (!hasTables) return { bytes: 0, hours: 0, requests: 0 };
    return {
      bytes: read<number>('PRAGMA page_count') * read<number>('PRAGMA page_size'),
      hours: read<number>('SELECT count(*) FROM request_hours'),
      requests: read<number>('SELECT coalesce(sum(number), 0) FROM request_chunks'),
    };
  }

  close(): void {
    this.#database.close();
  }
}
