import type { Attempt, Outbox, OutboxQueue } from '../../platform/durable/outbox.ts';
import { logError } from '../../platform/kit/logging.ts';
import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import type { Settings } from '../../platform/settings/settings.data.ts';
import type { MessageFile } from '../../platform/upstream/chat-post.ts';
import type { AttachmentStore } from './attachments.repository.ts';
import type { ChatWebhook } from './chat-webhook.upstream.ts';
import { FEEDBACK_RETRIES, OUTBOX_TTL_SECONDS } from './feedback.data.ts';
import { attachmentName, type FeedbackEntry, feedbackMessage } from './feedback.domain.ts';
import type { FeedbackRepository } from './feedback.repository.ts';

/** Lease of an attempt in seconds, longer than any attempt. */
const LEASE_SECONDS = 60;
const BATCH_SIZE = 20;

export interface FeedbackOutboxDeps {
  outbox: Outbox;
  repository: FeedbackRepository;
  store: AttachmentStore;
  webhook: ChatWebhook;
  /** URL shared by the embeds of one message, which groups them. */
  groupUrl: string;
}

export interface FeedbackAttempt extends Attempt {
  settings: Settings;
  signal: AbortSignal;
}

/** Forwards stored entries to the chat; keys are entry ids. */
export interface FeedbackOutbox extends OutboxQueue<FeedbackAttempt> {
  /** Deletes expired queue entries, and attachments left behind by a crash. */
  cleanUp(now: UnixSeconds): Promise<void>;
}

export function createFeedbackOutbox({ outbox, repository, store, webhook, groupUrl }: FeedbackOutboxDeps): FeedbackOutbox {
  /** Attachments that still exist. Missing ones are omitted from the message. */
  async function loadFiles(entry: FeedbackEntry): Promise<{ entry: FeedbackEntry; files: MessageFile[] }> {
    const stored = await Promise.all(entry.attachments.map((_, index) => store.get(entry, index)));
    const existing = entry.attachments.flatMap((meta, index) => {
      const bytes = stored[index];
      return bytes ? [{ meta, bytes }] : [];
    });
    const files = existing.map(({ meta, bytes }, index) => ({
      name: attachmentName(index, meta),
      contentType: meta.contentType,
      ...bytes,
    }));
    return { entry: { ...entry, attachments: existing.map(({ meta }) => meta) }, files };
  }

  const queue = outbox.kind<FeedbackAttempt>({
    name: 'feedback',
    policy: FEEDBACK_RETRIES,
    leaseSeconds: LEASE_SECONDS,
    batch: BATCH_SIZE,
    // Sequential, because the memory of an isolate is limited.
    concurrency: 1,
    isReady: ({ settings }) => settings.feedbackChatWebhook !== '',

    async deliver({ key }, { settings, signal }) {
      const stored = await repository.find(key);
      if (!stored) return { kind: 'done' };
      const { entry, files } = await loadFiles(stored);
      return webhook(settings.feedbackChatWebhook, feedbackMessage(entry, groupUrl), files, signal);
    },

    async afterEnd(key) {
      const entry = await repository.find(key);
      if (entry) await store.remove(entry, entry.attachments.length);
    },
  });

  return {
    ...queue,

    async cleanUp(now) {
      const expired = await queue.deleteExpired(now);
      if (expired > 0) logError('feedback was not forwarded in time', new Error('too old'), { entries: expired });
      await store.deleteExpired(now - OUTBOX_TTL_SECONDS);
    },
  };
}
