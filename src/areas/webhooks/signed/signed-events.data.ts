import type { WebhookEvent } from '../webhook-events.domain.ts';

/** Type of the message that the test endpoint sends. */
export const TEST_EVENT = 'test';
export type SignedMessageType = WebhookEvent | typeof TEST_EVENT;

/** Signed webhooks per account. */
export const MAX_SIGNED_WEBHOOKS = 10;
/** Maximum length of an endpoint URL, in characters. */
export const MAX_ENDPOINT_LENGTH = 1000;
/** Maximum size of a body. For a larger event `data` is null. */
export const MAX_BODY_BYTES = 256 * 1024;

/**
 * Number of sender objects for signed webhooks. They are separate from those of chat webhooks, so slow endpoints do not delay chat
 * messages.
 */
export const SIGNED_SENDER_COUNT = 8;

/** Delay of the deliveries to an endpoint that does not respond, in milliseconds, so it does not delay other endpoints. */
export const UNRESPONSIVE_DELAY_MS = 30_000;

/** How long the previous secret still signs after a rotation, in seconds. */
export const DEFAULT_OVERLAP_SECONDS = 86_400;
export const MAX_OVERLAP_SECONDS = 7 * 86_400;

/** Retention of deliveries, bodies and attempts, in seconds. */
export const LOG_TTL_SECONDS = 7 * 86_400;
/** Stored deliveries per webhook. */
export const MAX_LOG_ROWS = 500;
/** Stored attempts per delivery. */
export const MAX_STORED_ATTEMPTS = 12;
/** Maximum length of a response excerpt, in characters. */
export const MAX_EXCERPT_LENGTH = 500;
