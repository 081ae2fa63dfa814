import { type SQL, sql } from 'drizzle-orm';
import { bind } from '../../../platform/kit/bind.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { parseStored } from '../../../platform/kit/values/stored-shapes.ts';
import { type Database, runInOneTransaction } from '../../../platform/storage/database.ts';
import type { FactRange } from '../conditions/conditions.domain.ts';
import type { SignedMessageType } from '../events/signed-message.domain.ts';
import type { Template } from '../events/template.domain.ts';
import type { DeliveryAttempt } from '../records/webhooks.tables.ts';
import { TEMPLATE, type WebhookFormat, type webhookDeliveries, type webhookJobs, type webhooks } from '../records/webhooks.tables.ts';
import { MAX_FAILURES, MAX_HOST_SAMPLE, MAX_LOG_ROWS, MAX_QUEUED_MESSAGES, MAX_STORED_ATTEMPTS, SENDER_COUNT } from './delivery.data.ts';

/** An event to post, once per key. */
export interface QueuedJob {
  key: string;
  event: SignedMessageType;
  /** Chat: variables of the event as JSON. Signed: the body. */
  content: string;
  /** Facts of the event. Webhooks with conditions for it receive it if one of them is met. */
  facts: readonly FactRange[];
  /** Whether webhooks without a condition for the event do not receive it. */
  needsCondition: boolean;
}

/** In unix milliseconds. */
export interface QueueTime {
  now: number;
  expiresAt: number;
}

/** A pending post. `expiresAt` is that of its job, or a later one after a replay. */
export interface Delivery
  extends Pick<typeof webhookDeliveries.$inferSelect, 'id' | 'webhookId' | 'jobKey' | 'tries' | 'results' | 'lease'>,
    Pick<typeof webhookJobs.$inferSelect, 'format' | 'event' | 'queuedAt' | 'expiresAt'>,
    Pick<
      typeof webhooks.$inferSelect,
      'userId' | 'sealedAddress' | 'addressKey' | 'sealedSecret' | 'sealedPreviousSecret' | 'previousUntil' | 'lastError'
    > {
  /** Chat: variables of the event as JSON. Signed: the body. */
  content: string;
  /** The webhook's template of the event; null: the default embed. */
  template: Template | null;
}

/** Messages that made room for newer ones, by webhook. */
export interface DroppedMessages {
  webhookId: string;
  count: number;
}

/**
 * Due deliveries of a sender object. `obsolete`: those whose webhook or account is deleted or disabled, and expired ones of signed webhooks,
 * which had their last attempt. Expired chat messages are deliverable: their loss is recorded.
 */
interface DueDeliveries {
  deliverable: Delivery[];
  obsolete: Pick<Delivery, 'id' | 'lease'>[];
}

/** Result of an attempt. */
export interface AttemptResult {
  status: number | null;
  error: string | null;
  at: UnixSeconds;
  /** Stored in the log of a signed webhook. */
  attempt?: DeliveryAttempt;
}

type DeliveryRef = Pick<Delivery, 'id' | 'webhookId' | 'jobKey' | 'lease'>;

/** A delivery with the result that ends it. */
export interface EndedDelivery {
  delivery: DeliveryRef;
  note: AttemptResult;
}

/**
 * Webhooks that receive a job `j`, which is `QueuedJob` as JSON: those without a condition for its event, and those with a condition that
 * one of its facts `f` meets, as `isMet` decides. CROSS JOIN makes each fact one search of the index.
 */
const withoutCondition = sql`webhook_subscriptions s`;
const isUnconditional = sql`s.event = j.value->>'event' AND s.is_conditional = 0 AND NOT j.value->>'needsCondition'`;
const withCondition = sql`json_each(j.value, '$.facts') f CROSS JOIN webhook_conditions c`;
const isConditionMet = sql`c.event = j.value->>'event' AND c.key = f.value->>0 AND c.threshold BETWEEN f.value->>1 AND f.value->>2`;

/** Chat messages of a webhook are posted in order: an older delivery `o` of the webhook of `d`. */
const older = sql`SELECT 1 FROM webhook_deliveries o WHERE o.webhook_id = d.webhook_id AND o.id < d.id`;
/** Value of `after_id` of a job whose deliveries are not yet stored. */
export const newestDeliveryId = sql`(SELECT coalesce(max(id), 0) FROM webhook_deliveries)`;
/** Objects below this index have chat webhooks. */
const isOrdered = (sender: number): boolean => sender < SENDER_COUNT;

/** Origin of the URL of a row of `webhooks`. */
const origin = sql`substr(webhooks.masked_address, 1, 7 + instr(substr(webhooks.masked_address, 9), '/'))`;
/** True for a webhook whose last attempt failed because its host does not work. */
const isHostFault = sql`w.last_error IS NOT NULL AND (w.last_status IS NULL OR w.last_status >= 500 OR w.last_status IN (408, 429))`;
/**
 * Condition: the row of `webhooks` is a chat webhook, and more than half of the webhooks of its host, at least two, fail. Looks at a
 * bounded number of webhooks.
 */
const isHostFailing = sql`format = 'chat' AND (SELECT sum(fails) > 1 AND sum(fails) * 2 > count(*) FROM (
  SELECT ${isHostFault} AS fails FROM webhooks w
  WHERE w.format = 'chat' AND w.masked_address BETWEEN ${origin} || '/' AND ${origin} || '0' AND w.is_active = 1
    AND (w.last_status IS NOT NULL OR w.last_error IS NOT NULL)
  LIMIT ${MAX_HOST_SAMPLE}))`;

/** Assignments for lost messages: the webhook is disabled after too many in a row, unless its host fails. */
function lose(count: SQL): SQL {
  const failures = sql`CASE WHEN ${isHostFailing} THEN failures ELSE failures + ${count} END`;
  const isLast = sql`${failures} >= ${MAX_FAILURES} AND is_active`;
  return sql`failures = ${failures},
    disabled_reason = CASE WHEN ${isLast} THEN ${`${MAX_FAILURES} deliveries in a row failed`} ELSE disabled_reason END,
    is_active = CASE WHEN ${isLast} THEN 0 ELSE is_active END`;
}

export const TOO_MANY_QUEUED = `lost: more than ${MAX_QUEUED_MESSAGES} messages were waiting`;

export type DeliveriesStore = ReturnType<typeof createDeliveriesStore>;

const run = (db: Database, ...statements: ReturnType<typeof sql>[]) => runInOneTransaction(db, statements);

type Leased = Pick<Delivery, 'id' | 'lease'>;

/** Condition: the row of `webhook_deliveries` is one of the deliveries with its lease. */
const areCurrent = (list: readonly Leased[]) => sql`id IN (SELECT value FROM json_each(${JSON.stringify(list.map(({ id }) => id))}))
  AND id || ' ' || lease IN (SELECT value FROM json_each(${JSON.stringify(list.map(({ id, lease }) => `${id} ${lease}`))}))`;

const isCurrent = ({ id, lease }: Pick<Delivery, 'id' | 'lease'>) => sql`id = ${id} AND lease = ${lease}`;

const existsCurrent = (delivery: DeliveryRef) => sql`EXISTS (SELECT 1 FROM webhook_deliveries WHERE ${isCurrent(delivery)})`;

const deleteDelivery = (delivery: DeliveryRef) => sql`DELETE FROM webhook_deliveries WHERE ${isCurrent(delivery)}`;

/** Condition: the webhook of the delivery. Precedes `deleteDelivery` in a transaction. */
const webhookOf = (delivery: DeliveryRef) => sql`id = ${delivery.webhookId} AND ${existsCurrent(delivery)}`;

/** Ended deliveries as JSON for `json_each`, with the attempts of signed ones. */
const endedJson = (ended: readonly EndedDelivery[]) =>
  JSON.stringify(ended.map(({ delivery: { id, lease, webhookId, jobKey }, note }) => ({ id, lease, webhookId, jobKey, ...note })));

const ofEnded = sql`EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.id = g.value->>'id' AND d.lease = g.value->>'lease')`;

/** Logs the attempts of signed deliveries. Precedes the deletion of deliveries in a transaction. */
const appendAttempts = (ended: readonly EndedDelivery[], isDelivered: boolean) => {
  const logged = ended.filter(({ note }) => note.attempt !== undefined);
  if (logged.length === 0) return [];
  return [
    sql`UPDATE webhook_log SET tries = tries + 1,
        delivered_at = CASE WHEN ${ofEnded} THEN ${isDelivered ? sql`g.value->>'at'` : sql`NULL`} ELSE delivered_at END,
        attempts = json_insert(
          CASE WHEN json_array_length(attempts) >= ${MAX_STORED_ATTEMPTS} THEN json_remove(attempts, '$[0]') ELSE attempts END,
          '$[#]', json(g.value->'attempt'))
      FROM json_each(${endedJson(logged)}) g WHERE webhook_id = g.value->>'webhookId' AND message_id = g.value->>'jobKey'`,
  ];
};

const appendAttempt = (delivery: DeliveryRef, note: AttemptResult) => appendAttempts([{ delivery, note }], false);

const deleteIfDisabled = ({ webhookId }: DeliveryRef) =>
  sql`DELETE FROM webhook_deliveries WHERE webhook_id IN (SELECT id FROM webhooks WHERE id = ${webhookId} AND is_active = 0)`;

/**
 * Drops the oldest messages of webhooks with too many. A transaction of its own: most events have no surplus, and after a crash
 * the next event drops it.
 */
async function dropSurplus(db: Database, webhookIds: readonly string[]): Promise<DroppedMessages[]> {
  if (webhookIds.length === 0) return [];
  const surplus = sql`SELECT id, webhook_id FROM (
      SELECT d.id, d.webhook_id, row_number() OVER (PARTITION BY d.webhook_id ORDER BY d.id DESC) AS place
      FROM webhook_deliveries d WHERE d.webhook_id IN (SELECT value FROM json_each(${JSON.stringify(webhookIds)})))
    WHERE place > ${MAX_QUEUED_MESSAGES}`;
  const countOf = sql`(SELECT count(*) - ${MAX_QUEUED_MESSAGES} FROM webhook_deliveries d WHERE d.webhook_id = webhooks.id)`;
  const [counts = []] = await run(
    db,
    sql`SELECT webhook_id, count(*) AS n FROM (${surplus}) GROUP BY webhook_id`,
    sql`UPDATE webhooks SET ${lose(countOf)}, last_error = ${TOO_MANY_QUEUED} WHERE id IN (SELECT webhook_id FROM (${surplus}))`,
    sql`DELETE FROM webhook_deliveries WHERE id IN (SELECT id FROM (${surplus}))`,
  );
  return counts.map(({ webhook_id, n }) => ({ webhookId: String(webhook_id), count: Number(n) }));
}

/**
 * Enqueues events once per key for every active webhook of the format that is registered for them and whose conditions they meet.
 * Returns the sender objects with deliveries of the events, and the messages that were dropped for them. Only a chat event that needs no
 * condition is stored without a receiver.
 */
async function enqueue(
  db: Database,
  format: WebhookFormat,
  jobs: readonly QueuedJob[],
  claim: string,
  { now, expiresAt }: QueueTime,
): Promise<{ senders: number[]; dropped: DroppedMessages[] }> {
  const given = JSON.stringify(jobs);
  const keys = sql`(SELECT value->>'key' FROM json_each(${JSON.stringify(jobs.map(({ key }) => ({ key })))}))`;
  // NOT INDEXED: DISTINCT would make SQLite scan an index instead of the newest ids.
  const ofJobs = sql`webhook_deliveries NOT INDEXED WHERE id > (SELECT min(after_id) FROM webhook_jobs WHERE key IN ${keys}) AND job_key IN ${keys}`;
  const queueLength = sql`(SELECT count(*) FROM webhook_deliveries q WHERE q.webhook_id = r.webhook_id)`;
  const [, , senderRows = [], tooLong = []] = await run(
    db,
    sql`INSERT INTO webhook_jobs (key, format, event, variables, claim, queued_at, expires_at, after_id)
      SELECT j.value->>'key', ${format}, j.value->>'event', j.value->>'content', ${claim}, ${now}, ${expiresAt}, ${newestDeliveryId}
      FROM json_each(${given}) j
      WHERE (${format} = 'chat' AND NOT j.value->>'needsCondition')
        OR EXISTS (SELECT 1 FROM ${withoutCondition} JOIN webhooks w ON w.id = s.webhook_id WHERE ${isUnconditional} AND w.format = ${format})
        OR EXISTS (SELECT 1 FROM ${withCondition} JOIN webhooks w ON w.id = c.webhook_id WHERE ${isConditionMet} AND w.format = ${format})
      ON CONFLICT (key) DO NOTHING`,
    sql`INSERT INTO webhook_deliveries (job_key, webhook_id, sender, due_at)
      SELECT r.job_key, w.id, w.sender, ${now}
      FROM (
        SELECT j.value->>'key' AS job_key, s.webhook_id FROM json_each(${given}) j CROSS JOIN ${withoutCondition} WHERE ${isUnconditional}
        UNION
        SELECT j.value->>'key', c.webhook_id FROM json_each(${given}) j CROSS JOIN ${withCondition} WHERE ${isConditionMet}
      ) r JOIN webhooks w ON w.id = r.webhook_id JOIN users u ON u.id = w.user_id
      WHERE w.format = ${format} AND w.is_active = 1 AND u.is_active = 1
        AND EXISTS (SELECT 1 FROM webhook_jobs WHERE key = r.job_key AND claim = ${claim})`,
    sql`SELECT DISTINCT sender FROM ${ofJobs} ORDER BY sender`,
    ...(format === 'chat'
      ? [
          sql`SELECT r.webhook_id FROM (SELECT DISTINCT webhook_id FROM ${ofJobs}) r
            WHERE ${queueLength} > ${MAX_QUEUED_MESSAGES}`,
        ]
      : [insertLogRows(ofJobs, Math.floor(now / 1000)), deleteOldLogRows(sql`SELECT DISTINCT webhook_id FROM ${ofJobs}`)]),
  );
  return {
    senders: senderRows.map(({ sender }) => Number(sender)),
    dropped:
      format === 'chat'
        ? await dropSurplus(
            db,
            tooLong.map(({ webhook_id }) => String(webhook_id)),
          )
        : [],
  };
}

/** The facts that meet a condition of a webhook. */
async function listWanted(db: Database, event: SignedMessageType, facts: readonly FactRange[]): Promise<FactRange[]> {
  const job = JSON.stringify([{ event, facts }]);
  const [rows = []] = await run(
    db,
    sql`SELECT f.key AS position FROM json_each(${job}) j, json_each(j.value, '$.facts') f
    WHERE EXISTS (SELECT 1 FROM webhook_conditions c WHERE ${isConditionMet})`,
  );
  return rows.map(({ position }) => facts[Number(position)]).filter((fact) => fact !== undefined);
}

/** The first due ones first. A message of a chat webhook waits while an older one is due later. */
async function listDue(db: Database, sender: number, now: number, limit: number): Promise<DueDeliveries> {
  const isFree = isOrdered(sender) ? sql`NOT EXISTS (${older} AND o.due_at > d.due_at)` : sql`1`;
  const [rows = []] = await run(
    db,
    sql`SELECT d.id, d.tries, d.results, d.lease, d.webhook_id, d.job_key, w.user_id, j.format, j.event,
      j.variables, j.queued_at, w.last_error,
      w.sealed_address, w.address_key, json_extract(w.templates, '$.' || j.event) AS template,
      w.sealed_secret, w.sealed_previous_secret, w.previous_until, coalesce(d.expires_at, j.expires_at) AS expires_at,
      coalesce(w.is_active AND u.is_active AND (j.format = 'chat' OR coalesce(d.expires_at, j.expires_at) > ${now}), 0) AS is_deliverable
    FROM webhook_deliveries d LEFT JOIN webhook_jobs j ON j.key = d.job_key
      LEFT JOIN webhooks w ON w.id = d.webhook_id LEFT JOIN users u ON u.id = w.user_id
    WHERE d.sender = ${sender} AND d.due_at <= ${now} AND ${isFree}
    ORDER BY d.due_at, d.id LIMIT ${limit}`,
  );
  const isDeliverable = (row: Record<string, unknown>) => row.is_deliverable === 1;
  return {
    deliverable: rows.filter(isDeliverable).map(toDelivery),
    obsolete: rows.filter((row) => !isDeliverable(row)).map(({ id, lease }) => ({ id: Number(id), lease: Number(lease) })),
  };
}

async function deleteAll(db: Database, obsolete: DueDeliveries['obsolete']): Promise<void> {
  if (obsolete.length > 0) await run(db, sql`DELETE FROM webhook_deliveries WHERE ${areCurrent(obsolete)}`);
}

/** Counts attempts before they start, until `leaseUntil`. Returns the lease of each; null: the delivery must not be attempted. */
async function startAttempts(db: Database, list: readonly Delivery[], leaseUntil: number): Promise<(number | null)[]> {
  const [started = []] = await run(
    db,
    sql`UPDATE webhook_deliveries SET tries = tries + 1, lease = lease + 1, due_at = ${leaseUntil}
    WHERE ${areCurrent(list)} AND EXISTS (SELECT 1 FROM webhooks w JOIN users u ON u.id = w.user_id
      WHERE w.id = webhook_deliveries.webhook_id AND w.is_active = 1 AND u.is_active = 1)
    RETURNING id, lease`,
  );
  const leases = new Map(started.map(({ id, lease }) => [id, Number(lease)]));
  return list.map(({ id }) => leases.get(id) ?? null);
}

async function postpone(db: Database, delivery: Pick<Delivery, 'id' | 'lease'>, dueAt: number): Promise<void> {
  await run(db, sql`UPDATE webhook_deliveries SET due_at = ${dueAt} WHERE ${isCurrent(delivery)}`);
}

/** Delays all deliveries of the webhook of a delivery until a time. */
async function delayAll(db: Database, delivery: DeliveryRef, until: number): Promise<void> {
  await run(
    db,
    sql`UPDATE webhook_deliveries SET due_at = ${until}
    WHERE webhook_id = ${delivery.webhookId} AND due_at < ${until} AND ${existsCurrent(delivery)}`,
  );
}

/** Delays the deliveries of all webhooks of a URL until a time. */
async function delayAddress(db: Database, sender: number, addressKey: string, until: number): Promise<void> {
  await run(
    db,
    sql`UPDATE webhook_deliveries SET due_at = ${until} WHERE sender = ${sender} AND due_at < ${until}
    AND EXISTS (SELECT 1 FROM webhooks w WHERE w.id = webhook_deliveries.webhook_id AND w.address_key = ${addressKey})`,
  );
}

/** Stores a failed attempt and schedules the retry. `results`: 1 for an attempt that was counted, 0 for one that was not started. */
async function scheduleRetry(db: Database, delivery: DeliveryRef, note: AttemptResult, dueAt: number, results: 0 | 1 = 1): Promise<void> {
  await run(
    db,
    sql`UPDATE webhook_deliveries SET due_at = ${dueAt}, results = results + ${results} WHERE ${isCurrent(delivery)}`,
    sql`UPDATE webhooks SET last_status = ${note.status}, last_error = ${note.error} WHERE ${webhookOf(delivery)}`,
    ...appendAttempt(delivery, note),
  );
}

/** At most one delivery of each webhook. */
async function markDelivered(db: Database, ended: readonly EndedDelivery[]): Promise<void> {
  await run(
    db,
    ...appendAttempts(ended, true),
    sql`UPDATE webhooks SET failures = 0, last_status = g.value->>'status', last_error = NULL, last_delivered_at = g.value->>'at'
      FROM json_each(${endedJson(ended)}) g WHERE webhooks.id = g.value->>'webhookId' AND ${ofEnded}`,
    sql`DELETE FROM webhook_deliveries WHERE ${areCurrent(ended.map(({ delivery }) => delivery))}`,
  );
}

/** Also disables the webhook after too many failures in a row. */
async function markFailed(db: Database, delivery: DeliveryRef, note: AttemptResult): Promise<void> {
  const { status, error } = note;
  await run(
    db,
    ...appendAttempt(delivery, note),
    sql`UPDATE webhooks SET last_status = ${status}, last_error = ${error}, ${lose(sql`1`)} WHERE ${webhookOf(delivery)}`,
    deleteDelivery(delivery),
    deleteIfDisabled(delivery),
  );
}

/** Also disables the webhook and drops its pending deliveries. */
async function disable(db: Database, delivery: DeliveryRef, note: AttemptResult, reason: string): Promise<void> {
  const { status, error } = note;
  await run(
    db,
    ...appendAttempt(delivery, note),
    sql`UPDATE webhooks SET failures = failures + 1, last_status = ${status}, last_error = ${error}, disabled_reason = ${reason},
      is_active = 0 WHERE ${webhookOf(delivery)}`,
    deleteDelivery(delivery),
    deleteIfDisabled(delivery),
  );
}

/** Time of the next delivery of a sender object; null: none. */
async function nextDueAt(db: Database, sender: number): Promise<number | null> {
  const isFirst = isOrdered(sender) ? sql`NOT EXISTS (${older})` : sql`1`;
  const [rows] = await run(
    db,
    sql`SELECT d.due_at AS at FROM webhook_deliveries d WHERE d.sender = ${sender} AND ${isFirst} ORDER BY d.due_at LIMIT 1`,
  );
  const at = rows?.[0]?.at;
  return typeof at === 'number' ? at : null;
}

/** Sender objects with due deliveries. */
async function dueSenders(db: Database, now: number): Promise<number[]> {
  const [rows = []] = await run(db, sql`SELECT DISTINCT sender FROM webhook_deliveries WHERE due_at <= ${now} ORDER BY sender`);
  return rows.map(({ sender }) => Number(sender));
}

/** Deletes events of a format that were queued before a time, with their deliveries and log. Keeps those that are replayed at `now`. */
async function deleteExpired(db: Database, format: WebhookFormat, before: number, now: number): Promise<void> {
  const isReplayed = (delivery: SQL) => sql`EXISTS (SELECT 1 FROM webhook_deliveries d WHERE ${delivery} AND d.expires_at > ${now})`;
  const isOld = sql`format = ${format} AND queued_at < ${before} AND NOT ${isReplayed(sql`d.job_key = webhook_jobs.key`)}`;
  const ofLogRow = sql`d.job_key = webhook_log.message_id AND d.webhook_id = webhook_log.webhook_id`;
  // Newer jobs have newer deliveries. A delivery that remains without its job is deleted when it is due.
  const lastOld = sql`coalesce((SELECT after_id FROM webhook_jobs WHERE queued_at >= ${before} ORDER BY queued_at LIMIT 1), ${newestDeliveryId})`;
  await run(
    db,
    sql`DELETE FROM webhook_deliveries WHERE id <= ${lastOld} AND job_key IN (SELECT key FROM webhook_jobs WHERE ${isOld})`,
    ...(format === 'chat'
      ? []
      : [sql`DELETE FROM webhook_log WHERE created_at < ${Math.floor(before / 1000)} AND NOT ${isReplayed(ofLogRow)}`]),
    sql`DELETE FROM webhook_jobs WHERE ${isOld}`,
  );
}

/**
 * The delivery queue. Enqueueing an event is one transaction; so is storing a result with the health of its webhook. After a crash a
 * delivery is either pending or finished. A change of a delivery whose lease was raised meanwhile has no effect, except that its attempt is
 * logged. Times without a unit are unix milliseconds.
 */
export function createDeliveriesStore(db: Database) {
  return bind(db, {
    enqueue,
    listWanted,
    listDue,
    deleteAll,
    startAttempts,
    postpone,
    delayAll,
    delayAddress,
    scheduleRetry,
    markDelivered,
    markFailed,
    disable,
    nextDueAt,
    dueSenders,
    deleteExpired,
  });
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
    template: row.template === null ? null : parseStored(TEMPLATE, String(row.template)),
    sealedAddress: String(row.sealed_address),
    addressKey: String(row.address_key),
    sealedSecret: row.sealed_secret as string | null,
    sealedPreviousSecret: row.sealed_previous_secret as string | null,
    previousUntil: row.previous_until as UnixSeconds | null,
    expiresAt: Number(row.expires_at),
    queuedAt: Number(row.queued_at),
    lastError: row.last_error as string | null,
    tries: Number(row.tries),
    results: Number(row.results),
    lease: Number(row.lease),
  };
}

/** Inserts a log row for each of the deliveries. */
function insertLogRows(deliveries: SQL, createdAt: UnixSeconds) {
  return sql`INSERT INTO webhook_log (webhook_id, message_id, event, created_at)
    SELECT d.webhook_id, d.job_key, j.event, ${createdAt} FROM (SELECT webhook_id, job_key FROM ${deliveries}) d
    JOIN webhook_jobs j ON j.key = d.job_key WHERE true ON CONFLICT DO NOTHING`;
}

/** Deletes all but the newest log rows of each webhook of a query. Rows of the same second are ordered by insertion. */
export function deleteOldLogRows(webhookIds: SQL): SQL {
  return sql`DELETE FROM webhook_log WHERE rowid IN (
    SELECT old.value FROM (${webhookIds}) receiver, json_each((SELECT json_group_array(surplus.id) FROM (
      SELECT rowid AS id FROM webhook_log WHERE webhook_id = receiver.webhook_id
      ORDER BY created_at DESC, rowid DESC LIMIT -1 OFFSET ${MAX_LOG_ROWS}) surplus)) old)`;
}
