import type { DeliveryOutcome } from '../../platform/durable/outbox.ts';
import { type ChatReply, createChatPoster, type MessageFile } from '../../platform/upstream/chat-post.ts';
import type { UpstreamClient } from '../../platform/upstream/upstream-client.ts';

/** Attempts to post a message. Does not throw: errors are results. */
export type ChatWebhook = (url: string, message: object, files: readonly MessageFile[], signal: AbortSignal) => Promise<DeliveryOutcome>;

const SOURCE = 'feedback-webhook';
const TIMEOUT_SECONDS = 20;

/** Posts feedback to a Discord webhook. */
export function createChatWebhook(upstream: UpstreamClient, newId: () => string, baseUrlOverride: string | null): ChatWebhook {
  const post = createChatPoster(upstream, newId, baseUrlOverride);
  return async (url, message, files, signal) =>
    resultOf(await post({ source: SOURCE, url, message, files, signal, timeoutSeconds: TIMEOUT_SECONDS }));
}

function resultOf({ status, reason, retryAfterSeconds }: ChatReply): DeliveryOutcome {
  if (reason === null) return { kind: 'done' };
  const mayPass = status === null ? reason !== 'bad_address' : status >= 500 || status === 429 || status === 408;
  return mayPass ? { kind: 'retry', reason, retryAfterSeconds } : { kind: 'refused', reason };
}
