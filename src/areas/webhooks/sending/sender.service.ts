import pMap from 'p-map';
import { bind } from '../../../platform/kit/bind.ts';
import { logError } from '../../../platform/kit/logging.ts';
import { grouped } from '../../../platform/kit/tasks.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { SettingsSource } from '../../../platform/settings/settings-cache.ts';
import type { ChatFormat } from '../chat/chat-format.service.ts';
import type { Composer } from '../chat/composer.service.ts';
import type { AttemptResult, DeliveriesStore, Delivery, EndedDelivery } from '../delivery/deliveries.store.ts';
import {
  CHAT_LIMITS,
  LEASE_MS,
  LOCKED_DELAY_MS,
  MAX_DELIVERIES_PER_ROUND,
  MAX_ERROR_LENGTH,
  MAX_STORED_WINDOWS,
  POST_CONCURRENCY,
} from '../delivery/delivery.data.ts';
import {
  afterPost,
  delaysPosts,
  EMPTY_WINDOW,
  nextPostAt,
  type Outcome,
  outcomeOf,
  type PostWindow,
  type TestResult,
} from '../delivery/delivery.domain.ts';
import type { DeliveryFormat, Round } from '../delivery/delivery-format.service.ts';
import type { WebhookEvents } from '../events/webhook-events.domain.ts';
import type { WebhooksStore } from '../records/webhooks.store.ts';
import type { WebhookFormat } from '../records/webhooks.tables.ts';

interface WebhookSenderDeps {
  deliveries: DeliveriesStore;
  webhooks: Pick<WebhooksStore, 'byId' | 'storeTestResult'>;
  composer: Composer;
  events: Pick<WebhookEvents, 'chat' | 'sampleVariables'>;
  formats: Readonly<Record<WebhookFormat, DeliveryFormat>> & { chat: ChatFormat };
  settings: SettingsSource;
  windows: WindowStorage;
  /** Current time in milliseconds. */
  nowMs(): number;
}

/** Window of each URL that delays posts. */
export type StoredWindows = [addressKey: string, window: PostWindow][];

/** The windows of a sender object, in its storage: they outlive its memory. */
export interface WindowStorage {
  load(): StoredWindows;
  save(windows: StoredWindows): void;
}

interface SenderContext extends Omit<WebhookSenderDeps, 'windows'> {
  /** Window of each URL since the object started, those of `storage` first. */
  windows: Map<string, PostWindow>;
  storage: WindowStorage;
}

/** What the other deliveries of a URL do after one: `waits` and `stop`: it is still pending, and stop: so are all others of the URL. */
type Progress = 'ended' | 'waits' | 'stop';

/** Concurrent deliveries of a round share statements: a post to many webhooks would keep the database busy with short ones. */
interface SenderRound extends Round {
  /** Lease of the attempt; null: the delivery must not be attempted. */
  startAttempt(delivery: Delivery): Promise<number | null>;
  markDelivered(ended: EndedDelivery): Promise<void>;
}

export type WebhookSender = ReturnType<typeof createWebhookSender>;

const UNREADABLE = 'the stored URL cannot be decrypted: set it again';
const LOCKED = 'the URL or secret cannot be decrypted at present';
const UNKNOWN_EVENT = 'this event is not available yet: try again in a minute';
const TOO_MANY_POSTS = 'too many concurrent posts: try again in a few seconds';

/** Error of a message that was not posted within its time. `last`: error of its last attempt. */
const lostText = (last: string | null): string => `lost after a day${last === null ? '' : `: ${last}`}`.slice(0, MAX_ERROR_LENGTH);

/** Posts the deliveries of a sender object, grouped by URL, within the rate limit of the chat service. */
export function createWebhookSender({ windows: storage, ...deps }: WebhookSenderDeps) {
  const context: SenderContext = { ...deps, windows: new Map(storage.load()), storage };
  return bind(context, { round, test });
}

const windowOf = (windows: SenderContext['windows'], key: string): PostWindow => windows.get(key) ?? EMPTY_WINDOW;

const nowSeconds = ({ nowMs }: SenderContext): UnixSeconds => Math.floor(nowMs() / 1000);

/** Posts due deliveries. Returns the time of the next one in unix milliseconds; null: none. */
async function round(context: SenderContext, sender: number): Promise<number | null> {
  const { deliveries, settings, nowMs } = context;
  if (!(await settings.current()).featureWebhooksEnabled) return null;
  const { deliverable, obsolete } = await deliveries.listDue(sender, nowMs(), MAX_DELIVERIES_PER_ROUND);
  await deliveries.deleteAll(obsolete);
  const groups = [...Map.groupBy(deliverable, ({ addressKey }) => addressKey).values()];
  const started: SenderRound = {
    sender,
    drawings: 0,
    locked: 0,
    startAttempt: grouped((list: readonly Delivery[]) => deliveries.startAttempts(list, nowMs() + LEASE_MS)),
    markDelivered: grouped(async (ended: readonly EndedDelivery[]) => {
      await deliveries.markDelivered(ended);
      return ended.map(() => undefined);
    }),
  };
  await pMap(groups, (group) => deliverAll(context, group, started), { concurrency: POST_CONCURRENCY });
  // Once a round: a crash before costs a burst at most, and the chat service then responds with 429.
  saveWindows(context);
  if (started.locked > 0) {
    const error = new Error('WEBHOOK_SECRET is missing or changed');
    logError('webhook deliveries wait: URL or secret cannot be decrypted', error, { deliveries: started.locked });
  }
  return deliveries.nextDueAt(sender);
}

/**
 * Posts a sample event to a chat webhook, or a test message when `type` is null. Never throws: a failure is a result, also an event
 * that this version does not have. `mayDraw`: whether the account was charged for an image.
 */
async function test(
  context: SenderContext,
  webhookId: string,
  type: string | null,
  now: UnixSeconds,
  mayDraw: boolean,
): Promise<TestResult> {
  const { webhooks, composer, events, formats, nowMs } = context;
  const event = events.chat.find((known) => known === type) ?? null;
  if (type !== null && event === null) return { ok: false, status: null, error: UNKNOWN_EVENT };
  const webhook = await webhooks.byId(webhookId);
  if (!webhook) return { ok: false, status: null, error: UNREADABLE };
  const address = await formats.chat.addressOf(webhookId, webhook.sealedAddress);
  if ('fault' in address) return { ok: false, status: null, error: address.fault === 'locked' ? LOCKED : UNREADABLE };
  if (!reservePost(context, webhook.addressKey, CHAT_LIMITS)) return { ok: false, status: null, error: TOO_MANY_POSTS };
  const message =
    event === null
      ? composer.connected()
      : await composer.compose(event, webhook.templates[event] ?? null, events.sampleVariables(event, now), mayDraw);
  const result = await formats.chat.postTo(address, message);
  recordBusy(context, webhook.addressKey, outcomeOf(result, { tries: 1, expiresAt: Number.POSITIVE_INFINITY, now: nowMs() }));
  saveWindows(context);
  const { status, error } = result;
  const ok = error === null;
  await webhooks.storeTestResult(webhook, { status, error, deliveredAt: ok ? now : null });
  return { ok, status, error };
}

/** Time of the next post to a URL that its rate limits allow, in unix milliseconds. */
const nextPostTo = ({ windows, nowMs }: SenderContext, key: string, limits: DeliveryFormat['limits']): number =>
  nextPostAt(windowOf(windows, key), nowMs(), limits);

/** Reserves a post to a URL now. False when its rate limits do not allow it. */
function reservePost(context: SenderContext, key: string, limits: DeliveryFormat['limits']): boolean {
  const { windows, nowMs } = context;
  const nextAt = nextPostTo(context, key, limits);
  if (nextAt > nowMs()) return false;
  windows.set(key, afterPost(windowOf(windows, key), nextAt));
  return true;
}

/** Delays the deliveries to a URL whose rate limits allow no post now. Returns whether they do not. */
async function delayIfLimited(
  context: SenderContext,
  { addressKey }: Delivery,
  { limits }: DeliveryFormat,
  { sender }: Round,
): Promise<boolean> {
  const nextAt = nextPostTo(context, addressKey, limits);
  if (nextAt <= context.nowMs()) return false;
  await context.deliveries.delayAddress(sender, addressKey, nextAt);
  return true;
}

/** Keeps the windows that delay posts, the newest of too many. */
function saveWindows({ windows, storage, nowMs }: SenderContext): void {
  for (const [key, window] of windows) if (!delaysPosts(window, nowMs())) windows.delete(key);
  for (const key of [...windows.keys()].slice(0, Math.max(0, windows.size - MAX_STORED_WINDOWS))) windows.delete(key);
  storage.save([...windows]);
}

/** Delays posts to a URL that responded with 429. */
function recordBusy({ windows, nowMs }: SenderContext, key: string, outcome: Outcome): void {
  if (outcome.kind === 'retry' && outcome.isBusy) windows.set(key, { ...windowOf(windows, key), busyUntil: nowMs() + outcome.waitMs });
}

/** Records a message that is not posted. */
async function lose({ deliveries }: SenderContext, delivery: Delivery, note: AttemptResult): Promise<void> {
  const { id, webhookId, event } = delivery;
  logError('webhook message lost', new Error(note.error ?? ''), { delivery_id: id, webhook_id: webhookId, event });
  await deliveries.markFailed(delivery, note);
}

async function storeResult(
  context: SenderContext,
  delivery: Delivery,
  format: DeliveryFormat,
  outcome: Outcome,
  note: AttemptResult,
  { markDelivered }: SenderRound,
): Promise<void> {
  const { deliveries, nowMs } = context;
  if (outcome.kind === 'delivered') return markDelivered({ delivery, note });
  if (outcome.kind === 'gone') return deliveries.disable(delivery, note, format.goneReason);
  if (outcome.kind === 'failed') return lose(context, delivery, note);
  if (outcome.kind === 'expired') return lose(context, delivery, { ...note, error: lostText(note.error) });
  return deliveries.scheduleRetry(delivery, note, nowMs() + outcome.waitMs);
}

/** Attempts one delivery. */
async function deliver(context: SenderContext, delivery: Delivery, round: SenderRound): Promise<Progress> {
  const { deliveries, formats, windows, nowMs } = context;
  const format = formats[delivery.format];
  const failure = { status: null, at: nowSeconds(context) };
  // An ordered message that waited behind others may expire without an attempt.
  if (format.isOrdered && delivery.expiresAt <= nowMs()) {
    await lose(context, delivery, { ...failure, error: lostText(delivery.lastError) });
    return 'ended';
  }
  // Before `prepare`, which charges the account for an image: a message that waits here must not be charged again.
  if (await delayIfLimited(context, delivery, format, round)) return 'stop';
  const prepared = await format.prepare(delivery, round);
  if (prepared.kind === 'failed') await lose(context, delivery, { ...failure, error: prepared.error });
  if (prepared.kind === 'locked') {
    round.locked += 1;
    // Not a counted attempt: the service lacks the secret, and nothing is posted.
    await deliveries.scheduleRetry(delivery, { ...failure, error: `waiting: ${LOCKED}` }, nowMs() + LOCKED_DELAY_MS, 0);
  }
  if (prepared.kind === 'unreadable') await deliveries.disable(delivery, { ...failure, error: UNREADABLE }, UNREADABLE);
  if (prepared.kind !== 'ready') return prepared.kind === 'locked' || prepared.kind === 'postponed' ? 'waits' : 'ended';
  // After `prepare`: a message that is not posted must not count against the rate limit of its URL. A test may have counted meanwhile.
  if (!reservePost(context, delivery.addressKey, format.limits)) return 'waits';
  // The attempt is counted before drawing and posting, because a drawing may crash the object and must not be retried forever.
  const lease = await round.startAttempt(delivery);
  if (lease === null) return 'waits';
  const attempted = { ...delivery, lease };
  const startedAt = nowMs();
  const result = await prepared.post();
  const outcome = format.outcomeOf(result, attempted);
  recordBusy(context, delivery.addressKey, outcome);
  const { status, error, response = '' } = result;
  const attempt = { at: Math.floor(startedAt / 1000), status, error, duration_ms: nowMs() - startedAt, response };
  const isUnresponsive = format.otherDeliveriesDelayMs > 0 && status === null;
  const { busyUntil } = windowOf(windows, delivery.addressKey);
  // Before storing the result of this delivery, which sets its own delay.
  if (isUnresponsive) await deliveries.delayAll(attempted, nowMs() + format.otherDeliveriesDelayMs);
  if (busyUntil > nowMs()) await deliveries.delayAddress(round.sender, delivery.addressKey, busyUntil);
  await storeResult(
    context,
    attempted,
    format,
    outcome,
    { status, error, at: nowSeconds(context), ...(format.isLogged ? { attempt } : {}) },
    round,
  );
  if (isUnresponsive || busyUntil > nowMs()) return 'stop';
  return outcome.kind === 'retry' ? 'waits' : 'ended';
}

/** Sequential. An exception here comes from the database, not from the post, so the delivery is retried after its lease. */
async function deliverAll(context: SenderContext, group: readonly Delivery[], round: SenderRound): Promise<void> {
  const { deliveries, formats, nowMs } = context;
  const waiting = new Set<string>();
  for (const delivery of group) {
    if (formats[delivery.format].isOrdered && waiting.has(delivery.webhookId)) continue;
    const progress = await deliver(context, delivery, round).catch(async (error: unknown) => {
      logError('webhook delivery failed', error, { delivery_id: delivery.id, webhook_id: delivery.webhookId });
      // Best effort: a delivery that was started is due after its lease anyway, another one with the next round.
      await deliveries.postpone(delivery, nowMs() + LEASE_MS).catch(() => {});
      return 'waits' as const;
    });
    if (progress === 'stop') return;
    if (progress === 'waits') waiting.add(delivery.webhookId);
  }
}
