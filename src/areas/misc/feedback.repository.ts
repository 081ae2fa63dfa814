import { and, asc, eq, gt, isNull, lte, or, sql } from 'drizzle-orm';
import type { Database } from '../../platform/storage/database.ts';
import type { UnixSeconds } from '../../platform/time/clock.ts';
import type { FeedbackEntry } from './feedback.domain.ts';
import { feedbackEntries, feedbackOutbox } from './misc.tables.ts';

/** An entry on its way to the chat. */
export interface OutboxEntry {
  entry: FeedbackEntry;
  /** Tries that failed so far. */
  failures: number;
}

/** Submissions, and those of them still to be forwarded. */
export interface FeedbackRepository {
  /** Keeps an entry and, when it is to be forwarded until an instant, queues it: both or neither. */
  save(entry: FeedbackEntry, forwardUntil: UnixSeconds | null): Promise<void>;
  /** Ids of entries whose next try is due and which no other try holds, oldest first. `realNow`: leases run by real time. */
  due(now: UnixSeconds, realNow: UnixSeconds, limit: number): Promise<string[]>;
  /** Takes an entry for a try; null when another try has it or nothing is left to do. */
  lease(id: string, realNow: UnixSeconds, seconds: number): Promise<OutboxEntry | null>;
  /** Gives an entry back after a try that failed, for another one later. */
  postpone(id: string, failures: number, nextTryAt: UnixSeconds): Promise<void>;
  /** Takes an entry off the queue. */
  finish(id: string): Promise<void>;
  /** Takes what is too old off the queue; how many there were. */
  expire(now: UnixSeconds): Promise<number>;
}

const isFree = (realNow: UnixSeconds) => or(isNull(feedbackOutbox.leaseUntil), lte(feedbackOutbox.leaseUntil, realNow));

export function createFeedbackRepository(db: Database): FeedbackRepository {
  return {
    async save(entry, forwardUntil) {
      const keep = db.insert(feedbackEntries).values(entry);
      if (forwardUntil === null) await keep;
      else {
        const queued = { id: entry.id, nextTryAt: entry.receivedAt, expiresAt: forwardUntil };
        await db.batch([keep, db.insert(feedbackOutbox).values(queued)]);
      }
    },

    async due(now, realNow, limit) {
      const rows = await db
        .select({ id: feedbackOutbox.id })
        .from(feedbackOutbox)
        .where(and(lte(feedbackOutbox.nextTryAt, now), gt(feedbackOutbox.expiresAt, now), isFree(realNow)))
        .orderBy(asc(feedbackOutbox.nextTryAt))
        .limit(limit);
      return rows.map(({ id }) => id);
    },

    async lease(id, realNow, seconds) {
      const [taken, rows] = await db.batch([
        db
          .update(feedbackOutbox)
          .set({ leaseUntil: realNow + seconds })
          .where(and(eq(feedbackOutbox.id, id), isFree(realNow))),
        db
          .select({ entry: feedbackEntries, failures: feedbackOutbox.failures })
          .from(feedbackOutbox)
          .innerJoin(feedbackEntries, eq(feedbackEntries.id, feedbackOutbox.id))
          .where(eq(feedbackOutbox.id, id)),
      ]);
      return taken.meta.changes > 0 ? (rows[0] ?? null) : null;
    },

    async postpone(id, failures, nextTryAt) {
      await db.update(feedbackOutbox).set({ failures, nextTryAt, leaseUntil: null }).where(eq(feedbackOutbox.id, id));
    },

    async finish(id) {
      await db.delete(feedbackOutbox).where(eq(feedbackOutbox.id, id));
    },

    async expire(now) {
      return (await db.delete(feedbackOutbox).where(lte(feedbackOutbox.expiresAt, sql`${now}`))).meta.changes;
    },
  };
}
