import { bind } from '../../../platform/kit/bind.ts';
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
import { createSecret, type NameCheck, type NameState } from './signed.upstream.ts';
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
  return bind(deps, { list, register, edit, rotate, remove, test, deliveries, delivery, replay });
}

const list = ({ webhooks }: SignedWebhooksDeps, userId: string) => webhooks.byAccount(userId, 'signed');

/** Throws 400 at the limit of the account, 422 for a host that is not public, 503 when the host name cannot be looked up. */
async function register(deps: SignedWebhooksDeps, userId: string, input: SignedWebhookInput, now: UnixSeconds): Promise<WebhookWithSecret> {
  const { webhooks, events: known, newId } = deps;
  const { url, events, label } = input;
  const conditions = known.conditions.validated(events, input.conditions);
  const id = newId();
  const secret = createSecret();
  const columns = { id, userId, label, events: known.sortSigned(events), templates: {}, conditions, createdAt: now };
  const sealed = { sealedSecret: await sealSecret(deps, secret, id), ...(await addressColumns(deps, url, id)) };
  const isAdded = await webhooks.add({ ...columns, ...sealed, format: 'signed' }, MAX_SIGNED_WEBHOOKS);
  if (!isAdded) throw badRequest(`an account may have ${MAX_SIGNED_WEBHOOKS} signed webhooks`);
  return { webhook: await findOwn(deps, userId, id), secret };
}

async function edit(deps: SignedWebhooksDeps, userId: string, id: string, changes: SignedWebhookEdit): Promise<Webhook> {
  const { webhooks, events: known } = deps;
  const { url, events, label, isActive } = changes;
  const webhook = await findOwn(deps, userId, id);
  const newConditions = known.conditions.edited(webhook, changes);
  const change = {
    ...(url ? await addressColumns(deps, url, id) : {}),
    ...(label === undefined ? {} : { label }),
    ...(events ? { events: known.sortSigned(events) } : {}),
    ...(newConditions ? { conditions: newConditions } : {}),
    ...(isActive === undefined ? {} : { isActive }),
    ...(isActive ? { failures: 0, disabledReason: null } : {}),
  };
  if (Object.keys(change).length > 0) await webhooks.change(webhook, change);
  return findOwn(deps, userId, id);
}

/** Creates a new secret. The previous one also signs for `overlapSeconds`. Throws 409 when it was rotated concurrently. */
async function rotate(deps: SignedWebhooksDeps, userId: string, id: string, overlapSeconds: number): Promise<WebhookWithSecret> {
  const { webhooks, nowMs } = deps;
  const webhook = await findOwn(deps, userId, id);
  const secret = createSecret();
  const isRotated = await webhooks.rotateSecret(webhook, {
    sealedSecret: await sealSecret(deps, secret, id),
    sealedPreviousSecret: overlapSeconds === 0 ? null : webhook.sealedSecret,
    previousUntil: overlapSeconds === 0 ? null : Math.floor(nowMs() / 1000) + overlapSeconds,
  });
  if (!isRotated) throw new ApiError('conflict', 'the secret was rotated concurrently', { hint: 'read the webhook and rotate again' });
  return { webhook: await findOwn(deps, userId, id), secret };
}

async function remove({ webhooks }: SignedWebhooksDeps, userId: string, id: string): Promise<void> {
  if (!(await webhooks.remove(userId, 'signed', id))) throw notFound('webhook not found');
}

/** Queues a test event and returns its delivery. Throws 400 for a disabled webhook. */
async function test(deps: SignedWebhooksDeps, userId: string, id: string): Promise<LoggedDelivery> {
  const { log, newId } = deps;
  await requireActive(deps, userId, id);
  const at = queueTime(deps);
  const message = testMessage(newId(), Math.floor(at.now / 1000));
  const sender = await log.enqueueTest(id, message, at);
  // Nothing was queued: the webhook was disabled or deleted meanwhile, and the error says which.
  if (sender !== null) await wake(deps, sender);
  else await requireActive(deps, userId, id);
  return findDelivery(deps, id, message.id);
}

async function deliveries(deps: SignedWebhooksDeps, userId: string, id: string, limit: number): Promise<LoggedDelivery[]> {
  return deps.log.list((await findOwn(deps, userId, id)).id, limit);
}

async function delivery(
  deps: SignedWebhooksDeps,
  userId: string,
  id: string,
  messageId: string,
): Promise<LoggedDelivery & { body: string }> {
  return findDelivery(deps, (await findOwn(deps, userId, id)).id, messageId);
}

/** Queues a message again under the same id; retried for a day. Throws 400 for a disabled webhook. */
async function replay(deps: SignedWebhooksDeps, userId: string, id: string, messageId: string): Promise<LoggedDelivery> {
  await requireActive(deps, userId, id);
  const sender = await deps.log.replay(id, messageId, queueTime(deps));
  if (sender === null) {
    // The webhook may have been disabled or deleted meanwhile.
    await requireActive(deps, userId, id);
    throw notFound('delivery not found');
  }
  await wake(deps, sender);
  return findDelivery(deps, id, messageId);
}

async function findOwn({ webhooks }: SignedWebhooksDeps, userId: string, id: string): Promise<Webhook> {
  const webhook = await webhooks.find(userId, 'signed', id);
  if (!webhook) throw notFound('webhook not found');
  return webhook;
}

/** Throws 400 for a disabled webhook. */
async function requireActive(deps: SignedWebhooksDeps, userId: string, id: string): Promise<void> {
  if (!(await findOwn(deps, userId, id)).isActive) throw badRequest('the webhook is disabled');
}

/** Columns of an endpoint URL. */
async function addressColumns({ nameCheck, vault }: SignedWebhooksDeps, url: URL, id: string) {
  requirePublic(await nameCheck(url.hostname));
  const addressKey = await vault.digest(url.href);
  return {
    sealedAddress: await vault.seal(url.href, id),
    maskedUrl: maskedEndpoint(url),
    addressKey,
    sender: SENDER_COUNT + (Number.parseInt(addressKey.slice(0, 8), 16) % SIGNED_SENDER_COUNT),
  };
}

const sealSecret = ({ vault }: SignedWebhooksDeps, secret: string, id: string) => vault.seal(secret, secretContext(id));

/** Errors are only logged: a job wakes senders with overdue deliveries every minute. */
async function wake({ senders }: SignedWebhooksDeps, sender: number): Promise<void> {
  await senders.wake([sender]).catch((error: unknown) => logError('webhook sender could not be woken', error));
}

function queueTime({ nowMs }: SignedWebhooksDeps) {
  const now = nowMs();
  return { now, expiresAt: now + SIGNED_TTL_SECONDS * 1000 };
}

async function findDelivery({ log }: SignedWebhooksDeps, id: string, messageId: string) {
  const logged = await log.find(id, messageId);
  if (!logged) throw notFound('delivery not found');
  return logged;
}

function requirePublic(state: NameState): void {
  if (state === 'public') return;
  if (state === 'unavailable') {
    throw new ApiError('service_unavailable', 'the host name could not be looked up', { headers: { 'Retry-After': LOOKUP_RETRY_SECONDS } });
  }
  throw validationError([{ loc: ['body', 'url'], msg: NAME_FAULTS[state], type: 'invalid_value' }]);
}
