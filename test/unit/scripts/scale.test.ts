import { describe, expect, it } from 'vitest';
import { simulateTokens, usageOfMonth } from '../../scale/model.ts';
import { costsOf, METERS, PLAN_DOLLARS, totalOf, type Usage, usageOf } from '../../scale/prices.data.ts';
import { COLUMNS, NO_TRAFFIC } from '../../scale/traffic.data.ts';

describe('costsOf', () => {
  it('costs nothing within the included amounts, and the price of each further unit beyond them', () => {
    expect(totalOf(usageOf({ 'Worker requests': 10e6 }))).toBe(PLAN_DOLLARS);
    expect(totalOf(usageOf({ 'Worker requests': 20e6, 'object rows written': 51e6 }))).toBeCloseTo(PLAN_DOLLARS + 3 + 1);
  });

  it.each(METERS)('throws when the meter %s is missing', (meter) => {
    const { [meter]: _, ...rest } = usageOf({});
    expect(() => costsOf(rest as Usage)).toThrow(meter);
  });
});

describe('usageOfMonth', () => {
  const few = COLUMNS.filter(({ name }) => name !== '10,000 requests/s');

  // `npm run bench -- scale` checks every column with more simulated requests.
  it.each(few)('stays within the target for $name', async ({ traffic, target }) => {
    const all = { ...NO_TRAFFIC, ...traffic };
    const usage = usageOfMonth(all, await simulateTokens(all, 500));
    expect(totalOf(usage)).toBeLessThanOrEqual(target);
    expect(totalOf(usage)).toBeGreaterThan(PLAN_DOLLARS);
  });

  it('counts the duration of a shard with streams for the whole month, at 128 MB = 0.128 GB', async () => {
    const flow = await simulateTokens(NO_TRAFFIC);
    const withStream = usageOfMonth({ ...NO_TRAFFIC, streams: 1 }, flow);
    const atRest = usageOfMonth(NO_TRAFFIC, flow);
    expect(withStream['object GB-s'] - atRest['object GB-s']).toBeGreaterThanOrEqual(0.128 * 30 * 86_400);
  });
});
