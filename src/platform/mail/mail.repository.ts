import { and, asc, desc, eq, lt, lte, sql } from 'drizzle-orm';
import { users } from '../access/tokens.tables.ts';
import type { Database } from '../storage/database.ts';
import type { UnixSeconds } from '../time/clock.ts';
import { mailOutbox } from './mail.tables.ts';

export type MailRow = typeof mailOutbox.$inferSelect;

/** What became of a try. `refused`: the address itself is at fault. */
export type MailOutcome =
  | { state: 'sent' | 'kept' }
  | { state: 'waiting'; nextTryAt: UnixSeconds; error: string }
  | { state: 'failed'; error: string; isRefused: boolean };

/** Mail on its way. */
export interface MailRepository {
  /** The statement that queues a mail unless it is queued already, to be stored together with what the mail is about. */
  insertion(row: typeof mailOutbox.$inferInsert): ReturnType<typeof insertionOf>;
  /** Ids of what is due and nobody has, oldest first. */
  due(now: UnixSeconds, realNow: UnixSeconds, limit: number): Promise<string[]>;
  /** Takes a waiting mail for one try; null when another try has it or it is on its way no more. */
  lease(id: string, realNow: UnixSeconds, seconds: number): Promise<MailRow | null>;
  finish(mail: MailRow, outcome: MailOutcome, now: UnixSeconds): Promise<void>;
  /** The latest mails, newest first. */
  latest(limit: number): Promise<MailRow[]>;
  prune(before: UnixSeconds): Promise<void>;
}

export function createMailRepository(db: Database): MailRepository {
  return {
    insertion: (row) => insertionOf(db, row),

    async due(now, realNow, limit) {
      const rows = await db
        .select({ id: mailOutbox.id })
        .from(mailOutbox)
        .where(and(lte(mailOutbox.nextTryAt, now), lte(mailOutbox.leaseUntil, realNow)))
        .orderBy(asc(mailOutbox.nextTryAt))
        .limit(limit);
      return rows.map(({ id }) => id);
    },

    async lease(id, realNow, seconds) {
      const free = and(eq(mailOutbox.id, id), eq(mailOutbox.state, 'waiting'), lte(mailOutbox.leaseUntil, realNow));
      const rows = await db
        .update(mailOutbox)
        .set({ leaseUntil: realNow + seconds })
        .where(free)
        .returning();
      return rows[0] ?? null;
    },

    async finish({ id, tries, recipient }, outcome, now) {
      const isOver = outcome.state !== 'waiting';
      const update = db
        .update(mailOutbox)
        .set({
          state: outcome.state,
          tries: tries + 1,
          leaseUntil: 0,
          nextTryAt: outcome.state === 'waiting' ? outcome.nextTryAt : null,
          lastError: 'error' in outcome ? outcome.error : null,
          ...(isOver && outcome.state !== 'kept' ? { text: null } : {}),
        })
        .where(eq(mailOutbox.id, id));
      if (outcome.state === 'waiting' || outcome.state === 'kept') return void (await update);
      const isRefused = outcome.state === 'failed' && outcome.isRefused;
      const mark = db
        .update(users)
        .set({ mailRefusedAt: isRefused ? now : null })
        .where(and(eq(users.email, recipient), isRefused ? sql`true` : sql`${users.mailRefusedAt} is not null`));
      await db.batch([update, mark]);
    },

    latest: (limit) => db.select().from(mailOutbox).orderBy(desc(mailOutbox.createdAt), desc(sql`rowid`)).limit(limit),

    async prune(before) {
      await db.delete(mailOutbox).where(lt(mailOutbox.createdAt, before));
    },
  };
}

function insertionOf(db: Database, row: typeof mailOutbox.$inferInsert) {
  return db.insert(mailOutbox).values(row).onConflictDoNothing();
}
