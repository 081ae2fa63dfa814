import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import { GAP_COMMENT, REPLAY_PAGE_CHARACTERS, REPLAY_PAGE_EVENTS } from './events.data.ts';
import { commentFrame, eventFrame, type Newest, type ResumePoint, type StreamEvent } from './framing.domain.ts';

/** Start of a replay. */
export interface Resume {
  /** Id after which the replay starts; null: the id of the client is newer than the log. */
  from: number | null;
  /** Whether missed events were deleted from the log. */
  hasGap: boolean;
  newest: Newest;
}

/**
 * Storage of the coordinator (SQLite of its object): the replay log with increasing ids, the last published signature of each source, and
 * the keys of discrete events.
 */
export class EventLog {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(`
      CREATE TABLE IF NOT EXISTS events (id INTEGER PRIMARY KEY AUTOINCREMENT, type TEXT NOT NULL, at INTEGER NOT NULL, text TEXT NOT NULL);
      CREATE INDEX IF NOT EXISTS events_at ON events (at);
      CREATE TABLE IF NOT EXISTS horizon (only INTEGER PRIMARY KEY CHECK (only = 1), pruned_at INTEGER NOT NULL);
      CREATE TABLE IF NOT EXISTS signatures (type TEXT PRIMARY KEY, signature TEXT);
      CREATE TABLE IF NOT EXISTS announced (key TEXT PRIMARY KEY, at INTEGER NOT NULL);
      CREATE TABLE IF NOT EXISTS bookmarks (only INTEGER PRIMARY KEY CHECK (only = 1), event_id INTEGER NOT NULL, bookmark TEXT);
      CREATE TABLE IF NOT EXISTS followed (only INTEGER PRIMARY KEY CHECK (only = 1), id INTEGER NOT NULL);
    `);
    // A new follower does not receive earlier events.
    sql.exec('INSERT OR IGNORE INTO followed VALUES (1, ?)', this.newest().id);
  }

  /** `bookmark`: database state from which the event was created. */
  append(type: string, text: string, at: UnixSeconds, bookmark: string | null = null): StreamEvent {
    const { id } = this.#sql
      .exec<{ id: number }>('INSERT INTO events (type, at, text) VALUES (?, ?, ?) RETURNING id', type, at, text)
      .one();
    this.#sql.exec('INSERT OR REPLACE INTO bookmarks VALUES (1, ?, ?)', id, bookmark);
    return { id, at, type, text, ...(bookmark === null ? {} : { bookmark }) };
  }

  /** Last published signature; undefined before the first check of the source, null when it had no data. */
  signatureOf(type: string): string | null | undefined {
    const [row] = this.#sql.exec<{ signature: string | null }>('SELECT signature FROM signatures WHERE type = ?', type).toArray();
    return row?.signature;
  }

  setSignature(type: string, signature: string | null): void {
    this.#sql.exec('INSERT INTO signatures VALUES (?, ?) ON CONFLICT (type) DO UPDATE SET signature = excluded.signature', type, signature);
  }

  /** Claims the key of a discrete event; false when it is already claimed. */
  claimKey(key: string, at: UnixSeconds): boolean {
    return this.#sql.exec('INSERT INTO announced VALUES (?, ?) ON CONFLICT (key) DO NOTHING RETURNING key', key, at).toArray().length > 0;
  }

  /** The newest event; its time is 0 after it was deleted from the log. */
  newest(): Newest {
    const [row] = this.#sql
      .exec<{ id: number; at: number | null; bookmark: string | null }>(
        `SELECT seq AS id, (SELECT at FROM events WHERE id = seq) AS at,
          (SELECT bookmark FROM bookmarks WHERE event_id = seq) AS bookmark FROM sqlite_sequence WHERE name = 'events'`,
      )
      .toArray();
    const { id = 0, at = 0, bookmark = null } = row ?? {};
    return { id, at: at ?? 0, ...(bookmark === null ? {} : { bookmark }) };
  }

  /** A page of events after an id, oldest first; empty at the end. Bounded in events and characters, because bodies can be large. */
  pageAfter(id: number): StreamEvent[] {
    const page: StreamEvent[] = [];
    let characters = 0;
    for (const event of this.#sql.exec<{ id: number; at: number; type: string; text: string }>(
      'SELECT id, at, type, text FROM events WHERE id > ? ORDER BY id LIMIT ?',
      id,
      REPLAY_PAGE_EVENTS,
    )) {
      page.push(event);
      characters += event.text.length;
      if (characters >= REPLAY_PAGE_CHARACTERS) break;
    }
    return page;
  }

  /** Id of the last event that the follower accepted. */
  followedUpTo(): number {
    return this.#sql.exec<{ id: number }>('SELECT id FROM followed').one().id;
  }

  setFollowedUpTo(id: number): void {
    this.#sql.exec('UPDATE followed SET id = max(id, ?)', id);
  }

  /** Start of a replay for a reconnecting client. */
  resume(point: ResumePoint): Resume {
    const newest = this.newest();
    if ('afterId' in point) {
      const [oldest] = this.#sql.exec<{ id: number }>('SELECT id FROM events ORDER BY id LIMIT 1').toArray();
      const hasGap = point.afterId < (oldest?.id ?? newest.id + 1) - 1;
      return { from: point.afterId <= newest.id ? point.afterId : null, hasGap, newest };
    }
    const { id } = this.#sql.exec<{ id: number | null }>('SELECT min(id) AS id FROM events WHERE at >= ?', point.since).one();
    const [horizon] = this.#sql.exec<{ pruned_at: number }>('SELECT pruned_at FROM horizon').toArray();
    return { from: id === null ? newest.id : id - 1, hasGap: horizon !== undefined && point.since <= horizon.pruned_at, newest };
  }

  /** Deletes events older than `before`. Keys of discrete events are not deleted, so each event is published once. */
  deleteExpired(before: UnixSeconds): void {
    const { at } = this.#sql.exec<{ at: number | null }>('SELECT max(at) AS at FROM events WHERE at < ?', before).one();
    if (at === null) return;
    this.#sql.exec('DELETE FROM events WHERE at < ?', before);
    this.#sql.exec('INSERT INTO horizon VALUES (1, ?) ON CONFLICT (only) DO UPDATE SET pruned_at = max(pruned_at, excluded.pruned_at)', at);
  }
}

const encoder = new TextEncoder();

export interface ReplayLog {
  resume(point: ResumePoint): Promise<Resume>;
  eventsAfter(id: number): Promise<StreamEvent[]>;
}

/**
 * Yields missed events up to the newest event of the shard, oldest first. Returns the newest event that the client then has; a client that
 * moved from another shard may be ahead of this one.
 */
export async function* replay(
  log: ReplayLog,
  point: ResumePoint,
  newest: Newest,
  types: ReadonlySet<string> | null,
): AsyncGenerator<Uint8Array, Newest> {
  // After a restart all clients reconnect at the same time. Most missed no events and need no request to the log.
  if ('afterId' in point && point.afterId === newest.id) return newest;
  const { from, hasGap, newest: newestLogged } = await log.resume(point);
  if (hasGap) yield encoder.encode(commentFrame(GAP_COMMENT));
  if (from === null) return newest;
  for (let id = from; id < newest.id; ) {
    const page = (await log.eventsAfter(id)).filter((event) => event.id <= newest.id);
    const missed = page.filter(({ type }) => types === null || types.has(type));
    if (missed.length > 0) yield encoder.encode(missed.map(eventFrame).join(''));
    id = page.at(-1)?.id ?? newest.id;
  }
  return from > newest.id ? { ...newestLogged, id: from } : newest;
}
