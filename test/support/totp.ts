import { codeOfStep, stepAt } from '../../src/areas/accounts/totp.domain.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Bytes of a base32 text. */
export function fromBase32(text: string): Buffer {
  const bits = [...text].map((character) => ALPHABET.indexOf(character).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** The code of an authenticator app at a time. */
export const codeAt = (secret: string, now: number) => codeOfStep(fromBase32(secret), stepAt(now));
