import { and, asc, desc, eq, gt, isNull, type SQL } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import { logError } from '../../platform/kit/logging.ts';
import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import * as shapes from '../../platform/kit/values/stored-shapes.ts';
import type { Database, PublicReads } from '../../platform/storage/database.ts';
import { ENVIRONMENTS, type Environment, STATUSES } from './game-status.data.ts';
import type { ServerDownBody } from './game-status.events.ts';
import { statusSegments, statusSnapshot } from './game-status.tables.ts';
import { type OpenSegment, outageAt, type StoredSegment, segmentChange } from './history.domain.ts';
import { type EnvironmentStatus, GAME_ERRORS, type GameStatus } from './status.domain.ts';

/** Stores the last round of probes and the history. */
export type GameStatusStore = ReturnType<typeof createGameStatusStore>;

const text = shapes.nullable(shapes.text);
const status = shapes.oneOf(STATUSES, 'unknown');
const NOT_PROBED: EnvironmentStatus = { status: 'unknown', online: false, game: null };
const environment: shapes.Shape<EnvironmentStatus> = shapes.fields({
  status,
  online: shapes.flag,
  game: shapes.nullable(
    shapes.fields({
      online: shapes.flag,
      host: shapes.text,
      port: shapes.number,
      latencyMs: shapes.nullable(shapes.number),
      // An error of a newer version is a failure without a known reason.
      error: shapes.withDefault(shapes.nullable(shapes.oneOf(GAME_ERRORS)), () => null),
      probe: shapes.oneOf(['connect', 'deep'], 'connect'),
    }),
  ),
});
const storedStatus = shapes.fields({
  overall: status,
  auth: shapes.nullable(
    shapes.fields({ online: shapes.flag, httpStatus: shapes.nullable(shapes.number), latencyMs: shapes.number, error: text }),
  ),
  environments: shapes.recordOf(environment),
  checkedAt: shapes.nullable(shapes.number),
});

/** A stored round. An environment that only this version probes is unknown; one that it does not probe is left out. */
export const STATUS: shapes.Shape<GameStatus> = (value) => {
  const { environments, ...round } = storedStatus(value);
  const probed = ENVIRONMENTS.map((name) => [name, environments[name] ?? NOT_PROBED]);
  return { ...round, environments: Object.fromEntries(probed) as GameStatus['environments'] };
};

const SNAPSHOT_ROW = 1;
const isOpen = (environment: Environment): SQL | undefined =>
  and(eq(statusSegments.environment, environment), isNull(statusSegments.endedAt));

/** Segments that are searched for the start of an outage. */
const MAX_OUTAGE_SEGMENTS = 100;

/** Queues the outages that a round continues, in its transaction. */
type QueueOutage = (body: ServerDownBody, now: UnixSeconds) => BatchItem<'sqlite'>;

export function createGameStatusStore(db: Database, reads: PublicReads = db, queueOutage?: QueueOutage) {
  async function findIn(source: PublicReads): Promise<GameStatus | null> {
    const [row] = await source.select().from(statusSnapshot).where(eq(statusSnapshot.id, SNAPSHOT_ROW));
    return row ? shapes.parseStored(STATUS, row.status) : null;
  }

  async function openSegments(): Promise<Map<Environment, OpenSegment>> {
    const rows = await db.select().from(statusSegments).where(isNull(statusSegments.endedAt));
    return new Map(rows.map((row) => [row.environment, row]));
  }

  function segmentStatements(environment: Environment, status: GameStatus, open: OpenSegment | null, now: UnixSeconds, interval: number) {
    const newStatus = status.environments[environment].status;
    const change = segmentChange(open, newStatus, now, interval);
    if (change.kind === 'none') return [];
    if (change.kind === 'open') {
      const row = { environment, status: newStatus, startedAt: now, lastConfirmedAt: now };
      const end = db.update(statusSegments).set({ endedAt: change.previousEndsAt }).where(isOpen(environment));
      return [...(change.previousEndsAt === null ? [] : [end]), db.insert(statusSegments).values(row)];
    }
    const correction = change.kind === 'correct' ? { status: newStatus } : {};
    return [
      db
        .update(statusSegments)
        .set({ lastConfirmedAt: now, ...correction })
        .where(isOpen(environment)),
    ];
  }

  /** Statements that queue the outages whose whole minutes grew. */
  async function outageStatements({ environments }: GameStatus, now: UnixSeconds, interval: number) {
    const found = ENVIRONMENTS.map(async (server) => {
      const { status } = environments[server];
      if (!queueOutage || status === 'online' || status === 'unknown') return [];
      const newest = await db
        .select()
        .from(statusSegments)
        .where(eq(statusSegments.environment, server))
        .orderBy(desc(statusSegments.startedAt))
        .limit(MAX_OUTAGE_SEGMENTS);
      const outage = outageAt(newest, status, now, interval);
      if (!outage || outage.minutes <= outage.previousMinutes) return [];
      const { since, minutes, previousMinutes } = outage;
      return [queueOutage({ server, status, down_since: since, minutes, previous_minutes: previousMinutes }, now)];
    });
    return (await Promise.all(found)).flat();
  }

  return {
    /** Stores a round and updates the segments in one transaction. False when a newer round is already stored. */
    async save(status: GameStatus & { checkedAt: UnixSeconds }, intervalSeconds: number): Promise<boolean> {
      const now = status.checkedAt;
      const last = await this.find();
      if (last?.checkedAt != null && last.checkedAt > now) return false;
      const open = await openSegments();
      const outages = await outageStatements(status, now, intervalSeconds);
      const row = { id: SNAPSHOT_ROW, checkedAt: now, status: JSON.stringify(status) };
      await db.batch([
        db.insert(statusSnapshot).values(row).onConflictDoUpdate({ target: statusSnapshot.id, set: row }),
        ...ENVIRONMENTS.flatMap((environment) =>
          segmentStatements(environment, status, open.get(environment) ?? null, now, intervalSeconds),
        ),
        ...outages,
      ]);
      return true;
    },

    /** The last round; null before the first one. */
    find: (): Promise<GameStatus | null> => findIn(db),
    /** The last round at a replica, for clients. */
    findPublic: (): Promise<GameStatus | null> => findIn(reads),

    /** Segments of an environment that end after a time, oldest first. */
    async segmentsSince(environment: Environment, since: UnixSeconds): Promise<StoredSegment[]> {
      // Two ranges of an index: with one condition, the segments of all years would be read.
      const [ended, open] = await reads.batch([
        reads
          .select()
          .from(statusSegments)
          .where(and(eq(statusSegments.environment, environment), gt(statusSegments.endedAt, since)))
          .orderBy(asc(statusSegments.endedAt)),
        reads.select().from(statusSegments).where(isOpen(environment)),
      ]);
      return [...ended, ...open].sort((one, other) => one.startedAt - other.startedAt);
    },
  };
}

const KEY = 'game-status';
/** Cache TTL of a KV read in a location, in seconds; the minimum that KV allows. */
const EDGE_CACHE_SECONDS = 30;

/**
 * KV copy of the serialized status, written by the prober once per round. Distant locations may read it up to a minute late; `checked_at`
 * is the time of the round. Used for responses only.
 */
export function createStatusCopy(cache: KVNamespace) {
  return {
    /** Never throws: returns null, and the database is read instead. */
    read: (): Promise<string | null> =>
      cache.get(KEY, { type: 'text', cacheTtl: EDGE_CACHE_SECONDS }).catch((error: unknown) => {
        logError('cache read of game status failed', error);
        return null;
      }),
    write: (text: string): Promise<void> => cache.put(KEY, text),
  };
}
