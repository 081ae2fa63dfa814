import type { EventFollower } from '../../../platform/events/event-source.ts';
import { logError } from '../../../platform/kit/logging.ts';
import type { SettingsSource } from '../../../platform/settings/settings-cache.ts';
import { RETRY_SECONDS } from '../signed/signed-outcome.domain.ts';
import { signedMessageOf, type WebhookEvents } from '../webhook-events.ts';
import type { DeliveriesRepository, QueuedJob } from './deliveries.repository.ts';
import type { SenderClient } from './sender.object.ts';

export interface EventQueueDeps {
  events: Pick<WebhookEvents, 'chatJobOf'>;
  deliveries: Pick<DeliveriesRepository, 'enqueue'>;
  senders: Pick<SenderClient, 'wake'>;
  settings: SettingsSource;
  /** Current time in milliseconds. */
  nowMs(): number;
  newId(): string;
}

/** Enqueues the deliveries of each stream event once and wakes the senders. Throws when an event cannot be enqueued. */
export function createEventQueue({ events, deliveries, senders, settings, nowMs, newId }: EventQueueDeps): EventFollower {
  /** Errors are only logged: a job wakes senders with overdue deliveries every minute. */
  async function wake(senderIndexes: readonly number[]): Promise<void> {
    await senders.wake(senderIndexes).catch((error: unknown) => logError('webhook sender could not be woken', error));
  }

  async function enqueue(job: QueuedJob, ttlSeconds: number): Promise<void> {
    const now = nowMs();
    await wake(await deliveries.enqueue(job, newId(), { now, expiresAt: now + ttlSeconds * 1000 }));
  }

  return {
    async receive(messages) {
      if (!(await settings.current()).featureWebhooksEnabled) return;
      for (const message of messages) {
        const job = events.chatJobOf(message);
        if (job) {
          const { key, event, variables, ttlSeconds } = job;
          await enqueue({ key, event, format: 'chat', content: JSON.stringify(variables) }, ttlSeconds);
        }
        const { id, event, body } = signedMessageOf(message);
        await enqueue({ key: id, event, format: 'signed', content: body }, RETRY_SECONDS);
      }
    },
  };
}
