import pMap from 'p-map';
import { logError } from '../../../platform/kit/logging.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { SettingsSource } from '../../../platform/settings/settings-cache.ts';
import { BoundedMap } from '../../../platform/storage/memory-caches.ts';
import type { WebhookEvents } from '../webhook-events.domain.ts';
import type { WebhooksStore } from '../webhooks.store.ts';
import type { WebhookFormat } from '../webhooks.tables.ts';
import type { ChatFormat } from './chat-format.service.ts';
import type { Composer } from './composer.service.ts';
import type { AttemptResult, DeliveriesStore, Delivery } from './deliveries.store.ts';
import {
  LEASE_MS,
  LOCKED_DELAY_MS,
  MAX_CACHED_PACES,
  MAX_DELIVERIES_PER_ROUND,
  MAX_TEST_WAIT_MS,
  POST_CONCURRENCY,
} from './delivery.data.ts';
import {
  afterPost,
  type DeliveryFormat,
  IDLE_PACE,
  nextPostAt,
  outcomeOf,
  type Pace,
  type PostResult,
  type Round,
} from './delivery.domain.ts';

/** Result of a test post. */
export interface TestResult {
  ok: boolean;
  status: number | null;
  error: string | null;
}

interface WebhookSenderDeps {
  deliveries: DeliveriesStore;
  webhooks: Pick<WebhooksStore, 'byId' | 'storeTestResult'>;
  composer: Composer;
  events: Pick<WebhookEvents, 'chat' | 'sampleVariables'>;
  formats: Readonly<Record<WebhookFormat, DeliveryFormat>> & { chat: ChatFormat };
  settings: SettingsSource;
  /** Current time in milliseconds. */
  nowMs(): number;
  pause(milliseconds: number): Promise<void>;
}

export type WebhookSender = ReturnType<typeof createWebhookSender>;

const UNREADABLE = 'the stored URL cannot be decrypted: set it again';
const LOCKED = 'the URL or secret cannot be decrypted at present';
const UNKNOWN_EVENT = 'this event is not available yet: try again in a minute';
const TOO_MANY_POSTS = 'too many concurrent posts: try again in a few seconds';

/** Posts the deliveries of a sender object, grouped by URL, within the rate limit of the chat service. */
export function createWebhookSender(deps: WebhookSenderDeps) {
  const { deliveries, webhooks, composer, events, formats, settings, nowMs, pause } = deps;
  const paces = new BoundedMap<string, Pace>(MAX_CACHED_PACES);
  const paceOf = (key: string) => paces.get(key) ?? IDLE_PACE;
  const nowSeconds = () => Math.floor(nowMs() / 1000);

  /** Milliseconds until the next allowed post to a URL. */
  const waitMsOf = (key: string) => nextPostAt(paceOf(key), nowMs()) - nowMs();

  /** Waits until a post to the URL is allowed. Reserves the slot before waiting, which orders concurrent posts. */
  async function waitForPace(key: string): Promise<void> {
    const at = nextPostAt(paceOf(key), nowMs());
    paces.set(key, afterPost(paceOf(key), at));
    for (let until = at; until > nowMs(); until = Math.max(at, paceOf(key).busyUntil)) await pause(until - nowMs());
  }

  /** Delays posts to a URL that responded with 429. */
  function recordBusy(key: string, result: PostResult): void {
    const outcome = outcomeOf(result, 0);
    if (outcome.kind === 'retry' && outcome.isBusy) {
      paces.set(key, { ...paceOf(key), busyUntil: nowMs() + outcome.waitMs });
    }
  }

  async function storeResult(delivery: Delivery, format: DeliveryFormat, result: PostResult, note: AttemptResult): Promise<void> {
    const outcome = format.outcomeOf(result, delivery);
    if (outcome.kind === 'delivered') return deliveries.markDelivered(delivery, note);
    if (outcome.kind === 'gone') return deliveries.disable(delivery, note, format.goneReason);
    if (outcome.kind === 'failed') return deliveries.markFailed(delivery, note);
    const dueAt = nowMs() + outcome.waitMs;
    return format.isLogged ? deliveries.scheduleRetry(delivery, note, dueAt) : deliveries.postpone(delivery, dueAt);
  }

  /** Attempts one delivery. Returns whether to continue with the other deliveries to the URL. */
  async function deliver(delivery: Delivery, round: Round): Promise<boolean> {
    const format = formats[delivery.format];
    const prepared = await format.prepare(delivery, round);
    const failure = { status: null, at: nowSeconds() };
    if (prepared.kind === 'failed') await deliveries.markFailed(delivery, { ...failure, error: prepared.error });
    if (prepared.kind === 'locked') {
      round.locked += 1;
      await deliveries.scheduleRetry(delivery, { ...failure, error: `waiting: ${LOCKED}` }, nowMs() + LOCKED_DELAY_MS);
    }
    if (prepared.kind === 'unreadable') await deliveries.disable(delivery, { ...failure, error: UNREADABLE }, UNREADABLE);
    if (prepared.kind !== 'ready') return true;
    await waitForPace(delivery.addressKey);
    // The attempt is counted before drawing and posting, because a drawing may crash the object and must not be retried forever.
    const lease = await deliveries.startAttempt(delivery, nowMs() + LEASE_MS);
    if (lease === null) return true;
    const attempted = { ...delivery, lease };
    const startedAt = nowMs();
    const result = await prepared.post();
    recordBusy(delivery.addressKey, result);
    const { status, error, response = '' } = result;
    const attempt = { at: Math.floor(startedAt / 1000), status, error, duration_ms: nowMs() - startedAt, response };
    const isUnresponsive = format.otherDeliveriesDelayMs > 0 && status === null;
    // Before storing the result of this delivery, which sets its own delay.
    if (isUnresponsive) await deliveries.delayAll(attempted, nowMs() + format.otherDeliveriesDelayMs);
    await storeResult(attempted, format, result, { status, error, at: nowSeconds(), ...(format.isLogged ? { attempt } : {}) });
    return !isUnresponsive;
  }

  /** Sequential. An exception here comes from the database, not from the post, so the delivery is retried after its lease. */
  async function deliverAll(group: readonly Delivery[], round: Round): Promise<void> {
    for (const delivery of group) {
      const shouldContinue = await deliver(delivery, round).catch(async (error: unknown) => {
        logError('webhook delivery failed', error, { delivery_id: delivery.id, webhook_id: delivery.webhookId });
        await deliveries.postpone(delivery, nowMs() + LEASE_MS).catch(() => {});
        return true;
      });
      if (!shouldContinue) return;
    }
  }

  return {
    /** Posts due deliveries. Returns the time of the next one in unix milliseconds; null: none. */
    async round(sender: number): Promise<number | null> {
      if (!(await settings.current()).featureWebhooksEnabled) return null;
      const { deliverable, obsolete } = await deliveries.listDue(sender, nowMs(), MAX_DELIVERIES_PER_ROUND);
      await deliveries.deleteAll(obsolete);
      const groups = [...Map.groupBy(deliverable, ({ addressKey }) => addressKey).values()];
      const round: Round = { drawings: 0, locked: 0 };
      await pMap(groups, (group) => deliverAll(group, round), { concurrency: POST_CONCURRENCY });
      if (round.locked > 0) {
        const error = new Error('WEBHOOK_SECRET is missing or changed');
        logError('webhook deliveries wait: URL or secret cannot be decrypted', error, { deliveries: round.locked });
      }
      return deliveries.nextDueAt(sender);
    },

    /**
     * Posts a sample event to a chat webhook, or a test message when `type` is null. Never throws: a failure is a result, also an event
     * that this version does not have. `mayDraw`: whether the account was charged for an image.
     */
    async test(webhookId: string, type: string | null, now: UnixSeconds, mayDraw: boolean): Promise<TestResult> {
      const event = events.chat.find((known) => known === type) ?? null;
      if (type !== null && event === null) return { ok: false, status: null, error: UNKNOWN_EVENT };
      const webhook = await webhooks.byId(webhookId);
      if (!webhook) return { ok: false, status: null, error: UNREADABLE };
      const address = await formats.chat.addressOf(webhookId, webhook.sealedAddress);
      if ('fault' in address) return { ok: false, status: null, error: address.fault === 'locked' ? LOCKED : UNREADABLE };
      if (waitMsOf(webhook.addressKey) > MAX_TEST_WAIT_MS) return { ok: false, status: null, error: TOO_MANY_POSTS };
      await waitForPace(webhook.addressKey);
      const message =
        event === null
          ? composer.connected()
          : await composer.compose(event, webhook.templates[event] ?? null, events.sampleVariables(event, now), mayDraw);
      const result = await formats.chat.postTo(address, message);
      recordBusy(webhook.addressKey, result);
      const { status, error } = result;
      const ok = error === null;
      await webhooks.storeTestResult(webhook, { status, error, deliveredAt: ok ? now : null });
      return { ok, status, error };
    },
  };
}
