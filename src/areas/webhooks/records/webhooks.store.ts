import { and, desc, eq, type SQL, sql } from 'drizzle-orm';
import { bind } from '../../../platform/kit/bind.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { type Database, runInOneTransaction } from '../../../platform/storage/database.ts';
import { createVault, type Vault } from '../../../platform/storage/vault.ts';
import { TEST_EVENT } from '../events/signed-message.domain.ts';
import type { WebhookEvent } from '../events/webhook-events.domain.ts';
import { type WebhookFormat, webhookConditions, webhookDeliveries, webhookLog, webhookSubscriptions, webhooks } from './webhooks.tables.ts';

export type Webhook = typeof webhooks.$inferSelect;
/** Columns of a new webhook; the others have defaults. */
type NewWebhook = Omit<
  Webhook,
  'isActive' | 'failures' | 'lastStatus' | 'lastError' | 'lastDeliveredAt' | 'disabledReason' | 'sealedPreviousSecret' | 'previousUntil'
>;
/** Changed columns; absent ones keep their values. */
type WebhookChange = Partial<
  Pick<NewWebhook, 'label' | 'sealedAddress' | 'maskedUrl' | 'addressKey' | 'sender' | 'events' | 'templates' | 'conditions'> &
    Pick<Webhook, 'isActive' | 'failures' | 'disabledReason'>
>;
/** Columns of a rotated signing secret. */
type SecretChange = Pick<Webhook, 'sealedSecret' | 'sealedPreviousSecret' | 'previousUntil'>;

interface StoredTestResult {
  status: number | null;
  error: string | null;
  /** Null: not delivered. */
  deliveredAt: UnixSeconds | null;
}

/** Stored webhooks. */
export type WebhooksStore = ReturnType<typeof createWebhooksStore>;

const isOwn = (userId: string, id: string) => and(eq(webhooks.id, id), eq(webhooks.userId, userId));

const isOfFormat = (format: WebhookFormat) => eq(webhooks.format, format);

/** Newest first. */
const byAccount = (db: Database, userId: string, format: WebhookFormat): Promise<Webhook[]> =>
  db
    .select()
    .from(webhooks)
    .where(and(eq(webhooks.userId, userId), isOfFormat(format)))
    .orderBy(desc(webhooks.createdAt), desc(sql`webhooks.rowid`));

async function find(db: Database, userId: string, format: WebhookFormat, id: string): Promise<Webhook | null> {
  const [webhook] = await db
    .select()
    .from(webhooks)
    .where(and(isOwn(userId, id), isOfFormat(format)));
  return webhook ?? null;
}

async function byId(db: Database, id: string): Promise<Webhook | null> {
  const [webhook] = await db.select().from(webhooks).where(eq(webhooks.id, id));
  return webhook ?? null;
}

/** False when the account already has `limit` webhooks of the format. */
async function add(db: Database, webhook: NewWebhook, limit: number): Promise<boolean> {
  const { id, userId, format, label, sealedAddress, sealedSecret, maskedUrl, addressKey, sender, createdAt } = webhook;
  const { events, templates, conditions } = webhook;
  const [added] = await runInOneTransaction(db, [
    sql`INSERT INTO webhooks (id, user_id, format, label, sealed_address, sealed_secret, masked_address, address_key, sender, events,
        templates, conditions, created_at)
      SELECT ${id}, ${userId}, ${format}, ${label}, ${sealedAddress}, ${sealedSecret}, ${maskedUrl}, ${addressKey}, ${sender},
        ${JSON.stringify(events)}, ${JSON.stringify(templates)}, ${JSON.stringify(conditions)}, ${createdAt}
      WHERE (SELECT count(*) FROM webhooks WHERE user_id = ${userId} AND format = ${format}) < ${limit}
      RETURNING id`,
    ...insertSubscriptions(id, userId),
  ]);
  return (added?.length ?? 0) > 0;
}

/**
 * Also deletes templates and conditions of events that the webhook does not receive, and updates pending deliveries: those of removed
 * events and of a disabled webhook are deleted, the others go to a new URL.
 */
async function change(db: Database, { id, userId }: Pick<Webhook, 'id' | 'userId'>, change: WebhookChange): Promise<void> {
  const { events, templates, conditions, addressKey, maskedUrl, sender, isActive } = change;
  const own = sql`(SELECT id FROM webhooks WHERE id = ${id} AND user_id = ${userId})`;
  const followUps = [
    ...(events || templates ? [sql`UPDATE webhooks SET templates = ${WANTED_TEMPLATES} WHERE id = ${own}`] : []),
    ...(events || conditions
      ? [
          sql`UPDATE webhooks SET conditions = ${WANTED_CONDITIONS} WHERE id = ${own}`,
          sql`DELETE FROM webhook_subscriptions WHERE webhook_id = ${own}`,
          sql`DELETE FROM webhook_conditions WHERE webhook_id = ${own}`,
          ...insertSubscriptions(id, userId),
        ]
      : []),
    ...(events ? [sql`DELETE FROM webhook_deliveries WHERE webhook_id = ${own} AND ${isOtherEvent(events)}`] : []),
    ...(isActive === false ? [sql`DELETE FROM webhook_deliveries WHERE webhook_id = ${own}`] : []),
  ];
  // Before the new URL is stored, because only another URL takes the lease from running attempts.
  const redirect = sql`UPDATE webhook_deliveries SET sender = ${sender}, tries = 0, results = 0, lease = lease + 1 WHERE webhook_id = (
    SELECT id FROM webhooks WHERE id = ${id} AND user_id = ${userId} AND (address_key, masked_address) <> (${addressKey}, ${maskedUrl}))`;
  await runInOneTransaction(db, [
    ...(addressKey === undefined ? [] : [redirect]),
    db.update(webhooks).set(change).where(isOwn(userId, id)).getSQL(),
    ...followUps,
  ]);
}

/** False when the secret has changed since the webhook was read. */
async function rotateSecret(
  db: Database,
  { id, userId, sealedSecret }: Pick<Webhook, 'id' | 'userId' | 'sealedSecret'>,
  change: SecretChange,
): Promise<boolean> {
  const rotated = await db
    .update(webhooks)
    .set(change)
    .where(and(isOwn(userId, id), sql`sealed_secret IS ${sealedSecret}`));
  return rotated.meta.changes > 0;
}

/** False when the webhook does not exist. */
async function remove(db: Database, userId: string, format: WebhookFormat, id: string): Promise<boolean> {
  const isThis = and(isOwn(userId, id), isOfFormat(format));
  const own = db.select({ id: webhooks.id }).from(webhooks).where(isThis);
  const [, , , , removed] = await db.batch([
    db.delete(webhookConditions).where(eq(webhookConditions.webhookId, own)),
    db.delete(webhookLog).where(eq(webhookLog.webhookId, own)),
    db.delete(webhookDeliveries).where(eq(webhookDeliveries.webhookId, own)),
    db.delete(webhookSubscriptions).where(eq(webhookSubscriptions.webhookId, own)),
    db.delete(webhooks).where(isThis).returning({ id: webhooks.id }),
  ]);
  return removed.length > 0;
}

/** Deletes the webhooks of an account with their deliveries and log. */
async function deleteByAccount(db: Database, userId: string): Promise<void> {
  const ownIds = sql`(SELECT id FROM webhooks WHERE user_id = ${userId})`;
  await runInOneTransaction(db, [
    sql`DELETE FROM webhook_log WHERE webhook_id IN ${ownIds}`,
    sql`DELETE FROM webhook_deliveries WHERE webhook_id IN ${ownIds}`,
    sql`DELETE FROM webhook_subscriptions WHERE webhook_id IN ${ownIds}`,
    sql`DELETE FROM webhook_conditions WHERE webhook_id IN ${ownIds}`,
    sql`DELETE FROM webhooks WHERE user_id = ${userId}`,
  ]);
}

/** Stores the result of a test post, unless the URL changed meanwhile. */
async function storeTestResult(
  db: Database,
  { id, addressKey }: Pick<Webhook, 'id' | 'addressKey'>,
  result: StoredTestResult,
): Promise<void> {
  const { status, error, deliveredAt } = result;
  const note = { lastStatus: status, lastError: error, ...(deliveredAt === null ? {} : { lastDeliveredAt: deliveredAt }) };
  await db
    .update(webhooks)
    .set(note)
    .where(and(eq(webhooks.id, id), eq(webhooks.addressKey, addressKey)));
}

export function createWebhooksStore(db: Database) {
  return bind(db, { byAccount, find, byId, add, change, rotateSecret, remove, deleteByAccount, storeTestResult });
}

/** The stored templates of a webhook without those of events that it does not receive. */
const WANTED_TEMPLATES = sql.raw(`(SELECT json_group_object(t.key, json(t.value)) FROM json_each(webhooks.templates) t
  WHERE t.key IN (SELECT value FROM json_each(webhooks.events)))`);

/** The stored conditions of a webhook without those of events that it does not receive. */
const WANTED_CONDITIONS = sql.raw(`(SELECT json_group_array(json(c.value)) FROM json_each(webhooks.conditions) c
  WHERE c.value->>'event' IN (SELECT value FROM json_each(webhooks.events)))`);

/** Inserts the subscriptions of a webhook, as its stored events and conditions state. */
function insertSubscriptions(id: string, userId: string): SQL[] {
  const isOwnRow = sql`w.id = ${id} AND w.user_id = ${userId}`;
  return [
    sql`INSERT INTO webhook_subscriptions (event, webhook_id, is_conditional)
      SELECT e.value, w.id, EXISTS (SELECT 1 FROM json_each(w.conditions) c WHERE c.value->>'event' = e.value)
      FROM webhooks w, json_each(w.events) e WHERE ${isOwnRow}`,
    sql`INSERT OR IGNORE INTO webhook_conditions (event, key, threshold, webhook_id)
      SELECT c.value->>'event', k.value, c.value->>'threshold', w.id
      FROM webhooks w, json_each(w.conditions) c, json_each(c.value, '$.keys') k WHERE ${isOwnRow}`,
  ];
}

/** Condition: a delivery whose event is not one of these and not a test event. */
function isOtherEvent(events: readonly WebhookEvent[]): SQL {
  const wantedEvents = JSON.stringify([...events, TEST_EVENT]);
  return sql`NOT EXISTS (SELECT 1 FROM webhook_jobs j WHERE j.key = job_key AND j.event IN (SELECT value FROM json_each(${wantedEvents})))`;
}

/** Encrypts URLs and secrets of webhooks; each ciphertext is bound to its webhook. */
export const createAddressVault = (secret: string | undefined): Vault =>
  createVault(secret, {
    sealing: 'webhook addresses',
    digesting: 'webhook digests',
    naming: 'webhook key id',
    unconfigured: 'webhooks are not configured',
  });
