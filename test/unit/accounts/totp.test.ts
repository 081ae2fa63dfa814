import { describe, expect, it } from 'vitest';
import { codeOfStep, otpauthUri, stepAt, stepOfCode, toBase32 } from '../../../src/areas/accounts/totp.domain.ts';

/** Secret of the test vectors of RFC 6238, appendix B. */
const SECRET = Buffer.from('12345678901234567890');

describe('codeOfStep', () => {
  it.each([
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ])('returns the code of RFC 6238 at %i', (time, code) => {
    expect(codeOfStep(SECRET, stepAt(time), 8)).toBe(code);
  });

  it.each(
    ['755224', '287082', '359152', '969429', '338314', '254676', '287922', '162583', '399871', '520489'].map((code, step) => ({
      code,
      step,
    })),
  )('returns the code of RFC 4226 for counter $step', ({ code, step }) => expect(codeOfStep(SECRET, step)).toBe(code));
});

describe('stepOfCode', () => {
  const now = 1_800_000_000;
  const current = stepAt(now);

  it('accepts the codes of one step before and after the clock', () => {
    const found = [-2, -1, 0, 1, 2].map((drift) => stepOfCode(SECRET, codeOfStep(SECRET, current + drift), 0, now));
    expect(found).toEqual([null, current - 1, current, current + 1, null]);
  });

  it('refuses codes up to the last accepted step', () => {
    expect(stepOfCode(SECRET, codeOfStep(SECRET, current), current, now)).toBeNull();
    expect(stepOfCode(SECRET, codeOfStep(SECRET, current + 1), current, now)).toBe(current + 1);
  });

  it.each(['', '12345', '1234567', 'abcdef', '１２３４５６'])('refuses the malformed code "%s"', (code) => {
    expect(stepOfCode(SECRET, code, 0, now)).toBeNull();
  });
});

describe('toBase32', () => {
  it.each([
    ['', ''],
    ['f', 'MY'],
    ['fo', 'MZXQ'],
    ['foo', 'MZXW6'],
    ['foob', 'MZXW6YQ'],
    ['fooba', 'MZXW6YTB'],
    ['foobar', 'MZXW6YTBOI'],
  ])('encodes "%s" like RFC 4648 without padding', (text, encoded) => expect(toBase32(Buffer.from(text))).toBe(encoded));
});

describe('otpauthUri', () => {
  it('escapes the issuer and the address', () => {
    expect(otpauthUri(SECRET, 'Game & Data', 'a+b@example.com')).toBe(
      'otpauth://totp/Game%20%26%20Data:a%2Bb%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Game%20%26%20Data&algorithm=SHA1&digits=6&period=30',
    );
  });
});
