import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { inRoot } from '../../../scripts/lib/paths.ts';
import { billOf } from '../../../src/areas/admin/bill/bill.domain.ts';
import { costsOf, METERS, PLAN_DOLLARS, totalOf, type Usage, usageOf } from '../../../src/areas/admin/bill/prices.data.ts';
import { simulateTokens, type TokenFlow, type Traffic, usageOfMonth } from '../../scale/model.ts';
import { ageTable, billsOf, billTable, type Flows, secondTable, streamTable } from '../../scale/tables.ts';
import { COLUMNS, NO_TRAFFIC, TYPICAL } from '../../scale/traffic.data.ts';

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

/** Flows of tokens of a short simulation, which streams and webhooks do not change. */
const flows = new Map<string, Promise<TokenFlow>>();
function flowOf(traffic: Traffic): Promise<TokenFlow> {
  const key = JSON.stringify([traffic.requestsPerSecond, traffic.tokens, traffic.tokenShare]);
  const flow = flows.get(key) ?? simulateTokens(traffic, 500);
  flows.set(key, flow);
  return flow;
}

describe('usageOfMonth', () => {
  const few = COLUMNS.filter(({ name }) => name !== '10,000 requests/s');

  // `npm run bench -- scale` checks every column with more simulated requests.
  it.each(few)('stays within the target for $name', async ({ traffic, target, content }) => {
    const all = { ...NO_TRAFFIC, ...traffic };
    const usage = usageOfMonth(all, await flowOf(all), content, 1);
    expect(totalOf(usage)).toBeLessThanOrEqual(target);
    expect(totalOf(usage)).toBeGreaterThanOrEqual(PLAN_DOLLARS);
  });

  it('grows with the age of the service where it stores data, and counts the dumps of the market at rest', async () => {
    const flow = await simulateTokens(NO_TRAFFIC);
    const [first, third] = [1, 36].map((month) => usageOfMonth(NO_TRAFFIC, flow, TYPICAL, month));
    expect(first?.['D1 rows written']).toBeGreaterThan(30e6);
    for (const meter of ['D1 GB stored', 'R2 GB stored', 'D1 rows read'] as const) {
      expect(third?.[meter]).toBeGreaterThan(first?.[meter] ?? Number.POSITIVE_INFINITY);
    }
  });

  it('counts the duration of a shard with streams for the whole month, at 128 MB = 0.128 GB', async () => {
    const flow = await simulateTokens(NO_TRAFFIC);
    const withStream = usageOfMonth({ ...NO_TRAFFIC, streams: 1 }, flow, TYPICAL, 1);
    const atRest = usageOfMonth(NO_TRAFFIC, flow, TYPICAL, 1);
    expect(withStream['object GB-s'] - atRest['object GB-s']).toBeGreaterThanOrEqual(0.128 * 30 * 86_400);
  });
});

describe('the estimate of the bill', () => {
  const monthStart = Date.UTC(2026, 10) / 1000;
  const days = Array.from({ length: 30 }, (_, index) => monthStart + index * 86_400);

  it.each([
    { name: 'at rest', traffic: {}, factor: 1.05 },
    { name: '5 requests/s', traffic: { requestsPerSecond: 5, tokens: 50, addresses: 500, tokenShare: 0.5 }, factor: 1.1 },
    { name: '5 requests/s, all with a token', traffic: { requestsPerSecond: 5, tokens: 50, addresses: 500, tokenShare: 1 }, factor: 1.1 },
    { name: '100 requests/s', traffic: { requestsPerSecond: 100, tokens: 100, addresses: 100, tokenShare: 0.5 }, factor: 1.25 },
  ])('has the amounts of the model, or up to $factor times its bill: $name', async ({ traffic, factor }) => {
    const all = { ...NO_TRAFFIC, ...traffic };
    const model = usageOfMonth(all, await flowOf(all), TYPICAL, 1);
    const perDay = all.requestsPerSecond * 86_400;
    const counts = days.map((day) => ({ day, tokenRequests: perDay * all.tokenShare, otherRequests: perDay * (1 - all.tokenShare) }));
    const stored = { 'D1 GB stored': model['D1 GB stored'], 'R2 GB stored': model['R2 GB stored'] };
    const bill = billOf({ now: monthStart + 30 * 86_400 - 1, counts, measured: {}, stored });
    expect(bill.source).toBe('estimate');
    expect(bill.monthDollars).toBeGreaterThanOrEqual(totalOf(model) * 0.98);
    expect(bill.monthDollars).toBeLessThanOrEqual(totalOf(model) * factor);
  });
});

describe('docs/operations/scale.md', () => {
  const page = readFileSync(inRoot('docs/operations/scale.md'), 'utf8');
  const bills = billsOf(JSON.parse(readFileSync(inRoot('test/scale/flows.json'), 'utf8')) as Flows);

  it.each([
    ['bill', billTable],
    ['ages', ageTable],
    ['streams', streamTable],
    ['tokens', secondTable],
  ])('has the table of the model: %s (update: npm run bench -- scale --write)', (_name, table) => {
    expect(page).toContain(table(bills));
  });
});
