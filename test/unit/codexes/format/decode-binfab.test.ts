import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BinFile, BinObject, BinValue, PackedType } from '../../../../src/areas/codexes/format/binfab.domain.ts';
import { WIRE } from '../../../../src/areas/codexes/format/binfab.domain.ts';
import { decodeBinfab } from '../../../../src/areas/codexes/format/decode-binfab.domain.ts';
import { encodeBinfab, wireOf } from '../../../support/codex/encode-binfab.ts';
import { bytesOf, toHex } from '../../../support/codex/hex.ts';
import { array, bare, component, entity, fixed, float, int, object, text, withArrayForm } from '../../../support/codex/tree.ts';
import { ALLY_HEX, TEXTS_HEX } from '../examples.ts';

/** Tree with all offsets set to zero, for comparison with the input of the encoder. */
function withoutPlaces(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, item) => {
      if (key === 'at') return 0;
      if (typeof item === 'bigint') return `${item}n`;
      if (item instanceof Uint8Array) return toHex(item);
      if (typeof item === 'number' && !Number.isFinite(item)) return `${item}`;
      return Object.is(item, -0) ? '-0' : item;
    }),
  );
}

function expectRoundTrip(file: BinFile): void {
  expect(withoutPlaces(decodeBinfab(encodeBinfab(file)))).toEqual(withoutPlaces(file));
}

const ALLY = withArrayForm('opened', () =>
  entity(
    component(49, { 0: int(3) }, { 1: text('$x_name'), 2: text('Pets'), 5: text('$x_description'), 14: int(0) }),
    component(150, {}, { 3: array([object({ 0: int(15), 1: int(1), 2: float(6.5), 3: text('as'), 4: fixed() })]) }),
  ),
);

describe('decodeBinfab', () => {
  it('decodes the documented ally of 78 bytes, which encodes to the same bytes', () => {
    expect(toHex(encodeBinfab(ALLY))).toBe(ALLY_HEX);
    expect(withoutPlaces(decodeBinfab(bytesOf(ALLY_HEX)))).toEqual(withoutPlaces(ALLY));
  });

  it('decodes the documented language table, which encodes to the same bytes', () => {
    const rows = [object({ 0: text('$x_name'), 1: text('Bat') }), object({ 0: text('$x_description'), 1: text('Sleeps.') })];
    const table = withArrayForm('opened', () => bare({ 0: array(rows) }));
    expect(toHex(encodeBinfab(table))).toBe(TEXTS_HEX);
    expect(withoutPlaces(decodeBinfab(bytesOf(TEXTS_HEX)))).toEqual(withoutPlaces(table));
  });

  it('returns field offsets', () => {
    const file = decodeBinfab(bytesOf(ALLY_HEX));
    const modifiers = file?.kind === 'entity' ? file.components[1]?.object?.sections[1] : undefined;
    expect(modifiers?.[0]?.at).toBe(47);
  });
});

describe('decodeBinfab of values', () => {
  it('decodes objects with several sections, nested and in arrays', () => {
    expectRoundTrip(bare({}, {}, { 1: object({ 0: int(1) }, {}) }));
    expectRoundTrip(bare({ 0: array([object({}, { 0: int(5) }), object({}, { 0: int(6) })]), 1: text('x') }));
  });

  it('decodes every kind of map', () => {
    for (const keys of ['int', 'long', 'text'] as const) {
      const key = (index: number) => (keys === 'text' ? `key ${index}` : index);
      const entries = [
        { op: 1, key: key(3), value: object({ 0: int(1) }) },
        { op: 0, key: key(4), value: null },
        { op: 3, key: key(5), value: null },
        { op: 2, key: key(9), value: object({ 0: int(2) }) },
      ];
      expectRoundTrip(bare({ 2: { kind: 'map', keys, element: WIRE.object, count: 2, entries } }));
    }
  });

  it('decodes the end of a map with an empty key', () => {
    expect(decodeBinfab(bytesOf('7e2e 0000 010178 1e 04 1e'.replaceAll(' ', '')))).toBeNull();
    const bytes = bytesOf('7e2e 0000 010178 1e 0400 1e'.replaceAll(' ', ''));
    expect(decodeBinfab(bytes)).toMatchObject({
      object: { sections: [[{ value: { keys: 'text', entries: [{ op: 0 }, { op: 1, key: 'x', value: { sections: [[]] } }] } }]] },
    });
  });

  it('decodes arrays of objects with two sections beyond the limit of alternatives', () => {
    const rows = Array.from({ length: 200 }, (_, index) => object({ 0: text(`plant/flower_${index}`) }, { 0: text('model'), 6: float(1) }));
    expectRoundTrip(bare({ 0: int(63), 1: array(rows) }));
  });

  it('decodes rows whose slot and content also read as a field of the row before', () => {
    const rows = Array.from({ length: 60 }, (_, index) => object({ 0: int(index), 1: int(index + 3) }));
    expectRoundTrip(bare({ 0: array(rows) }));
  });

  it('decodes 2,000 levels of nesting', () => {
    let inner: BinObject = object({ 0: int(1) });
    for (let level = 0; level < 2000; level += 1) inner = object({ 0: inner });
    const bytes = encodeBinfab({ kind: 'object', object: inner });
    let depth = 0;
    const file = decodeBinfab(bytes);
    for (let value: BinValue | undefined = file?.kind === 'object' ? file.object : undefined; value?.kind === 'object'; depth += 1) {
      value = value.sections[0]?.[0]?.value;
    }
    expect(depth).toBe(2001);
  });

  it('decodes integers of up to 64 bits', () => {
    for (const value of [
      0,
      1,
      -1,
      63,
      64,
      -64,
      -65,
      2 ** 31,
      -(2 ** 31),
      2 ** 48,
      2 ** 53 - 1,
      -(2 ** 53 - 1),
      2n ** 63n - 1n,
      -(2n ** 63n),
    ]) {
      expectRoundTrip(bare({ 0: { kind: 'signed', value } }));
    }
    expectRoundTrip(bare({ 0: { kind: 'unsigned', value: 2n ** 64n - 1n } }));
  });
});

describe('decodeBinfab of invalid files', () => {
  it.each(['', '00', 'ff', '0880', '02004b1e'])('returns null for the bytes "%s"', (hex) => {
    expect(decodeBinfab(bytesOf(hex))).toBeNull();
  });

  it('decodes the other components if one is damaged', () => {
    const file = decodeBinfab(bytesOf('020009 620300061e 640200ff'.replaceAll(' ', '')));
    expect(file).toMatchObject({
      kind: 'entity',
      components: [
        { id: 49, object: { kind: 'object' } },
        { id: 50, object: null },
      ],
    });
  });

  it('returns null if a field index repeats after another field', () => {
    expect(decodeBinfab(bytesOf('0002100200021e'))).toBeNull();
    expect(decodeBinfab(bytesOf('0002000210021e'))).not.toBeNull();
  });

  it('terminates within the step limit', () => {
    const bytes = new Uint8Array(200_000).fill(0x1e);
    const nested = new Uint8Array(100_000).fill(0x2e);
    expect(decodeBinfab(bytes)).toBeNull();
    expect(decodeBinfab(nested)).toBeNull();
  });
});

/** Fixed seed: the same trees in every run. */
const SEED = 11;

const wholes = fc.oneof(fc.integer(), fc.maxSafeInteger(), fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n - 1n }));
const unsigned = fc.oneof(fc.nat(), fc.bigInt({ min: 2n ** 53n, max: 2n ** 64n - 1n }));
const floats = fc.float({ noNaN: true });
const texts = fc.string({ maxLength: 20, unit: fc.constantFrom(...'abcxyz_$/ é日') });

const packed = fc.oneof(
  fc.record({ element: fc.constant<PackedType>(WIRE.signed), values: fc.array(wholes, { maxLength: 5 }) }),
  fc.record({ element: fc.constant<PackedType>(WIRE.unsigned), values: fc.array(unsigned, { maxLength: 5 }) }),
  fc.record({ element: fc.constant<PackedType>(WIRE.float), values: fc.array(floats, { maxLength: 5 }) }),
);

const scalars: fc.Arbitrary<BinValue> = fc.oneof(
  wholes.map((value): BinValue => ({ kind: 'signed', value })),
  unsigned.map((value): BinValue => ({ kind: 'unsigned', value })),
  floats.map((value): BinValue => ({ kind: 'float', value })),
  fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((value): BinValue => ({ kind: 'fixed', value })),
  texts.map((value): BinValue => ({ kind: 'text', value })),
  packed.map(({ element, values }): BinValue => ({ kind: 'packed', element, values })),
  fc.uint8Array({ maxLength: 12 }).map((bytes): BinValue => ({ kind: 'custom', bytes })),
);

const { value: values } = fc.letrec<{ value: BinValue; object: BinObject }>((tie) => ({
  object: fc
    .array(fc.uniqueArray(fc.tuple(fc.integer({ min: 0, max: 40 }), tie('value')), { maxLength: 4, selector: ([index]) => index }), {
      minLength: 1,
      maxLength: 2,
    })
    .map((sections) => ({
      kind: 'object' as const,
      sections: sections.map((fields) => [...fields].sort(([a], [b]) => a - b).map(([index, value]) => ({ index, value, at: 0 }))),
    })),
  value: fc.oneof(
    { maxDepth: 3 },
    scalars,
    tie('object'),
    fc.array(tie('object'), { maxLength: 4 }).map((items) => array(items)),
    fc.array(texts, { maxLength: 4 }).map((items) => array(items.map(text), text(''))),
  ),
}));

describe('decodeBinfab of encoded trees', () => {
  it('returns the same tree if every object has one section', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(200), scalars), { maxLength: 6 }), (fields) => {
        const sorted = [...new Map(fields)].sort(([a], [b]) => a - b);
        expectRoundTrip(
          entity({ id: 49, object: { kind: 'object', sections: [sorted.map(([index, value]) => ({ index, value, at: 0 }))] } }),
        );
      }),
      { numRuns: 300, seed: SEED },
    );
  });

  /** Of two readings of a tree, the decoder selects one with at most as many sections, which encodes to the same bytes. */
  it('returns a tree that encodes to the same bytes', () => {
    fc.assert(
      fc.property(values, (value) => {
        const bytes = encodeBinfab(bare({ 0: value }));
        const file = decodeBinfab(bytes);
        if (file?.kind === 'object') expect(toHex(encodeBinfab(file))).toBe(toHex(bytes));
        else expect(file?.kind).toBe('entity');
        expect(wireOf(value)).toBeTypeOf('number');
      }),
      { numRuns: 300, seed: SEED },
    );
  });
});
