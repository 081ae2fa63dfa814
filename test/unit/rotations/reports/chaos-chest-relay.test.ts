import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseChaosChestRelay } from '../../../../src/areas/rotations/reports/chaos-relay.upstream.ts';

const source = {
  name: 'Golden Dragon',
  identifier: 'collections\\mount\\golden_dragon',
  blueprint: 'C_MT_Golden.Blueprint',
  start: 1_773_140_400,
  end: '1773745200',
};
const item = {
  name: 'Golden Dragon',
  identifier: 'collections/mount/golden_dragon',
  blueprint: 'c_mt_golden.blueprint',
  startsAt: 1_773_140_400,
  endsAt: 1_773_745_200,
};

describe('parseChaosChestRelay', () => {
  it.each([
    ['an object', source],
    ['an object under data', { data: source }],
    ['a list', [source, { name: 'Second' }]],
    ['a list under data', { status: 'ok', data: [source] }],
    ['a list of an object under data', [{ data: source }]],
    ['an object that happens to have data of its own', { ...source, data: { name: 'Other' } }],
  ])('parses %s', (_shape, payload) => {
    expect(parseChaosChestRelay(payload)).toEqual(item);
  });

  it.each([
    null,
    undefined,
    'Golden Dragon',
    42,
    true,
    [],
    [[]],
    {},
    { data: null },
    { data: [] },
    { data: 'text' },
    { ...source, name: undefined },
    { ...source, name: null },
    { ...source, name: '' },
    { ...source, name: '   ' },
    { ...source, name: 7 },
    { ...source, name: ['Golden Dragon'] },
    [null, source],
  ])('returns no item for %j', (payload) => {
    expect(parseChaosChestRelay(payload)).toBeNull();
  });

  it('trims the name and returns null for invalid texts', () => {
    expect(parseChaosChestRelay({ name: ' Wings ' })).toEqual({
      name: 'Wings',
      identifier: null,
      blueprint: null,
      startsAt: null,
      endsAt: null,
    });
    expect(parseChaosChestRelay({ ...source, identifier: 5, blueprint: '' })).toMatchObject({ identifier: null, blueprint: null });
  });

  it.each([
    [0, 0],
    ['0', 0],
    [12.9, 12],
    [' 12 ', 12],
    ['12.5', 12],
    ['-3', -3],
    ['', null],
    [' ', null],
    ['0x10', null],
    ['1e3', null],
    ['soon', null],
    ['2026-03-10', null],
    [null, null],
    [undefined, null],
    [true, null],
    [[5], null],
    [{}, null],
    [Number.NaN, null],
    [Number.POSITIVE_INFINITY, null],
    [1e300, null],
    ['9'.repeat(40), null],
  ])('parses the time %j as %j', (value, expected) => {
    expect(parseChaosChestRelay({ name: 'Wings', start: value, end: value })).toMatchObject({ startsAt: expected, endsAt: expected });
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true }), (payload) => {
        for (const wrapped of [payload, { data: payload }, { name: 'Wings', start: payload, end: payload, identifier: payload }]) {
          const parsed = parseChaosChestRelay(wrapped);
          if (parsed === null) continue;
          expect(parsed.name).not.toBe('');
          for (const instant of [parsed.startsAt, parsed.endsAt]) expect(instant === null || Number.isSafeInteger(instant)).toBe(true);
        }
      }),
    );
  });
});
