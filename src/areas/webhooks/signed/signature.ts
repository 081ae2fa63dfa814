import { Buffer } from 'node:buffer';

const SECRET_PREFIX = 'whsec_';
/** Standard Webhooks requires 24 to 64 bytes. */
const SECRET_BYTES = 32;
const encoder = new TextEncoder();

/** Creates a secret in the format of Standard Webhooks: `whsec_` and the key in base64. */
export function createSecret(): string {
  return SECRET_PREFIX + Buffer.from(crypto.getRandomValues(new Uint8Array(SECRET_BYTES))).toString('base64');
}

/** Signed content. It includes the id and the timestamp, so neither can be replaced. */
export interface SignedContent {
  id: string;
  /** Unix seconds of the attempt. */
  timestamp: number;
  body: string;
}

/** Value of the `webhook-signature` header: one HMAC-SHA256 signature per secret. */
export async function signatureOf(secrets: readonly string[], { id, timestamp, body }: SignedContent): Promise<string> {
  const content = encoder.encode(`${id}.${timestamp}.${body}`);
  return (await Promise.all(secrets.map((secret) => sign(secret, content)))).join(' ');
}

async function sign(secret: string, content: BufferSource): Promise<string> {
  const bytes = Uint8Array.from(Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64'));
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  return `v1,${Buffer.from(await crypto.subtle.sign('HMAC', key, content)).toString('base64')}`;
}
