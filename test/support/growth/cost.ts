import { measure } from '../meter.ts';

/** Size of a response, and the reads that it took. */
export interface Cost {
  bytes: number;
  rows: number;
  statements: number;
  kv: number;
  r2: number;
}

const METERS = ['rows', 'statements', 'kv', 'r2'] as const;
type Meter = (typeof METERS)[number];

/** Growth that needs no reason, relative to the growth of the response. */
export const MAX_GROWTH = 1.3;
/** Amounts that do not count. Writes queue work, whose rows later requests read; a scan of the smaller store reads 200 rows or more. */
const FREE: Readonly<Record<Meter, number>> = { rows: 300, statements: 20, kv: 20, r2: 20 };

/** What `work` reads; it returns the size of the response. */
export async function costOf(work: () => Promise<number>): Promise<Cost> {
  let bytes = 0;
  const { usage, statements } = await measure(async () => {
    bytes = await work();
  });
  return { bytes, rows: usage['D1 rows read'], statements, kv: usage['KV reads'], r2: usage['R2 class B'] };
}

export const readsNothing = (cost: Cost): boolean => METERS.every((meter) => cost[meter] === 0);

/** The largest growth of a meter beyond that of the response. */
export function growthOf(small: Cost, large: Cost): number {
  const response = Math.max(1, large.bytes / Math.max(1, small.bytes));
  return Math.max(...METERS.map((meter) => (large[meter] + FREE[meter]) / (small[meter] + FREE[meter]) / response));
}
