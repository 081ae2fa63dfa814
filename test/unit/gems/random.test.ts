import { describe, expect, it } from 'vitest';
import { happens, pick, pickWeighted, randomBelow, randomUnit, seededRandom } from '../../../src/platform/kit/random.ts';
import { deviation, even, SUSPICIOUS, tally } from './support/chi-square.ts';

describe('seededRandom', () => {
  it('returns the same sequence for the same seed and different ones for other seeds', () => {
    const draw = (seed: number | string) => {
      const random = seededRandom(seed);
      return Array.from({ length: 8 }, () => random());
    };
    expect(draw('a')).toEqual(draw('a'));
    expect(draw(7)).toEqual(draw('7'));
    expect(new Set(['a', 'b', '', 0, 1, -1, 'A'].map((seed) => draw(seed).join())).size).toBe(7);
  });

  it('returns the recorded sequence of a seed', () => {
    const random = seededRandom('gem');
    expect([random(), random(), random()]).toMatchInlineSnapshot(`
      [
        1441645829,
        2986471471,
        3799174607,
      ]
    `);
  });

  it('returns 32-bit integers with uniform bits', () => {
    const random = seededRandom('bits');
    const ones = Array.from({ length: 32 }, () => 0);
    for (let draw = 0; draw < 20_000; draw += 1) {
      const word = random();
      expect(Number.isInteger(word) && word >= 0 && word < 2 ** 32).toBe(true);
      ones.forEach((count, bit) => {
        ones[bit] = count + ((word >>> bit) & 1);
      });
    }
    for (const count of ones) expect(deviation([count, 20_000 - count], [0.5, 0.5])).toBeLessThan(SUSPICIOUS);
  });
});

describe('randomBelow', () => {
  it('is uniform over small ranges', () => {
    const random = seededRandom('small');
    const counts = tally([0, 1, 2, 3, 4, 5, 6], 70_000, () => randomBelow(random, 7));
    expect(deviation(counts, even(7))).toBeLessThan(SUSPICIOUS);
  });

  it('draws again for a biased value', () => {
    const words = [2 ** 32 - 1, 2 ** 32 - 2, 5];
    expect(randomBelow(() => words.shift() ?? 0, 2 ** 32 - 2)).toBe(5);
  });
});

describe('randomUnit', () => {
  it('returns values from 0 to less than 1', () => {
    expect(randomUnit(() => 2 ** 32 - 1)).toBe(1 - 2 ** -53);
    expect(randomUnit(() => 0)).toBe(0);
  });
});

describe('happens', () => {
  it('is always true at 1 and never at 0', () => {
    expect(happens(() => 2 ** 32 - 1, 1)).toBe(true);
    expect(happens(() => 0, 0)).toBe(false);
  });
});

describe('pick and pickWeighted', () => {
  it('draws by weight and never draws weight 0', () => {
    const random = seededRandom('weights');
    const counts = tally(['a', 'b', 'c'], 60_000, () =>
      pickWeighted(random, ['a', 'none', 'b', 'c'], (item) => ({ a: 1, b: 2, c: 3 })[item] ?? 0),
    );
    expect(deviation(counts, [1 / 6, 2 / 6, 3 / 6])).toBeLessThan(SUSPICIOUS);
  });

  it('fails for an empty list', () => {
    expect(() => pick(seededRandom(1), [])).toThrow(RangeError);
  });
});
