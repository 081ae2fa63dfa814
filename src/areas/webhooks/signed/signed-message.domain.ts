import type { FollowedMessage } from '../../../platform/events/event-source.ts';
import { toIso } from '../../../platform/time/clock.ts';
import type { WebhookEvent } from '../webhook-events.ts';
import { MAX_BODY_BYTES, TEST_EVENT } from './signed-events.data.ts';

/** A message with its id, by which receivers detect duplicates. */
export interface SignedMessage<Type extends string = WebhookEvent> {
  id: string;
  event: Type;
  body: string;
}

const encoder = new TextEncoder();

/** Message of a stream event, with an id derived from the event. */
export function signedMessageOf({ id, type, data, at }: Pick<FollowedMessage, 'id' | 'type' | 'data' | 'at'>): SignedMessage {
  const head = { type, timestamp: toIso(at) };
  const body = JSON.stringify({ ...head, data });
  const isTooLarge = encoder.encode(body).byteLength > MAX_BODY_BYTES;
  return { id: `evt_${id}_${at}`, event: type, body: isTooLarge ? JSON.stringify({ ...head, data: null }) : body };
}

/** Message of the test endpoint. */
export function testMessage(id: string, at: number): SignedMessage<typeof TEST_EVENT> {
  const body = JSON.stringify({ type: TEST_EVENT, timestamp: toIso(at), data: { message: 'The webhook works.' } });
  return { id: `test_${id}`, event: TEST_EVENT, body };
}
