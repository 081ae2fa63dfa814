import { Buffer } from 'node:buffer';
import { createVerify } from 'node:crypto';

/** Maximum length in base64; a DER signature of this curve has at most 72 bytes. */
const MAX_SIGNATURE_LENGTH = 200;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Whether `signature` is an ECDSA signature (SHA-256, base64 of DER) of these bytes by the key (PEM, SPKI). */
export function isSignedBy(pem: string, bytes: Uint8Array, signature: string): boolean {
  if (signature === '' || signature.length > MAX_SIGNATURE_LENGTH || !BASE64.test(signature)) return false;
  try {
    return createVerify('SHA256').update(bytes).verify(pem, Buffer.from(signature, 'base64'));
  } catch {
    // A malformed key or signature is invalid.
    return false;
  }
}
