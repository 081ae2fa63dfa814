import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkDump, milliEach, parseMarketDump, uuidTime } from '../../../src/areas/market/insert.domain.ts';
import { MAX_DUMP_LINE_BREAKS, MAX_DUMP_SEMICOLONS } from '../../../src/areas/market/market.data.ts';
import { EXAMPLE_LISTING } from '../../support/listings.ts';
import { expectValidDump, listingLine, mutated } from './dumps.ts';

const LINE = '5f0f8e80-6a1c-11ef-9a3e-01005161a8df;Sun Sap;Crafting;250;40000';
const parse = (text: string, max = 1000) => parseMarketDump(text, max);
const uuid = (index: number) => `${index.toString(16).padStart(8, '0')}-6a1c-11ef-9a3e-01005161a8df`;

describe('parseMarketDump', () => {
  it('parses one listing per line', () => {
    expect(parse(LINE)).toEqual({
      listings: [{ ...EXAMPLE_LISTING, createdAt: 1_725_385_555 }],
      dropped: [],
      droppedCount: 0,
      hiddenCharacters: 0,
    });
  });

  it.each([
    ['commas between', `${uuid(1)};A;T;1;1,${uuid(2)};B, the second;;2;3, ${uuid(3)};C;T;1;1`],
    [
      'other lines between',
      `done = true\r\n${uuid(1)};A;T;1;1\r\n# note; with; some; text\n\n x = ${uuid(2)};B;T;1;1 -- \r${uuid(3)};C;;1;1`,
    ],
    ['a byte order mark', `\ufeff${uuid(1)};A;T;1;1\n${uuid(2)};B;T;1;1\n${uuid(3)};C;T;1;1`],
    ['space around the texts', `${uuid(1)}; A ; T ;1;1\n${uuid(2)};B;   ;1;1\n${uuid(3)};C;T;0001;000000001`],
  ])('accepts %s', (_title, text) => {
    const { listings, droppedCount } = parse(text);
    expect(listings.map(({ id }) => id)).toEqual([uuid(1), uuid(2), uuid(3)]);
    expect(listings.map(({ name }) => name[0])).toEqual(['A', 'B', 'C']);
    expect(droppedCount).toBe(0);
  });

  it('accepts a missing type', () => {
    expect(parse(`${uuid(1)};A;;1;1\n${uuid(2)};A;  ;1;1\n${uuid(3)};A; x ;1;1`).listings.map(({ type }) => type)).toEqual([
      null,
      null,
      'x',
    ]);
  });

  it('accepts ids in either case and keeps the first of duplicates', () => {
    const { listings, dropped } = parse(`${LINE.toUpperCase()}\n${LINE}`);
    expect(listings).toHaveLength(1);
    expect(listings[0]).toMatchObject({ id: LINE.slice(0, 36), name: 'SUN SAP' });
    expect(dropped).toEqual([{ line: 2, reason: 'repeated' }]);
  });

  it.each([
    [`${uuid(1)};A;T;0;5`, 'zero_stack'],
    [`${uuid(1)};A;T;5;0`, 'zero_price'],
    [`${uuid(1)};A;T;5;50000001`, 'price_too_high'],
    [`${uuid(1)};A;T;5;999999999`, 'price_too_high'],
    [`${uuid(1)};A;T;5;1000000000`, 'malformed'],
    [`${uuid(1)};A;T;10000;5`, 'malformed'],
    [`${uuid(1)};A;T;-1;5`, 'malformed'],
    [`${uuid(1)};A;T;1.5;5`, 'malformed'],
    [`${uuid(1)};A;T;1;5.5`, 'malformed'],
    [`${uuid(1)};A;T;1;5e3`, 'malformed'],
    [`${uuid(1)};A;T;１;5`, 'malformed'],
    [`${uuid(1)}0;A;T;1;5`, 'malformed'],
    [`0${uuid(1)};A;T;1;5`, 'malformed'],
    [`${uuid(1).slice(1)};A;T;1;5`, 'malformed'],
    [`${'-'.repeat(36)};A;T;1;5`, 'bad_uuid'],
    [`${'0'.repeat(36)};A;T;1;5`, 'bad_uuid'],
    [`${uuid(1)};;T;1;5`, 'malformed'],
    [`${uuid(1)};  ;T;1;5`, 'bad_text'],
    [`${uuid(1)};A\u0000B;T;1;5`, 'bad_text'],
    [`${uuid(1)};A;${'T'.repeat(201)};1;5`, 'bad_text'],
  ])('drops %s: %s', (line, reason) => {
    expect(parse(`${LINE}\n${line}\n`)).toMatchObject({ listings: [{ name: 'Sun Sap' }], dropped: [{ line: 2, reason }], droppedCount: 1 });
  });

  it('removes characters that change the direction of text and counts them', () => {
    expect(parse(`${uuid(1)};Sun\u202e Sap\u2069;T;1;5`)).toMatchObject({
      listings: [{ name: 'Sun Sap' }],
      droppedCount: 0,
      hiddenCharacters: 2,
    });
  });

  it('accepts the maximum price, stack and length of texts', () => {
    expect(parse(`${uuid(1)};A;T;9999;50000000`).listings[0]).toMatchObject({ stack: 9999, price: 50_000_000 });
    const longest = 'N'.repeat(200);
    expect(parse(`${uuid(1)};${longest};${longest};1;5`).listings[0]).toMatchObject({ name: longest, type: longest });
  });

  it('limits the number of listings and of reported drops', () => {
    const text = Array.from({ length: 200 }, (_, index) => listingLine({ id: uuid(index) })).join('\n');
    const { listings, dropped, droppedCount } = parse(text, 100);
    expect([listings.length, dropped.length, droppedCount]).toEqual([100, 50, 100]);
    expect(dropped[0]).toEqual({ line: 101, reason: 'too_many' });
  });

  it('runs in linear time', () => {
    const nasty = [
      `${LINE.slice(0, 36)};`.repeat(30_000),
      '-'.repeat(1_000_000),
      ';'.repeat(1_000_000),
      `${uuid(1)};${'a'.repeat(1_000_000)}`,
    ];
    for (const text of nasty) expect(parse(text).listings).toEqual([]);
  });

  it('never throws on damaged input', () => {
    fc.assert(
      fc.property(mutated, (text) => expectValidDump(text)),
      { numRuns: 500, seed: 8 },
    );
  });
});

describe('checkDump', () => {
  const bytesOf = (character: string, count: number) => new TextEncoder().encode(character.repeat(count));

  it.each([
    ['line feeds', '\n', MAX_DUMP_LINE_BREAKS],
    ['carriage returns', '\r', MAX_DUMP_LINE_BREAKS],
    ['semicolons', ';', MAX_DUMP_SEMICOLONS],
  ])('accepts the maximum number of %s and rejects one more', (_, character, max) => {
    expect(() => checkDump(bytesOf(character, max))).not.toThrow();
    expect(() => checkDump(bytesOf(character, max + 1))).toThrow();
  });
});

describe('uuidTime', () => {
  it.each([
    ['5f0f8e80-6a1c-11ef-9a3e-01005161a8df', 1_725_385_555],
    ['00000000-0000-0000-0000-000000000000', -12_219_292_800],
    ['00000000-0000-1000-0000-000000000000', -12_219_292_800],
    ['00000001-0000-1000-0000-000000000000', -12_219_292_800],
    ['13814000-1dd2-11b2-8000-000000000000', 0],
    ['13813fff-1dd2-11b2-8000-000000000000', -1],
    ['ffffffff-ffff-ffff-ffff-ffffffffffff', 103_072_857_660],
  ])('reads %s as %i', (id, seconds) => {
    expect(uuidTime(id)).toBe(seconds);
  });
});

describe('milliEach', () => {
  it.each([
    [40_000, 250, 160_000],
    [1, 3, 333],
    [2, 3, 667],
    [1, 9999, 0],
    [1, 16, 62],
    [3, 16, 188],
    [50_000_000, 1, 50_000_000_000],
  ])('for the price %i and the stack size %i returns %i thousandths', (price, stack, milli) => {
    expect(milliEach(price, stack)).toBe(milli);
  });
});
