import type { Job } from '../../../platform/durable/schedule/job.ts';
import { SECONDS_PER_DAY, SECONDS_PER_MINUTE } from '../../../platform/kit/time/clock.ts';
import { LOG_TTL_SECONDS } from '../signed/signed.domain.ts';
import type { DeliveriesStore } from './deliveries.store.ts';
import { JOB_TTL_SECONDS } from './delivery.data.ts';
import type { SenderClient } from './sender.object.ts';

const TIMEOUT_SECONDS = 60;

/** Jobs that wake senders with overdue deliveries and delete expired events. `nowMs`: current time in milliseconds. */
export function createWebhookJobs(deliveries: DeliveriesStore, senders: SenderClient, nowMs: () => number): Job[] {
  return [
    {
      name: 'webhooks-deliver',
      schedule: { everySeconds: SECONDS_PER_MINUTE, text: 'every 60 s, for overdue deliveries' },
      timeoutSeconds: TIMEOUT_SECONDS,
      availability: ({ featureWebhooksEnabled }) => (featureWebhooksEnabled ? 'enabled' : 'disabled'),
      run: async () => senders.wake(await deliveries.dueSenders(nowMs())),
    },
    {
      name: 'webhooks-sweep',
      schedule: { everySeconds: SECONDS_PER_DAY, text: 'daily' },
      timeoutSeconds: TIMEOUT_SECONDS,
      run: async () => {
        const now = nowMs();
        await deliveries.deleteExpired('chat', now - JOB_TTL_SECONDS * 1000, now);
        await deliveries.deleteExpired('signed', now - LOG_TTL_SECONDS * 1000, now);
      },
    },
  ];
}
