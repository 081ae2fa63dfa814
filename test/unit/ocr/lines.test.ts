import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findLabel, normalizeText, similarity, splitLabels, tokenizeLine } from '../../../src/areas/ocr/line-parts.domain.ts';

const numbersIn = (line: string) =>
  tokenizeLine(line).flatMap((token) => (token.kind === 'number' ? [[token.value, token.isPercent]] : []));

describe('tokenizeLine', () => {
  it.each([
    ['1.204,771', 1_204_771, false],
    ['1,204.771', 1_204_771, false],
    ['97.5', 97.5, false],
    ['97,25 %', 97.25, true],
    ['2.044.5%', 2044.5, true],
    ['702,115', 702_115, false],
    ['1,2345', 12_345, false],
    ['0', 0, false],
    ['1 155 050', 1_155_050, false],
    ['1\u00a0155\u00a0050', 1_155_050, false],
    ['12\u202f345', 12_345, false],
    ['4 582,5 %', 4582.5, true],
    ['2 044.25%', 2044.25, true],
  ])('reads the number %s', (text, value, isPercent) => expect(numbersIn(`Label ${text}`)).toEqual([[value, isPercent]]));

  it('ends a number with a digit', () =>
    expect(numbersIn('12 and 6.')).toEqual([
      [12, false],
      [6, false],
    ]));

  it.each([
    ['a first group of four digits', '1155 050', [1155, 50]],
    ['a group of two digits', '1 55 050', [1, 55, 50]],
    ['a last group of four digits', '1 155 0505', [1, 155, 505]],
    ['two blanks', '1  155', [1, 155]],
    ['points between other groups', '2,944 853', [2944, 853]],
    ['a percent sign between', '2% 155', [2, 155]],
    ['more than 15 digits', '1 155 050 155 050 155', [1, 155, 50, 155, 50, 155]],
  ])('does not join groups of digits with %s', (_, text, values) => expect(numbersIn(text).map(([value]) => value)).toEqual(values));

  it('treats a number of more than 15 digits as text', () => expect(numbersIn('1234567890123456')).toEqual([]));

  it('never throws for arbitrary text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii', maxLength: 60 }), (line) => {
        for (const token of tokenizeLine(line)) if (token.kind === 'number') expect(Number.isFinite(token.value)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

describe('findLabel', () => {
  it.each([
    ['Magic Damage', 'magic_damage', 1],
    ['® Maximum Energy', 'maximum_energy', 1],
    ['x Maximum Energy', 'maximum_energy', 0.97],
    ['Dégâts physiques', 'physical_damage', 1],
    ["Vitesse d'attaque:", 'attack_speed', 1],
    ['Régén. PV', 'health_regen', 1],
    ['Critical Darnage', 'critical_damage', null],
    ['Maximum Heaith', 'maximum_health', null],
  ])('matches %s with %s', (text, key, score) => {
    const match = findLabel(normalizeText(text));
    expect(match?.stat.key).toBe(key);
    if (score === null) expect(match?.score).toBeGreaterThan(0.82);
    else expect(match?.score).toBe(score);
  });

  it.each(['LEVEL 30', 'Lightning', 'Damage', 'Radiant Sovereign', '', 'x'.repeat(500)])('does not match %s', (text) => {
    expect(findLabel(normalizeText(text))).toBeNull();
  });
});

describe('splitLabels', () => {
  it('splits a text before each label except the first', () => {
    expect(splitLabels('maximum energy light')).toEqual(['maximum energy', 'light']);
    expect(splitLabels('critical damage')).toEqual(['critical damage']);
    expect(splitLabels('nothing')).toEqual(['nothing']);
  });
});

describe('similarity', () => {
  it('compares the length of common substrings with the total length', () => {
    expect(similarity('abcd', 'abcd')).toBe(1);
    expect(similarity('abcd', 'bcde')).toBe(0.75);
    expect(similarity('abc', 'xyz')).toBe(0);
  });
});
