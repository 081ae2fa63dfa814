import type { Outbox, OutboxQueue } from '../../../platform/durable/outbox.ts';
import type { RetryPolicy } from '../../../platform/durable/retry-policy.domain.ts';
import type { EventPublisher } from '../../../platform/events/event-source.ts';
import { MOD_RELEASE } from './mod-release-event.domain.ts';

/** With each run of the job, a minute apart, without end. */
const POLICY: RetryPolicy = { tries: null, firstPauseSeconds: 30, factor: 1, longestPauseSeconds: 30 };
const LEASE_SECONDS = 30;
const BATCH = 50;

/** Pending release events by id. The event stream deduplicates by release. */
export type Announcements = OutboxQueue;

export function createAnnouncements(outbox: Outbox, events: Pick<EventPublisher, 'announce'>): Announcements {
  return outbox.kind({
    name: MOD_RELEASE,
    policy: POLICY,
    leaseSeconds: LEASE_SECONDS,
    batch: BATCH,
    concurrency: 1,
    async deliver({ key, payload }, { now }) {
      const isTaken = await events.announce(MOD_RELEASE, key, payload, now);
      return isTaken ? { kind: 'done' } : { kind: 'retry', reason: 'event stream rejected the event' };
    },
  });
}
