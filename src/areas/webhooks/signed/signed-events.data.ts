import { namedValues } from '../../../platform/values/named-values.ts';

/** Event types that signed webhooks can receive: every type of the event stream, in its order. */
export const SIGNED_EVENTS = namedValues('SignedWebhookEvent', 'Event type of a signed webhook.', [
  ...['challenge', 'chaos', 'corruxion', 'fluxion', 'longshade', 'wild_mana', 'stampy', 'daily_bonuses', 'activity'],
  ...['server_status', 'game_news', 'giveaways', 'game_update', 'mod_release'],
] as const);
export type SignedEvent = (typeof SIGNED_EVENTS)[number];

/** Type of the event that the owner sends to try a webhook. */
export const TEST_EVENT = 'test';
export type SignedMessageType = SignedEvent | typeof TEST_EVENT;

/** Signed webhooks of an account. */
export const MAX_SIGNED_WEBHOOKS = 10;
/** Longest URL of an endpoint, in characters. */
export const MAX_ENDPOINT_LENGTH = 1000;
/** Longest body; the data of an event that is larger is left out. */
export const MAX_BODY_BYTES = 256 * 1024;

/** Objects that deliver signed webhooks; numbered after those of the chat webhooks, which a slow endpoint must not hold up. */
export const SIGNED_SENDERS = 8;

/** Milliseconds for which the deliveries of an endpoint that does not respond wait: it must not hold up those of others. */
export const HOLD_MILLISECONDS = 30_000;

/** Seconds for which the secret before a rotation signs as well. */
export const DEFAULT_OVERLAP_SECONDS = 86_400;
export const MAX_OVERLAP_SECONDS = 7 * 86_400;

/** Deliveries, their bodies and attempts are kept this long, in seconds. */
export const LOG_SECONDS = 7 * 86_400;
/** Deliveries of a webhook that are kept. */
export const MAX_LOG_ROWS = 500;
/** Attempts of a delivery that are kept. */
export const MAX_KEPT_ATTEMPTS = 12;
/** Longest excerpt of a response, in characters. */
export const MAX_EXCERPT_LENGTH = 500;
