import { Buffer } from 'node:buffer';
import { ApiError } from '../../platform/errors/api-error.ts';

/** Minimum length of the secret, in characters; shorter ones can be brute-forced. */
const MIN_SECRET_LENGTH = 32;
const IV_BYTES = 12;
const VERSION = 'v1';
const encoder = new TextEncoder();

/**
 * Encrypts URLs and secrets for the database with AES-256-GCM. The key is derived from a secret of the service; each ciphertext is bound to
 * its webhook. A leaked database alone does not expose them.
 */
export interface AddressVault {
  /** Throws 503 when the service has no secret. */
  seal(address: string, webhookId: string): Promise<string>;
  /** Null when the text was encrypted with another secret or for another webhook. */
  open(sealed: string, webhookId: string): Promise<string | null>;
  /** Keyed digest (HMAC-SHA256) in hex, equal for equal texts. */
  digest(text: string): Promise<string>;
}

/** `secret`: at least 32 characters; without a secret, `seal` and `digest` throw and `open` returns null. */
export function createAddressVault(secret: string | undefined): AddressVault {
  let derived: Promise<{ sealing: CryptoKey; digesting: CryptoKey }> | null = null;
  const optionalKeys = () => {
    if (secret === undefined || secret.length < MIN_SECRET_LENGTH) return null;
    derived ??= deriveKeys(secret);
    return derived;
  };
  const requireKeys = async () => {
    const keys = await optionalKeys();
    if (!keys) throw new ApiError('service_unavailable', 'webhooks are not configured', { headers: { 'Retry-After': '3600' } });
    return keys;
  };

  return {
    async seal(address, webhookId) {
      const { sealing } = await requireKeys();
      const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
      const bytes = await crypto.subtle.encrypt(encryptionParams(iv, webhookId), sealing, encoder.encode(address));
      return [VERSION, toBase64Url(iv), toBase64Url(new Uint8Array(bytes))].join('.');
    },

    async open(sealed, webhookId) {
      const keys = await optionalKeys();
      const [version, iv = '', bytes = ''] = sealed.split('.');
      if (!keys || version !== VERSION) return null;
      const opened = crypto.subtle.decrypt(encryptionParams(fromBase64Url(iv), webhookId), keys.sealing, fromBase64Url(bytes));
      return opened.then((address) => new TextDecoder().decode(address)).catch(() => null);
    },

    async digest(text) {
      const { digesting } = await requireKeys();
      return Buffer.from(await crypto.subtle.sign('HMAC', digesting, encoder.encode(text))).toString('hex');
    },
  };
}

async function deriveKeys(secret: string) {
  const base = await crypto.subtle.importKey('raw', encoder.encode(secret), 'HKDF', false, ['deriveKey']);
  const from = (info: string) => ({ name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: encoder.encode(info) });
  const [sealing, digesting] = await Promise.all([
    crypto.subtle.deriveKey(from('webhook addresses'), base, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']),
    crypto.subtle.deriveKey(from('webhook digests'), base, { name: 'HMAC', hash: 'SHA-256', length: 256 }, false, ['sign']),
  ]);
  return { sealing, digesting };
}

const encryptionParams = (iv: Uint8Array<ArrayBuffer>, webhookId: string) => ({
  name: 'AES-GCM',
  iv,
  additionalData: encoder.encode(webhookId),
});
const toBase64Url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');
const fromBase64Url = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'));
