import { createDeliveryLog } from '../../../../src/areas/webhooks/signed/delivery-log.store.ts';
import { parseEndpoint } from '../../../../src/areas/webhooks/signed/endpoint-address.domain.ts';
import { createSignedWebhooksService, type SignedWebhookInput } from '../../../../src/areas/webhooks/signed/signed.service.ts';
import type { NameCheck } from '../../../../src/areas/webhooks/signed/signed.upstream.ts';
import { WEBHOOK_EVENTS } from '../../../support/declarations.ts';
import { FIRST_INSTANT } from '../../../support/requests.ts';
import { createAccount } from '../../../support/tokens.ts';
import { upstreamSession } from '../../../support/upstreams/session.ts';
import type { ReceiverState } from '../../../support/upstreams/webhook-receiver.ts';
import { db, repository, type SenderWorldOptions, senderWorld, stoppedClock, vault } from '../world.ts';

export const log = createDeliveryLog(db);

/** The service of signed webhooks, without sender objects. */
export function signedService(nowMs: () => number, nameCheck: NameCheck = async () => 'public', webhooks = repository) {
  return createSignedWebhooksService({
    webhooks,
    events: WEBHOOK_EVENTS,
    log,
    vault,
    nameCheck,
    nowMs,
    senders: { wake: async () => {} },
    newId: () => crypto.randomUUID(),
  });
}

let hosts = 0;

/** A unique endpoint URL. */
export function freshEndpoint(): string {
  hosts += 1;
  return `https://host-${hosts}.example.com/hook`;
}

/** Registers a signed webhook and queues a test event; creates an account unless one is given. */
export async function registerSigned(
  input: { url?: string; userId?: string } & Partial<Omit<SignedWebhookInput, 'url'>> = {},
  nowMs = stoppedClock().nowMs,
) {
  const url = parseEndpoint(input.url ?? freshEndpoint());
  if (typeof url === 'string') throw new Error(url);
  const userId = input.userId ?? (await createAccount());
  const service = signedService(nowMs);
  const { webhook, secret } = await service.register(
    userId,
    { url, events: input.events ?? ['challenge'], label: input.label ?? '', conditions: input.conditions ?? [] },
    FIRST_INSTANT,
  );
  const { messageId } = await service.test(userId, webhook.id);
  return { ...webhook, userId, secret, messageId, service };
}

/** Receives the requests to signed webhooks of a test. */
export function receiver() {
  const session = upstreamSession('webhook-receiver');
  return { ...session, respond: (...responses: ReceiverState['responses']) => session.order({ state: { responses } }) };
}

/** A sender object that delivers to a receiver of the test. */
export function signedWorld(options: SenderWorldOptions = {}) {
  const endpoint = receiver();
  return { ...senderWorld({ receiverUrl: endpoint.url, ...options }), endpoint };
}
