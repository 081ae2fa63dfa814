import { ApiError, badRequest, notFound, validationError } from '../../../platform/kit/errors/api-error.ts';
import { logError } from '../../../platform/kit/logging.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { Vault } from '../../../platform/storage/vault.ts';
import type { Condition } from '../conditions/conditions.domain.ts';
import { SENDER_COUNT, SIGNED_TTL_SECONDS } from '../delivery/delivery.data.ts';
import type { WakeSenders } from '../delivery/delivery.domain.ts';
import { testMessage } from '../events/signed-message.domain.ts';
import type { WebhookEvent, WebhookEvents } from '../events/webhook-events.domain.ts';
import type { Webhook, WebhooksStore } from '../records/webhooks.store.ts';
import type { DeliveryLog, LoggedDelivery } from './delivery-log.store.ts';
import { maskedEndpoint } from './endpoint-address.domain.ts';
import { MAX_SIGNED_WEBHOOKS, SIGNED_SENDER_COUNT } from './signed.domain.ts';
import { createSecret, type NameCheck, type NameVerdict } from './signed.upstream.ts';
import { secretContext } from './signed-format.service.ts';

interface SignedWebhooksDeps {
  webhooks: Pick<WebhooksStore, 'byAccount' | 'find' | 'add' | 'change' | 'rotateSecret' | 'remove'>;
  events: Pick<WebhookEvents, 'sortSigned' | 'conditions'>;
  log: DeliveryLog;
  vault: Vault;
  nameCheck: NameCheck;
  senders: { wake: WakeSenders };
  /** Current time in milliseconds. */
  nowMs(): number;
  newId(): string;
}

/** Input of a signed webhook. */
export interface SignedWebhookInput {
  url: URL;
  events: WebhookEvent[];
  label: string;
  conditions: Condition[];
}
/** Absent fields are kept. */
type SignedWebhookEdit = { [Part in keyof SignedWebhookInput]?: SignedWebhookInput[Part] | undefined } & {
  isActive?: boolean | undefined;
};

/** A webhook with its secret, which is shown once. */
export interface WebhookWithSecret {
  webhook: Webhook;
  secret: string;
}

export type SignedWebhooksService = ReturnType<typeof createSignedWebhooksService>;

const NAME_FAULTS: Readonly<Record<'private' | 'unknown', string>> = {
  private: 'must have a host name whose addresses are all public',
  unknown: 'must have a host name that resolves',
};
const LOOKUP_RETRY_SECONDS = '60';

/** The signed webhooks of an account. Webhooks of other accounts return 404. */
export function createSignedWebhooksService(deps: SignedWebhooksDeps) {
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
    return { now, expiresAt: now + SIGNED_TTL_SECONDS * 1000 };
  }

  async function delivery(id: string, messageId: string) {
    const logged = await log.find(id, messageId);
    if (!logged) throw notFound('delivery not found');
    return logged;
  }

  return {
    list: (userId: string) => webhooks.byAccount(userId, 'signed'),

    /** Throws 400 at the limit of the account, 422 for a host that is not public, 503 when the host name cannot be looked up. */
    async register(userId: string, input: SignedWebhookInput, now: UnixSeconds): Promise<WebhookWithSecret> {
      const { url, events, label } = input;
      const conditions = known.conditions.validated(events, input.conditions);
      const id = newId();
      const secret = createSecret();
      const columns = { id, userId, label, events: known.sortSigned(events), templates: {}, conditions, createdAt: now };
      const sealed = { sealedSecret: await sealSecret(secret, id), ...(await addressColumns(url, id)) };
      const isAdded = await webhooks.add({ ...columns, ...sealed, format: 'signed' }, MAX_SIGNED_WEBHOOKS);
      if (!isAdded) throw badRequest(`an account may have ${MAX_SIGNED_WEBHOOKS} signed webhooks`);
      return { webhook: await findOwn(userId, id), secret };
    },

    async edit(userId: string, id: string, edit: SignedWebhookEdit): Promise<Webhook> {
      const { url, events, label, isActive } = edit;
      const webhook = await findOwn(userId, id);
      const newConditions = known.conditions.edited(webhook, edit);
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

    /** Creates a new secret. The previous one also signs for `overlapSeconds`. Throws 409 when it was rotated concurrently. */
    async rotate(userId: string, id: string, overlapSeconds: number): Promise<WebhookWithSecret> {
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

    async remove(userId: string, id: string): Promise<void> {
      if (!(await webhooks.remove(userId, 'signed', id))) throw notFound('webhook not found');
    },

    /** Queues a test event and returns its delivery. Throws 400 for a disabled webhook. */
    async test(userId: string, id: string): Promise<LoggedDelivery> {
      await requireActive(userId, id);
      const at = queueTime();
      const message = testMessage(newId(), Math.floor(at.now / 1000));
      const sender = await log.enqueueTest(id, message, at);
      if (sender !== null) await wake(sender);
      else await requireActive(userId, id);
      return delivery(id, message.id);
    },

    async deliveries(userId: string, id: string, limit: number): Promise<LoggedDelivery[]> {
      return log.list((await findOwn(userId, id)).id, limit);
    },

    async delivery(userId: string, id: string, messageId: string): Promise<LoggedDelivery & { body: string }> {
      return delivery((await findOwn(userId, id)).id, messageId);
    },

    /** Queues a message again under the same id; retried for a day. Throws 400 for a disabled webhook. */
    async replay(userId: string, id: string, messageId: string): Promise<LoggedDelivery> {
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
