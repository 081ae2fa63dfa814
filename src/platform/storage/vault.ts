import { Buffer } from 'node:buffer';
import { ApiError } from '../kit/errors/api-error.ts';

/** Minimum length of the secret, in characters; shorter ones can be brute-forced. */
const MIN_SECRET_LENGTH = 32;
const IV_BYTES = 12;
/** Hex digits of the id of the key in a ciphertext. */
const KEY_ID_LENGTH = 8;
const encoder = new TextEncoder();

/**
 * Why a ciphertext could not be decrypted. `locked`: the service does not have the secret that encrypted it, which may be an error of a
 * deployment. `corrupted`: the ciphertext is damaged, or belongs to another owner.
 */
export interface Unopened {
  fault: 'locked' | 'corrupted';
}

/**
 * Encrypts texts for the database with AES-256-GCM. The keys are derived from a secret of the service; each ciphertext is bound to the
 * row of its owner. A leaked database alone does not expose them.
 */
export interface Vault {
  /** Throws 503 when the service has no secret. */
  seal(text: string, ownerId: string): Promise<string>;
  open(sealed: string, ownerId: string): Promise<string | Unopened>;
  /** Keyed digest (HMAC-SHA256) in hex, equal for equal texts. */
  digest(text: string): Promise<string>;
}

/** Labels that derive separate keys for separate purposes, and the message of the 503. */
export interface VaultPurpose {
  sealing: string;
  digesting: string;
  /** Derives the id of the key, which a ciphertext names. */
  naming: string;
  unconfigured: string;
}

/** `secret`: at least 32 characters; without a secret, `seal` and `digest` throw and `open` returns `locked`. */
export function createVault(secret: string | undefined, purpose: VaultPurpose): Vault {
  let derived: ReturnType<typeof deriveKeys> | null = null;
  const optionalKeys = () => {
    if (secret === undefined || secret.length < MIN_SECRET_LENGTH) return null;
    derived ??= deriveKeys(secret, purpose);
    return derived;
  };
  const requireKeys = async () => {
    const keys = await optionalKeys();
    if (!keys) throw new ApiError('service_unavailable', purpose.unconfigured, { headers: { 'Retry-After': '3600' } });
    return keys;
  };

  return {
    async seal(text, ownerId) {
      const { sealing, keyId } = await requireKeys();
      const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
      const bytes = await crypto.subtle.encrypt(encryptionParams(iv, ownerId), sealing, encoder.encode(text));
      return [keyId, toBase64Url(iv), toBase64Url(new Uint8Array(bytes))].join('.');
    },

    async open(sealed, ownerId) {
      const keys = await optionalKeys();
      const [keyId, iv = '', bytes = ''] = sealed.split('.');
      if (keys === null || keyId !== keys.keyId) return { fault: 'locked' };
      const opened = crypto.subtle.decrypt(encryptionParams(fromBase64Url(iv), ownerId), keys.sealing, fromBase64Url(bytes));
      return opened.then((text) => new TextDecoder().decode(text)).catch((): Unopened => ({ fault: 'corrupted' }));
    },

    async digest(text) {
      const { digesting } = await requireKeys();
      return digestOf(digesting, text);
    },
  };
}

async function deriveKeys(secret: string, purpose: VaultPurpose) {
  const base = await crypto.subtle.importKey('raw', encoder.encode(secret), 'HKDF', false, ['deriveKey']);
  const from = (info: string) => ({ name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: encoder.encode(info) });
  const [sealing, digesting, naming] = await Promise.all([
    crypto.subtle.deriveKey(from(purpose.sealing), base, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']),
    crypto.subtle.deriveKey(from(purpose.digesting), base, { name: 'HMAC', hash: 'SHA-256', length: 256 }, false, ['sign']),
    crypto.subtle.deriveKey(from(purpose.naming), base, { name: 'HMAC', hash: 'SHA-256', length: 256 }, false, ['sign']),
  ]);
  return { sealing, digesting, keyId: (await digestOf(naming, '')).slice(0, KEY_ID_LENGTH) };
}

async function digestOf(key: CryptoKey, text: string): Promise<string> {
  return Buffer.from(await crypto.subtle.sign('HMAC', key, encoder.encode(text))).toString('hex');
}

const encryptionParams = (iv: Uint8Array<ArrayBuffer>, ownerId: string) => ({
  name: 'AES-GCM',
  iv,
  additionalData: encoder.encode(ownerId),
});
const toBase64Url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');
const fromBase64Url = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'));
