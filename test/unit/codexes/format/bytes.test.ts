import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fileBytes, scanRealTexts, scanTexts } from '../../../../src/areas/codexes/format/bytes.domain.ts';
import { parseLanguageTable } from '../../../../src/areas/codexes/parse/parse-file.domain.ts';
import { bytesOf, latin1Bytes } from '../../../support/codex/hex.ts';
import { encodeLanguageTable } from '../../../support/codex/tables.ts';
import { ALLY_HEX, TEXTS_HEX } from '../examples.ts';

const textsOf = (latin1: string) => [...scanTexts(fileBytes(latin1Bytes(latin1)))].map(({ at, field, text }) => [at, field, text]);
const realTextsOf = (latin1: string) => [...scanRealTexts(fileBytes(latin1Bytes(latin1)))].map(({ text }) => text);

describe('scanTexts', () => {
  it('finds the texts of the documented example', () => {
    const found = [...scanTexts(fileBytes(bytesOf(ALLY_HEX)))];
    expect(found.map(({ at, field, text }) => [at, field, text])).toEqual([
      [8, 1, '$x_name'],
      [17, 2, 'Pets'],
      [23, 5, '$x_description'],
      [62, 3, 'as'],
    ]);
  });

  it('accepts lengths of 2 to 512 printable bytes within the file', () => {
    expect(textsOf('\x08\x01a\x08\x02ab')).toEqual([[3, 0, 'ab']]);
    expect(textsOf(`\x08\x80\x04${'.'.repeat(512)}`)).toHaveLength(1);
    expect(textsOf(`\x08\x81\x04${'.'.repeat(513)}`)).toEqual([]);
    expect(textsOf('\x08\x03a\x1fb')).toEqual([]);
    expect(textsOf('\x08\x04abc')).toEqual([]);
  });

  it('finds a text after an amount of 100, which has the form of a text length', () => {
    const product = 'item/crafting/product_of_32_long';
    const file = `\x10\xc8\x01\x08\x20${product}`;
    expect(textsOf(file)).toEqual([
      [1, 12, ' item/cr'],
      [3, 0, product],
    ]);
    expect(realTextsOf(file)).toEqual([' item/cr']);
  });
});

describe('scanRealTexts', () => {
  it('skips texts inside another text', () => {
    const inner = '(\x22aaaa';
    const outer = `\x08\x0e..(\x22........`.replace('\x22', '"');
    expect(textsOf(inner)).toEqual([]);
    expect(realTextsOf(`${outer}${'.'.repeat(40)}`)).toEqual(['..("........'.padEnd(14, '.')]);
    expect(textsOf(`${outer}${'.'.repeat(40)}`)).toHaveLength(2);
  });
});

describe('parseLanguageTable', () => {
  const parse = (latin1: string) => parseLanguageTable(fileBytes(latin1Bytes(latin1)));
  const one = (key: string, value: string) => parse(`${key}\x18${String.fromCharCode(value.length)}${value}`);

  it('reads the documented example', () => {
    expect(parseLanguageTable(fileBytes(bytesOf(TEXTS_HEX)))).toEqual([
      ['$x_name', 'Bat'],
      ['$x_description', 'Sleeps.'],
    ]);
  });

  it('reads keys by their length, whatever their characters', () => {
    const pairs = [
      ['$loot_hat_owl[Kit B, Jo]_name', 'Owl'],
      ['$Event_Sale_Dark April_name', 'Spring Offers!'],
      ['$bottle_rank5+_name', 'Bottle'],
      ['tome_of_jade_name', 'Tome'],
    ] as const;
    expect(parseLanguageTable(fileBytes(encodeLanguageTable(pairs)))).toEqual(pairs);
  });

  it.each([
    ['\\$5 off', '$5 off', false],
    ['a\\nb', 'a\nb', true],
    ['``  Bat ``', 'Bat', true],
    ['\\"Bat\\"', '"Bat\\"', true],
    ['$other_key', '', false],
    ['  ', '', false],
  ])('reads the value %j', (value, cleaned, isKept) => {
    expect(one('$k', value)).toEqual(isKept ? [['$k', cleaned]] : []);
  });

  it('collapses several leading $ of a key to one', () => {
    expect(one('$$$k', 'v')).toEqual([['$k', 'v']]);
  });

  it('skips a key without a value and a truncated key', () => {
    expect(parse('$a\x10\x02hi$b\x18\x02hi$c\x18\x7fhi')).toEqual([['$b', 'hi']]);
  });

  it('removes invalid UTF-8', () => {
    expect(parse('$k\x18\x05a\xc3\xa9\xffb')).toEqual([['$k', 'aéb']]);
  });

  it('parses a file of $ only in linear time', () => {
    expect(parse('$'.repeat(300_000))).toEqual([]);
  });

  it('returns the texts of an encoded table', () => {
    const keys = fc.stringMatching(/^\$[A-Za-z0-9_]{1,20}$/);
    const values = fc.string({ unit: fc.constantFrom(...'abc ABC.,!é日0123'), minLength: 1, maxLength: 40 }).map((text) => `x${text}y`);
    fc.assert(
      fc.property(fc.array(fc.tuple(keys, values), { maxLength: 20 }), (pairs) => {
        expect(parseLanguageTable(fileBytes(encodeLanguageTable(pairs)))).toEqual(pairs);
      }),
      { numRuns: 100, seed: 7 },
    );
  });
});
