/**
 * Monthly prices of the Workers paid plan in dollars: included amount, and price of each further unit. The unit is in the name of the
 * meter; storage is the mean of the month. Read on 2026-11-22 from developers.cloudflare.com (pricing of Workers, Durable Objects, D1, KV, R2
 * and Workers Logs). The overview of the operator and the model of `npm run bench -- scale` share them.
 */
export const PRICES = {
  'Worker requests': { included: 10e6, each: 0.3e-6 },
  'Worker CPU ms': { included: 30e6, each: 0.02e-6 },
  /** Requests, RPC and alarms. */
  'object requests': { included: 1e6, each: 0.15e-6 },
  /** 128 MB, counted as 128/1000 GB, while the object runs or cannot hibernate. */
  'object GB-s': { included: 400_000, each: 12.5e-6 },
  /** Each setAlarm and each deleted row counts as well. */
  'object rows written': { included: 50e6, each: 1e-6 },
  'object rows read': { included: 25e9, each: 0.001e-6 },
  'object GB stored': { included: 5, each: 0.2 },
  'D1 rows written': { included: 50e6, each: 1e-6 },
  'D1 rows read': { included: 25e9, each: 0.001e-6 },
  'D1 GB stored': { included: 5, each: 0.75 },
  'KV reads': { included: 10e6, each: 0.5e-6 },
  /** Writes, deletes and lists. */
  'KV writes': { included: 1e6, each: 5e-6 },
  /** Writes and lists. Deletes are free. */
  'R2 class A': { included: 1e6, each: 4.5e-6 },
  'R2 class B': { included: 10e6, each: 0.36e-6 },
  'R2 GB stored': { included: 10, each: 0.015 },
  'log events': { included: 20e6, each: 0.6e-6 },
} as const satisfies Record<string, { included: number; each: number }>;

export type Meter = keyof typeof PRICES;
export const METERS = Object.keys(PRICES) as Meter[];
/** Meters of a stored amount: billed is the mean of the month, not a sum. */
export const STORED_METERS: readonly Meter[] = ['object GB stored', 'D1 GB stored', 'R2 GB stored'];
/** Amount of each meter. */
export type Usage = Record<Meter, number>;

/** Price of the plan, in dollars a month. */
export const PLAN_DOLLARS = 5;
/** Memory of an object as billed, in GB. */
export const OBJECT_GB = 128 / 1000;

/** One amount of each meter: those of `amounts`, else 0. */
export function usageOf(amounts: Partial<Usage>): Usage {
  return Object.fromEntries(METERS.map((meter) => [meter, amounts[meter] ?? 0])) as Usage;
}

/** Sum of usages, each multiplied by its count. */
export function sumOf(parts: readonly (readonly [count: number, amounts: Partial<Usage>])[]): Usage {
  const sum = usageOf({});
  for (const [count, amounts] of parts) for (const meter of METERS) sum[meter] += count * (amounts[meter] ?? 0);
  return sum;
}

/** Dollars a month of each meter beyond the included amount. Throws when a meter is missing or not a number. */
export function costsOf(usage: Usage): Record<Meter, number> {
  return Object.fromEntries(
    METERS.map((meter) => {
      const amount = usage[meter];
      if (!Number.isFinite(amount) || amount < 0) throw new Error(`the model has no amount for the meter "${meter}"`);
      return [meter, Math.max(0, amount - PRICES[meter].included) * PRICES[meter].each];
    }),
  ) as Record<Meter, number>;
}

/** Dollars a month, plan included. */
export function totalOf(usage: Usage): number {
  return PLAN_DOLLARS + Object.values(costsOf(usage)).reduce((sum, cost) => sum + cost, 0);
}
