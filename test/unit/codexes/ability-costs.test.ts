import { describe, expect, it } from 'vitest';
import { decodeBinfab } from '../../../src/areas/codexes/format/decode-binfab.domain.ts';
import { parseAbilityCost } from '../../../src/areas/codexes/parse/ability-costs.domain.ts';
import { encodeBinfab } from '../../support/codex/encode-binfab.ts';
import { component, entity, fixed, float, int } from '../../support/codex/tree.ts';

const double = (value: number) => fixed(new BigUint64Array(Float64Array.of(value).buffer)[0]);
const costOf = (...parts: Parameters<typeof component>[]) =>
  parseAbilityCost(decodeBinfab(encodeBinfab(entity(...parts.map((part) => component(...part))))));

describe('parseAbilityCost', () => {
  it('reads energy as an integer or a float, and the cooldown as a double', () => {
    expect(costOf([54, {}, { 5: int(35), 23: double(2) }])).toEqual({ energy: 35, cooldown: 2 });
    expect(costOf([57, {}, { 11: float(32.5), 16: double(1.4) }])).toEqual({ energy: 32.5, cooldown: 1.4 });
    expect(costOf([135, {}, { 3: double(60) }])).toEqual({ cooldown: 60 });
  });

  it('is 0 for a missing field, and absent without a component that tells', () => {
    expect(costOf([60, {}, { 3: int(1) }])).toEqual({ energy: 0, cooldown: 0 });
    expect(costOf([12, {}, { 5: int(35) }])).toEqual({});
    expect(parseAbilityCost(null)).toEqual({});
  });

  it('ignores a value that cannot be a cost, and takes the first of several components', () => {
    expect(costOf([100, {}, { 8: int(-13), 16: double(15) }])).toEqual({ cooldown: 15 });
    expect(costOf([54, {}, { 5: int(1), 23: double(Number.NaN) }], [57, {}, { 11: float(2), 16: double(3) }])).toEqual({
      energy: 1,
      cooldown: 3,
    });
  });
});
