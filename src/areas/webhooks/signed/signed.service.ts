import { ApiError, badRequest, notFound, validationError } from '../../../platform/kit/errors/api-error.ts';
import { logError } from '../../../platform/kit/logging.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { AddressVault } from '../address-vault.service.ts';
import type { Condition } from '../conditions/conditions.domain.ts';
import { editedConditions, storedConditions } from '../conditions/conditions.service.ts';
import { SENDER_COUNT } from '../delivery/delivery.data.ts';
import type { SenderClient } from '../delivery/sender.object.ts';
import { testMessage, type WebhookEvent, type WebhookEvents } from '../webhook-events.domain.ts';
import type { Webhook, WebhooksRepository } from '../webhooks.repository.ts';
import type { DeliveryLog, LoggedDelivery } from './delivery-log.repository.ts';
import { maskedEndpoint } from './endpoint-address.domain.ts';
import type { NameCheck, NameVerdict } from './name-check.upstream.ts';
import { MAX_SIGNED_WEBHOOKS, SIGNED_SENDER_COUNT } from './signed-events.data.ts';
import { secretContext } from './signed-format.service.ts';
import { RETRY_SECONDS } from './signed-outcome.domain.ts';
import { createSecret } from './signed-post.upstream.ts';

export interface SignedWebhooksDeps {
  webhooks: Pick<WebhooksRepository, 'byAccount' | 'find' | 'add' | 'change' | 'rotateSecret' | 'remove'>;
  events: Pick<WebhookEvents, 'sortSigned' | 'conditions'>;
  log: DeliveryLog;
  vault: AddressVault;
  nameCheck: NameCheck;
  senders: Pick<SenderClient, 'wake'>;
  /** Current time in milliseconds. */
  nowMs(): number;
  newId(): string;
}

/** Input of a signed webhook. An edit keeps absent fields. */
export interface SignedWebhookInput {
  url: URL;
  events: WebhookEvent[];
  label: string;
  conditions: Condition[];
}
export type SignedWebhookEdit = { [Part in keyof SignedWebhookInput]?: SignedWebhookInput[Part] | undefined } & {
  isActive?: boolean | undefined;
};

/** A webhook with its secret, which is shown once. */
export interface WebhookWithSecret {
  webhook: Webhook;
  secret: string;
}

/** The signed webhooks of an account. Webhooks of other accounts return 404. */
export interface SignedWebhooksService {
  list(userId: string): Promise<Webhook[]>;
  /** Throws 400 at the limit of the account, 422 for a host that is not public, 503 when the host name cannot be looked up. */
  register(userId: string, input: SignedWebhookInput, now: UnixSeconds): Promise<WebhookWithSecret>;
  edit(userId: string, id: string, edit: SignedWebhookEdit): Promise<Webhook>;
  /** Creates a new secret. The previous one also signs for `overlapSeconds`. Throws 409 when it was rotated concurrently. */
  rotate(userId: string, id: string, overlapSeconds: number): Promise<WebhookWithSecret>;
  remove(userId: string, id: string): Promise<void>;
  /** Queues a test event and returns its delivery. Throws 400 for a disabled webhook. */
  test(userId: string, id: string): Promise<LoggedDelivery>;
  deliveries(userId: string, id: string, limit: number): Promise<LoggedDelivery[]>;
  delivery(userId: string, id: string, messageId: string): Promise<LoggedDelivery & { body: string }>;
  /** Queues a message again under the same id; retried for a day. Throws 400 for a disabled webhook. */
  replay(userId: string, id: string, messageId: string): Promise<LoggedDelivery>;
}

const NAME_FAULTS: Readonly<Record<'private' | 'unknown', string>> = {
  private: 'must have a host name whose addresses are all public',
  unknown: 'must have a host name that resolves',
};
const LOOKUP_RETRY_SECONDS = '60';

export function createSignedWebhooksService(deps: SignedWebhooksDeps): SignedWebhooksService {
  const { webhooks, events: known, log, vault, nameCheck, senders, nowMs, newId } = deps;

  async function findOwn(userId: string, id: string): Promise<Webhook> {
    const webhook = await webhooks.find(userId, 'signed', id);
    if (!webhook) throw notFound('webhook not found');
    return webhook;
  }

  /** Throws 400 for a disabled webhook. */
  async function requireActive(userId: string, id: string): Promise<void> {
    if (!(await findOwn(userId, id)).isActive) throw badRequest('the webhook is disabled');
  }

  /** Columns of an endpoint URL. */
  async function addressColumns(url: URL, id: string) {
    requirePublic(await nameCheck(url.hostname));
    const addressKey = await vault.digest(url.href);
    return {
      sealedAddress: await vault.seal(url.href, id),
      maskedUrl: maskedEndpoint(url),
      addressKey,
      sender: SENDER_COUNT + (Number.parseInt(addressKey.slice(0, 8), 16) % SIGNED_SENDER_COUNT),
    };
  }

  const sealSecret = (secret: string, id: string) => vault.seal(secret, secretContext(id));

  /** Errors are only logged: a job wakes senders with overdue deliveries every minute. */
  async function wake(sender: number): Promise<void> {
    await senders.wake([sender]).catch((error: unknown) => logError('webhook sender could not be woken', error));
  }

  function queueTime() {
    const now = nowMs();
    return { now, expiresAt: now + RETRY_SECONDS * 1000 };
  }

  async function delivery(id: string, messageId: string) {
    const logged = await log.find(id, messageId);
    if (!logged) throw notFound('delivery not found');
    return logged;
  }

  return {
    list: (userId) => webhooks.byAccount(userId, 'signed'),

    async register(userId, { url, events, label, conditions: given }, now) {
      const conditions = storedConditions(known.conditions, events, given);
      const id = newId();
      const secret = createSecret();
      const columns = { id, userId, label, events: known.sortSigned(events), templates: {}, conditions, createdAt: now };
      const sealed = { sealedSecret: await sealSecret(secret, id), ...(await addressColumns(url, id)) };
      const isAdded = await webhooks.add({ ...columns, ...sealed, format: 'signed' }, MAX_SIGNED_WEBHOOKS);
      if (!isAdded) throw badRequest(`an account may have ${MAX_SIGNED_WEBHOOKS} signed webhooks`);
      return { webhook: await findOwn(userId, id), secret };
    },

    async edit(userId, id, { url, events, label, conditions, isActive }) {
      const webhook = await findOwn(userId, id);
      const newConditions = editedConditions(known.conditions, webhook, { events, conditions });
      const change = {
        ...(url ? await addressColumns(url, id) : {}),
        ...(label === undefined ? {} : { label }),
        ...(events ? { events: known.sortSigned(events) } : {}),
        ...(newConditions ? { conditions: newConditions } : {}),
        ...(isActive === undefined ? {} : { isActive }),
        ...(isActive ? { failures: 0, disabledReason: null } : {}),
      };
      if (Object.keys(change).length > 0) await webhooks.change(webhook, change);
      return findOwn(userId, id);
    },

    async rotate(userId, id, overlapSeconds) {
      const webhook = await findOwn(userId, id);
      const secret = createSecret();
      const isRotated = await webhooks.rotateSecret(webhook, {
        sealedSecret: await sealSecret(secret, id),
        sealedPreviousSecret: overlapSeconds === 0 ? null : webhook.sealedSecret,
        previousUntil: overlapSeconds === 0 ? null : Math.floor(nowMs() / 1000) + overlapSeconds,
      });
      if (!isRotated) throw new ApiError('conflict', 'the secret was rotated concurrently', { hint: 'read the webhook and rotate again' });
      return { webhook: await findOwn(userId, id), secret };
    },

    async remove(userId, id) {
      if (!(await webhooks.remove(userId, 'signed', id))) throw notFound('webhook not found');
    },

    async test(userId, id) {
      await requireActive(userId, id);
      const at = queueTime();
      const message = testMessage(newId(), Math.floor(at.now / 1000));
      const sender = await log.enqueueTest(id, message, at);
      if (sender !== null) await wake(sender);
      else await requireActive(userId, id);
      return delivery(id, message.id);
    },

    async deliveries(userId, id, limit) {
      return log.list((await findOwn(userId, id)).id, limit);
    },

    async delivery(userId, id, messageId) {
      return delivery((await findOwn(userId, id)).id, messageId);
    },

    async replay(userId, id, messageId) {
      await requireActive(userId, id);
      const sender = await log.replay(id, messageId, queueTime());
      if (sender === null) {
        await requireActive(userId, id);
        throw notFound('delivery not found');
      }
      await wake(sender);
      return delivery(id, messageId);
    },
  };
}

function requirePublic(verdict: NameVerdict): void {
  if (verdict === 'public') return;
  if (verdict === 'unavailable') {
    throw new ApiError('service_unavailable', 'the host name could not be looked up', { headers: { 'Retry-After': LOOKUP_RETRY_SECONDS } });
  }
  throw validationError([{ loc: ['body', 'url'], msg: NAME_FAULTS[verdict], type: 'invalid_value' }]);
}
