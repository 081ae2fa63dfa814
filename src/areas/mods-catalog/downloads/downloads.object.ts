import { DurableObject } from 'cloudflare:workers';
import { createHmac, randomBytes } from 'node:crypto';
import { logError } from '../../../platform/kit/logging.ts';
import { SECONDS_PER_DAY, SECONDS_PER_HOUR, systemClock, type UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { createDatabase } from '../../../platform/storage/database.ts';
import { createDownloadsStore, type DayCount } from './downloads.store.ts';

/** Interval between writes of counts to D1. */
const FLUSH_SECONDS = 60;
/** Counts per statement. */
const MAX_BATCH_COUNTS = 500;
const KEY_BYTES = 16;

/** Counts the downloads of some releases and writes the counts to the database in batches. */
export class ModDownloadsObject extends DurableObject<Env> {
  readonly #counter: DownloadCounter;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#counter = new DownloadCounter(ctx.storage.sql);
  }

  /** Counts one download. Only a short-lived hash of the IP `address` is stored. */
  async record(releaseId: string, address: string, now: UnixSeconds): Promise<void> {
    const realNow = systemClock();
    const key = this.#counter.keyOf(now, realNow, () => randomBytes(KEY_BYTES).toString('base64url'));
    const clientHash = createHmac('sha256', key).update(address).digest('base64url');
    this.#counter.count(releaseId, clientHash, now, realNow);
    const flushAt = Date.now() + FLUSH_SECONDS * 1000;
    const alarmAt = await this.ctx.storage.getAlarm();
    if (alarmAt === null || alarmAt > flushAt) await this.ctx.storage.setAlarm(flushAt);
  }

  /** Stores counts in D1 and deletes expired data. Counts are daily totals, so storing them is idempotent. */
  override async alarm(): Promise<void> {
    const isStored = await this.#store().catch((error: unknown) => {
      // The platform repeats an alarm that throws only six times.
      logError('downloads could not be stored', error);
      return false;
    });
    this.#counter.deleteExpired(systemClock());
    if (this.#counter.isEmpty()) return;
    const nextSeconds = this.#counter.listUnstored(1).length > 0 ? 1 : SECONDS_PER_HOUR;
    await this.ctx.storage.setAlarm(Date.now() + (isStored ? nextSeconds : FLUSH_SECONDS) * 1000);
  }

  /** Stores a batch of counts in D1. */
  async #store(): Promise<true> {
    const counts = this.#counter.listUnstored(MAX_BATCH_COUNTS);
    if (counts.length === 0) return true;
    await createDownloadsStore(createDatabase(this.env.DB)).store(counts);
    this.#counter.markStored(counts);
    return true;
  }
}

/**
 * Counts downloads in the SQLite database of a Durable Object: one per release, client and hour. Clients are stored as keyed
 * hashes; the key is deleted together with the hashes of its hour.
 */
class DownloadCounter {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(`
      CREATE TABLE IF NOT EXISTS seen (hour INTEGER NOT NULL, release_id TEXT NOT NULL, caller TEXT NOT NULL, at INTEGER NOT NULL,
        PRIMARY KEY (hour, release_id, caller)) WITHOUT ROWID;
      CREATE INDEX IF NOT EXISTS seen_at ON seen (at);
      CREATE TABLE IF NOT EXISTS keys (hour INTEGER PRIMARY KEY, key TEXT NOT NULL, at INTEGER NOT NULL);
      CREATE TABLE IF NOT EXISTS counts (day INTEGER NOT NULL, release_id TEXT NOT NULL, n INTEGER NOT NULL, stored INTEGER NOT NULL,
        at INTEGER NOT NULL, PRIMARY KEY (day, release_id)) WITHOUT ROWID;
      CREATE INDEX IF NOT EXISTS counts_unstored ON counts (day, release_id) WHERE n > stored;
    `);
  }

  /** Hash key of an hour; `newKey` creates it on first use. */
  keyOf(now: UnixSeconds, realNow: UnixSeconds, newKey: () => string): string {
    const hour = Math.floor(now / SECONDS_PER_HOUR);
    this.#sql.exec('INSERT INTO keys VALUES (?, ?, ?) ON CONFLICT DO NOTHING', hour, newKey(), realNow);
    return this.#sql.exec<{ key: string }>('SELECT key FROM keys WHERE hour = ?', hour).one().key;
  }

  /** Counts a download once per client, release and hour. */
  count(releaseId: string, clientHash: string, now: UnixSeconds, realNow: UnixSeconds): void {
    const hour = Math.floor(now / SECONDS_PER_HOUR);
    const day = Math.floor(now / SECONDS_PER_DAY);
    const [isNew] = this.#sql
      .exec('INSERT INTO seen VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING 1', hour, releaseId, clientHash, realNow)
      .toArray();
    if (!isNew) return;
    this.#sql.exec(
      'INSERT INTO counts VALUES (?, ?, 1, 0, ?) ON CONFLICT DO UPDATE SET n = n + 1, at = excluded.at',
      day,
      releaseId,
      realNow,
    );
  }

  /** Counts that are not stored in D1 yet. */
  listUnstored(limit: number): DayCount[] {
    return this.#sql
      .exec<{ day: number; release_id: string; n: number }>('SELECT day, release_id, n FROM counts WHERE n > stored LIMIT ?', limit)
      .toArray()
      .map(({ day, release_id: releaseId, n }) => ({ day, releaseId, n }));
  }

  /** Marks counts as stored in D1. */
  markStored(counts: readonly DayCount[]): void {
    for (const { day, releaseId, n } of counts) {
      this.#sql.exec('UPDATE counts SET stored = max(stored, ?) WHERE day = ? AND release_id = ?', n, day, releaseId);
    }
  }

  /**
   * Deletes expired hashes and keys, and stored counts of past days. Uses the real time, because tests can set the time of
   * requests.
   */
  deleteExpired(realNow: UnixSeconds): void {
    const before = realNow - 2 * SECONDS_PER_HOUR;
    this.#sql.exec('DELETE FROM seen WHERE at < ?', before);
    this.#sql.exec('DELETE FROM keys WHERE at < ?', before);
    this.#sql.exec('DELETE FROM counts WHERE n = stored AND at < ?', realNow - 2 * SECONDS_PER_DAY);
  }

  /** Whether the table of counts is empty. */
  isEmpty(): boolean {
    return this.#sql.exec('SELECT 1 FROM counts LIMIT 1').toArray().length === 0;
  }
}
