import type { FollowedMessage, TriggeredEvent } from '../../../platform/events/event-source.ts';
import { toIso, type UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { WebhookEvent } from './webhook-events.domain.ts';

/** Type of the message that the test endpoint sends. */
export const TEST_EVENT = 'test';
export type SignedMessageType = WebhookEvent | typeof TEST_EVENT;

/** Maximum size of a body. For a larger event `data` is null. */
export const MAX_BODY_BYTES = 256 * 1024;

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
