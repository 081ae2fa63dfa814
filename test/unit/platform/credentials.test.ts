import { describe, expect, it } from 'vitest';
import { readCredential } from '../../../src/platform/access/policy/credentials.ts';

describe('readCredential', () => {
  it.each([
    ['absent', null],
    ['empty', ''],
    ['only the scheme', 'Bearer'],
    ['the scheme and space', 'Bearer   '],
    ['another scheme', 'Basic dXNlcjpwYXNz'],
    ['a scheme that starts with Bearer', 'Bearers abc'],
    ['no scheme', 'gda_abc'],
    ['no space after the scheme', 'Bearer:abc'],
  ])('returns the kind none for %s', (_, header) => {
    expect(readCredential(header)).toEqual({ kind: 'none' });
  });

  it.each(['Bearer abc', 'bearer abc', 'BEARER abc', 'bEaReR   abc', 'Bearer\tabc', '  Bearer abc  '])(
    'reads a token from %j',
    (header) => {
      expect(readCredential(header)).toEqual({ kind: 'token', value: 'abc' });
    },
  );

  it('keeps spaces inside the credential', () => {
    expect(readCredential('Bearer abc def')).toEqual({ kind: 'token', value: 'abc def' });
  });

  it('recognizes a session by exactly two dots', () => {
    expect(readCredential('Bearer a.b.c')).toEqual({ kind: 'session', value: 'a.b.c' });
    expect(readCredential('Bearer ..')).toEqual({ kind: 'session', value: '..' });
    for (const value of ['a.b', 'a.b.c.d', 'abc']) expect(readCredential(`Bearer ${value}`)).toEqual({ kind: 'token', value });
  });

  it('reads a header of many spaces in linear time, because it runs before authentication', () => {
    const spaces = ' '.repeat(60_000);
    const started = performance.now();
    expect(readCredential(`Bearer a${spaces}b`).kind).toBe('token');
    expect(readCredential(`Bearer ${spaces}b`)).toEqual({ kind: 'token', value: 'b' });
    expect(readCredential(`${spaces}x`)).toEqual({ kind: 'none' });
    expect(performance.now() - started).toBeLessThan(2000);
  });
});
