import { and, asc, eq, gt, isNull, lte, or, type SQL, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import pMap from 'p-map';
import { logError } from '../kit/logging.ts';
import { withTimeout } from '../kit/tasks.ts';
import type { Clock, UnixSeconds } from '../kit/time/clock.ts';
import type { Database } from '../storage/database.ts';
import { outbox } from './outbox.tables.ts';
import { nextTryAt, type RetryPolicy } from './retry-policy.domain.ts';

/** Time between the end of an attempt and that of its lease: to store its result. */
const LEASE_SLACK_SECONDS = 5;

/** A new delivery. */
export interface NewItem {
  /** Unique within the kind; an item that is already queued stays unchanged. */
  key: string;
  payload?: string;
  /** When the delivery expires; absent: never. */
  expiresAt?: UnixSeconds;
}

/** A delivery, as passed to one attempt. */
export interface QueuedItem {
  key: string;
  payload: string;
}

/** Context of an attempt. */
export interface Attempt {
  now: UnixSeconds;
  signal?: AbortSignal;
}

/** `refused`: permanent failure, not retried. An attempt that throws counts as `retry`. */
export type DeliveryOutcome =
  | { kind: 'done' }
  | { kind: 'refused'; reason: string }
  | { kind: 'retry'; reason: string; retryAfterSeconds?: number | null };

/** Result of an item. `exhausted`: its last attempt failed. `tries` counts all finished attempts. */
export type ItemEnd = { kind: 'done'; tries: number } | { kind: 'refused' | 'exhausted'; reason: string; tries: number };

/** One kind of delivery, declared by its area. */
export interface OutboxKind<A extends Attempt = Attempt> {
  name: string;
  policy: RetryPolicy;
  /** After it the attempt must have crashed, and the next one may start. An attempt is ended 5 s before, and its signal aborts. */
  leaseSeconds: number;
  /** Items of one `drain`. */
  batch: number;
  /** Concurrent attempts of one `drain`. */
  concurrency: number;
  /** False while no transport exists: no attempt is made or counted. */
  isReady?(attempt: A): boolean;
  deliver(item: QueuedItem, attempt: A): Promise<DeliveryOutcome>;
  /** Statements in the transaction that deletes the item. */
  onEnd?(key: string, end: ItemEnd, now: UnixSeconds): readonly BatchItem<'sqlite'>[];
  /** Runs after the item is deleted; a crash may skip it. */
  afterEnd?(key: string): Promise<void>;
}

/** The deliveries of one kind, at least once each: a crash may deliver an item twice. */
export interface OutboxQueue<A extends Attempt = Attempt> {
  /** The statement that queues an item, for the batch that stores the related record. */
  insertion(item: NewItem, now: UnixSeconds): ReturnType<typeof outboxInsertion>;
  /**
   * Makes one attempt now, due or not. False when the item does not exist or another attempt has its lease. Never rejects: `drain`
   * retries failures.
   */
  deliver(key: string, attempt: A): Promise<boolean>;
  /** Makes one attempt for each due item, oldest first, at most `batch`. */
  drain(attempt: A): Promise<void>;
  /** Ends an item that `deliver` did not find, with the same statements as for one that it found. */
  end(key: string, end: ItemEnd, now: UnixSeconds): Promise<void>;
  /** Deletes expired items and returns their number. */
  deleteExpired(now: UnixSeconds): Promise<number>;
}

export interface Outbox {
  kind<A extends Attempt = Attempt>(kind: OutboxKind<A>): OutboxQueue<A>;
}

/** The outbox in the database. `nowSeconds`: real time, for leases; independent of the clock of a request. */
export function createOutbox(db: Database, nowSeconds: Clock): Outbox {
  return { kind: (kind) => createQueue(db, nowSeconds, kind) };
}

/** The statement that queues an item of a kind, for code that does not deliver. */
export function outboxInsertion(db: Database, kind: string, { key, payload = '', expiresAt }: NewItem, now: UnixSeconds) {
  return db
    .insert(outbox)
    .values({ kind, key, payload, nextTryAt: now, expiresAt: expiresAt ?? null })
    .onConflictDoNothing();
}

function createQueue<A extends Attempt>(db: Database, nowSeconds: Clock, kind: OutboxKind<A>): OutboxQueue<A> {
  type Row = typeof outbox.$inferSelect;
  const ofKind = eq(outbox.kind, kind.name);
  const at = (key: string) => and(ofKind, eq(outbox.key, key));
  const isUnleased = () => lte(outbox.leaseUntil, nowSeconds());
  const isUnexpired = (now: UnixSeconds) => or(isNull(outbox.expiresAt), gt(outbox.expiresAt, now));
  const isDue = (now: UnixSeconds) => lte(outbox.nextTryAt, now);
  const isReady = (attempt: A) => kind.isReady?.(attempt) ?? true;

  async function dueKeys(now: UnixSeconds): Promise<string[]> {
    const rows = await db
      .select({ key: outbox.key })
      .from(outbox)
      .where(and(ofKind, isDue(now), isUnleased(), isUnexpired(now)))
      .orderBy(asc(outbox.nextTryAt), asc(sql`rowid`))
      .limit(kind.batch);
    return rows.map(({ key }) => key);
  }

  /**
   * Leases an item for one attempt; undefined when another attempt has the lease or the item is deleted. The attempt is counted when it
   * ends: an isolate that dies during it costs no attempt, and the item is due again when the lease expires.
   */
  async function lease(key: string, now: UnixSeconds, condition?: SQL): Promise<Row | undefined> {
    const rows = await db
      .update(outbox)
      .set({ leaseUntil: nowSeconds() + kind.leaseSeconds })
      .where(and(at(key), isUnleased(), isUnexpired(now), condition))
      .returning();
    return rows[0];
  }

  /** One attempt, which ends before its lease: a delivery that hangs must not hold its place, nor that of those after it. */
  async function deliverSafely(row: Row, attempt: A): Promise<DeliveryOutcome> {
    const timeout = new AbortController();
    const signal = attempt.signal ? AbortSignal.any([attempt.signal, timeout.signal]) : timeout.signal;
    const timeoutMs = Math.max(1, kind.leaseSeconds - LEASE_SLACK_SECONDS) * 1000;
    try {
      return await withTimeout(kind.deliver(row, { ...attempt, signal }), timeoutMs, `an attempt of ${kind.name}`);
    } catch (error) {
      logError('outbox attempt failed', error, { outbox: kind.name, key: row.key });
      return { kind: 'retry', reason: error instanceof Error ? error.message : String(error) };
    } finally {
      timeout.abort();
    }
  }

  /** Schedules the next attempt; no effect for an attempt that lost its lease to another. */
  async function postpone({ key, leaseUntil }: Row, tries: number, next: UnixSeconds, lastError: string): Promise<void> {
    await db
      .update(outbox)
      .set({ tries, nextTryAt: next, leaseUntil: 0, lastError })
      .where(and(at(key), eq(outbox.leaseUntil, leaseUntil)));
  }

  async function end(key: string, result: ItemEnd, now: UnixSeconds): Promise<void> {
    if (result.kind !== 'done') {
      logError('outbox item failed permanently', new Error(result.reason), { outbox: kind.name, key, tries: result.tries });
    }
    // Regardless of the lease: a delivery that is done must not start again, also when it took longer than its lease.
    await db.batch([db.delete(outbox).where(at(key)), ...(kind.onEnd?.(key, result, now) ?? [])]);
    await kind.afterEnd?.(key);
  }

  async function attemptOnce(row: Row, attempt: A): Promise<void> {
    const outcome = await deliverSafely(row, attempt);
    const tries = row.tries + 1;
    if (outcome.kind !== 'retry') return end(row.key, { ...outcome, tries }, attempt.now);
    const next = nextTryAt(kind.policy, tries, attempt.now, outcome.retryAfterSeconds);
    if (next !== null) return postpone(row, tries, next, outcome.reason);
    await end(row.key, { kind: 'exhausted', reason: outcome.reason, tries }, attempt.now);
  }

  async function deliver(key: string, attempt: A, condition?: SQL): Promise<boolean> {
    if (!isReady(attempt)) return true;
    try {
      const row = await lease(key, attempt.now, condition);
      if (row) await attemptOnce(row, attempt);
      return row !== undefined;
    } catch (error) {
      // The row stays and is due again after its lease. Rejecting would fail the request whose record is stored, or skip the other rows.
      logError('outbox attempt could not be stored', error, { outbox: kind.name, key });
      return true;
    }
  }

  return {
    insertion: (item, now) => outboxInsertion(db, kind.name, item, now),
    deliver: (key, attempt) => deliver(key, attempt),
    end,

    async drain(attempt) {
      if (!isReady(attempt)) return;
      const tryDue = async (key: string) => {
        // Due again under the lease: another run may have postponed the item since the list was read.
        if (!attempt.signal?.aborted) await deliver(key, attempt, isDue(attempt.now));
      };
      await pMap(await dueKeys(attempt.now), tryDue, { concurrency: kind.concurrency });
    },

    async deleteExpired(now) {
      return (await db.delete(outbox).where(and(ofKind, lte(outbox.expiresAt, now)))).meta.changes;
    },
  };
}
