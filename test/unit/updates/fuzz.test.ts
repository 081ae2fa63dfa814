import { describe, expect, it } from 'vitest';
import { fuzzArchives, fuzzTexts, readBomb } from '../../support/archive/fuzz.ts';

describe('parser of publisher files', () => {
  it('reads a damaged file or rejects it with an error message', async () => {
    const texts = fuzzTexts(1500, 1);
    const archives = await fuzzArchives(300, 2);
    expect(Math.min(texts.accepted, texts.refused, archives.accepted, archives.refused)).toBeGreaterThan(20);
  });

  it('stops decompressing at the requested size', async () => {
    expect(await readBomb()).toBeLessThan(1_000_000);
  });
});
