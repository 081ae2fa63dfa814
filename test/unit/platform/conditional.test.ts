import { describe, expect, it } from 'vitest';
import { matchesEtag } from '../../../src/platform/http/replies/preconditions.ts';
import { digestOf, etagOf, json, jsonWithClock, type RawReply } from '../../../src/platform/http/replies/reply.ts';

describe('matchesEtag', () => {
  it.each([
    ['"a"', '"a"', true],
    ['W/"a"', '"a"', true],
    ['"a"', 'W/"a"', true],
    ['W/"a"', 'W/"a"', true],
    ['"b", W/"a" , "c"', '"a"', true],
    ['*', '"a"', true],
    [' * ', 'W/"a"', true],
    ['"b"', '"a"', false],
    ['a', '"a"', false],
    ['"A"', '"a"', false],
    ['w/"a"', '"a"', false],
    ['', '"a"', false],
    [',', '"a"', false],
    ['"*"', '"a"', false],
    [null, '"a"', false],
  ])('compares If-None-Match %j with %s: %s', (header, etag, matches) => {
    expect(matchesEtag(header, etag)).toBe(matches);
  });
});

describe('etagOf', () => {
  it('returns a strong ETag for a body without clock fields', () => {
    const tag = etagOf(json({ a: 1 }));
    expect(tag).toMatch(/^"[A-Za-z0-9_-]{16}"$/);
    expect(etagOf(json({ a: 1 }))).toBe(tag);
    expect(etagOf(json({ a: 2 }))).not.toBe(tag);
  });

  it('returns a weak ETag that ignores the clock fields of a body', () => {
    const at = (now: number, state: string) => etagOf(jsonWithClock({ now, state }, ['now']));
    expect(at(1, 'open')).toMatch(/^W\/"[A-Za-z0-9_-]{16}"$/);
    expect(at(2, 'open')).toBe(at(1, 'open'));
    expect(at(2, 'closed')).not.toBe(at(1, 'open'));
  });

  it('keeps the ETag that a body provides and adds none to other bodies', () => {
    const raw: RawReply = { kind: 'raw', body: 'x', contentType: 'text/plain' };
    expect(etagOf(raw)).toBeNull();
    expect(etagOf({ ...raw, etag: '"mine"' })).toBe('"mine"');
    expect(etagOf({ ...json({ a: 1 }), etag: 'W/"mine"' })).toBe('W/"mine"');
  });
});

describe('jsonWithClock', () => {
  it('sends every field and excludes the clock from the ETag state', () => {
    const { text, state } = jsonWithClock({ active: true, seconds_remaining: 5, nested: { seconds_remaining: 1 } }, ['seconds_remaining']);
    expect(text).toBe('{"active":true,"seconds_remaining":5,"nested":{"seconds_remaining":1}}');
    expect(state).toBe('{"active":true,"nested":{"seconds_remaining":1}}');
  });
});

describe('digestOf', () => {
  it('returns the same digest for text and its UTF-8 bytes', () => {
    expect(digestOf('abc')).toBe('ungWv48Bz-pBQUDe');
    expect(digestOf(new TextEncoder().encode('abc'))).toBe('ungWv48Bz-pBQUDe');
  });
});
