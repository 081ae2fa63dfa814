import type { AddressVault } from '../address-vault.ts';
import type { Delivery } from '../delivery/deliveries.repository.ts';
import type { DeliveryFormat } from '../delivery/delivery-format.ts';
import { readEndpoint } from './endpoint-address.domain.ts';
import { HOLD_MILLISECONDS } from './signed-events.data.ts';
import { signedOutcomeOf } from './signed-outcome.domain.ts';
import type { SignedPoster } from './signed-post.ts';

export interface SignedFormatDeps {
  vault: Pick<AddressVault, 'open'>;
  post: SignedPoster;
  /** Real time in milliseconds. */
  nowMs(): number;
  /** Uniform in [0, 1): spreads retries. */
  random(): number;
}

/** What a sealed secret is bound to, so that it cannot take the place of an address. */
export const secretContext = (webhookId: string) => `${webhookId}:secret`;

/** Events as signed requests (Standard Webhooks). */
export function createSignedFormat({ vault, post, nowMs, random }: SignedFormatDeps): DeliveryFormat {
  /** The present secret, and the one before during a rotation; null when the present one cannot be read. */
  async function secretsOf({ webhookId, sealedSecret, sealedPreviousSecret, previousUntil }: Delivery): Promise<string[] | null> {
    const open = (sealed: string | null) => (sealed === null ? null : vault.open(sealed, secretContext(webhookId)));
    const secret = await open(sealedSecret);
    if (secret === null) return null;
    const previous = (previousUntil ?? 0) * 1000 > nowMs() ? await open(sealedPreviousSecret) : null;
    return previous === null ? [secret] : [secret, previous];
  }

  return {
    ...{ isLogged: true, holdMs: HOLD_MILLISECONDS, goneReason: 'the endpoint responded with 410 Gone' },

    async prepare(delivery) {
      const address = await vault.open(delivery.sealedAddress, delivery.webhookId);
      const url = address === null ? null : readEndpoint(address);
      const secrets = await secretsOf(delivery);
      if (url === null || typeof url === 'string' || secrets === null) return { kind: 'unreadable' };
      const send = () => post({ url, secrets, id: delivery.jobKey, timestamp: Math.floor(nowMs() / 1000), body: delivery.content });
      return { kind: 'ready', post: send };
    },

    outcomeOf: (result, { tries, expiresAt }) => signedOutcomeOf(result, { tries: tries + 1, expiresAt, now: nowMs() }, random),
  };
}
