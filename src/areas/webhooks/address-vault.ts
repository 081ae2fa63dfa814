import { Buffer } from 'node:buffer';
import { ApiError } from '../../platform/errors/api-error.ts';

/** Shorter secrets are open to brute force. */
const MIN_SECRET_LENGTH = 32;
const IV_BYTES = 12;
const VERSION = 'v1';
const encoder = new TextEncoder();

/**
 * Encrypts URLs for the database: AES-256-GCM under a key derived from a secret of the service, bound to the webhook. A leak of the
 * database alone does not expose them.
 */
export interface AddressVault {
  /** Throws 503 without a secret. */
  seal(address: string, webhookId: string): Promise<string>;
  /** Null when the text was sealed with another secret or for another webhook. */
  open(sealed: string, webhookId: string): Promise<string | null>;
  /** Keyed digest (HMAC-SHA256) in hex, equal for equal texts. */
  digest(text: string): Promise<string>;
}

/** `secret`: 32 characters or more; without it nothing can be sealed or opened. */
export function createAddressVault(secret: string | undefined): AddressVault {
  let derived: Promise<{ sealing: CryptoKey; digesting: CryptoKey }> | null = null;
  const keys = () => {
    if (secret === undefined || secret.length < MIN_SECRET_LENGTH) return null;
    derived ??= deriveKeys(secret);
    return derived;
  };
  const required = async () => {
    const both = await keys();
    if (!both) throw new ApiError('service_unavailable', 'webhooks are not configured', { headers: { 'Retry-After': '3600' } });
    return both;
  };

  return {
    async seal(address, webhookId) {
      const { sealing } = await required();
      const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
      const bytes = await crypto.subtle.encrypt(boundTo(iv, webhookId), sealing, encoder.encode(address));
      return [VERSION, toText(iv), toText(new Uint8Array(bytes))].join('.');
    },

    async open(sealed, webhookId) {
      const both = await keys();
      const [version, iv = '', bytes = ''] = sealed.split('.');
      if (!both || version !== VERSION) return null;
      const opened = crypto.subtle.decrypt(boundTo(toBytes(iv), webhookId), both.sealing, toBytes(bytes));
      return opened.then((address) => new TextDecoder().decode(address)).catch(() => null);
    },

    async digest(text) {
      const { digesting } = await required();
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

const boundTo = (iv: Uint8Array<ArrayBuffer>, webhookId: string) => ({ name: 'AES-GCM', iv, additionalData: encoder.encode(webhookId) });
const toText = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');
const toBytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'));
