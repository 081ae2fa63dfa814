import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { backedUp, expires, references } from '../../../platform/kit/backup-decision.ts';
import type { TableDeclarations, TableGrowth } from '../../../platform/kit/table-declaration.ts';
import * as shapes from '../../../platform/kit/values/stored-shapes.ts';
import { jsonColumn } from '../../../platform/storage/json-column.ts';
import type { LastFacts, StoredCondition } from '../conditions/conditions.domain.ts';
import type { SignedMessageType } from '../events/signed-message.domain.ts';
import type { Template, Templates } from '../events/template.domain.ts';
import type { WebhookEvent } from '../events/webhook-events.domain.ts';

/** Events of a newer version stay: they match no event of this one. */
const EVENTS = shapes.wholeListOf(shapes.text) as shapes.Shape<WebhookEvent[]>;
const line = shapes.withDefault(shapes.text, () => '');
/** A stored template. Fields that an older version lacks are those of the blank one. */
export const TEMPLATE: shapes.Shape<Template> = shapes.fields({
  enabled: shapes.flag,
  content: line,
  title: line,
  url: line,
  description: line,
  color: line,
  fields: shapes.listOf(shapes.fields({ name: shapes.text, value: shapes.text, inline: shapes.withDefault(shapes.flag, () => true) })),
  footer: line,
  show_image: shapes.withDefault(shapes.flag, () => true),
  image_design_id: shapes.nullable(shapes.text),
  image_url: line,
});
const TEMPLATES: shapes.Shape<Templates> = shapes.recordOf(TEMPLATE);
/** A condition that was left out would let its event pass. */
const CONDITIONS = shapes.wholeListOf(
  shapes.fields({
    event: shapes.text,
    match: shapes.text,
    values: shapes.wholeListOf(shapes.text),
    limit: shapes.nullable(shapes.number),
    keys: shapes.wholeListOf(shapes.text),
    threshold: shapes.number,
  }),
) as shapes.Shape<StoredCondition[]>;
const FACTS: shapes.Shape<LastFacts> = shapes.recordOf((value) => {
  const [reported, number, at] = shapes.wholeListOf<unknown>((part) => part)(value);
  return [shapes.text(reported), shapes.nullable(shapes.number)(number), shapes.number(at)] as const;
});
/** A stored attempt to deliver a message. */
export interface DeliveryAttempt {
  /** Unix seconds. */
  at: number;
  /** Status of the response; null: no response. */
  status: number | null;
  /** Error; null: none. */
  error: string | null;
  duration_ms: number;
  /** Excerpt of the response body; may be empty. */
  response: string;
}
const ATTEMPT: shapes.Shape<DeliveryAttempt> = shapes.fields({
  at: shapes.number,
  status: shapes.nullable(shapes.number),
  error: shapes.nullable(shapes.text),
  duration_ms: shapes.number,
  response: line,
});
/** The attempts of a delivery, oldest first. */
export const ATTEMPTS: shapes.Shape<DeliveryAttempt[]> = shapes.listOf(ATTEMPT);

/** Format of posts: chat messages or signed requests. */
const WEBHOOK_FORMATS = ['chat', 'signed'] as const;
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number];

/** Registered webhooks. Bound: 15 chat webhooks and 10 signed webhooks per account. */
export const webhooks = sqliteTable(
  'webhooks',
  {
    id: text('id').primaryKey(),
    userId: text('user_id').notNull(),
    format: text('format', { enum: WEBHOOK_FORMATS }).notNull().default('chat'),
    label: text('label').notNull(),
    /** Encrypted URL. It is a secret: a client with the URL can post. */
    sealedAddress: text('sealed_address').notNull(),
    /** URL with a masked secret, for display. */
    maskedUrl: text('masked_address').notNull(),
    /** Keyed digest of the identity of the URL. Posts with the same digest share a rate limit. */
    addressKey: text('address_key').notNull(),
    /** Index of the sender object. */
    sender: integer('sender').notNull(),
    /** Signed webhooks: the encrypted secret; after a rotation also the previous one, which signs until `previousUntil`. */
    sealedSecret: text('sealed_secret'),
    sealedPreviousSecret: text('sealed_previous_secret'),
    previousUntil: integer('previous_until'),
    events: jsonColumn('events', EVENTS).notNull(),
    templates: jsonColumn('templates', TEMPLATES).notNull(),
    /** Bound: 10 conditions with 20 values each. `webhook_conditions` is derived from them. */
    conditions: jsonColumn('conditions', CONDITIONS).notNull().default([]),
    isActive: integer('is_active', { mode: 'boolean' }).notNull().default(true),
    /** Lost messages in a row. */
    failures: integer('failures').notNull().default(0),
    lastStatus: integer('last_status'),
    lastError: text('last_error'),
    lastDeliveredAt: integer('last_delivered_at'),
    disabledReason: text('disabled_reason'),
    createdAt: integer('created_at').notNull(),
  },
  // The second starts with the host of the URL.
  (table) => [index('webhooks_user').on(table.userId), index('webhooks_host').on(table.format, table.maskedUrl)],
);

/** Events that a webhook is registered for. Bound: one row per webhook and event type. */
export const webhookSubscriptions = sqliteTable(
  'webhook_subscriptions',
  {
    event: text('event').$type<WebhookEvent>().notNull(),
    webhookId: text('webhook_id').notNull(),
    /** Whether the webhook has conditions for the event: `webhook_conditions` has its rows. */
    isConditional: integer('is_conditional', { mode: 'boolean' }).notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.event, table.webhookId] }),
    index('webhook_subscriptions_webhook').on(table.webhookId),
    index('webhook_subscriptions_all').on(table.event, table.webhookId).where(sql`is_conditional = 0`),
  ],
);

/** Conditions of webhooks by key, for the query that enqueues deliveries. Bound: 200 rows per webhook. */
export const webhookConditions = sqliteTable(
  'webhook_conditions',
  {
    event: text('event').$type<WebhookEvent>().notNull(),
    /** Name of the condition and value in lower case. */
    key: text('key').notNull(),
    /** The limit in thousandths; 0 without a limit. */
    threshold: integer('threshold').notNull(),
    webhookId: text('webhook_id').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.event, table.key, table.threshold, table.webhookId] }),
    index('webhook_conditions_webhook').on(table.webhookId),
  ],
);

/** Facts of the last event of each type with conditions. Bound: one row per type, with a fact per tracked item at most. */
export const webhookLastFacts = sqliteTable('webhook_last_facts', {
  event: text('event').$type<WebhookEvent>().primaryKey(),
  facts: jsonColumn('facts', FACTS).notNull(),
});

/** Queued events, one row per key. Times are unix milliseconds. Bound: 30 days of chat events, 7 days of signed events. */
export const webhookJobs = sqliteTable(
  'webhook_jobs',
  {
    key: text('key').primaryKey(),
    format: text('format', { enum: WEBHOOK_FORMATS }).notNull().default('chat'),
    event: text('event').$type<SignedMessageType>().notNull(),
    /** Chat: variables of the event as JSON. Signed: the body. */
    variables: text('variables').notNull(),
    /** Id of the transaction that stored the row. Only that transaction queues deliveries. */
    claim: text('claim').notNull(),
    queuedAt: integer('queued_at').notNull(),
    /** Expiry in unix milliseconds. */
    expiresAt: integer('expires_at').notNull(),
    /** The deliveries of the job have higher ids. A row without an index on the job is a row less for each delivery. */
    afterId: integer('after_id').notNull().default(0),
  },
  (table) => [index('webhook_jobs_queued').on(table.queuedAt)],
);

/**
 * Pending deliveries, one per event and webhook; finished ones are deleted. Bound: 24 hours, and 100 rows per chat webhook; a signed webhook
 * is disabled after 12 failures in a row.
 */
export const webhookDeliveries = sqliteTable(
  'webhook_deliveries',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    jobKey: text('job_key').notNull(),
    webhookId: text('webhook_id').notNull(),
    sender: integer('sender').notNull(),
    /** Started attempts. An attempt is counted before it posts. */
    tries: integer('tries').notNull().default(0),
    /** Attempts that ended with a result. The others crashed, and may have posted. */
    results: integer('results').notNull().default(0),
    /** Number of the current attempt. Every attempt, replay and new URL raises it, so the result of an earlier attempt is recognized. */
    lease: integer('lease').notNull().default(0),
    /** Unix milliseconds. During an attempt: the end of the lease. */
    dueAt: integer('due_at').notNull(),
    /** Unix milliseconds; for a replayed delivery, overrides the expiry of the job. */
    expiresAt: integer('expires_at'),
  },
  (table) => [
    uniqueIndex('webhook_deliveries_job').on(table.webhookId, table.jobKey),
    index('webhook_deliveries_due').on(table.sender, table.dueAt),
    index('webhook_deliveries_replayed').on(table.jobKey).where(sql`expires_at IS NOT NULL`),
  ],
);

/**
 * Delivery log of signed webhooks. A delivery is pending while `webhook_deliveries` contains it. Bound: 7 days and the newest 500 per
 * webhook.
 */
export const webhookLog = sqliteTable(
  'webhook_log',
  {
    webhookId: text('webhook_id').notNull(),
    /** Key of the job; sent as the `webhook-id` header. */
    messageId: text('message_id').notNull(),
    event: text('event').$type<SignedMessageType>().notNull(),
    /** Finished attempts. */
    tries: integer('tries').notNull().default(0),
    /** The newest attempts, oldest first. */
    attempts: jsonColumn('attempts', ATTEMPTS).notNull().default([]),
    /** Null: not delivered, or replayed and not yet delivered again. */
    deliveredAt: integer('delivered_at'),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.webhookId, table.messageId] }),
    index('webhook_log_created').on(table.webhookId, table.createdAt),
    index('webhook_log_age').on(table.createdAt),
  ],
);

/** Image designs of accounts for webhook messages. Bound: 10 per account. */
export const webhookDesigns = sqliteTable(
  'webhook_designs',
  {
    id: text('id').primaryKey(),
    userId: text('user_id').notNull(),
    name: text('name').notNull(),
    event: text('event').$type<WebhookEvent>().notNull(),
    /** In pixels. */
    width: integer('width').notNull(),
    height: integer('height').notNull(),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
    /** Source SVG with placeholders. */
    svg: text('svg').notNull(),
  },
  (table) => [index('webhook_designs_user').on(table.userId, table.createdAt, table.id)],
);

const WITH_OWNERS: TableGrowth = {
  by: 'accounts with webhooks',
  aYear: '1 MB',
  large: '20 MB',
  kept: 'until the account is deleted',
  afterwards: 'deleted',
};

/** Backup, personal data and growth of the tables. */
export const webhooksTables: TableDeclarations = {
  webhooks: {
    backup: backedUp('entered by their owners', {
      ...references('user_id', 'users'),
      journal: {
        key: ['id'],
        columns: [
          'sealed_address',
          'masked_address',
          'address_key',
          'sealed_secret',
          'sealed_previous_secret',
          'previous_until',
          'is_active',
          'disabled_reason',
        ],
        restores: 'changes',
      },
    }),
    personal: 'Webhooks',
    growth: WITH_OWNERS,
  },
  webhook_subscriptions: {
    backup: backedUp('entered by their owners', references('webhook_id', 'webhooks')),
    personal: 'Webhooks',
    growth: WITH_OWNERS,
  },
  webhook_conditions: {
    backup: backedUp('entered by their owners', references('webhook_id', 'webhooks')),
    personal: 'Webhooks',
    growth: WITH_OWNERS,
  },
  webhook_designs: { backup: backedUp('drawn by their owners', references('user_id', 'users')), personal: 'Webhooks', growth: WITH_OWNERS },
  webhook_jobs: {
    backup: expires('events of at most 30 days'),
    personal: 'Webhooks',
    growth: { by: 'events with a subscriber', aYear: 'none', kept: '30 days for chat, 7 days for signed webhooks', afterwards: 'deleted' },
  },
  webhook_deliveries: {
    backup: expires('24 hours'),
    personal: 'Webhooks',
    growth: { by: 'webhooks and events', aYear: 'none', kept: '24 hours', afterwards: 'deleted' },
  },
  webhook_log: {
    backup: expires('7 days'),
    personal: 'Webhooks',
    growth: { by: 'webhooks and events', aYear: 'none', kept: '7 days, the newest 500 of a webhook', afterwards: 'deleted' },
  },
  webhook_last_facts: {
    backup: expires('the next event of each type replaces its row'),
    personal: 'Webhooks',
    growth: { by: 'event types', aYear: 'none', kept: 'newest state', afterwards: 'replaced' },
  },
};
