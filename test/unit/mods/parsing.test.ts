import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Base64Writer } from '../../../src/areas/mods/read-json.service.ts';
import { decodeBase64InPlace } from '../../../src/platform/kit/values/base64.ts';
import { JsonReader, MalformedJson } from '../../../src/platform/kit/values/json-reader.ts';
import { anyCodePoint } from '../../support/code-points.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** Reads a value with `JsonReader` and returns it in the form of `JSON.parse`. */
function parse(bytes: Uint8Array): unknown {
  const reader = new JsonReader(bytes);
  const value = valueIn(reader);
  reader.end();
  return value;
}

function valueIn(reader: JsonReader): unknown {
  switch (reader.kind()) {
    case 'object': {
      const members: [string, unknown][] = [];
      for (const name of reader.members()) members.push([name, valueIn(reader)]);
      return Object.fromEntries(members);
    }
    case 'array': {
      const items: unknown[] = [];
      for (const _index of reader.items()) items.push(valueIn(reader));
      return items;
    }
    case 'string': {
      const plain = reader.plainString();
      return plain ? new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(plain) : reader.string();
    }
    case 'number':
      return reader.number();
    default:
      reader.skip();
      return 'literal';
  }
}

function isAccepted(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof MalformedJson) return false;
    throw error;
  }
}

/** `JSON.parse` with the replaced literals of `valueIn`. */
const expected = (text: string) => JSON.parse(text, (_name, value) => (value === null || typeof value === 'boolean' ? 'literal' : value));

describe('JsonReader', () => {
  it('agrees with JSON.parse on valid input', () => {
    const json = fc.oneof(
      fc.json({ maxDepth: 4, stringUnit: anyCodePoint }),
      fc.json().map((text) => JSON.stringify(JSON.parse(text), null, '\t')),
    );
    fc.assert(
      fc.property(json, (text) => {
        // Lone surrogates have no UTF-8 encoding.
        fc.pre(text.isWellFormed());
        expect(parse(bytesOf(text))).toEqual(expected(text));
      }),
      { numRuns: 500, seed: 1 },
    );
  });

  it('rejects all input that JSON.parse rejects', () => {
    const spoilt = fc.tuple(
      fc.json({ maxDepth: 3 }),
      fc.nat(),
      fc.constantFrom('', ',', '"', '\\', '{', '}', '[', ']', '0', 'u', '-', '.', '\n', 'e', ':'),
    );
    fc.assert(
      fc.property(spoilt, fc.boolean(), ([text, place, character], isReplaced) => {
        const at = place % (text.length + 1);
        const changed = (text.slice(0, at) + character + text.slice(at + (isReplaced ? 1 : 0))).toWellFormed();
        expect(
          isAccepted(() => parse(bytesOf(changed))),
          changed,
        ).toBe(isAccepted(() => JSON.parse(changed)));
      }),
      { numRuns: 3000, seed: 2 },
    );
  });

  it.each([
    '',
    ' ',
    '{',
    '}',
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
    '{,}',
    '[1,]',
    '[,1]',
    '01',
    '+1',
    '.5',
    '1.',
    '1e',
    '-',
    'nul',
    'NaN',
    '"',
    '"\\x"',
    '"\\u12"',
    '"\t"',
    '1 2',
    "'a'",
    '{"a" 1}',
    '{1:2}',
    '\u00a01',
    'undefined',
  ])('rejects %j', (text) => {
    expect(() => parse(bytesOf(text))).toThrow(MalformedJson);
    expect(() => JSON.parse(text)).toThrow();
  });

  it('accepts a BOM and rejects invalid UTF-8', () => {
    expect(parse(bytesOf('\ufeff{"a":[1]}'))).toEqual({ a: [1] });
    for (const bytes of [
      [0x22, 0xff, 0x22],
      [0x22, 0xed, 0xa0, 0x80, 0x22],
      [0x22, 0xc0, 0xaf, 0x22],
      [0x22, 0xc3],
    ]) {
      expect(() => parse(Uint8Array.from(bytes))).toThrow(MalformedJson);
    }
  });

  it('skips any value up to the nesting limit', () => {
    const reader = new JsonReader(bytesOf(`[{"a":[1,{"b":"\\""}],"c":null},${'['.repeat(100)}${']'.repeat(100)}] `));
    reader.skip();
    reader.end();
    for (const text of ['['.repeat(1_000_000), '{"a":'.repeat(100_000)])
      expect(() => new JsonReader(bytesOf(text)).skip()).toThrow(MalformedJson);
  });
});

describe('base64', () => {
  it('is decoded in place', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (content) => {
        const text = bytesOf(Buffer.from(content).toString('base64'));
        const decoded = decodeBase64InPlace(text);
        expect(decoded).toEqual(content);
        expect(decoded?.buffer).toBe(text.buffer);
      }),
    );
  });

  it('is encoded from chunks of any length', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 9 }), { maxLength: 6 }), (pieces) => {
        const writer = new Base64Writer();
        const out = new Uint8Array(100);
        const end = pieces.reduce((at, piece) => writer.write(piece, out, at), 0);
        const text = new TextDecoder().decode(out.subarray(0, writer.end(out, end)));
        expect(text).toBe(Buffer.concat(pieces).toString('base64'));
        expect(writer.end(out, 0)).toBe(0);
      }),
    );
  });

  it.each([
    'A',
    'AA',
    'AAA',
    'AAAAA',
    'AA==AAAA',
    'A===',
    '====',
    '=AAA',
    'AA=A',
    'AAA=AAAA',
    'AB==',
    'AAB=',
    'AA-_',
    'AA\nA',
    'AAA ',
    ' AAA',
    'AA\u0000A',
    'ÀAA',
    'AAA\u007f',
  ])('rejects %j', (text) => expect(decodeBase64InPlace(bytesOf(text))).toBeNull());
});
