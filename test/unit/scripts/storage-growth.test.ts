import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { GROWTH_PAGE, growthPage } from '../../../scripts/lib/docs/growth-page.ts';
import { readSnapshot } from '../../../scripts/lib/schema.ts';

describe('growthPage', () => {
  it('returns the stored page with a line for every table', async () => {
    expect(await growthPage(Object.keys(readSnapshot()?.tables ?? {}))).toBe(readFileSync(GROWTH_PAGE, 'utf8'));
  });

  it('names a table without a declaration', async () => {
    await expect(growthPage(['users', 'forgotten'])).rejects.toThrow('forgotten: declare backup, personal and growth');
  });
});
