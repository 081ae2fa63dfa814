import { Buffer } from 'node:buffer';
import { createHmac, timingSafeEqual } from 'node:crypto';

/** First byte of every box. */
const FORMAT = 1;
const CURVE = { name: 'ECDH', namedCurve: 'P-256' } as const;
/** An uncompressed P-256 point. */
const POINT_BYTES = 65;
const UNCOMPRESSED_POINT = 4;
const IV_BYTES = 12;
const KEY_INFO = 'game data sealed box';
/** Hex digits of a fingerprint: enough to tell two secrets apart, too few to search for a weak one offline. */
const FINGERPRINT_DIGITS = 8;
const encoder = new TextEncoder();

/** The public half seals, the private half opens. Both as base64url: the point, and PKCS #8. */
export interface SealingKeyPair {
  publicKey: string;
  privateKey: string;
}

type Bytes = Uint8Array<ArrayBuffer>;

/** Creates a key pair. */
export async function createSealingKeyPair(): Promise<SealingKeyPair> {
  const pair = (await crypto.subtle.generateKey(CURVE, true, ['deriveBits'])) as CryptoKeyPair;
  const [point, pkcs8] = await Promise.all([
    crypto.subtle.exportKey('raw', pair.publicKey),
    crypto.subtle.exportKey('pkcs8', pair.privateKey),
  ]);
  return { publicKey: toBase64Url(point as ArrayBuffer), privateKey: toBase64Url(pkcs8 as ArrayBuffer) };
}

/** True for the base64url text of a public key. A point off the curve is found by `seal` only. */
export function isPublicKey(text: string): boolean {
  const bytes = Buffer.from(text, 'base64url');
  return /^[\w-]+$/.test(text) && bytes.length === POINT_BYTES && bytes[0] === UNCOMPRESSED_POINT;
}

/**
 * Encrypts bytes to a public key: ECDH with an ephemeral P-256 key, HKDF-SHA-256, AES-256-GCM. `name` is authenticated: a box opens under
 * its own name only. Layout: format, ephemeral point, IV, ciphertext.
 */
export async function seal(publicKey: string, name: string, bytes: Uint8Array): Promise<Bytes> {
  const recipient = fromBase64Url(publicKey);
  const ephemeral = (await crypto.subtle.generateKey(CURVE, true, ['deriveBits'])) as CryptoKeyPair;
  const point = new Uint8Array((await crypto.subtle.exportKey('raw', ephemeral.publicKey)) as ArrayBuffer);
  const key = await deriveKey(ephemeral.privateKey, recipient, point, recipient, ['encrypt']);
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const params = { name: 'AES-GCM', iv, additionalData: encoder.encode(name) };
  const ciphertext = new Uint8Array(await crypto.subtle.encrypt(params, key, bytes as Bytes));
  const box = new Uint8Array(1 + POINT_BYTES + IV_BYTES + ciphertext.length);
  box[0] = FORMAT;
  box.set(point, 1);
  box.set(iv, 1 + POINT_BYTES);
  box.set(ciphertext, 1 + POINT_BYTES + IV_BYTES);
  return box;
}

/** Decrypts a box. Throws when the key or the name is another one, or the box is damaged. */
export async function unseal({ publicKey, privateKey }: SealingKeyPair, name: string, box: Bytes): Promise<Bytes> {
  if (box[0] !== FORMAT || box.length <= 1 + POINT_BYTES + IV_BYTES) throw new Error(`${name} is not a sealed box`);
  const own = await crypto.subtle.importKey('pkcs8', fromBase64Url(privateKey), CURVE, false, ['deriveBits']);
  const point = box.slice(1, 1 + POINT_BYTES);
  const key = await deriveKey(own, point, point, fromBase64Url(publicKey), ['decrypt']);
  const params = { name: 'AES-GCM', iv: box.slice(1 + POINT_BYTES, 1 + POINT_BYTES + IV_BYTES), additionalData: encoder.encode(name) };
  try {
    return new Uint8Array(await crypto.subtle.decrypt(params, key, box.slice(1 + POINT_BYTES + IV_BYTES)));
  } catch {
    throw new Error(`${name} cannot be decrypted: it is damaged, or was sealed to another key`);
  }
}

async function deriveKey(own: CryptoKey, other: Bytes, ephemeralPoint: Bytes, recipientPoint: Bytes, uses: ['encrypt'] | ['decrypt']) {
  const peer = await crypto.subtle.importKey('raw', other, CURVE, false, []);
  // The runtime's types rename the field; at run time it is `public`, as in the standard.
  const algorithm = { name: CURVE.name, public: peer } as unknown as Parameters<SubtleCrypto['deriveBits']>[0];
  const shared = await crypto.subtle.deriveBits(algorithm, own, 256);
  const base = await crypto.subtle.importKey('raw', shared, 'HKDF', false, ['deriveKey']);
  const salt = new Uint8Array(2 * POINT_BYTES);
  salt.set(ephemeralPoint);
  salt.set(recipientPoint, POINT_BYTES);
  const hkdf = { name: 'HKDF', hash: 'SHA-256', salt, info: encoder.encode(KEY_INFO) };
  return crypto.subtle.deriveKey(hkdf, base, { name: 'AES-GCM', length: 256 }, false, uses);
}

/** JSON text of a record with a keyed digest: only who knows the secret can have written it. */
export function signRecord(secret: string, record: object): string {
  return JSON.stringify({ ...record, digest: digestOf(secret, JSON.stringify(record)) });
}

/** The record of `signRecord`; null when it was written with another secret, or changed. */
export function readSignedRecord<Record extends object>(secret: string, text: string): Record | null {
  const { digest, ...record } = JSON.parse(text) as Record & { digest?: string };
  const expected = digestOf(secret, JSON.stringify(record));
  const isAuthentic = digest?.length === expected.length && timingSafeEqual(Buffer.from(digest), Buffer.from(expected));
  return isAuthentic ? (record as Record) : null;
}

const digestOf = (secret: string, text: string) => createHmac('sha256', secret).update(`signed record\n${text}`).digest('hex');

/** Short digest by which the value of a secret is recognized; null for an absent one. */
export function fingerprintOf(name: string, secret: string | null | undefined): string | null {
  if (!secret) return null;
  return createHmac('sha256', secret).update(`fingerprint of ${name}`).digest('hex').slice(0, FINGERPRINT_DIGITS);
}

const toBase64Url = (bytes: ArrayBuffer): string => Buffer.from(bytes).toString('base64url');
const fromBase64Url = (text: string): Bytes => new Uint8Array(Buffer.from(text, 'base64url'));
