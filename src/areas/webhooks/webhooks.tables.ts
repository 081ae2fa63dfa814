import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { DeliveryAttempt } from './signed/delivery-attempt.domain.ts';
import { SIGNED_EVENTS, type SignedEvent, TEST_EVENT } from './signed/signed-events.data.ts';
import type { Templates } from './templates/template.domain.ts';

/** How an event is posted: as a message of a chat service, or as a signed request. */
const WEBHOOK_FORMATS = ['chat', 'signed'] as const;
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number];

/** Webhooks that accounts registered. Bound: 15 chat webhooks and 10 signed webhooks an account. */
export const webhooks = sqliteTable(
  'webhooks',
  {
    id: text('id').primaryKey(),
    userId: text('user_id').notNull(),
    format: text('format', { enum: WEBHOOK_FORMATS }).notNull().default('chat'),
    label: text('label').notNull(),
    /** Where to post, encrypted: whoever knows it can post there. */
    sealedAddress: text('sealed_address').notNull(),
    /** The same with its secret masked, to be shown. */
    maskedAddress: text('masked_address').notNull(),
    /** Keyed digest of what the chat service knows the address by: posts to one address share its pace. */
    addressKey: text('address_key').notNull(),
    /** Which of the objects that post has it. */
    sender: integer('sender').notNull(),
    /** Signed webhooks: the secret, encrypted; after a rotation also the one before, which signs until `previousUntil`. */
    sealedSecret: text('sealed_secret'),
    sealedPreviousSecret: text('sealed_previous_secret'),
    previousUntil: integer('previous_until'),
    events: text('events', { mode: 'json' }).$type<SignedEvent[]>().notNull(),
    templates: text('templates', { mode: 'json' }).$type<Templates>().notNull(),
    isActive: integer('is_active', { mode: 'boolean' }).notNull().default(true),
    /** Deliveries in a row that failed. */
    failures: integer('failures').notNull().default(0),
    lastStatus: integer('last_status'),
    lastError: text('last_error'),
    lastDeliveredAt: integer('last_delivered_at'),
    disabledReason: text('disabled_reason'),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [index('webhooks_user').on(table.userId)],
);

/** Which webhooks want an event: what a new event is handed out by. Bound: one row a webhook and event type. */
export const webhookSubscriptions = sqliteTable(
  'webhook_subscriptions',
  {
    event: text('event', { enum: SIGNED_EVENTS }).notNull(),
    webhookId: text('webhook_id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.event, table.webhookId] }), index('webhook_subscriptions_webhook').on(table.webhookId)],
);

/** Events that were handed out, each once for its key. Instants are real milliseconds. Bound: 30 days of chat events, 7 days of signed events. */
export const webhookJobs = sqliteTable(
  'webhook_jobs',
  {
    key: text('key').primaryKey(),
    format: text('format', { enum: WEBHOOK_FORMATS }).notNull().default('chat'),
    event: text('event', { enum: [...SIGNED_EVENTS, TEST_EVENT] }).notNull(),
    /** Chat: variables of the event as JSON. Signed: the body. */
    variables: text('variables').notNull(),
    /** Who stored the row: only that transaction hands the event out. */
    claim: text('claim').notNull(),
    queuedAt: integer('queued_at').notNull(),
    /** When it is not worth telling any more. */
    expiresAt: integer('expires_at').notNull(),
  },
  (table) => [index('webhook_jobs_queued').on(table.queuedAt)],
);

/**
 * Posts still to be made: one for each event and webhook. A row goes once its post is settled.
 * Bound: one row a webhook and event that is still to be posted, for 24 hours; a webhook that fails 12 times in a row is switched off.
 */
export const webhookDeliveries = sqliteTable(
  'webhook_deliveries',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    jobKey: text('job_key').notNull(),
    webhookId: text('webhook_id').notNull(),
    sender: integer('sender').notNull(),
    /** Tries that were begun; a try is counted before it posts. */
    tries: integer('tries').notNull().default(0),
    /** Real milliseconds; during a try: when it counts as crashed. */
    dueAt: integer('due_at').notNull(),
    /** Real milliseconds; replaces the expiry of the job when a delivery is replayed. */
    expiresAt: integer('expires_at'),
  },
  (table) => [
    uniqueIndex('webhook_deliveries_job').on(table.jobKey, table.webhookId),
    index('webhook_deliveries_webhook').on(table.webhookId),
    index('webhook_deliveries_due').on(table.sender, table.dueAt),
  ],
);

/** How the deliveries of signed webhooks went. A delivery is pending while `webhook_deliveries` has it. Bound: 7 days and the newest 500 of a webhook. */
export const webhookLog = sqliteTable(
  'webhook_log',
  {
    webhookId: text('webhook_id').notNull(),
    /** Key of the job, which is the `webhook-id` that the receiver sees. */
    messageId: text('message_id').notNull(),
    event: text('event', { enum: [...SIGNED_EVENTS, TEST_EVENT] }).notNull(),
    /** Attempts that came to an end. */
    tries: integer('tries').notNull().default(0),
    /** The newest attempts, oldest first. */
    attempts: text('attempts', { mode: 'json' }).$type<DeliveryAttempt[]>().notNull().default([]),
    /** Null: not delivered, or replayed since and not delivered again. */
    deliveredAt: integer('delivered_at'),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.webhookId, table.messageId] }),
    index('webhook_log_created').on(table.webhookId, table.createdAt),
    index('webhook_log_age').on(table.createdAt),
  ],
);
