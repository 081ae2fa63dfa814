import { z } from '@hono/zod-openapi';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { columnsOf, computedTable, listTable, nestedTable, type Row } from '../../../../src/platform/http/tables/table.ts';
import { cellText, csvHeader, csvRow, jsonLine, linesOf } from '../../../../src/platform/http/tables/table-reply.ts';
import { readCsv, readLeniently } from '../../../support/csv.ts';
import { hasPython, readWithPython } from './python-csv.ts';

const Inner = z.object({ depth: z.number(), minutes: z.number().nullable() });
const Item = z.object({
  name: z.string(),
  'odd,"key"\n': z.string().optional(),
  score: z.number().nullable(),
  isNew: z.boolean(),
  delve: Inner.optional(),
  best: z.union([Inner, z.null()]),
  tags: z.array(z.string()).readonly(),
  more: z.record(z.string(), z.unknown()),
});
const COLUMNS = columnsOf(Item);
const NAMES = [...['name', 'odd,"key"\n', 'score', 'isNew', 'delve.depth', 'delve.minutes', 'best.depth', 'best.minutes', 'tags', 'more']];

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.string({
    unit: fc.constantFrom(',', '"', '\r', '\n', '\t', '=', '+', '-', '@', "'", ';', '\u2028', ' ', 'a', 'é', '＝'),
    maxLength: 8,
  }),
);
const inner = fc.record({ depth: fc.integer(), minutes: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })) });
const row: fc.Arbitrary<Row> = fc.record(
  {
    name: text,
    'odd,"key"\n': text,
    score: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
    isNew: fc.boolean(),
    delve: inner,
    best: fc.option(inner),
    tags: fc.array(text, { maxLength: 3 }),
    more: fc.dictionary(text, fc.jsonValue(), { maxKeys: 2 }),
  },
  { requiredKeys: ['name', 'score', 'isNew', 'best', 'tags', 'more'] },
);

const fileOf = (rows: readonly Row[]) => csvHeader(COLUMNS) + rows.map((one) => csvRow(COLUMNS, one)).join('');

function cellsOf(one: Row): string[] {
  return COLUMNS.map(({ path }) =>
    cellText(path.reduce<unknown>((value, key) => (value as Row | null | undefined)?.[key], one as unknown)),
  );
}

describe('columnsOf', () => {
  it('flattens objects with dots, has one column per list or map, and follows the order of the schema', () => {
    expect(COLUMNS.map(({ name }) => name)).toEqual(NAMES);
  });
});

describe('cellText', () => {
  it.each<[unknown, string]>([
    [null, ''],
    [undefined, ''],
    ['', ''],
    [0, '0'],
    [-5, '-5'],
    [-1.25, '-1.25'],
    [1e21, '1e+21'],
    [true, 'true'],
    [false, 'false'],
    [[], '[]'],
    [['=1', 2, null], '["=1",2,null]'],
    [{ a: 1 }, '{"a":1}'],
    ['a=b', 'a=b'],
    ["'=1", "'=1"],
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t'=1"],
    ['\r=1', "'\r'=1"],
    ['\n=1', "'\n'=1"],
    ['＝1', "'＝1"],
    ['x;=1', "x;'=1"],
    ['x\t-1', "x\t'-1"],
    ['x\n"=1"', 'x\n"\'=1"'],
    ['x; 1', 'x; 1'],
    ['－1', "'－1"],
  ])('writes %j as %j', (value, cell) => {
    expect(cellText(value)).toBe(cell);
  });

  it('never starts a cell with a formula character unless the cell is a number', () => {
    fc.assert(fc.property(text, (value) => !/^[=+\-@\t\r\n]/.test(cellText(value))));
  });
});

describe('csvRow', () => {
  it.each([',', ';', '\t'])('leaves no formula at the start of a cell for readers that separate with %j', (separator) => {
    const columns = columnsOf(z.object({ a: z.string(), b: z.string(), c: z.array(z.string()) }));
    const row = fc.record({ a: text, b: text, c: fc.array(text, { maxLength: 2 }) });
    fc.assert(
      fc.property(fc.array(row, { maxLength: 3 }), (rows) => {
        const file = csvHeader(columns) + rows.map((one) => csvRow(columns, one)).join('');
        return readLeniently(file, separator).every((cell) => !/^[\t\r\n]*[=+\-@＝＋－＠]/.test(cell));
      }),
      { numRuns: 2000 },
    );
  });

  it('keeps the data of lists and maps when it escapes a formula in them', () => {
    expect(cellText(['x;=1'])).toBe(String.raw`["x;\u003d1"]`);
    fc.assert(
      fc.property(fc.array(text), (values) => {
        expect(JSON.parse(cellText(values))).toEqual(values);
      }),
    );
  });

  it('ends every line with CRLF and quotes separators of every spreadsheet', () => {
    const columns = columnsOf(z.object({ a: z.string(), b: z.string(), c: z.string(), d: z.string() }));
    expect(csvHeader(columns)).toBe('a,b,c,d\r\n');
    expect(csvRow(columns, { a: 'x;y z', b: 'x,y', c: 'say "hi"', d: 'one\ntwo' })).toBe('"x;y z","x,y","say ""hi""","one\ntwo"\r\n');
  });

  it('quotes an empty cell when it is the only column', () => {
    const columns = columnsOf(z.object({ a: z.string().nullable() }));
    expect(csvRow(columns, { a: null })).toBe('""\r\n');
  });

  it('writes files that a parser of the RFC 4180 grammar reads back', () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 5 }), (rows) => {
        expect(readCsv(fileOf(rows))).toEqual([NAMES, ...rows.map(cellsOf)]);
      }),
    );
  });

  it.skipIf(!hasPython)('writes files that the csv module of Python reads back (skipped without python3)', () => {
    const tables = fc.sample(fc.array(row, { maxLength: 5 }), { numRuns: 300, seed: 20260310 });
    const read = readWithPython(tables.map(fileOf));
    for (const [index, rows] of tables.entries()) expect(read[index]).toEqual([NAMES, ...rows.map(cellsOf)]);
  });
});

describe('jsonLine', () => {
  it('writes one line that parses to the row', () => {
    fc.assert(
      fc.property(row, (one) => {
        const line = jsonLine(one);
        expect(line.endsWith('\n')).toBe(true);
        expect(line.slice(0, -1)).not.toMatch(/[\r\n\u0085\u2028\u2029]/);
        expect(JSON.parse(line)).toEqual(JSON.parse(JSON.stringify(one)));
      }),
    );
  });

  it('escapes the line separators that JSON allows unescaped', () => {
    expect(jsonLine({ a: '\u2028\u2029\u0085' })).toBe('{"a":"\\u2028\\u2029\\u0085"}\n');
  });
});

const point = z.object({ t: z.number(), value: z.number() });
const line = z.object({ name: z.string(), points: z.array(point), rank: z.number() });
const Series = z.object({ id: z.number(), series: z.array(line) });
const series = {
  id: 1,
  series: [
    {
      name: 'Ana',
      points: [
        { t: 1, value: 10 },
        { t: 2, value: 20 },
      ],
      rank: 1,
    },
    { name: 'Bo', points: [], rank: 2 },
  ],
};
const linesIn = (table: Parameters<typeof linesOf>[1], format: 'csv' | 'jsonl') => [...linesOf(JSON.stringify(series), table, format)];

describe('linesOf', () => {
  it('writes the rows of a list in the body', () => {
    const table = listTable(Series, 'series');
    expect(linesIn(table, 'csv')).toEqual([
      'name,points,rank\r\n',
      'Ana,"[{""t"":1,""value"":10},{""t"":2,""value"":20}]",1\r\n',
      'Bo,[],2\r\n',
    ]);
    expect(linesIn(table, 'jsonl').map((one) => JSON.parse(one))).toEqual(series.series);
  });

  it('repeats the outer fields before each row of a nested list', () => {
    const table = nestedTable(Series, 'series', 'points');
    expect(linesIn(table, 'csv')).toEqual(['name,rank,t,value\r\n', 'Ana,1,1,10\r\n', 'Ana,1,2,20\r\n']);
    expect(linesIn(table, 'jsonl')).toEqual(['{"name":"Ana","rank":1,"t":1,"value":10}\n', '{"name":"Ana","rank":1,"t":2,"value":20}\n']);
  });

  it('writes computed rows, and only the header without rows', () => {
    const table = computedTable(Series, z.object({ id: z.number() }), 'body', ({ id }) => (id === 1 ? [] : [{ id }]));
    expect(linesIn(table, 'csv')).toEqual(['id\r\n']);
    expect(linesIn(table, 'jsonl')).toEqual([]);
  });
});
