import { defineArea } from '../../platform/area/area.ts';
import type { Job } from '../../platform/durable/schedule/job.ts';
import type { EventFollower, EventTrigger } from '../../platform/events/event-source.ts';
import { lazyRoutes } from '../../platform/http/pipeline/route-groups.ts';
import { SECONDS_PER_DAY, SECONDS_PER_MINUTE } from '../../platform/kit/time/clock.ts';
import { nextToDatabase } from '../../platform/storage/regional-objects.ts';
import { createWebhooksService } from './chat/webhooks.service.ts';
import type { DeliveriesStore } from './delivery/deliveries.store.ts';
import { JOB_TTL_SECONDS, LOG_TTL_SECONDS } from './delivery/delivery.data.ts';
import { createEventQueue } from './delivery/event-queue.service.ts';
import { createWebhookEvents } from './events/webhook-events.domain.ts';
import { createLastFactsStore } from './records/last-facts.store.ts';
import { webhooksTables } from './records/webhooks.tables.ts';
import { createSenderClient, type SenderClient } from './sending/sender.object.ts';
import { createSignedPost, sharedParts } from './sending/sender-parts.service.ts';
import { createDeliveryLog } from './signed/delivery-log.store.ts';
import { createSignedWebhooksService } from './signed/signed.service.ts';
import { createSignedMessageClient, type SignedMessageClient } from './signed/signed-message.service.ts';
import { webhooksSettings } from './webhooks.settings.ts';

declare module '../../platform/area/area.ts' {
  interface Ports {
    /** Enqueues each stream message for webhooks. */
    eventFollower: EventFollower;
    /** Enqueues events outside the stream for webhooks with a matching condition. */
    webhookTrigger: EventTrigger;
    /** Makes one attempt to post a signed message to a URL that no webhook of an account has. Returns why it failed, or null. Never rejects. */
    postSigned(message: Parameters<SignedMessageClient>[0]): ReturnType<SignedMessageClient>;
  }
}

/** `/v1/webhooks`: chat and signed webhooks of accounts, and the designs of their images. */
export const webhooksArea = defineArea({
  settings: webhooksSettings,
  async webhooks(registry) {
    const [{ chatOutgoing }, { signedOutgoing }] = await importSchemas();
    const events = createWebhookEvents(registry);
    return { ...chatOutgoing(events), ...signedOutgoing(events) };
  },
  stored: [
    {
      title: 'Webhooks',
      what: 'The webhook URLs you register, with their labels, templates, conditions and signing secrets (URLs and secrets encrypted), and the result of the last delivery. For signed webhooks also a delivery log: time, status and the first 500 characters of each response.',
      until: 'Until you delete them or the account; the delivery log for 7 days.',
    },
  ],
  tables: webhooksTables,
  create(context) {
    const { env, settings } = context;
    const parts = sharedParts(context);
    const { db, events, webhooks, deliveries, designs, composer, nowMs } = parts;
    const lastFacts = createLastFactsStore(db);
    const senders = createSenderClient(nextToDatabase(env.WEBHOOK_SENDERS, env.REGION));
    const service = createWebhooksService({ ...parts, senders, images: designs.images });
    const signed = createSignedWebhooksService({ ...parts, senders, log: createDeliveryLog(db) });
    const follower = createEventQueue({ ...parts, settings, senders, lastFacts, moreFacts: context.service.eventFacts });
    return {
      endpoints: [
        lazyRoutes(['/v1/webhooks'], async () => {
          const [{ createSignedWebhookEndpoints }, { createWebhookEndpoints }, [{ createWebhookSchemas }, { createSignedSchemas }]] =
            await Promise.all([import('./signed/signed.routes.ts'), import('./chat/webhooks.routes.ts'), importSchemas()]);
          return [
            ...createSignedWebhookEndpoints(signed, createSignedSchemas(events), events),
            ...createWebhookEndpoints({ service, composer, events, lastFacts, schemas: createWebhookSchemas(events) }),
          ];
        }),
        ...designs.endpoints,
      ],
      jobs: createWebhookJobs(deliveries, senders, nowMs),
      accountData: {
        /** Webhooks of an account without their secrets. */
        async export(userId) {
          const [{ toWebhookBody }, { toSignedWebhookBody }] = await importSchemas();
          const now = Math.floor(nowMs() / 1000);
          return {
            webhooks: (await webhooks.byAccount(userId, 'chat')).map((webhook) => toWebhookBody(webhook, events)),
            signed_webhooks: (await webhooks.byAccount(userId, 'signed')).map((webhook) => toSignedWebhookBody(webhook, events, now)),
            webhook_designs: await designs.exportOf(userId),
          };
        },
        async delete(userId) {
          await webhooks.deleteByAccount(userId);
          await designs.deleteByAccount(userId);
        },
      },
      provides: {
        postSigned: createSignedMessageClient(createSignedPost(context, parts)),
        eventFollower: follower,
        webhookTrigger: follower.trigger,
      },
    };
  },
});

const importSchemas = () => Promise.all([import('./chat/webhooks.schemas.ts'), import('./signed/signed.schemas.ts')]);

const JOB_TIMEOUT_SECONDS = 60;

/** Jobs that wake senders with overdue deliveries and delete expired events. `nowMs`: current time in milliseconds. */
export function createWebhookJobs(deliveries: DeliveriesStore, senders: SenderClient, nowMs: () => number): Job[] {
  return [
    {
      name: 'webhooks-deliver',
      schedule: { everySeconds: SECONDS_PER_MINUTE, text: 'every 60 s, for overdue deliveries' },
      timeoutSeconds: JOB_TIMEOUT_SECONDS,
      availability: ({ featureWebhooksEnabled }) => (featureWebhooksEnabled ? 'enabled' : 'disabled'),
      run: async () => senders.wake(await deliveries.dueSenders(nowMs())),
    },
    {
      name: 'webhooks-sweep',
      schedule: { everySeconds: SECONDS_PER_DAY, text: 'daily' },
      timeoutSeconds: JOB_TIMEOUT_SECONDS,
      run: async () => {
        const now = nowMs();
        await deliveries.deleteExpired('chat', now - JOB_TTL_SECONDS * 1000, now);
        await deliveries.deleteExpired('signed', now - LOG_TTL_SECONDS * 1000, now);
      },
    },
  ];
}
