import type { Unopened, Vault } from '../../../platform/storage/vault.ts';
import type { Delivery } from '../delivery/deliveries.store.ts';
import { SIGNED_LIMITS } from '../delivery/delivery.data.ts';
import type { DeliveryFormat } from '../delivery/delivery-format.service.ts';
import { parseEndpoint } from './endpoint-address.domain.ts';
import { signedOutcomeOf, UNRESPONSIVE_DELAY_MS } from './signed.domain.ts';
import type { SignedClient } from './signed.upstream.ts';

interface SignedFormatDeps {
  vault: Pick<Vault, 'open'>;
  post: SignedClient;
  /** Current time in milliseconds. */
  nowMs(): number;
  /** Uniform in [0, 1); jitter of retries. */
  random(): number;
}

/** Encryption context of a secret. It differs from that of a URL, so neither can replace the other. */
export const secretContext = (webhookId: string) => `${webhookId}:secret`;

/** Delivers events as signed requests (Standard Webhooks). */
export function createSignedFormat({ vault, post, nowMs, random }: SignedFormatDeps): DeliveryFormat {
  /** The current secret, and the previous one during a rotation if it can be decrypted. */
  async function openSecrets({ webhookId, sealedSecret, sealedPreviousSecret, previousUntil }: Delivery): Promise<string[] | Unopened> {
    const open = (sealed: string | null) => vault.open(sealed ?? '', secretContext(webhookId));
    const secret = await open(sealedSecret);
    if (typeof secret !== 'string') return secret;
    const previous = (previousUntil ?? 0) * 1000 > nowMs() ? await open(sealedPreviousSecret) : null;
    return typeof previous === 'string' ? [secret, previous] : [secret];
  }

  return {
    isLogged: true,
    isOrdered: false,
    limits: SIGNED_LIMITS,
    otherDeliveriesDelayMs: UNRESPONSIVE_DELAY_MS,
    goneReason: 'the endpoint responded with 410 Gone',

    async prepare(delivery) {
      const address = await vault.open(delivery.sealedAddress, delivery.webhookId);
      const secrets = await openSecrets(delivery);
      const isLocked = [address, secrets].some((opened) => typeof opened === 'object' && 'fault' in opened && opened.fault === 'locked');
      if (isLocked) return { kind: 'locked' };
      const url = typeof address === 'string' ? parseEndpoint(address) : null;
      if (url === null || typeof url === 'string' || !Array.isArray(secrets)) return { kind: 'unreadable' };
      const send = () => post({ url, secrets, id: delivery.jobKey, timestamp: Math.floor(nowMs() / 1000), body: delivery.content });
      return { kind: 'ready', post: send };
    },

    outcomeOf: (result, { tries, expiresAt }) => signedOutcomeOf(result, { tries: tries + 1, expiresAt, now: nowMs() }, random),
  };
}
