import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { parseEndpoint } from './endpoint-address.domain.ts';
import { isSecret, type SignedClient } from './signed.upstream.ts';

/** A message for a URL of the operator. */
interface SignedMessageInput {
  url: string;
  secret: string;
  id: string;
  timestamp: UnixSeconds;
  body: string;
}

/** Makes one attempt. Returns why it failed, or null. Never rejects. */
export type SignedMessageClient = (message: SignedMessageInput) => Promise<string | null>;

/** Posts signed messages with the rules of signed webhooks: a public https address, and a signature of Standard Webhooks. */
export function createSignedMessageClient(post: SignedClient): SignedMessageClient {
  return async ({ url: text, secret, ...content }) => {
    const url = parseEndpoint(text);
    if (typeof url === 'string') return `the URL ${url}`;
    if (!isSecret(secret)) return 'the secret must be whsec_ and 24 to 64 bytes in base64';
    const { status, error } = await post({ url, secrets: [secret], ...content });
    const isAccepted = status !== null && status >= 200 && status < 300;
    return isAccepted ? null : (error ?? `HTTP ${status}`);
  };
}
