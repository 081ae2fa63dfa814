import type { Attempt, Outbox, OutboxQueue } from '../../platform/durable/outbox.ts';
import { logError } from '../../platform/logging.ts';
import type { Settings } from '../../platform/settings/settings.data.ts';
import type { UnixSeconds } from '../../platform/time/clock.ts';
import type { MessageFile } from '../../platform/upstream/chat-post.ts';
import type { AttachmentStore } from './attachments.repository.ts';
import type { ChatWebhook } from './chat-webhook.upstream.ts';
import { FEEDBACK_RETRIES, OUTBOX_SECONDS } from './feedback.data.ts';
import { attachmentName, type FeedbackEntry, feedbackMessage } from './feedback.domain.ts';
import type { FeedbackRepository } from './feedback.repository.ts';

/** Longer than any attempt. */
const LEASE_SECONDS = 60;
const BATCH = 20;

export interface FeedbackOutboxDeps {
  outbox: Outbox;
  repository: FeedbackRepository;
  store: AttachmentStore;
  webhook: ChatWebhook;
  /** Address that the embeds of one message share. */
  groupUrl: string;
}

export interface FeedbackAttempt extends Attempt {
  settings: Settings;
  signal: AbortSignal;
}

/** Forwards stored entries, by their ids, to the chat. */
export interface FeedbackOutbox extends OutboxQueue<FeedbackAttempt> {
  /** Deletes expired entries and attachments orphaned by a crash. */
  sweep(now: UnixSeconds): Promise<void>;
}

export function createFeedbackOutbox({ outbox, repository, store, webhook, groupUrl }: FeedbackOutboxDeps): FeedbackOutbox {
  /** Attachments that still exist: a missing image does not block the message. */
  async function filesOf(entry: FeedbackEntry): Promise<{ entry: FeedbackEntry; files: MessageFile[] }> {
    const stored = await Promise.all(entry.attachments.map((_, index) => store.get(entry, index)));
    const present = entry.attachments.flatMap((meta, index) => {
      const bytes = stored[index];
      return bytes ? [{ meta, bytes }] : [];
    });
    const files = present.map(({ meta, bytes }, index) => ({ name: attachmentName(index, meta), contentType: meta.contentType, ...bytes }));
    return { entry: { ...entry, attachments: present.map(({ meta }) => meta) }, files };
  }

  const queue = outbox.kind<FeedbackAttempt>({
    name: 'feedback',
    policy: FEEDBACK_RETRIES,
    leaseSeconds: LEASE_SECONDS,
    batch: BATCH,
    // One after the other: the memory of an isolate is small.
    concurrency: 1,
    isReady: ({ settings }) => settings.feedbackChatWebhook !== '',

    async deliver({ key }, { settings, signal }) {
      const stored = await repository.find(key);
      if (!stored) return { kind: 'done' };
      const { entry, files } = await filesOf(stored);
      return webhook(settings.feedbackChatWebhook, feedbackMessage(entry, groupUrl), files, signal);
    },

    async afterEnd(key) {
      const entry = await repository.find(key);
      if (entry) await store.remove(entry, entry.attachments.length);
    },
  });

  return {
    ...queue,

    async sweep(now) {
      const expired = await queue.deleteExpired(now);
      if (expired > 0) logError('feedback was not forwarded in time', new Error('too old'), { entries: expired });
      await store.deleteReceivedBefore(now - OUTBOX_SECONDS);
    },
  };
}
