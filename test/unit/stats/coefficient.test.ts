import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CoefficientInput, coefficientOf } from '../../../src/game/coefficient.domain.ts';
import { InputError } from '../../../src/platform/kit/errors/input-error.ts';

const kindOf = (input: CoefficientInput) => {
  try {
    coefficientOf(input);
    return 'fine';
  } catch (error) {
    return error instanceof InputError ? `${error.kind} ${error.path.join('.')}` : 'thrown';
  }
};

describe('coefficientOf', () => {
  it('is exact for large damage', () => {
    expect(coefficientOf({ magic_damage: 75_000_000, critical_damage: 6245.4 }).coefficient).toBe(4_759_050_000);
  });

  it.each<[CoefficientInput, number, 'physical' | 'magic']>([
    [{ physical_damage: 200, critical_damage: 15 }, 230, 'physical'],
    [{ physical_damage: 100, magic_damage: 250.5, critical_damage: 100 }, 501, 'magic'],
    [{ physical_damage: 250, magic_damage: 250, critical_damage: 0 }, 250, 'physical'],
    [{ physical_damage: null, magic_damage: 10, critical_damage: 0 }, 10, 'magic'],
    [{ physical_damage: 0, magic_damage: null, critical_damage: 50 }, 0, 'physical'],
    [{ physical_damage: 904434.24, critical_damage: 5093.3 }, 46969983, 'physical'],
  ])('returns $1 for $0 with $2 damage', (input, coefficient, used) => {
    expect(coefficientOf(input)).toEqual({
      coefficient,
      damage_used: used,
      formula: 'floor(max(physical_damage, magic_damage) * (1 + critical_damage / 100))',
    });
  });

  it('returns the integer part of the exact product', () => {
    const cents = fc.integer({ min: 0, max: 100_000_000 });
    fc.assert(
      fc.property(cents, fc.integer({ min: 0, max: 1_000_000 }), (damage, critical) => {
        const exact = (BigInt(damage) * BigInt(10_000 + critical)) / 1_000_000n;
        expect(coefficientOf({ magic_damage: damage / 100, critical_damage: critical / 100 }).coefficient).toBe(Number(exact));
      }),
      { numRuns: 2000 },
    );
  });

  it.each<[CoefficientInput, string]>([
    [{ physical_damage: 1 }, 'refused critical_damage'],
    [{ physical_damage: 1, critical_damage: null }, 'refused critical_damage'],
    [{ critical_damage: 1 }, 'refused physical_damage'],
    [{ physical_damage: null, magic_damage: null, critical_damage: 1 }, 'refused physical_damage'],
    [{ physical_damage: -1, critical_damage: 1 }, 'invalid physical_damage'],
    [{ magic_damage: 5, physical_damage: -1, critical_damage: 1 }, 'invalid physical_damage'],
    [{ magic_damage: 5, critical_damage: -0.1 }, 'invalid critical_damage'],
    [{ magic_damage: Number.POSITIVE_INFINITY, critical_damage: 1 }, 'invalid magic_damage'],
    [{ magic_damage: Number.NaN, critical_damage: 1 }, 'invalid magic_damage'],
    [{ magic_damage: 1e308, critical_damage: 1e308 }, 'invalid critical_damage'],
    [{ magic_damage: 2 ** 53, critical_damage: 0 }, 'invalid critical_damage'],
  ])('rejects %j: %s', (input, kind) => {
    expect(kindOf(input)).toBe(kind);
  });

  it('supports results up to the largest safe integer', () => {
    expect(coefficientOf({ magic_damage: 2 ** 53 - 1, critical_damage: 0 }).coefficient).toBe(2 ** 53 - 1);
  });
});
