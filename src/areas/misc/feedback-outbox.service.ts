import { logError } from '../../platform/logging.ts';
import type { Settings } from '../../platform/settings/settings.data.ts';
import type { Clock, UnixSeconds } from '../../platform/time/clock.ts';
import type { MessageFile } from '../../platform/upstream/chat-post.ts';
import type { AttachmentStore } from './attachments.repository.ts';
import type { ChatWebhook } from './chat-webhook.upstream.ts';
import { OUTBOX_SECONDS } from './feedback.data.ts';
import { attachmentName, type DeliveryResult, type FeedbackEntry, feedbackMessage, nextTryAt } from './feedback.domain.ts';
import type { FeedbackRepository } from './feedback.repository.ts';

/** Longer than any try: whoever holds an entry beyond it has crashed. */
const LEASE_SECONDS = 60;
/** Entries forwarded in one run: the next run is a minute away. */
const BATCH = 20;

export interface FeedbackOutboxDeps {
  repository: FeedbackRepository;
  store: AttachmentStore;
  webhook: ChatWebhook;
  /** Address that the embeds of one message share. */
  groupUrl: string;
  /** Real time, by which leases run. */
  realTime: Clock;
}

/** Forwards what was kept. What is on its way survives a crash: it may then arrive twice, but not never. */
export interface FeedbackOutbox {
  /** One try to forward an entry; nothing happens while another try has it. */
  forward(id: string, settings: Settings, now: UnixSeconds, signal: AbortSignal): Promise<void>;
  /** Forwards everything that is due. */
  forwardDue(settings: Settings, now: UnixSeconds, signal: AbortSignal): Promise<void>;
  /** Lets go of what is too old. */
  sweep(now: UnixSeconds): Promise<void>;
}

export function createFeedbackOutbox({ repository, store, webhook, groupUrl, realTime }: FeedbackOutboxDeps): FeedbackOutbox {
  /** Attachments that are still there: a message without its picture is better than none. */
  async function filesOf(entry: FeedbackEntry): Promise<{ entry: FeedbackEntry; files: MessageFile[] }> {
    const stored = await Promise.all(entry.attachments.map((_, index) => store.get(entry, index)));
    const present = entry.attachments.flatMap((meta, index) => {
      const bytes = stored[index];
      return bytes ? [{ meta, bytes }] : [];
    });
    const files = present.map(({ meta, bytes }, index) => ({ name: attachmentName(index, meta), contentType: meta.contentType, ...bytes }));
    return { entry: { ...entry, attachments: present.map(({ meta }) => meta) }, files };
  }

  async function settle(entry: FeedbackEntry, earlierFailures: number, result: DeliveryResult, now: UnixSeconds): Promise<void> {
    const failures = earlierFailures + 1;
    const again = result.kind === 'failed' ? nextTryAt(failures, result.retryAfterSeconds, now) : null;
    if (again !== null) return repository.postpone(entry.id, failures, again);
    if (result.kind !== 'delivered') {
      logError('feedback was not forwarded', new Error(result.reason), { feedback_id: entry.id, tries: failures });
    }
    await repository.finish(entry.id);
    await store.remove(entry, entry.attachments.length);
  }

  async function forward(id: string, settings: Settings, now: UnixSeconds, signal: AbortSignal): Promise<void> {
    if (settings.feedbackChatWebhook === '') return;
    const taken = await repository.lease(id, realTime(), LEASE_SECONDS);
    if (!taken) return;
    const { entry, files } = await filesOf(taken.entry);
    const result = await webhook(settings.feedbackChatWebhook, feedbackMessage(entry, groupUrl), files, signal);
    await settle(taken.entry, taken.failures, result, now);
  }

  return {
    forward,

    async forwardDue(settings, now, signal) {
      for (const id of await repository.due(now, realTime(), BATCH)) {
        if (signal.aborted) return;
        await forward(id, settings, now, signal).catch((error: unknown) => logError('feedback try failed', error, { feedback_id: id }));
      }
    },

    async sweep(now) {
      const expired = await repository.expire(now);
      if (expired > 0) logError('feedback was not forwarded in time', new Error('too old'), { entries: expired });
      await store.removeBefore(now - OUTBOX_SECONDS);
    },
  };
}
