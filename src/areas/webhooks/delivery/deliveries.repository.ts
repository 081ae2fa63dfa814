import { sql } from 'drizzle-orm';
import type { Database } from '../../../platform/storage/database.ts';
import { runInOneTransaction } from '../../../platform/storage/raw-batch.ts';
import type { UnixSeconds } from '../../../platform/time/clock.ts';
import type { DeliveryAttempt } from '../signed/delivery-attempt.domain.ts';
import { MAX_KEPT_ATTEMPTS, type SignedMessageType } from '../signed/signed-events.data.ts';
import type { Template } from '../templates/template.domain.ts';
import type { WebhookFormat } from '../webhooks.tables.ts';
import { MAX_FAILURES } from './delivery.data.ts';

/** An event to post in one format, once per key. */
export interface QueuedJob {
  key: string;
  format: WebhookFormat;
  event: SignedMessageType;
  /** Chat: variables of the event as JSON. Signed: the body. */
  content: string;
}

/** A pending post. */
export interface Delivery {
  id: number;
  webhookId: string;
  userId: string;
  jobKey: string;
  format: WebhookFormat;
  event: SignedMessageType;
  /** Chat: variables of the event as JSON. Signed: the body. */
  content: string;
  /** The webhook's template of the event; null: the default embed. */
  template: Template | null;
  sealedAddress: string;
  addressKey: string;
  /** Signed webhooks; the previous secret signs until an instant in unix seconds. */
  sealedSecret: string | null;
  sealedPreviousSecret: string | null;
  previousUntil: UnixSeconds | null;
  /** Expiry in unix milliseconds. */
  expiresAt: number;
  /** Attempts started before. */
  tries: number;
}

/** Due deliveries of an object. `unwanted`: expired, or the webhook or account is deleted or disabled. */
export interface DueDeliveries {
  wanted: Delivery[];
  unwanted: number[];
}

/** Result of an attempt. */
export interface DeliveryNote {
  status: number | null;
  error: string | null;
  at: UnixSeconds;
  /** Stored in the log of a signed webhook. */
  attempt?: DeliveryAttempt;
}

type Settled = Pick<Delivery, 'id' | 'webhookId' | 'addressKey'> & Partial<Pick<Delivery, 'jobKey'>>;

/**
 * The delivery queue. Queueing an event is one transaction, and so is settling a delivery with the health of its webhook: after a crash a
 * delivery is either pending or settled. Instants without a unit are unix milliseconds.
 */
export interface DeliveriesRepository {
  /**
   * Queues an event once per key for every active webhook of the format that is registered for it. Returns the objects with deliveries of
   * it. A signed event without a registered webhook is not stored.
   */
  enqueue(job: QueuedJob, claim: string, at: { now: number; expiresAt: number }): Promise<number[]>;
  /** Oldest first. */
  due(sender: number, now: number, limit: number): Promise<DueDeliveries>;
  discard(ids: readonly number[]): Promise<void>;
  /** Counts an attempt before it starts, and takes a lease until `leaseUntil`. False: the delivery must not be attempted. */
  begin(delivery: Delivery, leaseUntil: number): Promise<boolean>;
  postpone(id: number, dueAt: number): Promise<void>;
  /** Delays all deliveries of a webhook until an instant. */
  hold(webhookId: string, until: number): Promise<void>;
  /** Stores a failed attempt that is retried. */
  retry(delivery: Settled, note: DeliveryNote, dueAt: number): Promise<void>;
  delivered(delivery: Settled, note: DeliveryNote): Promise<void>;
  /** Also disables the webhook after too many failures in a row. */
  failed(delivery: Settled, note: DeliveryNote): Promise<void>;
  /** Also disables the webhook and drops its pending deliveries. */
  disable(delivery: Settled, note: DeliveryNote, reason: string): Promise<void>;
  /** Time of the next delivery of an object; null: none. */
  nextAt(sender: number): Promise<number | null>;
  /** Objects with due deliveries. */
  dueSenders(now: number): Promise<number[]>;
  /** Deletes events of a format queued before an instant, with their deliveries and log. */
  deleteExpired(format: WebhookFormat, before: number): Promise<void>;
}

export function createDeliveriesRepository(db: Database): DeliveriesRepository {
  const run = (...statements: ReturnType<typeof sql>[]) => runInOneTransaction(db, statements);
  const settled = ({ id }: Settled) => sql`DELETE FROM webhook_deliveries WHERE id = ${id}`;
  /** The webhook of a delivery, unless its URL changed since the attempt. */
  const same = ({ webhookId, addressKey }: Settled) => sql`id = ${webhookId} AND address_key = ${addressKey}`;
  const logged = ({ webhookId, jobKey }: Settled, { attempt }: DeliveryNote, deliveredAt: UnixSeconds | null) =>
    jobKey === undefined || attempt === undefined
      ? []
      : [
          sql`UPDATE webhook_log SET tries = tries + 1, delivered_at = ${deliveredAt}, attempts = json_insert(
              CASE WHEN json_array_length(attempts) >= ${MAX_KEPT_ATTEMPTS} THEN json_remove(attempts, '$[0]') ELSE attempts END,
              '$[#]', json(${JSON.stringify(attempt)}))
            WHERE webhook_id = ${webhookId} AND message_id = ${jobKey}`,
        ];
  const dropIfOff = ({ webhookId }: Settled) =>
    sql`DELETE FROM webhook_deliveries WHERE webhook_id IN (SELECT id FROM webhooks WHERE id = ${webhookId} AND is_active = 0)`;

  return {
    async enqueue({ key, format, event, content }, claim, { now, expiresAt }) {
      const isWanted = sql`(${format} = 'chat' OR EXISTS (
        SELECT 1 FROM webhook_subscriptions s JOIN webhooks w ON w.id = s.webhook_id WHERE s.event = ${event} AND w.format = ${format}))`;
      const [, , waiting] = await run(
        sql`INSERT INTO webhook_jobs (key, format, event, variables, claim, queued_at, expires_at)
          SELECT ${key}, ${format}, ${event}, ${content}, ${claim}, ${now}, ${expiresAt} WHERE ${isWanted}
          ON CONFLICT (key) DO NOTHING`,
        sql`INSERT INTO webhook_deliveries (job_key, webhook_id, sender, due_at)
          SELECT ${key}, w.id, w.sender, ${now}
          FROM webhook_subscriptions s JOIN webhooks w ON w.id = s.webhook_id JOIN users u ON u.id = w.user_id
          WHERE s.event = ${event} AND w.format = ${format} AND w.is_active = 1 AND u.is_active = 1
            AND EXISTS (SELECT 1 FROM webhook_jobs WHERE key = ${key} AND claim = ${claim})`,
        sql`SELECT DISTINCT sender FROM webhook_deliveries WHERE job_key = ${key} ORDER BY sender`,
        ...(format === 'chat' ? [] : [logRows(key, event, Math.floor(now / 1000))]),
      );
      return (waiting ?? []).map(({ sender }) => Number(sender));
    },

    async due(sender, now, limit) {
      const [rows = []] = await run(sql`SELECT d.id, d.tries, d.webhook_id, d.job_key, w.user_id, j.format, j.event, j.variables,
          w.sealed_address, w.address_key, json_extract(w.templates, '$.' || j.event) AS template,
          w.sealed_secret, w.sealed_previous_secret, w.previous_until, coalesce(d.expires_at, j.expires_at) AS expires_at,
          coalesce(w.is_active AND u.is_active AND coalesce(d.expires_at, j.expires_at) > ${now}, 0) AS is_wanted
        FROM webhook_deliveries d LEFT JOIN webhook_jobs j ON j.key = d.job_key
          LEFT JOIN webhooks w ON w.id = d.webhook_id LEFT JOIN users u ON u.id = w.user_id
        WHERE d.sender = ${sender} AND d.due_at <= ${now} ORDER BY d.due_at, d.id LIMIT ${limit}`);
      const isWanted = (row: Record<string, unknown>) => row.is_wanted === 1;
      return { wanted: rows.filter(isWanted).map(toDelivery), unwanted: rows.filter((row) => !isWanted(row)).map(({ id }) => Number(id)) };
    },

    async discard(ids) {
      if (ids.length > 0) await run(sql`DELETE FROM webhook_deliveries WHERE id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`);
    },

    async begin({ id, tries, webhookId, addressKey }, leaseUntil) {
      const [begun] = await run(sql`UPDATE webhook_deliveries SET tries = tries + 1, due_at = ${leaseUntil}
        WHERE id = ${id} AND tries = ${tries} AND EXISTS (
          SELECT 1 FROM webhooks w JOIN users u ON u.id = w.user_id
          WHERE w.id = ${webhookId} AND w.address_key = ${addressKey} AND w.is_active = 1 AND u.is_active = 1)
        RETURNING id`);
      return (begun?.length ?? 0) > 0;
    },

    async postpone(id, dueAt) {
      await run(sql`UPDATE webhook_deliveries SET due_at = ${dueAt} WHERE id = ${id}`);
    },

    async hold(webhookId, until) {
      await run(sql`UPDATE webhook_deliveries SET due_at = ${until} WHERE webhook_id = ${webhookId} AND due_at < ${until}`);
    },

    async retry(delivery, note, dueAt) {
      await run(
        sql`UPDATE webhook_deliveries SET due_at = ${dueAt} WHERE id = ${delivery.id}`,
        sql`UPDATE webhooks SET last_status = ${note.status}, last_error = ${note.error} WHERE ${same(delivery)}`,
        ...logged(delivery, note, null),
      );
    },

    async delivered(delivery, note) {
      const { status, at } = note;
      await run(
        settled(delivery),
        ...logged(delivery, note, at),
        sql`UPDATE webhooks SET failures = 0, last_status = ${status}, last_error = NULL, last_delivered_at = ${at} WHERE ${same(delivery)}`,
      );
    },

    async failed(delivery, note) {
      const { status, error } = note;
      const isLast = sql`failures + 1 >= ${MAX_FAILURES} AND is_active`;
      await run(
        settled(delivery),
        ...logged(delivery, note, null),
        sql`UPDATE webhooks SET failures = failures + 1, last_status = ${status}, last_error = ${error},
          disabled_reason = CASE WHEN ${isLast} THEN ${`${MAX_FAILURES} deliveries in a row failed`} ELSE disabled_reason END,
          is_active = CASE WHEN ${isLast} THEN 0 ELSE is_active END WHERE ${same(delivery)}`,
        dropIfOff(delivery),
      );
    },

    async disable(delivery, note, reason) {
      const { status, error } = note;
      await run(
        settled(delivery),
        ...logged(delivery, note, null),
        sql`UPDATE webhooks SET failures = failures + 1, last_status = ${status}, last_error = ${error}, disabled_reason = ${reason},
          is_active = 0 WHERE ${same(delivery)}`,
        dropIfOff(delivery),
      );
    },

    async nextAt(sender) {
      const [rows] = await run(sql`SELECT min(due_at) AS at FROM webhook_deliveries WHERE sender = ${sender}`);
      const at = rows?.[0]?.at;
      return typeof at === 'number' ? at : null;
    },

    async dueSenders(now) {
      const [rows = []] = await run(sql`SELECT DISTINCT sender FROM webhook_deliveries WHERE due_at <= ${now} ORDER BY sender`);
      return rows.map(({ sender }) => Number(sender));
    },

    async deleteExpired(format, before) {
      const old = sql`format = ${format} AND queued_at < ${before}`;
      await run(
        sql`DELETE FROM webhook_deliveries WHERE job_key IN (SELECT key FROM webhook_jobs WHERE ${old})`,
        ...(format === 'chat' ? [] : [sql`DELETE FROM webhook_log WHERE created_at < ${Math.floor(before / 1000)}`]),
        sql`DELETE FROM webhook_jobs WHERE ${old}`,
      );
    },
  };
}

function toDelivery(row: Record<string, unknown>): Delivery {
  return {
    id: Number(row.id),
    webhookId: String(row.webhook_id),
    userId: String(row.user_id),
    jobKey: String(row.job_key),
    format: row.format as WebhookFormat,
    event: row.event as SignedMessageType,
    content: String(row.variables),
    template: row.template === null ? null : (JSON.parse(String(row.template)) as Template),
    sealedAddress: String(row.sealed_address),
    addressKey: String(row.address_key),
    sealedSecret: row.sealed_secret as string | null,
    sealedPreviousSecret: row.sealed_previous_secret as string | null,
    previousUntil: row.previous_until as UnixSeconds | null,
    expiresAt: Number(row.expires_at),
    tries: Number(row.tries),
  };
}

/** Rows of the log for all deliveries of a job. */
function logRows(key: string, event: SignedMessageType, createdAt: UnixSeconds) {
  return sql`INSERT INTO webhook_log (webhook_id, message_id, event, created_at)
    SELECT webhook_id, job_key, ${event}, ${createdAt} FROM webhook_deliveries WHERE job_key = ${key} ON CONFLICT DO NOTHING`;
}
