import { sql } from 'drizzle-orm';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { parseStored } from '../../../platform/kit/values/stored-shapes.ts';
import { type Database, runInOneTransaction } from '../../../platform/storage/database.ts';
import { deleteOldLogRows, newestDeliveryId, type QueueTime } from '../delivery/deliveries.store.ts';
import type { SignedMessage, SignedMessageType, TEST_EVENT } from '../events/signed-message.domain.ts';
import type { DeliveryAttempt } from '../records/webhooks.tables.ts';
import { ATTEMPTS } from '../records/webhooks.tables.ts';

/** A delivery with its logged attempts. */
export interface LoggedDelivery {
  messageId: string;
  event: SignedMessageType;
  state: 'pending' | 'delivered' | 'failed';
  tries: number;
  /** The newest attempts, oldest first. */
  attempts: DeliveryAttempt[];
  createdAt: UnixSeconds;
  deliveredAt: UnixSeconds | null;
  /** Unix milliseconds; null: no attempt is scheduled. */
  nextAttemptAt: number | null;
}

/** Log of the deliveries of signed webhooks. */
export type DeliveryLog = ReturnType<typeof createDeliveryLog>;

export function createDeliveryLog(db: Pick<Database, '$client'>) {
  const run = (...statements: ReturnType<typeof sql>[]) => runInOneTransaction(db, statements);
  const columns = sql`l.message_id, l.event, l.tries, l.attempts, l.created_at, l.delivered_at, d.due_at`;
  const withQueue = sql`webhook_log l LEFT JOIN webhook_deliveries d ON d.job_key = l.message_id AND d.webhook_id = l.webhook_id`;

  return {
    /** Newest first. */
    async list(webhookId: string, limit: number): Promise<LoggedDelivery[]> {
      const [rows = []] = await run(sql`SELECT ${columns} FROM ${withQueue}
        WHERE l.webhook_id = ${webhookId} ORDER BY l.created_at DESC, l.message_id DESC LIMIT ${limit}`);
      return rows.map(toDelivery);
    },

    /** Null when the delivery is unknown or deleted. */
    async find(webhookId: string, messageId: string): Promise<(LoggedDelivery & { body: string }) | null> {
      const [rows = []] = await run(sql`SELECT ${columns}, j.variables AS body FROM ${withQueue} JOIN webhook_jobs j ON j.key = l.message_id
        WHERE l.webhook_id = ${webhookId} AND l.message_id = ${messageId}`);
      const [row] = rows;
      return row ? { ...toDelivery(row), body: String(row.body) } : null;
    },

    /** Enqueues a test event for one webhook. Returns its sender object; null when the webhook is disabled or deleted. */
    async enqueueTest(
      id: string,
      { id: key, event, body }: SignedMessage<typeof TEST_EVENT>,
      { now, expiresAt }: QueueTime,
    ): Promise<number | null> {
      const isActive = sql`EXISTS (SELECT 1 FROM webhooks WHERE id = ${id} AND is_active = 1)`;
      const [, enqueued] = await run(
        sql`INSERT INTO webhook_jobs (key, format, event, variables, claim, queued_at, expires_at, after_id)
          SELECT ${key}, 'signed', ${event}, ${body}, ${key}, ${now}, ${expiresAt}, ${newestDeliveryId} WHERE ${isActive}`,
        sql`INSERT INTO webhook_deliveries (job_key, webhook_id, sender, due_at)
          SELECT ${key}, id, sender, ${now} FROM webhooks WHERE id = ${id} AND is_active = 1 RETURNING sender`,
        sql`INSERT INTO webhook_log (webhook_id, message_id, event, created_at)
          SELECT ${id}, ${key}, ${event}, ${Math.floor(now / 1000)} WHERE ${isActive}`,
        deleteOldLogRows(sql`SELECT ${id} AS webhook_id`),
      );
      return senderOf(enqueued);
    },

    /**
     * Enqueues a delivery again; a pending one becomes due now. Returns its sender object; null when the delivery is unknown or deleted, or
     * its webhook is disabled.
     */
    async replay(id: string, messageId: string, { now, expiresAt }: QueueTime): Promise<number | null> {
      const [enqueued] = await run(
        sql`INSERT INTO webhook_deliveries (job_key, webhook_id, sender, due_at, expires_at)
          SELECT j.key, w.id, w.sender, ${now}, ${expiresAt}
          FROM webhook_log l JOIN webhook_jobs j ON j.key = l.message_id JOIN webhooks w ON w.id = l.webhook_id
          WHERE l.webhook_id = ${id} AND l.message_id = ${messageId} AND w.is_active = 1
          ON CONFLICT (webhook_id, job_key) DO UPDATE
            SET due_at = excluded.due_at, tries = 0, results = 0, lease = lease + 1, expires_at = excluded.expires_at
          RETURNING sender`,
        sql`UPDATE webhook_log SET delivered_at = NULL WHERE webhook_id = ${id} AND message_id = ${messageId}
          AND EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.job_key = message_id AND d.webhook_id = webhook_log.webhook_id)`,
      );
      return senderOf(enqueued);
    },
  };
}

function senderOf(rows: Record<string, unknown>[] | undefined): number | null {
  const sender = rows?.[0]?.sender;
  return typeof sender === 'number' ? sender : null;
}

function toDelivery(row: Record<string, unknown>): LoggedDelivery {
  const nextAttemptAt = row.due_at as number | null;
  const deliveredAt = row.delivered_at as number | null;
  const finalState = deliveredAt === null ? 'failed' : 'delivered';
  return {
    messageId: String(row.message_id),
    event: row.event as SignedMessageType,
    state: nextAttemptAt === null ? finalState : 'pending',
    tries: Number(row.tries),
    attempts: parseStored(ATTEMPTS, String(row.attempts)),
    createdAt: Number(row.created_at),
    deliveredAt,
    nextAttemptAt,
  };
}
