import { and, asc, eq, gt, isNull, lt, or, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../platform/storage/database.ts';
import type { UnixSeconds } from '../../platform/time/clock.ts';
import { ENVIRONMENTS, type Environment } from './game-status.data.ts';
import { statusSegments, statusSnapshot } from './game-status.tables.ts';
import { type OpenSegment, type StatusSegment, segmentStep } from './history.domain.ts';
import type { GameStatus } from './verdict.domain.ts';

/** Storage of the prober: the last round and the history. */
export interface GameStatusRepository {
  /** Stores a round and continues the segments, all in one transaction. False when a later round is stored already. */
  save(status: GameStatus & { checkedAt: UnixSeconds }, intervalSeconds: number): Promise<boolean>;
  /** Ends the open segments where they were last confirmed: the prober cannot see what happened since. */
  endSegments(now: UnixSeconds): Promise<void>;
  /** The last round; null before the first. */
  find(): Promise<GameStatus | null>;
  /** Segments of an environment that reach beyond an instant, oldest first. */
  segmentsSince(environment: Environment, since: UnixSeconds): Promise<StatusSegment[]>;
}

const SNAPSHOT_ROW = 1;
const isOpen = (environment: Environment): SQL | undefined =>
  and(eq(statusSegments.environment, environment), isNull(statusSegments.endedAt));

export function createGameStatusRepository(db: Database): GameStatusRepository {
  async function openSegments(): Promise<Map<Environment, OpenSegment>> {
    const rows = await db.select().from(statusSegments).where(isNull(statusSegments.endedAt));
    return new Map(rows.map((row) => [row.environment, row]));
  }

  function statementsFor(environment: Environment, status: GameStatus, open: OpenSegment | null, now: UnixSeconds, interval: number) {
    const found = status.environments[environment].status;
    const step = segmentStep(open, found, now, interval);
    if (step.kind === 'none') return [];
    if (step.kind === 'open') {
      const row = { environment, status: found, startedAt: now, lastConfirmedAt: now };
      const end = db.update(statusSegments).set({ endedAt: step.previousEndsAt }).where(isOpen(environment));
      return [...(step.previousEndsAt === null ? [] : [end]), db.insert(statusSegments).values(row)];
    }
    const correction = step.kind === 'correct' ? { status: found } : {};
    return [
      db
        .update(statusSegments)
        .set({ lastConfirmedAt: now, ...correction })
        .where(isOpen(environment)),
    ];
  }

  return {
    async save(status, intervalSeconds) {
      const now = status.checkedAt;
      const last = await this.find();
      if (last?.checkedAt != null && last.checkedAt > now) return false;
      const open = await openSegments();
      const row = { id: SNAPSHOT_ROW, checkedAt: now, status: JSON.stringify(status) };
      await db.batch([
        db.insert(statusSnapshot).values(row).onConflictDoUpdate({ target: statusSnapshot.id, set: row }),
        ...ENVIRONMENTS.flatMap((environment) => statementsFor(environment, status, open.get(environment) ?? null, now, intervalSeconds)),
      ]);
      return true;
    },

    async endSegments(now) {
      await db
        .update(statusSegments)
        .set({ endedAt: sql`${statusSegments.lastConfirmedAt}` })
        .where(and(isNull(statusSegments.endedAt), lt(statusSegments.lastConfirmedAt, now)));
    },

    async find() {
      const [row] = await db.select().from(statusSnapshot).where(eq(statusSnapshot.id, SNAPSHOT_ROW));
      return row ? (JSON.parse(row.status) as GameStatus) : null;
    },

    segmentsSince: (environment, since) =>
      db
        .select({ status: statusSegments.status, startedAt: statusSegments.startedAt, endedAt: statusSegments.endedAt })
        .from(statusSegments)
        .where(and(eq(statusSegments.environment, environment), or(isNull(statusSegments.endedAt), gt(statusSegments.endedAt, since))))
        .orderBy(asc(statusSegments.startedAt)),
  };
}
