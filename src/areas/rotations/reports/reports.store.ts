import { and, desc, eq, lt, ne, sql } from 'drizzle-orm';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { Database, PublicReads } from '../../../platform/storage/database.ts';
import { selectRowCount } from '../../../platform/storage/row-counts.ts';
import type { ChallengeCapture, ChaosChestCapture, ChaosChestRelay } from '../schedules/reports.domain.ts';
import { challengeCaptures, chaosChestCaptures, chaosChestRelay } from '../schedules/rotations.tables.ts';

/** Result of a report. `refreshed`: the anchor already had a row. `changed`: the stored value changed. */
interface CaptureOutcome {
  refreshed: boolean;
  changed: boolean;
}

/** A page of a history: newest first, from an offset or after an anchor. */
export interface HistoryRequest {
  limit: number;
  start: { offset: number } | { afterKey: UnixSeconds };
}

export type ChallengeCaptureRow = ChallengeCapture & { isFridayWindow: boolean };

/** Reported chaos chest items and challenges, and the last item of the chaos chest relay. */
export type ReportsStore = ReturnType<typeof createReportsStore>;

/** Names of reported items of the last weeks, and of the relayed one. */
export const CHAOS_CHEST_NAMES = sql`SELECT name FROM (SELECT name FROM ${chaosChestCaptures} ORDER BY week_anchor_at DESC LIMIT 100)
  UNION SELECT name FROM ${chaosChestRelay}`;

const RELAY_ROW = 1;

const offsetOf = (start: HistoryRequest['start']) => ('offset' in start ? start.offset : 0);

export function createReportsStore(db: Database, reads: PublicReads = db) {
  return {
    /**
     * Inserts the first report; later ones update the row only when the name differs. One transaction, so concurrent reports are
     * consistent.
     */
    async saveChaosChest(capture: ChaosChestCapture): Promise<CaptureOutcome> {
      const [inserted, updated] = await db.batch([
        db.insert(chaosChestCaptures).values(capture).onConflictDoNothing(),
        db
          .update(chaosChestCaptures)
          .set({ name: capture.name, capturedAt: capture.capturedAt })
          .where(and(eq(chaosChestCaptures.weekAnchorAt, capture.weekAnchorAt), ne(chaosChestCaptures.name, capture.name))),
      ]);
      return toOutcome(inserted.meta.changes, updated.meta.changes);
    },

    async saveChallenge(capture: ChallengeCaptureRow): Promise<CaptureOutcome> {
      const [inserted, updated] = await db.batch([
        db.insert(challengeCaptures).values(capture).onConflictDoNothing(),
        db
          .update(challengeCaptures)
          .set({ name: capture.name, capturedAt: capture.capturedAt })
          .where(and(eq(challengeCaptures.windowAnchorAt, capture.windowAnchorAt), ne(challengeCaptures.name, capture.name))),
      ]);
      return toOutcome(inserted.meta.changes, updated.meta.changes);
    },

    /** The capture of a week and the relayed item, in one read. */
    async findChaosChest(weekAnchorAt: UnixSeconds): Promise<{ capture: ChaosChestCapture | null; relay: ChaosChestRelay | null }> {
      const [reports, relays] = await reads.batch([
        reads.select().from(chaosChestCaptures).where(eq(chaosChestCaptures.weekAnchorAt, weekAnchorAt)),
        reads.select().from(chaosChestRelay).where(eq(chaosChestRelay.id, RELAY_ROW)),
      ]);
      return { capture: reports[0] ?? null, relay: relays[0] ?? null };
    },

    async findChallenge(windowAnchorAt: UnixSeconds): Promise<ChallengeCapture | null> {
      const rows = await reads.select().from(challengeCaptures).where(eq(challengeCaptures.windowAnchorAt, windowAnchorAt));
      return rows[0] ?? null;
    },

    async chaosChestHistory({ limit, start }: HistoryRequest): Promise<{ rows: ChaosChestCapture[]; total: number }> {
      const after = 'afterKey' in start ? lt(chaosChestCaptures.weekAnchorAt, start.afterKey) : undefined;
      const [rows, totals] = await reads.batch([
        reads
          .select()
          .from(chaosChestCaptures)
          .where(after)
          .orderBy(desc(chaosChestCaptures.weekAnchorAt))
          .limit(limit)
          .offset(offsetOf(start)),
        selectRowCount(reads, chaosChestCaptures),
      ]);
      return { rows, total: totals[0]?.total ?? 0 };
    },

    /** The newest challenges, newest first. */
    newestChallenges: (limit: number): Promise<ChallengeCaptureRow[]> =>
      reads.select().from(challengeCaptures).orderBy(desc(challengeCaptures.windowAnchorAt)).limit(limit),

    async challengeHistory({ limit, start }: HistoryRequest): Promise<{ rows: ChallengeCaptureRow[]; total: number }> {
      const after = 'afterKey' in start ? lt(challengeCaptures.windowAnchorAt, start.afterKey) : undefined;
      const [rows, totals] = await reads.batch([
        reads
          .select()
          .from(challengeCaptures)
          .where(after)
          .orderBy(desc(challengeCaptures.windowAnchorAt))
          .limit(limit)
          .offset(offsetOf(start)),
        selectRowCount(reads, challengeCaptures),
      ]);
      return { rows, total: totals[0]?.total ?? 0 };
    },

    async saveChaosChestRelay(relay: ChaosChestRelay): Promise<void> {
      const row = { id: RELAY_ROW, ...relay };
      await db.insert(chaosChestRelay).values(row).onConflictDoUpdate({ target: chaosChestRelay.id, set: row });
    },
  };
}

function toOutcome(inserted: number, updated: number): CaptureOutcome {
  return { refreshed: inserted === 0, changed: inserted > 0 || updated > 0 };
}
