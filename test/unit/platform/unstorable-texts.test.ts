import { describe, expect, it } from 'vitest';
import { findUnstorableTexts } from '../../../src/platform/http/pipeline/validation.ts';

const locsIn = (input: unknown) => findUnstorableTexts('body', input).map(({ loc }) => loc);

describe('findUnstorableTexts', () => {
  it('finds nothing in text that UTF-8 can encode', () => {
    expect(
      locsIn({ a: ['', ' ', '\t\r\n\u0001\u007f', '\ufeff', '\uffff', 'İ👩‍👩‍👧𝟙'], b: 'a'.repeat(100_000), c: 1, d: null, e: true }),
    ).toEqual([]);
  });

  it.each(['\0', 'a\0b', '\ud800', 'a\udfff', '\udfff\ud800', '😀\ud83d'])('reports %j', (text) => {
    expect(locsIn({ a: text, b: [text], c: { d: text } })).toEqual([
      ['body', 'a'],
      ['body', 'b', 0],
      ['body', 'c', 'd'],
    ]);
  });

  it('reports a field name', () => {
    expect(locsIn({ a: { 'b\0': 1 } })).toEqual([['body', 'a', 'b\0']]);
  });

  it('checks objects without a prototype', () => {
    expect(locsIn(Object.assign(Object.create(null), { a: '\0' }))).toEqual([['body', 'a']]);
  });

  it('lists at most 20 problems', () => {
    expect(locsIn(Array(1000).fill('\0'))).toHaveLength(20);
  });

  it('handles nesting deeper than the call stack and names the first 16 levels', () => {
    let value: unknown = '\0';
    for (let depth = 0; depth < 200_000; depth += 1) value = [value];
    expect(locsIn(value)[0]).toHaveLength(17);
  });
});
