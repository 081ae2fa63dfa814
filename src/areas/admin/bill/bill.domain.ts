import { SECONDS_PER_DAY, type UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { roundTo } from '../../../platform/kit/values/numbers.ts';
import { fields, flag, listOf, nullable, number, oneOf, parseStored, text } from '../../../platform/kit/values/stored-shapes.ts';
import { EACH_REQUEST, EACH_TOKEN_REQUEST, REST_DAY } from './estimate.data.ts';
import { METERS, type Meter, PRICES, STORED_METERS, sumOf, totalOf, type Usage } from './prices.data.ts';

/** Requests of a day that the service counted itself. */
export interface DayCounts {
  /** Start of the day in UTC. */
  day: UnixSeconds;
  tokenRequests: number;
  otherRequests: number;
}

/** Amounts by meter and by start of the day, as the platform measured them. A day without an entry has none. */
export type Measured = Partial<Record<Meter, ReadonlyMap<UnixSeconds, number>>>;

/** Where the amounts come from. */
export const BILL_SOURCES = ['analytics', 'partly', 'estimate'] as const;
export type BillSource = (typeof BILL_SOURCES)[number];

/** Cost of a meter in the month. */
export interface BillLine {
  meter: Meter;
  /** Amount of the month up to now; of a stored amount its size now. */
  amount: number;
  /** Dollars at the end of the month, beyond the included amount. */
  dollars: number;
  isEstimate: boolean;
}

/** The bill of the calendar month in UTC, in dollars at list prices. */
export interface Bill {
  at: UnixSeconds;
  source: BillSource;
  /** What today costs up to now, when the included amounts are spread over the days of the month. Without the price of the plan. */
  todayDollars: number;
  /** The same of the whole day before; null on the first day of the month. */
  yesterdayDollars: number | null;
  /** The month up to now, plan included. */
  monthDollars: number;
  /** The whole month, plan included, when the remaining days are like the mean of the last ones. */
  forecastDollars: number;
  /** Meters that cost something by the end of the month, the dearest first. */
  lines: BillLine[];
}

interface BillInput {
  now: UnixSeconds;
  counts: readonly DayCounts[];
  measured: Measured;
  /** Stored GB. */
  stored: Partial<Usage>;
}

/** Days whose mean the forecast repeats. */
const FORECAST_DAYS = 7;

/** The start of the month in UTC, and its number of days. */
export function monthOf(now: UnixSeconds): { start: UnixSeconds; days: number } {
  const date = new Date(now * 1000);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  const start = Date.UTC(year, month) / 1000;
  return { start, days: (Date.UTC(year, month + 1) / 1000 - start) / SECONDS_PER_DAY };
}

const isStored = (meter: Meter) => STORED_METERS.includes(meter);
const dayStart = (at: UnixSeconds) => at - (at % SECONDS_PER_DAY);

/** Amounts of a part of a day from its counts. `share`: the elapsed share of the day. */
function estimateOf({ tokenRequests, otherRequests }: Omit<DayCounts, 'day'>, share: number): Usage {
  return sumOf([
    [share, REST_DAY],
    [tokenRequests + otherRequests, EACH_REQUEST],
    [tokenRequests, EACH_TOKEN_REQUEST],
  ]);
}

/** Dollars of a day beyond its share of the included amounts. */
function dollarsOfDay(amounts: Usage, monthDays: number): number {
  return METERS.reduce((sum, meter) => {
    const { included, each } = PRICES[meter];
    // A stored amount is billed by the month, a sum by its units.
    const share = isStored(meter) ? Math.max(0, amounts[meter] - included) / monthDays : Math.max(0, amounts[meter] - included / monthDays);
    return sum + share * each;
  }, 0);
}

/** The bill up to now and its forecast. */
export function billOf({ now, counts, measured, stored }: BillInput): Bill {
  const { start, days: monthDays } = monthOf(now);
  const today = dayStart(now);
  const elapsedDays = (now - start) / SECONDS_PER_DAY;
  const countsByDay = new Map(counts.map((count) => [count.day, count]));
  const days: Usage[] = [];
  for (let day = start; day <= today; day += SECONDS_PER_DAY) {
    const share = day === today ? (now - today) / SECONDS_PER_DAY : 1;
    const amounts = estimateOf(countsByDay.get(day) ?? { tokenRequests: 0, otherRequests: 0 }, share);
    for (const [meter, byDay] of Object.entries(measured)) amounts[meter as Meter] = byDay?.get(day) ?? 0;
    days.push({ ...amounts, ...stored });
  }
  const soFar = sumOf(days.map((amounts) => [1, amounts]));
  const recent = days.slice(-FORECAST_DAYS);
  const recentDays = Math.max(recent.length - 1 + (now - today) / SECONDS_PER_DAY, 1 / 24);
  const mean = sumOf(recent.map((amounts) => [1 / recentDays, amounts]));
  const forecast = sumOf([
    [1, soFar],
    [monthDays - elapsedDays, mean],
  ]);
  for (const meter of STORED_METERS) {
    const size = stored[meter] ?? 0;
    soFar[meter] = size;
    forecast[meter] = size;
  }
  const storedDollars = STORED_METERS.reduce((sum, meter) => sum + beyond(meter, soFar[meter]), 0);
  const monthDollars = totalOf(soFar) - storedDollars * (1 - elapsedDays / monthDays);
  const [yesterday] = days.slice(-2, -1);
  const measuredCount = METERS.filter((meter) => measured[meter] !== undefined).length;
  return {
    at: now,
    source: measuredCount === 0 ? 'estimate' : measuredCount < MEASURABLE_METERS.length ? 'partly' : 'analytics',
    todayDollars: roundTo(dollarsOfDay(days.at(-1) ?? soFar, monthDays), 2),
    yesterdayDollars: yesterday ? roundTo(dollarsOfDay(yesterday, monthDays), 2) : null,
    monthDollars: roundTo(monthDollars, 2),
    forecastDollars: roundTo(totalOf(forecast), 2),
    lines: METERS.map((meter) => ({
      meter,
      amount: roundTo(soFar[meter], 3),
      dollars: roundTo(beyond(meter, forecast[meter]), 2),
      isEstimate: !isStored(meter) && measured[meter] === undefined,
    }))
      .filter(({ dollars }) => dollars > 0)
      .sort((one, other) => other.dollars - one.dollars),
  };
}

const beyond = (meter: Meter, amount: number) => Math.max(0, amount - PRICES[meter].included) * PRICES[meter].each;

/** The meters that the platform's analytics have. Log events have no dataset; stored amounts are measured by the service. */
export const MEASURABLE_METERS: readonly Meter[] = METERS.filter((meter) => !isStored(meter) && meter !== 'log events');

/** Whether the daily amount is exceeded. `limitDollars` 0: no limit. */
export function isOverDailyAmount({ todayDollars }: Pick<Bill, 'todayDollars'>, limitDollars: number): boolean {
  return limitDollars > 0 && todayDollars > limitDollars;
}

const dollars = (amount: number) => `$${amount.toFixed(2)}`;

/** Lines of the message about an exceeded daily amount. */
export function alarmLines({ todayDollars, forecastDollars, source, lines }: Bill, limitDollars: number): string[] {
  const dearest = lines.slice(0, 3).map(({ meter, dollars: cost }) => `- ${meter}: ${dollars(cost)} by the end of the month`);
  return [
    `today costs ${dollars(todayDollars)} up to now, above the daily amount of ${dollars(limitDollars)}${source === 'estimate' ? ' (an estimate)' : ''}`,
    `forecast of the month: ${dollars(forecastDollars)}`,
    ...dearest,
  ];
}

/** The last bill, and the day of the last alarm. */
export interface StoredBill {
  bill: Bill;
  /** Start of the day whose alarm was sent; null: none. */
  alarmedDay: UnixSeconds | null;
  /** Why the analytics were not read; null: they were, or no token is set. */
  problem: string | null;
}

const shape = fields({
  bill: fields({
    at: number,
    source: oneOf(BILL_SOURCES, 'estimate'),
    todayDollars: number,
    yesterdayDollars: nullable(number),
    monthDollars: number,
    forecastDollars: number,
    lines: listOf(fields({ meter: oneOf(METERS), amount: number, dollars: number, isEstimate: flag })),
  }),
  alarmedDay: nullable(number),
  problem: nullable(text),
});

/** Throws `UnreadableValue` for text that no neighbour of this version wrote. */
export const parseBill = (json: string): StoredBill => parseStored(shape, json);
