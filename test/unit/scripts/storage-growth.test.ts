import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { GROWTH_PAGE, growthPage } from '../../../scripts/lib/docs/growth-page.ts';
import { inRoot } from '../../../scripts/lib/paths.ts';

describe('growthPage', () => {
  it('returns the stored page with a line for every table', async () => {
    const { tables } = JSON.parse(readFileSync(inRoot('migrations', 'snapshot.json'), 'utf8'));
    expect(await growthPage(Object.keys(tables))).toBe(readFileSync(GROWTH_PAGE, 'utf8'));
  });

  it('names a table without a declaration', async () => {
    await expect(growthPage(['users', 'forgotten'])).rejects.toThrow('forgotten: declare backup, personal and growth');
  });
});
