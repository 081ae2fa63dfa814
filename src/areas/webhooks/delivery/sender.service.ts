import pMap from 'p-map';
import type { DrawingBudget } from '../../../platform/access/policy/drawing-budget.ts';
import { logError } from '../../../platform/logging.ts';
import { isRefused } from '../../../platform/rate-limits/window.ts';
import type { SettingsSource } from '../../../platform/settings/settings-cache.ts';
import { BoundedMap } from '../../../platform/storage/bounded-map.ts';
import type { UnixSeconds } from '../../../platform/time/clock.ts';
import type { ChatPoster } from '../../../platform/upstream/chat-post.ts';
import { addressText, type ChatAddress, readAddress } from '../address.domain.ts';
import type { AddressVault } from '../address-vault.ts';
import { sampleVariables } from '../templates/samples.domain.ts';
import type { Templates } from '../templates/template.domain.ts';
import type { WebhookEvent } from '../webhook-events.data.ts';
import type { WebhooksRepository } from '../webhooks.repository.ts';
import type { ComposedMessage, Composer } from './composer.service.ts';
import type { DeliveriesRepository, Delivery } from './deliveries.repository.ts';
import {
  BATCH,
  KEPT_PACES,
  LEASE_MILLISECONDS,
  LONGEST_TEST_WAIT,
  MAX_DRAWINGS_OF_A_ROUND,
  MAX_ERROR_LENGTH,
  MAX_TRIES,
  POST_TIMEOUT_SECONDS,
  POSTS_AT_ONCE,
} from './delivery.data.ts';
import { afterPost, IDLE_PACE, nextPostAt, outcomeOf, type Pace, type PostResult } from './delivery.domain.ts';

/** What became of a trial post. */
export interface TestResult {
  ok: boolean;
  status: number | null;
  error: string | null;
}

export interface WebhookSenderDeps {
  deliveries: DeliveriesRepository;
  webhooks: Pick<WebhooksRepository, 'byId' | 'noteTest'>;
  vault: Pick<AddressVault, 'open'>;
  composer: Composer;
  drawings: Pick<DrawingBudget, 'charge'>;
  post: ChatPoster;
  settings: SettingsSource;
  /** Real time in milliseconds. */
  realTime(): number;
  pause(milliseconds: number): Promise<void>;
}

/** Posts what an object has to post, address by address at the pace the chat service bears. */
export interface WebhookSender {
  /** Posts what is due. When there is something to do next, in real milliseconds; null: nothing waits. */
  round(sender: number): Promise<number | null>;
  /**
   * Posts a made-up event, or null: that the webhook works. Never fails: a failure is a result. `mayDraw`: whether the account was
   * charged for an image.
   */
  test(webhookId: string, event: WebhookEvent | null, now: UnixSeconds, mayDraw: boolean): Promise<TestResult>;
}

/** What the deliveries of a round share. */
interface Round {
  /** Images drawn so far. */
  drawings: number;
}

const SOURCE = 'chat-webhook';
const GONE = 'the chat service says that this webhook does not exist any more';
const UNREADABLE = 'its address can no longer be read: set it again';
const INTERRUPTED = 'interrupted: it may have been posted';
const CROWDED = 'too many posts at once: try again in some seconds';

export function createWebhookSender(deps: WebhookSenderDeps): WebhookSender {
  const { deliveries, webhooks, composer, settings, realTime, pause } = deps;
  const paces = new BoundedMap<string, Pace>(KEPT_PACES);
  const paceOf = (key: string) => paces.get(key) ?? IDLE_PACE;

  /** Milliseconds until an address can be posted to. */
  const waitFor = (key: string) => nextPostAt(paceOf(key), realTime()) - realTime();

  /** Waits for a turn at an address, which is taken at once: those who ask at the same time stand in line. */
  async function turnAt(key: string): Promise<void> {
    const at = nextPostAt(paceOf(key), realTime());
    paces.set(key, afterPost(paceOf(key), at));
    for (let until = at; until > realTime(); until = Math.max(at, paceOf(key).busyUntil)) await pause(until - realTime());
  }

  async function addressOf(webhookId: string, sealed: string): Promise<ChatAddress | null> {
    const text = await deps.vault.open(sealed, webhookId);
    // Looked at again, whatever is stored: this rule alone says where the service posts.
    const address = text === null ? null : readAddress(text);
    return address === null || typeof address === 'string' ? null : address;
  }

  async function postTo(address: ChatAddress, key: string, { message, files }: ComposedMessage): Promise<PostResult> {
    const url = addressText(address);
    const answer = await deps.post({ source: SOURCE, url, message, files, timeoutSeconds: POST_TIMEOUT_SECONDS, remembers: false });
    const { status, reason, detail, retryAfterSeconds } = answer;
    const result = { status, error: errorText(reason, detail), retryAfterSeconds };
    const outcome = outcomeOf(result, 0);
    if (outcome.kind === 'again' && outcome.isBusy) {
      paces.set(key, { ...paceOf(key), busyUntil: realTime() + outcome.waitMilliseconds });
    }
    return result;
  }

  async function settle(delivery: Delivery, result: PostResult): Promise<void> {
    const outcome = outcomeOf(result, delivery.tries + 1);
    const note = { status: result.status, error: result.error, at: Math.floor(realTime() / 1000) };
    if (outcome.kind === 'delivered') return deliveries.delivered(delivery, note);
    if (outcome.kind === 'again') return deliveries.postpone(delivery.id, realTime() + outcome.waitMilliseconds);
    return outcome.kind === 'gone' ? deliveries.disable(delivery, note, GONE) : deliveries.failed(delivery, note);
  }

  /**
   * Whether a delivery is made now, with its image if it has one. Charges the account for the image: when its budget is spent, the delivery
   * waits for the next window. The last try goes without an image, so that one that breaks the object down does not cost the message.
   */
  async function planOf({ id, userId, event, template, tries }: Delivery, round: Round): Promise<{ draws: boolean } | null> {
    const current = await settings.current();
    if (!current.featureImageStudioEnabled || tries + 1 >= MAX_TRIES || !composer.draws(event, template)) return { draws: false };
    if (round.drawings >= MAX_DRAWINGS_OF_A_ROUND) return null;
    round.drawings += 1;
    const charge = await deps.drawings.charge(userId, current, Math.floor(realTime() / 1000));
    if (!isRefused(charge)) return { draws: true };
    round.drawings -= 1;
    await deliveries.postpone(id, charge.resetAt * 1000);
    return null;
  }

  async function deliver(delivery: Delivery, round: Round): Promise<void> {
    const failure = { status: null, at: Math.floor(realTime() / 1000) };
    if (delivery.tries >= MAX_TRIES) return deliveries.failed(delivery, { ...failure, error: INTERRUPTED });
    const address = await addressOf(delivery.webhookId, delivery.sealedAddress);
    if (!address) return deliveries.disable(delivery, { ...failure, error: UNREADABLE }, UNREADABLE);
    const plan = await planOf(delivery, round);
    if (!plan) return;
    await turnAt(delivery.addressKey);
    // Counted before the image is drawn: a drawing that ends the object must not come back for ever.
    if (!(await deliveries.begin(delivery, realTime() + LEASE_MILLISECONDS))) return;
    const { event, template, variables } = delivery;
    const message = await composer.compose(event, template, variables, plan.draws);
    await settle(delivery, await postTo(address, delivery.addressKey, message));
  }

  /** One after the other. What fails here was not the post but our own storage: the delivery is looked at again in a while. */
  async function deliverAll(group: readonly Delivery[], round: Round): Promise<void> {
    for (const delivery of group) {
      await deliver(delivery, round).catch(async (error: unknown) => {
        logError('a webhook delivery failed', error, { delivery_id: delivery.id, webhook_id: delivery.webhookId });
        await deliveries.postpone(delivery.id, realTime() + LEASE_MILLISECONDS).catch(() => {});
      });
    }
  }

  return {
    async round(sender) {
      if (!(await settings.current()).featureWebhooksEnabled) return null;
      const { wanted, unwanted } = await deliveries.due(sender, realTime(), BATCH);
      await deliveries.discard(unwanted);
      const groups = [...Map.groupBy(wanted, ({ addressKey }) => addressKey).values()];
      const round: Round = { drawings: 0 };
      await pMap(groups, (group) => deliverAll(group, round), { concurrency: POSTS_AT_ONCE });
      return deliveries.nextAt(sender);
    },

    async test(webhookId, event, now, mayDraw) {
      const webhook = await webhooks.byId(webhookId);
      const address = webhook ? await addressOf(webhookId, webhook.sealedAddress) : null;
      if (!webhook || !address) return { ok: false, status: null, error: UNREADABLE };
      if (waitFor(webhook.addressKey) > LONGEST_TEST_WAIT) return { ok: false, status: null, error: CROWDED };
      await turnAt(webhook.addressKey);
      const message = await testMessage(webhook.templates, event, now, mayDraw);
      const { status, error } = await postTo(address, webhook.addressKey, message);
      const ok = error === null;
      await webhooks.noteTest(webhook, { status, error, deliveredAt: ok ? now : null });
      return { ok, status, error };
    },
  };

  async function testMessage(
    templates: Templates,
    event: WebhookEvent | null,
    now: UnixSeconds,
    mayDraw: boolean,
  ): Promise<ComposedMessage> {
    if (event === null) return composer.connected();
    return composer.compose(event, templates[event] ?? null, sampleVariables(event, now), mayDraw);
  }
}

function errorText(reason: string | null, detail: string | null): string | null {
  if (reason === null) return null;
  return (detail === null ? reason : `${reason}: ${detail}`).slice(0, MAX_ERROR_LENGTH);
}
