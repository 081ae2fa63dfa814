import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { extractCharacterStats } from '../../../src/areas/ocr/character-stats.domain.ts';

const valuesOf = (...lines: string[]) =>
  Object.fromEntries(Object.entries(extractCharacterStats(lines).stats).map(([key, { value, confidence }]) => [key, [value, confidence]]));

describe('extractCharacterStats', () => {
  it('reads stats and derives the coefficient', () => {
    const { stats, matched, totalKnown } = extractCharacterStats(['Magic Damage 702,115', 'Critical Damage 2,950.5%']);
    expect([matched, totalKnown]).toEqual([3, 22]);
    expect(stats.magic_damage).toEqual({
      value: 702_115,
      unit: 'count',
      raw: '702,115',
      confidence: 1,
      inRange: true,
      typeMatch: true,
      derived: false,
    });
    expect(stats.critical_damage).toMatchObject({ value: 2950.5, unit: 'percent', raw: '2,950.5%' });
    expect(stats.coefficient).toEqual({
      value: 21_418_018,
      unit: 'count',
      raw: '',
      confidence: 1,
      inRange: true,
      typeMatch: true,
      derived: true,
    });
  });

  it('ignores unknown labels', () => expect(extractCharacterStats(['LEVEL 30', 'Club Chat 12'])).toMatchObject({ stats: {}, matched: 0 }));

  it.each([
    ['a number before its label', ['14 Jump'], { jump: [14, 1] }],
    ['the one of the right kind of two', ['50% Jump 14'], { jump: [14, 1] }],
    ['the one before of two alike', ['13 Jump 14'], { jump: [13, 1] }],
    ['two columns', ['Jump 14 Light 300'], { jump: [14, 1], light: [300, 1] }],
    ['a label whose number is on another line', ['Jump', 'x', '14'], { jump: [14, 0.85] }],
    ['the nearer of two lines, the earlier of two as near', ['9', 'Jump', '14'], { jump: [9, 0.85] }],
    ['no line further away than four', ['Jump', '', '', '', '', '14'], {}],
    ['no number of another kind from another line', ['Jump', '14%'], {}],
    ['a value out of range', ['Jump 14,000'], { jump: [14_000, 0.4] }],
    ['a value of the wrong kind', ['Jump 14%'], { jump: [14, 0.6] }],
    ['fractions of a whole number', ['Jump 14.6'], { jump: [15, 1] }],
    ['the surer of two readings', ['Jump 14%', 'Jump 15'], { jump: [15, 1] }],
    ['the first of two as sure', ['Jump 14', 'Jump 15'], { jump: [14, 1] }],
    ['a label in a longer text', ['Total Jump power 14'], { jump: [14, 0.97] }],
    ['French', ['Lumière 1.204', 'Saut: 7'], { light: [1204, 1], jump: [7, 1] }],
    ['groups of digits that blanks separate', ['Physical Damage 1 155 050'], { physical_damage: [1_155_050, 1] }],
    ['groups of digits of a percentage', ['2 950.5% Critical Damage'], { critical_damage: [2950.5, 1] }],
    [
      'groups of digits of two columns',
      ['Magic Damage 702\u00a0115 Jump 14', 'Stability 1\u202f020 Critical Damage 4 582,5 %'],
      { magic_damage: [702_115, 1], jump: [14, 1], stability: [1020, 1], critical_damage: [4582.5, 1], coefficient: [32_876_534, 1] },
    ],
    ['a number after another one that may be a part of it with doubt', ['2,944 853 Maximum Health'], { maximum_health: [853, 0.5] }],
    ['a number before another one that may be a part of it with doubt', ['Maximum Health 2,944 853'], { maximum_health: [2944, 0.5] }],
    ['a number with groups of other lengths with doubt', ['Physical Damage 1 155 0505'], { physical_damage: [1, 0.5] }],
    ['a percentage after digits that may be a part of it with doubt', ['1 2345.67% Critical Damage'], { critical_damage: [2345.67, 0.5] }],
    ['a number beside another one with a sign between with doubt', ['Jump 14 / 15'], { jump: [14, 0.85] }],
    ['a label that lost its number to a neighbour', ['Maximum Energy Light 300'], { light: [300, 1] }],
  ])('reads %s', (_, lines, expected) => expect(valuesOf(...lines)).toEqual(expected));

  it('prefers the side on which other labels have their numbers', () => {
    expect(valuesOf('Light 300', 'Stability 20', '5 Jump 14').jump).toEqual([14, 1]);
    expect(valuesOf('300 Light', '20 Stability', '5 Jump 14').jump).toEqual([5, 1]);
  });

  describe('coefficient check', () => {
    const with_ = (text: string) => valuesOf('Magic Damage 702,115', 'Critical Damage 2,950.5%', `Coefficient ${text}`);

    it('replaces the reading with the computed value if they differ by rounding', () =>
      expect(with_('21,418,020').coefficient).toEqual([21_418_018, 1]));

    it('returns the computed value with low confidence if the reading is only approximately equal', () => {
      const values = with_('21,400,018');
      expect(values.coefficient).toEqual([21_418_018, 0.88]);
      expect([values.magic_damage, values.critical_damage]).toEqual([
        [702_115, 0.88],
        [2950.5, 0.88],
      ]);
    });

    it('returns the reading with low confidence if it differs', () => expect(with_('11,418,018').coefficient).toEqual([11_418_018, 0.5]));

    it('computes a value only with Critical Damage and a damage stat', () => {
      expect(valuesOf('Magic Damage 100').coefficient).toBeUndefined();
      expect(valuesOf('Critical Damage 100%').coefficient).toBeUndefined();
      expect(valuesOf('Physical Damage 200', 'Magic Damage 100', 'Critical Damage 15%').coefficient).toEqual([230, 1]);
    });

    it('returns the lowest confidence of the stats in the formula', () => {
      expect(valuesOf('Magic Damage 702,115', 'Critical Damage 2,950.5').coefficient?.[1]).toBe(0.6);
    });
  });

  it('lowers the confidence of doubtful numbers', () => {
    const { stats } = extractCharacterStats(['Jump 14', 'Light 30'], ({ line }) => (line === 0 ? 0.5 : 1));
    expect([stats.jump?.confidence, stats.light?.confidence]).toEqual([0.5, 1]);
  });

  it('never throws for arbitrary lines', () => {
    const word = fc.constantFrom(
      'Jump',
      'Magic Damage',
      'Critical Damage',
      'Coefficient',
      '14',
      '2,950.5%',
      '999999999999999',
      '%',
      '.,',
      '',
    );
    const line = fc
      .array(fc.oneof(word, fc.string({ unit: 'binary-ascii', maxLength: 8 })), { maxLength: 6 })
      .map((words) => words.join(' '));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
        for (const { value, confidence } of Object.values(extractCharacterStats(lines).stats)) {
          expect(Number.isFinite(value)).toBe(true);
          expect(confidence).toBeGreaterThanOrEqual(0);
          expect(confidence).toBeLessThanOrEqual(1);
        }
      }),
      { numRuns: 200 },
    );
  });
});
