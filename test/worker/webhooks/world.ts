import { env } from 'cloudflare:workers';
import { afterAll, beforeEach, vi } from 'vitest';
import { type ChatAddress, parseAddress } from '../../../src/areas/webhooks/chat/address.domain.ts';
import { createChatFormat } from '../../../src/areas/webhooks/chat/chat-format.service.ts';
import { type Composer, createComposer } from '../../../src/areas/webhooks/chat/composer.service.ts';
import { type CreateWebhookInput, createWebhooksService } from '../../../src/areas/webhooks/chat/webhooks.service.ts';
import { createDeliveriesStore, type DeliveriesStore } from '../../../src/areas/webhooks/delivery/deliveries.store.ts';
import { createEventQueue } from '../../../src/areas/webhooks/delivery/event-queue.service.ts';
import type { DesignedImages } from '../../../src/areas/webhooks/designs/designs.service.ts';
import type { WebhookEvent } from '../../../src/areas/webhooks/events/webhook-events.domain.ts';
import { createLastFactsStore } from '../../../src/areas/webhooks/records/last-facts.store.ts';
import { createAddressVault, createWebhooksStore, type WebhooksStore } from '../../../src/areas/webhooks/records/webhooks.store.ts';
import {
  webhookConditions,
  webhookDeliveries,
  webhookJobs,
  webhookLastFacts,
  webhookLog,
  webhookSubscriptions,
  webhooks,
} from '../../../src/areas/webhooks/records/webhooks.tables.ts';
import { createWebhookSender, type WebhookSender, type WindowStorage } from '../../../src/areas/webhooks/sending/sender.service.ts';
import { createSignedClient, type NameCheck } from '../../../src/areas/webhooks/signed/signed.upstream.ts';
import { createSignedFormat } from '../../../src/areas/webhooks/signed/signed-format.service.ts';
import { createRateLimiter } from '../../../src/platform/access/limits/rate-limiter.ts';
import { createDrawingRateLimit } from '../../../src/platform/access/policy/drawing-rate-limit.ts';
import type { EventBodies, EventFacts } from '../../../src/platform/events/event-declaration.ts';
import type { FollowedMessage } from '../../../src/platform/events/event-source.ts';
import type { Settings } from '../../../src/platform/settings/settings.data.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import type { Vault } from '../../../src/platform/storage/vault.ts';
import { type ChatClient, createChatClient } from '../../../src/platform/upstream/chat-post.ts';
import { DEFAULT_SETTINGS, EVENTS, WEBHOOK_EVENTS } from '../../support/declarations.ts';
import { FIRST_INSTANT } from '../../support/requests.ts';
import { createAccount } from '../../support/tokens.ts';
import type { PostedMessage, WebhookState } from '../../support/upstreams/chat-webhook.ts';
import { upstreamSession } from '../../support/upstreams/session.ts';
import { testUpstream } from '../../support/upstreams/test-upstream.ts';

/** Draws no images and accepts no designs. */
const NO_DESIGNED_IMAGES: DesignedImages = { render: async () => null, costOf: async () => 0, owns: async () => false };

export const db = createDatabase(env.DB);
export const deliveries = createDeliveriesStore(db);
export const repository = createWebhooksStore(db);
export const vault = createAddressVault(env.SESSION_SECRET);
const newId = () => crypto.randomUUID();

/** Fields of a webhook without conditions and deliveries, created at the first instant of the tests. */
export const UNUSED = {
  conditions: [],
  active: true,
  last_status: null,
  last_error: null,
  last_delivered_at: null,
  disabled_reason: null,
  created_at: new Date(FIRST_INSTANT * 1000).toISOString(),
};

/** Deletes pending deliveries of other tests. */
export async function clearWebhooks(): Promise<void> {
  await db.batch([
    db.delete(webhookLog),
    db.delete(webhookDeliveries),
    db.delete(webhookJobs),
    db.delete(webhookSubscriptions),
    db.delete(webhookConditions),
    db.delete(webhookLastFacts),
    db.delete(webhooks),
  ]);
}

/** Deletes webhooks before each test and after the last, and holds back the log of failed deliveries. */
export function clearWebhooksEachTest(): void {
  beforeEach(async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    await clearWebhooks();
  });
  afterAll(clearWebhooks);
}

let addresses = 0;

/** A unique webhook URL. */
export function freshAddress(): string {
  addresses += 1;
  return `https://discord.com/api/webhooks/${addresses}/${crypto.randomUUID()}`;
}

export function addressOf(url: string): ChatAddress {
  const address = parseAddress(url);
  if (typeof address === 'string') throw new Error(address);
  return address;
}

/** Path of posts to a webhook URL. */
export const pathOf = (address: string) => new URL(address).pathname;

/** A chat service stub. */
export function chatService() {
  const session = upstreamSession('chat-webhook');
  return {
    url: session.url,
    answers: (...responses: WebhookState['answers']) => session.order({ state: { answers: responses } }),
    order: (state: Partial<WebhookState>) => session.order({ state }),
    async posted(): Promise<PostedMessage[]> {
      return (await (await fetch(`${session.url}/calls`)).json()) as PostedMessage[];
    },
  };
}

/** Rate limit of drawings, as in the service. */
export const drawings = createDrawingRateLimit(createRateLimiter(env.RATE_LIMITS), 1);

/** The service of chat webhooks, without sender objects. */
export const webhooksService = (webhooks: WebhooksStore) =>
  createWebhooksService({
    webhooks,
    events: WEBHOOK_EVENTS,
    vault,
    images: { owns: async () => true },
    senders: { test: () => Promise.reject(new Error('not here')) },
    composer: createComposer(NO_DESIGNED_IMAGES, WEBHOOK_EVENTS),
    drawings,
    newId,
  });
const service = webhooksService(repository);

/** Registers a webhook; creates an account unless one is given. */
export async function register(input: { url?: string; userId?: string } & Partial<Omit<CreateWebhookInput, 'address'>> = {}) {
  const url = input.url ?? freshAddress();
  const userId = input.userId ?? (await createAccount());
  const { events = ['challenge'], label = '', templates = {}, conditions = [] } = input;
  return {
    ...(await service.register(userId, { address: addressOf(url), events: [...events], label, templates, conditions }, FIRST_INSTANT)),
    url,
  };
}

/** The service for changes to registered webhooks. */
export const changes = service;

/** The current state of a webhook. */
export async function stateOf(id: string) {
  const webhook = await repository.byId(id);
  if (!webhook) return null;
  const { isActive, failures, lastStatus, lastError, lastDeliveredAt, disabledReason } = webhook;
  return { isActive, failures, lastStatus, lastError, lastDeliveredAt, disabledReason };
}

export const pendingDeliveries = () => db.select().from(webhookDeliveries);

/** A clock in milliseconds that advances only during waits. */
export function stoppedClock(start = 1_773_156_630_000) {
  const clock = { now: start };
  return {
    clock,
    nowMs: () => clock.now,
    pause: async (milliseconds: number) => {
      clock.now += milliseconds;
    },
  };
}

export interface SenderWorld {
  chat: ReturnType<typeof chatService>;
  time: ReturnType<typeof stoppedClock>;
  sender: WebhookSender;
  /** Start times of posts. */
  postedAt: number[];
  /** Runs rounds until the queue is empty, as the alarm does. */
  drain(sender: number): Promise<void>;
}

export interface SenderWorldOptions {
  chat?: ReturnType<typeof chatService>;
  time?: ReturnType<typeof stoppedClock>;
  settings?: Partial<Settings>;
  images?: DesignedImages;
  deliveries?: DeliveriesStore;
  composer?: Composer;
  wrapPost?: (post: ChatClient) => ChatClient;
  windows?: WindowStorage;
  nameCheck?: NameCheck;
  vault?: Vault;
  /** Receives the requests of signed webhooks. */
  receiverUrl?: string;
}

/** A sender object with the storage of the tests and a chat service stub. */
export function senderWorld(options: SenderWorldOptions = {}): SenderWorld {
  const { chat = chatService(), time = stoppedClock(), settings = {}, images = NO_DESIGNED_IMAGES, wrapPost = (post) => post } = options;
  const upstream = testUpstream();
  const chatClient = createChatClient(upstream, newId, chat.url);
  const postedAt: number[] = [];
  const shared = {
    ...{
      deliveries: options.deliveries ?? deliveries,
      vault: options.vault ?? vault,
      composer: options.composer ?? createComposer(images, WEBHOOK_EVENTS),
    },
    settings: { current: () => ({ ...DEFAULT_SETTINGS, ...settings }), invalidate: () => {} },
    nowMs: time.nowMs,
  };
  const post = wrapPost((given) => {
    postedAt.push(time.clock.now);
    return chatClient(given);
  });
  const signedPost = createSignedClient({
    upstream,
    nameCheck: options.nameCheck ?? (async () => 'public'),
    baseUrlOverride: options.receiverUrl ?? 'nowhere://signed',
  });
  const sender = createWebhookSender({
    ...shared,
    webhooks: repository,
    events: WEBHOOK_EVENTS,
    windows: options.windows ?? { load: () => [], save: () => {} },
    formats: {
      chat: createChatFormat({ ...shared, drawings, post }),
      signed: createSignedFormat({ ...shared, post: signedPost, random: () => 0.5 }),
    },
  });
  return {
    chat,
    time,
    sender,
    postedAt,
    async drain(number) {
      for (let rounds = 0; rounds < 100; rounds += 1) {
        const next = await sender.round(number);
        if (next === null) return;
        time.clock.now = Math.max(time.clock.now, next);
      }
      throw new Error('the sender has no end');
    },
  };
}

let events = 0;

const LUXION = {
  active: true,
  merchant_open: true,
  starts_at: 1_773_100_000,
  ends_at: 1_773_700_000,
  current_window: { starts_at: 1_773_154_800, ends_at: 1_773_165_600, state: 'Day 1' },
};

/** An event with a new key. */
export function freshEvent(type: WebhookEvent = 'challenge') {
  events += 1;
  const id = crypto.randomUUID();
  const bodies: { [Type in WebhookEvent]: EventBodies[Type] } = Object.fromEntries(
    [...EVENTS.types, ...EVENTS.triggers].map((each) => [each, EVENTS.of(each).sample(FIRST_INSTANT)]),
  ) as never;
  const { challenge, mod_release: modRelease, game_update: gameUpdate } = bodies;
  Object.assign(challenge, { starts_at: 1_773_154_800, ends_at: 1_773_156_000, name: `Event ${events} ${id}`, type: 'dungeon' });
  Object.assign(modRelease.project, { slug: 'tiny', title: 'Tiny' });
  Object.assign(modRelease.release, { id, tag: '1.0', title: 'First', changelog: '- more' });
  Object.assign(gameUpdate.version, { branch: `live-${id}`, ordinal: events, version_tag: `T-${events}`, files_added: 1200 });
  Object.assign(bodies.luxion, LUXION, { starts_at: LUXION.starts_at + events });
  return followed(events, type, bodies[type]);
}

/** A message as the stream passes it to followers. */
export function followed<Type extends WebhookEvent>(id: number, type: Type, body: EventBodies[Type], at = FIRST_INSTANT) {
  // biome-ignore lint/suspicious/noExplicitAny: tests compare parts of bodies
  return { id, type, data: body, body, at } as unknown as FollowedMessage<Type> & { data: any };
}

/** Queues events of the stream without waking senders. */
export function eventQueue(
  nowMs: () => number,
  settings: Partial<Settings> = {},
  woken: number[] = [],
  moreFacts: EventFacts = {},
  database = db,
) {
  return createEventQueue({
    events: WEBHOOK_EVENTS,
    deliveries: createDeliveriesStore(database),
    lastFacts: createLastFactsStore(database),
    moreFacts: () => moreFacts,
    senders: {
      wake: async (senders) => {
        woken.push(...senders);
      },
    },
    settings: { current: () => ({ ...DEFAULT_SETTINGS, ...settings }), invalidate: () => {} },
    nowMs,
    newId,
  });
}

/** Queues an event. */
export async function queueEvents(time: ReturnType<typeof stoppedClock>, ...messages: ReturnType<typeof freshEvent>[]): Promise<void> {
  await eventQueue(time.nowMs).receive(messages);
}
