import { describe, expect, it } from 'vitest';
import { fuzzArchives, fuzzTexts, readBomb } from '../../support/archive/fuzz.ts';

describe('damaged publisher files', () => {
  it('are read or rejected with an error message', async () => {
    const texts = fuzzTexts(1500, 1);
    const archives = await fuzzArchives(300, 2);
    expect(Math.min(texts.accepted, texts.refused, archives.accepted, archives.refused)).toBeGreaterThan(20);
  });

  it('never exceed the requested size', async () => {
    expect(await readBomb()).toBeLessThan(1_000_000);
  });
});
