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
  ])('reads the number %s', (text, value, isPercent) => expect(numbersIn(`Label ${text}`)).toEqual([[value, isPercent]]));

  it('does not join numbers across spaces, and ends a number with a digit', () => {
    expect(numbersIn('12 345 and 6.')).toEqual([
      [12, false],
      [345, false],
      [6, false],
    ]);
  });

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
