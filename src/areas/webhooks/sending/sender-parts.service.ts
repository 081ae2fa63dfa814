import { createDrawingRateLimit } from '../../../platform/access/policy/drawing-rate-limit.ts';
import type { AreaContext } from '../../../platform/area/area.ts';
import { systemRandom } from '../../../platform/kit/random.ts';
import { systemMs } from '../../../platform/kit/time/clock.ts';
import { createChatClient } from '../../../platform/upstream/chat-post.ts';
import { createChatFormat } from '../chat/chat-format.service.ts';
import { createComposer } from '../chat/composer.service.ts';
import { createDeliveriesStore } from '../delivery/deliveries.store.ts';
import { createDesigns } from '../designs/index.ts';
import { createWebhookEvents } from '../events/webhook-events.domain.ts';
import { createAddressVault, createWebhooksStore } from '../records/webhooks.store.ts';
import { createNameCheck, createSignedClient, type NameCheck, type SignedClient } from '../signed/signed.upstream.ts';
import { createSignedFormat } from '../signed/signed-format.service.ts';
import { createWebhookSender, type WebhookSender, type WindowStorage } from './sender.service.ts';

/** The service of a sender object. */
export function createSender(context: AreaContext, windows: WindowStorage): WebhookSender {
  const { upstream, settings, environment } = context;
  const parts = { ...sharedParts(context), settings };
  const chatPost = createChatClient(upstream, parts.newId, environment.chatBaseUrlOverride);
  const signedPost = createSignedPost(context, parts);
  return createWebhookSender({
    ...parts,
    formats: {
      chat: createChatFormat({ ...parts, post: chatPost }),
      signed: createSignedFormat({ ...parts, post: signedPost, random: systemRandom }),
    },
    windows,
  });
}

/** Posts with the address checks of the area. */
export const createSignedPost = ({ upstream, environment }: AreaContext, { nameCheck }: { nameCheck: NameCheck }): SignedClient =>
  createSignedClient({ upstream, nameCheck, baseUrlOverride: environment.signedBaseUrlOverride });

/** Parts of the area that its sender objects have too. */
export function sharedParts({ db, env, environment, upstream, limiter, newId, service }: AreaContext) {
  const events = createWebhookEvents(service.events);
  /** Limit of the processor time for drawings of an account, including message images. */
  const drawings = createDrawingRateLimit(limiter, environment.rateLimitScale);
  const designs = createDesigns({ db, assets: env.ASSETS, drawings, events, newId });
  return {
    db,
    newId,
    nowMs: systemMs,
    events,
    drawings,
    designs,
    composer: createComposer(designs.images, events),
    webhooks: createWebhooksStore(db),
    deliveries: createDeliveriesStore(db),
    vault: createAddressVault(env.WEBHOOK_SECRET ?? env.SESSION_SECRET),
    nameCheck: createNameCheck(upstream, env.DNS_OVER_HTTPS_URL),
  };
}
