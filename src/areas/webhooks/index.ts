import { createDrawingBudget, type DrawingBudget } from '../../platform/access/policy/drawing-budget.ts';
import { type AreaContext, defineArea } from '../../platform/area/area.ts';
import type { Job } from '../../platform/durable/schedule/job.ts';
import type { EventFacts } from '../../platform/events/event-declaration.ts';
import type { EventFollower, EventTrigger } from '../../platform/events/event-source.ts';
import { lazyRoutes, type Routes } from '../../platform/http/pipeline/route-groups.ts';
import { systemRandom } from '../../platform/kit/random.ts';
import { systemMs } from '../../platform/kit/time/clock.ts';
import type { SettingsSource } from '../../platform/settings/settings-cache.ts';
import type { Database } from '../../platform/storage/database.ts';
import { type NamedObjects, nextToDatabase } from '../../platform/storage/regional-objects.ts';
import { createChatPoster } from '../../platform/upstream/chat-post.ts';
import { waitFor } from '../../platform/upstream/retry.ts';
import { createAddressVault } from './address-vault.service.ts';
import { createLastFacts } from './conditions/last-facts.repository.ts';
import { createChatFormat } from './delivery/chat-format.service.ts';
import { createComposer } from './delivery/composer.service.ts';
import { createDeliveriesRepository } from './delivery/deliveries.repository.ts';
import { createEventQueue } from './delivery/event-queue.service.ts';
import { createSenderClient, type WebhookSenderObject } from './delivery/sender.object.ts';
import { createWebhookSender, type WebhookSender } from './delivery/sender.service.ts';
import { createWebhookJobs } from './delivery/webhooks.jobs.ts';
import type { DesignedImages } from './designed-images.service.ts';
import { createDesigns } from './designs/index.ts';
import { createDeliveryLog } from './signed/delivery-log.repository.ts';
import { createNameCheck, type NameCheck } from './signed/name-check.upstream.ts';
import { createSignedWebhooksService } from './signed/signed.service.ts';
import { createSignedFormat } from './signed/signed-format.service.ts';
import { createSignedPoster } from './signed/signed-post.upstream.ts';
import { createWebhookEvents, type WebhookEvents } from './webhook-events.domain.ts';
import { createWebhooksRepository } from './webhooks.repository.ts';
import { createWebhooksService } from './webhooks.service.ts';
import { webhooksSettings } from './webhooks.settings.ts';
import { webhooksBackup } from './webhooks.tables.ts';

export type { WebhookSender } from './delivery/sender.service.ts';
export type { DesignedImages } from './designed-images.service.ts';

/** Draws no images and accepts no designs. */
export const NO_DESIGNED_IMAGES: DesignedImages = { render: async () => null, costOf: async () => 0, owns: async () => false };

export interface WebhooksAreaDeps {
  db: Database;
  /** The sender objects. */
  senderObjects: NamedObjects<WebhookSenderObject>;
  images: DesignedImages;
  events: WebhookEvents;
  /** Limit of the processor time for drawings of an account, including message images. */
  drawings: DrawingBudget;
  /** Encrypts URLs and signing secrets. */
  secret: string | undefined;
  nameCheck: NameCheck;
  /** Current time in milliseconds. */
  nowMs(): number;
  newId(): string;
}

/** Chat and signed webhooks of accounts: `/v1/webhooks`. */
export function createWebhooksArea({ db, senderObjects, images, secret, nowMs, nameCheck, ...deps }: WebhooksAreaDeps): {
  endpoints: Routes[];
  jobs: Job[];
  deleteByAccount(userId: string): Promise<void>;
  /** Webhooks of an account without their secrets. */
  exportOf(userId: string): Promise<Record<string, Record<string, unknown>[]>>;
} {
  const webhooks = createWebhooksRepository(db);
  const senders = createSenderClient(senderObjects);
  const { events } = deps;
  const composer = createComposer(images, deps.events);
  const vault = createAddressVault(secret);
  const service = createWebhooksService({ ...deps, webhooks, vault, images, senders, composer });
  const signed = createSignedWebhooksService({
    webhooks,
    events,
    vault,
    nameCheck,
    senders,
    nowMs,
    log: createDeliveryLog(db),
    newId: deps.newId,
  });
  return {
    endpoints: [
      lazyRoutes(['/v1/webhooks'], async () => {
        const [{ createSignedWebhookEndpoints }, { createWebhookEndpoints }, [{ createWebhookSchemas }, { createSignedSchemas }]] =
          await Promise.all([import('./signed/signed.routes.ts'), import('./webhooks.routes.ts'), importSchemas()]);
        return [
          ...createSignedWebhookEndpoints(signed, createSignedSchemas(events), events),
          ...createWebhookEndpoints({ service, composer, events, lastFacts: createLastFacts(db), schemas: createWebhookSchemas(events) }),
        ];
      }),
    ],
    jobs: createWebhookJobs(createDeliveriesRepository(db), senders, nowMs),
    deleteByAccount: webhooks.deleteByAccount,
    async exportOf(userId) {
      const [{ toWebhookBody }, { toSignedWebhookBody }] = await importSchemas();
      const now = Math.floor(nowMs() / 1000);
      return {
        webhooks: (await webhooks.byAccount(userId, 'chat')).map((webhook) => toWebhookBody(webhook, events)),
        signed_webhooks: (await webhooks.byAccount(userId, 'signed')).map((webhook) => toSignedWebhookBody(webhook, events, now)),
      };
    },
  };
}

const importSchemas = () => Promise.all([import('./webhooks.schemas.ts'), import('./signed/signed.schemas.ts')]);

export interface WebhookFollowerDeps extends Pick<WebhooksAreaDeps, 'db' | 'events' | 'senderObjects' | 'nowMs' | 'newId'> {
  settings: SettingsSource;
  /** Facts that the bodies of events lack. */
  moreFacts(): EventFacts;
}

/** Receives the events that webhooks deliver: those of the event stream, and those outside it. */
export function createWebhookFollower({ db, senderObjects, ...deps }: WebhookFollowerDeps): EventFollower & { trigger: EventTrigger } {
  return createEventQueue({
    ...deps,
    deliveries: createDeliveriesRepository(db),
    lastFacts: createLastFacts(db),
    senders: createSenderClient(senderObjects),
  });
}

/** Dependencies of the sender object. */
export function createSenderParts(context: AreaContext): WebhookSender {
  const { db, upstream, settings, environment } = context;
  const { images, secret, newId, drawings, nameCheck, ...rest } = sharedDeps(context);
  const deps = { ...rest, settings };
  const [deliveries, vault, composer] = [createDeliveriesRepository(db), createAddressVault(secret), createComposer(images, deps.events)];
  const chatPost = createChatPoster(upstream, newId, environment.chatBaseUrlOverride);
  const signedPost = createSignedPoster({ upstream, nameCheck, baseUrlOverride: environment.signedBaseUrlOverride });
  return createWebhookSender({
    ...deps,
    deliveries,
    composer,
    webhooks: createWebhooksRepository(db),
    formats: {
      chat: createChatFormat({ ...deps, deliveries, vault, composer, drawings, post: chatPost }),
      signed: createSignedFormat({ ...deps, vault, post: signedPost, random: systemRandom }),
    },
    pause: (milliseconds) => waitFor(milliseconds, undefined),
  });
}

/** Dependencies that the area shares with its sender objects. */
function sharedDeps({ db, env, environment, upstream, limiter, newId, service }: AreaContext) {
  const events = createWebhookEvents(service.events);
  const drawings = createDrawingBudget(limiter, environment.rateLimitScale);
  const designs = createDesigns({ db, assets: env.ASSETS, drawings, events, newId });
  return {
    db,
    newId,
    events,
    nowMs: systemMs,
    designs,
    images: designs.images,
    drawings,
    senderObjects: nextToDatabase(env.WEBHOOK_SENDERS, env.REGION),
    secret: env.WEBHOOK_SECRET ?? env.SESSION_SECRET,
    nameCheck: createNameCheck(upstream, env.DNS_OVER_HTTPS_URL),
  };
}

declare module '../../platform/area/area.ts' {
  interface Ports {
    /** Enqueues each stream message for webhooks. */
    eventFollower: EventFollower;
    /** Enqueues events outside the stream for webhooks with a matching condition. */
    webhookTrigger: EventTrigger;
  }
}

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
      tables: ['webhook*'],
    },
  ],
  backup: webhooksBackup,
  create(context) {
    const { designs, ...shared } = sharedDeps(context);
    const webhooks = createWebhooksArea(shared);
    const { settings, service } = context;
    const follower = createWebhookFollower({ ...shared, settings, moreFacts: service.eventFacts });
    return {
      endpoints: [...webhooks.endpoints, ...designs.endpoints],
      jobs: webhooks.jobs,
      accountData: {
        export: async (userId) => ({ ...(await webhooks.exportOf(userId)), webhook_designs: await designs.exportOf(userId) }),
        async delete(userId) {
          await webhooks.deleteByAccount(userId);
          await designs.deleteAccountData(userId);
        },
      },
      provides: {
        eventFollower: follower,
        webhookTrigger: follower.trigger,
      },
    };
  },
});
