import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTokenReader } from '../../../src/platform/access/policy/credentials.ts';
import {
  checkOf,
  checksumOf,
  createTokenId,
  createTokenSecret,
  displayPrefix,
  hashToken,
  hasValidCheck,
  isWellFormedToken,
  tokenFormatFrom,
  tokenIdOf,
} from '../../../src/platform/access/tokens/token-format.ts';

/** Bodies found by search: their CRC-32 is the smallest and the largest possible number. */
const ZERO_BODY = `${'Z'.repeat(37)}aST1Cm`;
const MAX_BODY = `${'Z'.repeat(37)}cHXo6G`;
const ALPHABET = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

const KEY = 'test-key';
const ID = 'bot0Example';

const bodies = fc.string({ unit: fc.constantFrom(...ALPHABET), minLength: 43, maxLength: 43 });

describe('checksumOf', () => {
  it.each([
    ['A'.repeat(43), 'nYPti'],
    ['0'.repeat(43), 'cmJMVT'],
    ['0123456789abcdefghijklmnopqrstuvwxyzABCDEFG', 'dcvjt6'],
  ])('returns the checksum of %s: %s', (body, suffix) => {
    expect(checksumOf(body)).toBe(suffix);
  });

  it('returns the single letter a for zero and eQPpmd for the largest number', () => {
    expect(checksumOf(ZERO_BODY)).toBe('a');
    expect(checksumOf(MAX_BODY)).toBe('eQPpmd');
  });

  it('returns one to six base 62 characters without padding', () => {
    fc.assert(
      fc.property(bodies, (body) => {
        const suffix = checksumOf(body);
        expect(suffix).toMatch(/^[A-Za-z0-9]{1,6}$/);
        if (suffix.length > 1) expect(suffix).not.toMatch(/^a/);
      }),
    );
  });
});

describe('createTokenSecret', () => {
  it('has the format that secret scanners match and passes the offline check', () => {
    for (let index = 0; index < 200; index += 1) {
      const secret = createTokenSecret('gda', KEY, createTokenId(randomBytes), randomBytes);
      expect(secret).toMatch(/^gda_[A-Za-z0-9]{43}_[A-Za-z0-9]{1,6}$/);
      expect(isWellFormedToken(secret, 'gda')).toBe(true);
    }
  });

  it('maps bytes to the alphabet in order and discards bytes that would bias it', () => {
    const requestedCounts: number[] = [];
    const secret = createTokenSecret('gda', KEY, ID, (count) => {
      requestedCounts.push(count);
      // 248 to 255 first, which must be discarded, then all other bytes.
      return Uint8Array.from({ length: 256 }, (_, index) => (index < 8 ? 248 + index : index - 8));
    });
    expect(secret.split('_')[1]).toBe(`${ALPHABET.slice(0, 27)}bot0ExampleNDnId`);
    expect(requestedCounts).toHaveLength(1);
  });

  it('requests more random bytes until the secret is complete', () => {
    let calls = 0;
    const secret = createTokenSecret('gda', KEY, ID, (count) => {
      calls += 1;
      // Only the last byte of each chunk is usable.
      return Uint8Array.from({ length: count }, (_, index) => (index === count - 1 ? 61 : 255));
    });
    expect(secret.split('_')[1]).toBe(`${'9'.repeat(27)}bot0ExampleNDnId`);
    expect(calls).toBe(27);
  });

  it('uses every character about equally often', () => {
    const counts = new Map<string, number>();
    const tokens = 3000;
    for (let index = 0; index < tokens; index += 1) {
      for (const character of createTokenSecret('gda', KEY, createTokenId(randomBytes), randomBytes).slice(4, 47)) {
        counts.set(character, (counts.get(character) ?? 0) + 1);
      }
    }
    const expected = (tokens * 43) / 62;
    expect(counts.size).toBe(62);
    // Six standard deviations: a false failure occurs once in ten million runs; a modulo bias is 25% more.
    for (const count of counts.values()) expect(Math.abs(count - expected)).toBeLessThan(6 * Math.sqrt(expected));
  });
});

describe('checkOf', () => {
  it.each([
    ['test-key', 'A'.repeat(27), 'A'.repeat(11), 'qnsfE', 'dmY6je'],
    ['test-key', '0123456789abcdefghijklmnopq', 'bot0Example', 'NDnId', 'eDC10l'],
    ['another-key', '0123456789abcdefghijklmnopq', 'bot0Example', '2FFr6', 'ewnImY'],
  ])('returns the check of %s, %s and id %s: %s', (key, secret, id, check, suffix) => {
    expect(checkOf(id, key)).toBe(check);
    expect(checksumOf(secret + id + check)).toBe(suffix);
    const token = `gda_${secret}${id}${check}_${suffix}`;
    expect(isWellFormedToken(token, 'gda')).toBe(true);
    expect(tokenIdOf(token, 'gda')).toBe(id);
  });
});

describe('hasValidCheck', () => {
  const format = { prefix: 'gda', key: 'test-key', previousKeys: [], verifiesCheck: true };
  const body = '0123456789abcdefghijklmnopqbot0Example';
  const own = `gda_${body}NDnId_eDC10l`;
  const ofAnotherKey = `gda_${body}2FFr6_ewnImY`;

  it('accepts only tokens of the current key and of previous keys', () => {
    expect([hasValidCheck(own, format), hasValidCheck(ofAnotherKey, format)]).toEqual([true, false]);
    expect(hasValidCheck(ofAnotherKey, { ...format, previousKeys: ['older-key', 'another-key'] })).toBe(true);
    expect(hasValidCheck(own, { ...format, key: null })).toBe(false);
  });

  it('rejects the check of another id', () => {
    const forged = `${body.slice(0, 27)}cot0Example`;
    expect(hasValidCheck(`gda_${forged}NDnId_${checksumOf(`${forged}NDnId`)}`, format)).toBe(false);
  });

  it('accepts every check when checks are not verified', () => {
    expect(hasValidCheck(ofAnotherKey, { ...format, verifiesCheck: false })).toBe(true);
  });
});

describe('tokenFormatFrom', () => {
  it('requires a key of 32 characters in production and has a fixed key in development and test', () => {
    const long = 'k'.repeat(32);
    expect(tokenFormatFrom({ ENVIRONMENT: 'production' }).key).toBeNull();
    expect(tokenFormatFrom({ ENVIRONMENT: 'production', TOKEN_KEY: 'k'.repeat(31) }).key).toBeNull();
    expect(tokenFormatFrom({ TOKEN_KEY: long }).key).toBe(long);
    expect(tokenFormatFrom({ ENVIRONMENT: 'test' }).key).toBe(tokenFormatFrom({ ENVIRONMENT: 'development' }).key);
    expect(tokenFormatFrom({ ENVIRONMENT: 'test', TOKEN_KEY: 'test-key' }).key).toBe('test-key');
  });

  it('reads a list of previous keys and whether checks are verified', () => {
    expect(tokenFormatFrom({ TOKEN_PREFIX: 'gda', TOKEN_KEY_PREVIOUS: ' one, two,', TOKEN_CHECK: 'off' })).toEqual({
      prefix: 'gda',
      key: null,
      previousKeys: ['one', 'two'],
      verifiesCheck: false,
    });
    expect(tokenFormatFrom({}).verifiesCheck).toBe(true);
  });
});

describe('createTokenReader', () => {
  const format = { prefix: 'gda', key: 'test-key', previousKeys: [], verifiesCheck: true };
  const own = `gda_0123456789abcdefghijklmnopqbot0ExampleNDnId_eDC10l`;

  it('returns the id and the hash of a token, and tells malformed from forged tokens', () => {
    const read = createTokenReader(format);
    const expected = { id: 'bot0Example', hash: hashToken(own) };
    expect([read(own), read(own)]).toEqual([expected, expected]);
    expect(read(`${own.slice(0, -1)}m`)).toBe('malformed');
    expect(read('gda_0123456789abcdefghijklmnopqbot0Example2FFr6_ewnImY')).toBe('forged');
  });

  it('throws 503 for a well-formed token while no key is configured', () => {
    expect(() => createTokenReader({ ...format, key: null })(own)).toThrow('API tokens are not configured');
    expect(createTokenReader({ ...format, key: null, verifiesCheck: false })(own)).toMatchObject({ id: 'bot0Example' });
  });
});

describe('isWellFormedToken', () => {
  const good = `gda_${'A'.repeat(43)}_nYPti`;

  it('accepts a body with its checksum only under the prefix of the deployment', () => {
    expect(isWellFormedToken(good, 'gda')).toBe(true);
    expect(isWellFormedToken(good, 'gdb')).toBe(false);
    expect(isWellFormedToken(`xy_${'A'.repeat(43)}_nYPti`, 'xy')).toBe(true);
    expect(isWellFormedToken(`gda_${ZERO_BODY}_a`, 'gda')).toBe(true);
  });

  it.each([
    ['wrong suffix', `gda_${'A'.repeat(43)}_nYPtj`],
    ['suffix in another letter case', `gda_${'A'.repeat(43)}_nyPti`],
    ['suffix padded with the zero digit', `gda_${'A'.repeat(43)}_anYPti`],
    ['no suffix', `gda_${'A'.repeat(43)}_`],
    ['no second underscore', `gda_${'A'.repeat(43)}nYPti`],
    ['body too short', `gda_${'A'.repeat(42)}_nYPti`],
    ['body too long', `gda_${'A'.repeat(44)}_nYPti`],
    ['space after the token', `${good} `],
    ['line break after the token', `${good}\n`],
    ['space before the token', ` ${good}`],
    ['prefix in another letter case', good.replace('gda', 'GDA')],
    ['a character outside base 62', `gda_${'A'.repeat(42)}-_${checksumOf(`${'A'.repeat(42)}-`)}`],
    ['a non-ASCII character', `gda_${'A'.repeat(42)}é_${checksumOf(`${'A'.repeat(42)}é`)}`],
    ['empty text', ''],
    ['only the prefix', 'gda_'],
  ])('rejects %s', (_, token) => {
    expect(isWellFormedToken(token, 'gda')).toBe(false);
  });

  it('detects a change of one character', () => {
    fc.assert(
      fc.property(bodies, fc.nat(42), fc.constantFrom(...ALPHABET), (body, index, character) => {
        const changed = body.slice(0, index) + character + body.slice(index + 1);
        expect(isWellFormedToken(`gda_${changed}_${checksumOf(body)}`, 'gda')).toBe(changed === body);
      }),
    );
  });
});

describe('displayPrefix and hashToken', () => {
  it('keeps the prefix with eight characters for display', () => {
    expect(displayPrefix('gda_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG_dcvjt6')).toBe('gda_01234567');
  });

  it('hashes the whole text with SHA-256 in lower-case hex', () => {
    expect(hashToken('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(hashToken('gda_a')).not.toBe(hashToken('gda_A'));
  });
});
