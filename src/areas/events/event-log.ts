import type { UnixSeconds } from '../../platform/time/clock.ts';
import type { ResumePoint, StreamEvent } from './framing.domain.ts';

/** What of the log a resume point still reaches. `from` is the id after which replay starts. */
export interface Resume {
  from: number;
  /** Some of what was missed is no longer in the log. */
  hasGap: boolean;
}

/**
 * The coordinator's memory in the object's own SQLite: the replay log with ever-growing ids, the signature last
 * published for each source, and the keys of discrete events.
 */
export class EventLog {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(`
      CREATE TABLE IF NOT EXISTS events (id INTEGER PRIMARY KEY AUTOINCREMENT, type TEXT NOT NULL, at INTEGER NOT NULL, text TEXT NOT NULL);
      CREATE INDEX IF NOT EXISTS events_at ON events (at);
      CREATE TABLE IF NOT EXISTS signatures (type TEXT PRIMARY KEY, signature TEXT);
      CREATE TABLE IF NOT EXISTS announced (key TEXT PRIMARY KEY, at INTEGER NOT NULL);
    `);
  }

  /** Stores an event and the signature that goes with it, in one transaction (one synchronous turn). */
  append(type: string, text: string, at: UnixSeconds): StreamEvent {
    const { id } = this.#sql
      .exec<{ id: number }>('INSERT INTO events (type, at, text) VALUES (?, ?, ?) RETURNING id', type, at, text)
      .one();
    return { id, type, text };
  }

  /** Signature last published; undefined when the source was never looked at, null when it had no data. */
  signatureOf(type: string): string | null | undefined {
    const [row] = this.#sql.exec<{ signature: string | null }>('SELECT signature FROM signatures WHERE type = ?', type).toArray();
    return row?.signature;
  }

  setSignature(type: string, signature: string | null): void {
    this.#sql.exec('INSERT INTO signatures VALUES (?, ?) ON CONFLICT (type) DO UPDATE SET signature = excluded.signature', type, signature);
  }

  /** Takes the key of a discrete event; false when it was taken before. */
  claimKey(key: string, at: UnixSeconds): boolean {
    return this.#sql.exec('INSERT INTO announced VALUES (?, ?) ON CONFLICT (key) DO NOTHING RETURNING key', key, at).toArray().length > 0;
  }

  latestId(): number {
    const [row] = this.#sql.exec<{ seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'events'").toArray();
    return row?.seq ?? 0;
  }

  /** Events after an id, oldest first. */
  after(id: number, limit: number): StreamEvent[] {
    return this.#sql
      .exec<{ id: number; type: string; text: string }>('SELECT id, type, text FROM events WHERE id > ? ORDER BY id LIMIT ?', id, limit)
      .toArray();
  }

  /** Where a replay starts. An id from the future replays nothing. */
  resume(point: ResumePoint): Resume {
    const latest = this.latestId();
    const [oldest] = this.#sql.exec<{ id: number; at: number }>('SELECT id, at FROM events ORDER BY id LIMIT 1').toArray();
    const firstKept = oldest?.id ?? latest + 1;
    if ('afterId' in point) return { from: Math.min(point.afterId, latest), hasGap: point.afterId < firstKept - 1 };
    const [first] = this.#sql.exec<{ id: number }>('SELECT min(id) AS id FROM events WHERE at >= ?', point.since).toArray();
    const from = first?.id ? first.id - 1 : latest;
    return { from, hasGap: firstKept > 1 && point.since < (oldest?.at ?? Number.POSITIVE_INFINITY) };
  }

  /** Forgets events older than the instant. Keys of discrete events stay: each fires once. */
  prune(before: UnixSeconds): void {
    this.#sql.exec('DELETE FROM events WHERE at < ?', before);
  }
}
