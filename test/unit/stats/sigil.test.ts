import { describe, expect, it } from 'vitest';
import { SHIELD_THRESHOLDS, sigilSvg, sigilTiers, WING_THRESHOLDS } from '../../../src/areas/stats/sigil.domain.ts';

describe('sigilTiers', () => {
  it.each([
    [0, 0],
    [249, 0],
    [250, 1],
    [899, 2],
    [900, 3],
    [4999, 5],
    [5000, 6],
    [39_999, 13],
    [40_000, 14],
    [44_999, 14],
    [45_000, 15],
    [50_000, 16],
    [55_000, 17],
    [60_000, 18],
    [64_999, 18],
    [65_000, 19],
  ])('maps power rank %i to shield %i', (powerRank, shield) => expect(sigilTiers(powerRank, 0).shield).toBe(shield));

  it.each([
    [0, 0],
    [9, 0],
    [10, 1],
    [75, 4],
    [99, 4],
    [100, 5],
    [149, 5],
    [550, 14],
    [1099, 24],
    [1100, 25],
  ])('maps mastery %i to wings %i', (mastery, wings) => expect(sigilTiers(0, mastery).wings).toBe(wings));

  it('stays at the top tier for larger values', () => {
    expect(sigilTiers(1e300, Number.POSITIVE_INFINITY)).toEqual({ shield: 19, wings: 25 });
  });
});

describe('sigilSvg', () => {
  const all = SHIELD_THRESHOLDS.flatMap((_, shield) => WING_THRESHOLDS.map((__, wings) => ({ shield, wings })));

  it('draws 520 distinct, deterministic images', () => {
    const pictures = all.map((tiers) => sigilSvg(tiers));
    expect(new Set(pictures).size).toBe(520);
    expect(all.map((tiers) => sigilSvg(tiers))).toEqual(pictures);
  });

  it('draws the same art at both scales', () => {
    const [single, double] = [sigilSvg({ shield: 3, wings: 7 }, 1), sigilSvg({ shield: 3, wings: 7 }, 2)];
    expect(single).toContain('width="88" height="88" viewBox="0 0 88 88"');
    expect(double).toBe(single.replace('width="88" height="88"', 'width="176" height="176"'));
  });

  it('is well-formed and contains only shapes', () => {
    for (const tiers of all) {
      const svg = sigilSvg(tiers);
      expect(svg).not.toMatch(/NaN|undefined|Infinity|<script|<image|<text|href="(?!#)/);
      const open = svg.match(/<[a-zA-Z]+(?![^>]*\/>)/g)?.map((tag) => tag.slice(1)) ?? [];
      const closed = svg.match(/<\/[a-zA-Z]+/g)?.map((tag) => tag.slice(2)) ?? [];
      expect(open.sort()).toEqual(closed.sort());
    }
  });

  it('rejects tiers beyond the last', () => {
    expect(() => sigilSvg({ shield: 20, wings: 0 })).toThrow(RangeError);
    expect(() => sigilSvg({ shield: 0, wings: 30 })).toThrow(RangeError);
  });
});
