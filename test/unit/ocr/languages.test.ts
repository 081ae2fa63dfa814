import { distance } from 'fastest-levenshtein';
import { describe, expect, it } from 'vitest';
import { KNOWN_STATS } from '../../../src/areas/ocr/character-stats.data.ts';
import { extractCharacterStats } from '../../../src/areas/ocr/character-stats.domain.ts';
import { findLabel, normalizeText } from '../../../src/areas/ocr/line-parts.domain.ts';

describe('labels of sheets in other languages', () => {
  it.each([
    ['Physischer Schaden 702.115', 'physical_damage', 702_115],
    ['Kritischer Schaden 2.950,5 %', 'critical_damage', 2950.5],
    ['Sprünge 14', 'jump', 14],
    ['Salud máxima 1.253.201', 'maximum_health', 1_253_201],
    ['Rapidez de ataque 212,3 %', 'attack_speed', 212.3],
    ['Nível de Poder 37.418', 'power_rank', 37_418],
    ['Dano Crítico 84,2 %', 'critical_damage', 84.2],
  ])('reads %j', (line, key, value) => {
    expect(extractCharacterStats([line]).stats).toMatchObject({ [key]: { value } });
  });

  it('matches a label with up to two wrong letters after folding accents, with doubt', () => {
    const match = findLabel(normalizeText('Regenerafio de Energia'));
    expect(match?.stat.key).toBe('energy_regen');
    expect(findLabel('kampffoktur')).toMatchObject({ stat: { key: 'battle_factor' } });
    expect(findLabel('kampffoktur')?.score).toBeLessThan(0.9);
    expect(findLabel('kompffoktur')).toBeNull();
  });

  it('has no labels of different stats that two wrong letters could confuse', () => {
    const labels = KNOWN_STATS.flatMap(({ key, labels: texts }) => texts.map((text) => ({ key, words: normalizeText(text) })));
    for (const one of labels) {
      for (const other of labels)
        if (one.key !== other.key && one.words.length >= 8)
          expect(distance(one.words, other.words), `${one.words}, ${other.words}`).toBeGreaterThan(2);
    }
  });
});
