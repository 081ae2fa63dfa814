import { describe, expect, it } from 'vitest';
import { alarmLines, billOf, isOverDailyAmount, type Measured, monthOf, parseBill } from '../../../src/areas/admin/bill/bill.domain.ts';
import { METERS, PLAN_DOLLARS } from '../../../src/areas/admin/bill/prices.data.ts';

const DAY = 86_400;
const START = Date.UTC(2026, 10) / 1000;
/** Noon of the 11th of November. */
const NOW = START + 10.5 * DAY;
const days = (count: number) => Array.from({ length: count }, (_, index) => START + index * DAY);
const nothing = new Map<number, number>();
/** Everything measured, and nothing used except some meters. */
const measuredOnly = (some: Measured): Measured => ({ ...Object.fromEntries(METERS.map((meter) => [meter, nothing])), ...some });

describe('monthOf', () => {
  it.each([
    [Date.UTC(2026, 10, 30, 23, 59, 59), Date.UTC(2026, 10), 30],
    [Date.UTC(2026, 11, 1), Date.UTC(2026, 11), 31],
    [Date.UTC(2028, 1, 29), Date.UTC(2028, 1), 29],
  ])('returns start and days of the month of %d', (now, start, count) => {
    expect(monthOf(now / 1000)).toEqual({ start: start / 1000, days: count });
  });
});

describe('billOf', () => {
  it('costs the plan only while nothing exceeds the included amounts', () => {
    const bill = billOf({ now: NOW, counts: [], measured: measuredOnly({}), stored: {} });
    expect(bill).toMatchObject({
      source: 'analytics',
      todayDollars: 0,
      monthDollars: PLAN_DOLLARS,
      forecastDollars: PLAN_DOLLARS,
      lines: [],
    });
  });

  it('counts the included amounts of the whole month, and a share of them for a day', () => {
    // 2 million a day: 21 million by noon of the 11th, 60 million by the end.
    const requests = new Map(days(11).map((day, index) => [day, index === 10 ? 1e6 : 2e6]));
    const bill = billOf({ now: NOW, counts: [], measured: measuredOnly({ 'Worker requests': requests }), stored: {} });
    expect(bill.monthDollars).toBeCloseTo(PLAN_DOLLARS + 11 * 0.3, 2);
    expect(bill.forecastDollars).toBeCloseTo(PLAN_DOLLARS + 50 * 0.3, 2);
    expect(bill.todayDollars).toBeCloseTo((1 - 10 / 30) * 0.3, 2);
    expect(bill.yesterdayDollars).toBeCloseTo((2 - 10 / 30) * 0.3, 2);
    expect(bill.lines).toEqual([{ meter: 'Worker requests', amount: 21e6, dollars: 15, isEstimate: false }]);
  });

  it('estimates from the counts what was not measured, and says so', () => {
    const counts = days(11).map((day) => ({ day, tokenRequests: 4e6, otherRequests: 4e6 }));
    const estimate = billOf({ now: NOW, counts, measured: {}, stored: {} });
    expect(estimate.source).toBe('estimate');
    expect(estimate.lines.every(({ isEstimate }) => isEstimate)).toBe(true);
    const partly = billOf({ now: NOW, counts, measured: { 'Worker requests': nothing }, stored: {} });
    expect(partly.source).toBe('partly');
    expect(partly.forecastDollars).toBeLessThan(estimate.forecastDollars);
    expect(partly.lines.map(({ meter }) => meter)).not.toContain('Worker requests');
  });

  it('bills stored amounts by their size, in proportion of the elapsed month', () => {
    const bill = billOf({ now: START + 15 * DAY, counts: [], measured: measuredOnly({}), stored: { 'D1 GB stored': 7 } });
    expect(bill.monthDollars).toBeCloseTo(PLAN_DOLLARS + 0.75, 2);
    expect(bill.forecastDollars).toBeCloseTo(PLAN_DOLLARS + 1.5, 2);
    expect(bill.todayDollars).toBeCloseTo(1.5 / 30, 2);
    expect(bill.lines).toEqual([{ meter: 'D1 GB stored', amount: 7, dollars: 1.5, isEstimate: false }]);
  });

  it('forecasts from the first second of a month on', () => {
    for (const elapsed of [0, 1, 60, 3600]) {
      const bill = billOf({ now: START + elapsed, counts: [], measured: {}, stored: {} });
      expect(bill.yesterdayDollars).toBeNull();
      expect(bill.forecastDollars).toBeGreaterThanOrEqual(PLAN_DOLLARS);
      expect(bill.forecastDollars).toBeLessThan(PLAN_DOLLARS + 1);
    }
  });

  it('raises the forecast within a day of an attack', () => {
    const quiet = days(10).map((day) => ({ day, tokenRequests: 1e5, otherRequests: 1e5 }));
    const before = billOf({ now: NOW, counts: quiet, measured: {}, stored: {} });
    const attack = { day: START + 10 * DAY, tokenRequests: 0, otherRequests: 500e6 };
    const after = billOf({ now: NOW, counts: [...quiet, attack], measured: {}, stored: {} });
    expect(before.todayDollars).toBeLessThan(1);
    expect(after.todayDollars).toBeGreaterThan(200);
    expect(after.forecastDollars).toBeGreaterThan(10 * before.forecastDollars);
  });
});

describe('isOverDailyAmount', () => {
  it('is false without a limit and at the limit', () => {
    expect([0, 1.5, 1.49].map((limit) => isOverDailyAmount({ todayDollars: 1.5 }, limit))).toEqual([false, false, true]);
  });
});

describe('alarmLines', () => {
  it('names the amounts, the dearest meters, and an estimate as such', () => {
    const counts = [{ day: START + 10 * DAY, tokenRequests: 0, otherRequests: 500e6 }];
    const lines = alarmLines(billOf({ now: NOW, counts, measured: {}, stored: {} }), 5);
    expect(lines[0]).toMatch(/^today costs \$\d+\.\d\d up to now, above the daily amount of \$5\.00 \(an estimate\)$/);
    expect(lines[1]).toMatch(/^forecast of the month: \$/);
    expect(lines[2]).toMatch(/^- Worker requests: \$|^- object requests: \$/);
    expect(lines.length).toBeLessThanOrEqual(5);
  });
});

describe('parseBill', () => {
  it('reads what was stored', () => {
    const bill = billOf({ now: NOW, counts: [{ day: START, tokenRequests: 9e7, otherRequests: 0 }], measured: {}, stored: {} });
    const stored = { bill, alarmedDay: START, problem: null };
    expect(parseBill(JSON.stringify(stored))).toEqual(stored);
  });
});
