import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Decimals, roundTo } from '../../../src/platform/kit/values/numbers.ts';

/** `roundTo` in integer arithmetic: a double is an integer divided by a power of two. */
function roundExactly(value: number, decimals: number): number {
  let whole = Math.abs(value);
  let exponent = 0;
  for (; !Number.isInteger(whole); exponent += 1) whole *= 2;
  const numerator = BigInt(whole) * 10n ** BigInt(decimals);
  const divisor = 2n ** BigInt(exponent);
  const floor = numerator / divisor;
  const twice = 2n * (numerator % divisor);
  const up = twice > divisor || (twice === divisor && floor % 2n === 1n);
  const digits = String(up ? floor + 1n : floor).padStart(decimals + 1, '0');
  const result = Number(`${digits.slice(0, digits.length - decimals)}.${digits.slice(digits.length - decimals)}`);
  return value < 0 && result !== 0 ? -result : result;
}

const decimals = fc.integer({ min: 0, max: 9 }).map((count) => count as Decimals);

describe('roundTo', () => {
  it.each([
    [56.25, 1, 56.2],
    [56.35, 1, 56.4],
    [1304.5, 0, 1304],
    [1305.5, 0, 1306],
    [0.5, 0, 0],
    [2.675, 2, 2.67],
    [1.005, 2, 1],
    [12750.15, 1, 12750.1],
    [1.5e300, 2, 1.5e300],
    [-2.5, 0, -2],
    [-0.001, 2, 0],
  ] as const)('rounds %d to %d decimals: %d', (value, places, expected) => {
    expect(roundTo(value, places)).toBe(expected);
  });

  it('returns the result of integer arithmetic for arbitrary values', () => {
    const value = fc.oneof(fc.double({ min: -1e9, max: 1e9, noNaN: true }), fc.double({ min: -1e15, max: 1e15, noNaN: true }));
    fc.assert(
      fc.property(value, decimals, (number, places) => roundTo(number, places) === roundExactly(number, places)),
      { numRuns: 5000 },
    );
  });

  it('returns the result of integer arithmetic next to ties, unlike a floating-point product', () => {
    const nearTie = fc.tuple(fc.nat(10_000_000), decimals, fc.integer({ min: -2, max: 2 })).map(([whole, places, ulps]) => {
      const tie = (whole + 0.5) / 10 ** places;
      return [tie + ulps * Number.EPSILON * tie, places] as const;
    });
    fc.assert(
      fc.property(nearTie, ([number, places]) => roundTo(number, places) === roundExactly(number, places)),
      { numRuns: 5000 },
    );
  });
});
