import { describe, expect, it } from 'vitest';
import { fuzzArchives, fuzzTexts, readBomb } from '../../support/archive/fuzz.ts';

describe('damaged files of the publisher', () => {
  it('are read or refused with words', async () => {
    const texts = fuzzTexts(1500, 1);
    const archives = await fuzzArchives(300, 2);
    expect(Math.min(texts.taken, texts.refused, archives.taken, archives.refused)).toBeGreaterThan(20);
  });

  it('make no more than was asked for', async () => {
    expect(await readBomb()).toBeLessThan(1_000_000);
  });
});
