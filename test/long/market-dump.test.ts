import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expectValidDump, mutated } from '../unit/market/dumps.ts';
import { clearMarket, NOW, openMarket } from '../worker/market/market.ts';

describe('a mutated market dump', () => {
  it('is parsed to valid listings or rejected (50,000 dumps)', () => {
    fc.assert(fc.property(mutated, expectValidDump), { numRuns: 50_000, seed: 81 });
  });

  it('does not cause a 500 response', async () => {
    await clearMarket();
    const { insertText } = await openMarket();
    const property = fc.asyncProperty(mutated, async (text) => {
      const { status, body } = await insertText(text.toWellFormed(), NOW);
      if (text.length > 0) expect([status, body.parsed]).toEqual([200, body.imported + body.ignored_not_in_list]);
      else expect(status).toBe(400);
    });
    await fc.assert(property, { numRuns: 1000, seed: 82 });
  });
});
