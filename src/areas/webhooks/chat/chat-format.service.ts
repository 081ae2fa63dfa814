import { isRefused } from '../../../platform/access/limits/window.ts';
import type { DrawingRateLimit } from '../../../platform/access/policy/drawing-rate-limit.ts';
import type { SettingsSource } from '../../../platform/settings/settings-cache.ts';
import type { Unopened, Vault } from '../../../platform/storage/vault.ts';
import type { ChatClient } from '../../../platform/upstream/chat-post.ts';
import type { DeliveriesStore, Delivery } from '../delivery/deliveries.store.ts';
import {
  CHAT_LIMITS,
  LATE_MS,
  MAX_DRAWINGS_PER_ROUND,
  MAX_DRAWN_INTERRUPTIONS,
  MAX_ERROR_LENGTH,
  MAX_INTERRUPTIONS,
  POST_TIMEOUT_SECONDS,
} from '../delivery/delivery.data.ts';
import { outcomeOf, type PostResult } from '../delivery/delivery.domain.ts';
import type { Prepared, Round } from '../delivery/delivery-format.service.ts';
import type { TemplateVariables } from '../events/template.domain.ts';
import type { WebhookEvent } from '../events/webhook-events.domain.ts';
import { addressText, type ChatAddress, parseAddress } from './address.domain.ts';
import type { ComposedMessage, Composer } from './composer.service.ts';

interface ChatFormatDeps {
  deliveries: Pick<DeliveriesStore, 'postpone'>;
  vault: Pick<Vault, 'open'>;
  composer: Composer;
  drawings: Pick<DrawingRateLimit, 'charge'>;
  post: ChatClient;
  settings: SettingsSource;
  /** Current time in milliseconds. */
  nowMs(): number;
}

type MessageInput = Parameters<Composer['drawingCost']>;

export type ChatFormat = ReturnType<typeof createChatFormat>;

const SOURCE = 'chat-webhook';
const INTERRUPTED = 'interrupted: the message may have been posted';

/** Delivers events as chat messages with images. */
export function createChatFormat({ deliveries, composer, settings, nowMs, ...deps }: ChatFormatDeps) {
  /** The stored URL. */
  async function addressOf(webhookId: string, sealed: string): Promise<ChatAddress | Unopened> {
    const text = await deps.vault.open(sealed, webhookId);
    if (typeof text !== 'string') return text;
    // Validated again on every read: this check alone limits the hosts that the service posts to.
    const address = parseAddress(text);
    return typeof address === 'string' ? { fault: 'corrupted' } : address;
  }

  async function postTo(address: ChatAddress, { message, files }: ComposedMessage): Promise<PostResult> {
    const url = addressText(address);
    const response = await deps.post({ source: SOURCE, url, message, files, timeoutSeconds: POST_TIMEOUT_SECONDS, storesState: false });
    const { status, reason, detail, retryAfterSeconds } = response;
    return { status, error: errorText(reason, detail), retryAfterSeconds };
  }

  /**
   * Whether to send the delivery now, and with an image. Null: postponed. Charges the account for the image; when its rate limit is spent,
   * the delivery waits for the next window. Two attempts without a result: sent without an image, because drawing may crash the object.
   */
  async function planPost(delivery: Delivery, message: MessageInput, round: Round): Promise<{ canDraw: boolean } | null> {
    const [event, template] = message;
    const current = await settings.current();
    const mayCrash = interruptionsOf(delivery) >= MAX_DRAWN_INTERRUPTIONS;
    if (!current.featureImageStudioEnabled || mayCrash || !composer.draws(event, template)) return { canDraw: false };
    if (round.drawings >= MAX_DRAWINGS_PER_ROUND) return null;
    round.drawings += 1;
    const costMs = await composer.drawingCost(...message);
    const charge = await deps.drawings.charge(delivery.userId, costMs, current, Math.floor(nowMs() / 1000));
    if (!isRefused(charge)) return { canDraw: true };
    round.drawings -= 1;
    await deliveries.postpone(delivery, charge.resetAt * 1000);
    return null;
  }

  return {
    isLogged: false,
    isOrdered: true,
    limits: CHAT_LIMITS,
    otherDeliveriesDelayMs: 0,
    addressOf,
    postTo,
    goneReason: 'the chat service reports that the webhook no longer exists',

    async prepare(delivery: Delivery, round: Round): Promise<Prepared> {
      if (interruptionsOf(delivery) >= MAX_INTERRUPTIONS) return { kind: 'failed', error: INTERRUPTED };
      const address = await addressOf(delivery.webhookId, delivery.sealedAddress);
      if ('fault' in address) return { kind: address.fault === 'locked' ? 'locked' : 'unreadable' };
      const { event, template, content } = delivery;
      const message: MessageInput = [event as WebhookEvent, template, JSON.parse(content) as TemplateVariables];
      const plan = await planPost(delivery, message, round);
      if (!plan) return { kind: 'postponed' };
      const { queuedAt } = delivery;
      const asOf = nowMs() - queuedAt >= LATE_MS ? Math.floor(queuedAt / 1000) : null;
      return { kind: 'ready', post: async () => postTo(address, await composer.compose(...message, plan.canDraw, asOf)) };
    },

    outcomeOf: (result: PostResult, { tries, expiresAt }: Delivery) => outcomeOf(result, { tries: tries + 1, expiresAt, now: nowMs() }),
  };
}

/** Attempts that ended without a result: their object crashed, or their message could not be composed. */
const interruptionsOf = ({ tries, results }: Delivery): number => tries - results;

function errorText(reason: string | null, detail: string | null): string | null {
  if (reason === null) return null;
  return (detail === null ? reason : `${reason}: ${detail}`).slice(0, MAX_ERROR_LENGTH);
}
