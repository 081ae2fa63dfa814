import { sql } from 'drizzle-orm';
import type { Database } from '../../../platform/storage/database.ts';
import { runInOneTransaction } from '../../../platform/storage/raw-batch.ts';
import type { UnixSeconds } from '../../../platform/time/clock.ts';
import type { Webhook } from '../webhooks.repository.ts';
import type { DeliveryAttempt } from './delivery-attempt.domain.ts';
import { MAX_LOG_ROWS, type SignedMessageType, type TEST_EVENT } from './signed-events.data.ts';
import type { SignedMessage } from './signed-message.domain.ts';

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

/** Log of the deliveries of signed webhooks. Times without a unit are unix milliseconds. */
export interface DeliveryLog {
  /** Newest first. */
  list(webhookId: string, limit: number): Promise<LoggedDelivery[]>;
  /** Null when the delivery is unknown or deleted. */
  find(webhookId: string, messageId: string): Promise<(LoggedDelivery & { body: string }) | null>;
  /** Enqueues a test event for one webhook. Deletes all but the newest rows of its log. */
  enqueueTest(webhook: Pick<Webhook, 'id' | 'sender'>, message: SignedMessage<typeof TEST_EVENT>, at: QueueTime): Promise<void>;
  /** Enqueues a delivery again; a pending one becomes due now. False when the delivery is unknown or deleted. */
  replay(webhook: Pick<Webhook, 'id' | 'sender'>, messageId: string, at: QueueTime): Promise<boolean>;
}

export interface QueueTime {
  now: number;
  expiresAt: number;
}

export function createDeliveryLog(db: Pick<Database, '$client'>): DeliveryLog {
  const run = (...statements: ReturnType<typeof sql>[]) => runInOneTransaction(db, statements);
  const columns = sql`l.message_id, l.event, l.tries, l.attempts, l.created_at, l.delivered_at, d.due_at`;
  const withQueue = sql`webhook_log l LEFT JOIN webhook_deliveries d ON d.job_key = l.message_id AND d.webhook_id = l.webhook_id`;

  return {
    async list(webhookId, limit) {
      const [rows = []] = await run(sql`SELECT ${columns} FROM ${withQueue}
        WHERE l.webhook_id = ${webhookId} ORDER BY l.created_at DESC, l.message_id DESC LIMIT ${limit}`);
      return rows.map(toDelivery);
    },

    async find(webhookId, messageId) {
      const [rows = []] = await run(sql`SELECT ${columns}, j.variables AS body FROM ${withQueue} JOIN webhook_jobs j ON j.key = l.message_id
        WHERE l.webhook_id = ${webhookId} AND l.message_id = ${messageId}`);
      const [row] = rows;
      return row ? { ...toDelivery(row), body: String(row.body) } : null;
    },

    async enqueueTest({ id, sender }, { id: key, event, body }, { now, expiresAt }) {
      await run(
        sql`INSERT INTO webhook_jobs (key, format, event, variables, claim, queued_at, expires_at)
          VALUES (${key}, 'signed', ${event}, ${body}, ${key}, ${now}, ${expiresAt})`,
        sql`INSERT INTO webhook_deliveries (job_key, webhook_id, sender, due_at) VALUES (${key}, ${id}, ${sender}, ${now})`,
        sql`INSERT INTO webhook_log (webhook_id, message_id, event, created_at) VALUES (${id}, ${key}, ${event}, ${Math.floor(now / 1000)})`,
        sql`DELETE FROM webhook_log WHERE webhook_id = ${id} AND created_at < (
          SELECT created_at FROM webhook_log WHERE webhook_id = ${id} ORDER BY created_at DESC LIMIT 1 OFFSET ${MAX_LOG_ROWS - 1})`,
      );
    },

    async replay({ id, sender }, messageId, { now, expiresAt }) {
      const [enqueued] = await run(
        sql`INSERT INTO webhook_deliveries (job_key, webhook_id, sender, due_at, expires_at)
          SELECT j.key, l.webhook_id, ${sender}, ${now}, ${expiresAt} FROM webhook_log l JOIN webhook_jobs j ON j.key = l.message_id
          WHERE l.webhook_id = ${id} AND l.message_id = ${messageId}
          ON CONFLICT (job_key, webhook_id) DO UPDATE SET due_at = ${now}, tries = 0, expires_at = ${expiresAt} RETURNING id`,
        sql`UPDATE webhook_log SET delivered_at = NULL WHERE webhook_id = ${id} AND message_id = ${messageId}`,
      );
      return (enqueued?.length ?? 0) > 0;
    },
  };
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
    attempts: JSON.parse(String(row.attempts)) as DeliveryAttempt[],
    createdAt: Number(row.created_at),
    ...{ deliveredAt, nextAttemptAt },
  };
}
