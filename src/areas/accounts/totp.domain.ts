import { Buffer } from 'node:buffer';
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { UnixSeconds } from '../../platform/kit/time/clock.ts';

/** Parameters that every authenticator app supports (RFC 6238 with the defaults of its reference implementation). */
const STEP_SECONDS = 30;
const DIGITS = 6;
const CODE = /^[0-9]{6}$/;
/** Accepted steps before and after the current one, for clocks that differ and codes typed late. */
const DRIFT_STEPS = 1;
/** RFC 4226 recommends 160 bits. */
export const TOTP_SECRET_BYTES = 20;

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** RFC 4648 base32 without padding. */
export function toBase32(bytes: Uint8Array): string {
  let text = '';
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xffff;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += BASE32[(value >> bits) & 31];
    }
  }
  return bits === 0 ? text : text + BASE32[(value << (5 - bits)) & 31];
}

/** HOTP (RFC 4226) with SHA-1. */
export function codeOfStep(secret: Uint8Array, step: number, digits = DIGITS): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', secret).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  const number = digest.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

/** Time step of a clock (RFC 6238). */
export const stepAt = (now: UnixSeconds): number => Math.floor(now / STEP_SECONDS);

/** The step of a code at a time, after `lastStep`; null when the code is wrong, out of time, or was used. Constant time in the code. */
export function stepOfCode(secret: Uint8Array, code: string, lastStep: number, now: UnixSeconds): number | null {
  if (!CODE.test(code)) return null;
  const given = Buffer.from(code);
  let found: number | null = null;
  for (let step = stepAt(now) - DRIFT_STEPS; step <= stepAt(now) + DRIFT_STEPS; step += 1) {
    const isSame = timingSafeEqual(given, Buffer.from(codeOfStep(secret, step)));
    if (isSame && step > lastStep) found ??= step;
  }
  return found;
}

/** `otpauth://` URI for the QR code of an authenticator app. */
export function otpauthUri(secret: Uint8Array, issuer: string, email: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(email)}`;
  const query = new URLSearchParams({
    secret: toBase32(secret),
    issuer,
    algorithm: 'SHA1',
    digits: String(DIGITS),
    period: String(STEP_SECONDS),
  });
  // Some apps show a plus sign instead of a space.
  return `otpauth://totp/${label}?${query.toString().replaceAll('+', '%20')}`;
}
