import { breachedPasswordsUpstream } from './breached-passwords.ts';
import { buildsUpstream } from './builds.ts';
import { captchaUpstream } from './captcha.ts';
import { chaosChestUpstream } from './chaos-chest.ts';
import { chatWebhookUpstream } from './chat-webhook.ts';
import { clientappUpstream } from './clientapp.ts';
import { communityEventsUpstream } from './community-events.ts';
import { delvesUpstream } from './delves.ts';
import { gameAuthUpstream } from './game-auth.ts';
import { gameSocketsUpstream } from './game-sockets.ts';
import { mailUpstream } from './mail.ts';
import { modsCatalogUpstream } from './mods-catalog.ts';
import { nameResolverUpstream } from './name-resolver.ts';
import { newsUpstream } from './news.ts';
import { scanningKeysUpstream } from './scanning-keys.ts';
import { streamsUpstream } from './streams.ts';
import type { RunningUpstream, UpstreamServer } from './upstream-server.ts';
import { usageAnalyticsUpstream } from './usage-analytics.ts';
import { videosAUpstream } from './videos-a.ts';
import { videosBUpstream } from './videos-b.ts';
import { webhookReceiverUpstream } from './webhook-receiver.ts';

/** All mock services. Tests start them on free ports, `npm run upstreams` on fixed ports. */
export const UPSTREAM_SERVERS: readonly UpstreamServer[] = [
  newsUpstream,
  communityEventsUpstream,
  streamsUpstream,
  videosAUpstream,
  videosBUpstream,
  chaosChestUpstream,
  delvesUpstream,
  gameAuthUpstream,
  gameSocketsUpstream,
  nameResolverUpstream,
  chatWebhookUpstream,
  captchaUpstream,
  breachedPasswordsUpstream,
  mailUpstream,
  scanningKeysUpstream,
  modsCatalogUpstream,
  clientappUpstream,
  usageAnalyticsUpstream,
  webhookReceiverUpstream,
  buildsUpstream,
];

/** Starts all mock services on the ports of `portOf`. */
export function startUpstreams(portOf: (server: UpstreamServer) => number): Promise<RunningUpstream[]> {
  return Promise.all(UPSTREAM_SERVERS.map((server) => server.start(portOf(server))));
}

export async function stopUpstreams(running: readonly RunningUpstream[]): Promise<void> {
  await Promise.all(running.map((server) => server.stop()));
}
