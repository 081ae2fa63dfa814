import { pauseAfter, type RetryPolicy } from '../../../platform/durable/retry-policy.domain.ts';
import type { FollowedMessage, TriggeredEvent } from '../../../platform/events/event-source.ts';
import { toIso, type UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { Outcome, PostResult, RetryState } from '../delivery/delivery.domain.ts';
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

/** A message with its id, by which receivers detect duplicates. */
export interface SignedMessage<Type extends string = WebhookEvent> {
  id: string;
  event: Type;
  body: string;
}

const encoder = new TextEncoder();

/** Message of a stream event, with an id derived from the event. */
export const signedMessageOf = ({ id, type, data, at }: Pick<FollowedMessage, 'id' | 'type' | 'data' | 'at'>): SignedMessage =>
  messageOf(`evt_${id}_${at}`, type, data, at);

/** Message of an event outside the stream, with an id derived from its key. */
export const triggeredMessageOf = ({ key, type, body, at }: TriggeredEvent): SignedMessage =>
  messageOf(`evt_${key.replaceAll(':', '_')}`, type, body, at);

function messageOf(id: string, type: WebhookEvent, data: unknown, at: UnixSeconds): SignedMessage {
  const head = { type, timestamp: toIso(at) };
  const body = JSON.stringify({ ...head, data });
  const isTooLarge = encoder.encode(body).byteLength > MAX_BODY_BYTES;
  return { id, event: type, body: isTooLarge ? JSON.stringify({ ...head, data: null }) : body };
}

/** Message of the test endpoint. */
export function testMessage(id: string, at: number): SignedMessage<typeof TEST_EVENT> {
  const body = JSON.stringify({ type: TEST_EVENT, timestamp: toIso(at), data: { message: 'The webhook works.' } });
  return { id: `test_${id}`, event: TEST_EVENT, body };
}

/** Duration of retries, in seconds. */
export const RETRY_SECONDS = 86_400;
/**
 * Delays of 5 s, 20 s, 80 s, 5, 21 and 85 minutes, 5.7 hours, then 8 hours: ten attempts in a day. The number of attempts is not limited,
 * because attempts that crashed count too.
 */
const RETRY_POLICY: RetryPolicy = { tries: null, firstPauseSeconds: 5, factor: 4, longestPauseSeconds: 28_800 };
/** Random share of a delay. Jitter only shortens delays, so the last attempt stays within the day. */
const JITTER = 0.2;

/** 2xx: delivered. 410: gone. Other results are retried until the delivery expires. `random`: uniform in [0, 1). */
export function signedOutcomeOf(
  { status, retryAfterSeconds }: Pick<PostResult, 'status' | 'retryAfterSeconds'>,
  { tries, expiresAt, now }: RetryState,
  random: () => number,
): Outcome {
  if (status !== null && status >= 200 && status < 300) return { kind: 'delivered' };
  if (status === 410) return { kind: 'gone' };
  const scheduled = (pauseAfter(RETRY_POLICY, tries) ?? 0) * (1 - JITTER * random());
  const requested = Math.min(retryAfterSeconds ?? 0, RETRY_POLICY.longestPauseSeconds);
  const waitMs = Math.max(scheduled, requested) * 1000;
  return now + waitMs < expiresAt ? { kind: 'retry', waitMs, isBusy: false } : { kind: 'failed' };
}

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

/** First characters of a response. Characters that are not printable are replaced by spaces. */
export function excerptOf(text: string): string {
  return text
    .slice(0, MAX_EXCERPT_LENGTH)
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\u2028\u2029]+/gu, ' ')
    .trim();
}
