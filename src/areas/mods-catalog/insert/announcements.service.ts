import type { Outbox, OutboxQueue } from '../../../platform/durable/outbox.ts';
import type { RetryPolicy } from '../../../platform/durable/retry-policy.domain.ts';
import type { EventPublisher } from '../../../platform/events/event-source.ts';
import { modReleaseEvent } from '../events.ts';

/** Retries with every run of the job, once a minute, without limit. */
const POLICY: RetryPolicy = { tries: null, firstPauseSeconds: 30, factor: 1, longestPauseSeconds: 30 };
const LEASE_SECONDS = 30;
const BATCH_SIZE = 50;

/** Queue of pending release events. The event stream deduplicates by release id. */
export type Announcements = OutboxQueue;

export function createAnnouncements(outbox: Outbox, events: Pick<EventPublisher, 'announce'>): Announcements {
  return outbox.kind({
    name: modReleaseEvent.type,
    policy: POLICY,
    leaseSeconds: LEASE_SECONDS,
    batch: BATCH_SIZE,
    concurrency: 1,
    async deliver({ key, payload }, { now }) {
      const isAccepted = await events.announce(modReleaseEvent.type, key, payload, now);
      return isAccepted ? { kind: 'done' } : { kind: 'retry', reason: 'event stream rejected the event' };
    },
  });
}
