import { roundTo } from '../../platform/kit/values/numbers.ts';
import { STAT_FACTORS, STAT_TABLES, type StatSource, type StatTableKey } from './stat-tables.data.ts';

/** Amount of each source by its position in the table. Absent: 0. */
export type StatAmounts = Readonly<Record<number, number>>;

/** A source with an amount below its maximum. */
export interface MissingSource {
  position: number;
  source: StatSource;
  /** What the sum gains when the source has its maximum, rounded to 0.01. */
  gain: number;
}

export interface StatSum {
  /** Rounded to 0.01, as `max`. */
  total: number;
  /** Sum of all sources at their maximum. */
  max: number;
  /** By gain, largest first; equal gains in the order of the table. */
  missing: MissingSource[];
}

/** Sum of the sources of a stat: the amounts, then the shares that some sources add to them. */
export function sumStat(stat: StatTableKey, amounts: StatAmounts): StatSum {
  const { sources } = STAT_TABLES[stat];
  const owned = sources.map((source, position) => Math.min(Math.max(amounts[position] ?? 0, 0), source.value));
  const total = totalOf(sources, owned);
  const missing = sources.flatMap((source, position): MissingSource[] => {
    if ((owned[position] ?? 0) >= source.value) return [];
    return [{ position, source, gain: roundTo(totalOf(sources, owned.with(position, source.value)) - total, 2) }];
  });
  return {
    total: roundTo(total, 2),
    max: roundTo(
      totalOf(
        sources,
        sources.map(({ value }) => value),
      ),
      2,
    ),
    missing: missing.sort((one, other) => other.gain - one.gain),
  };
}

/** Share of the sum that an amount of the source adds; null for a source that adds the amount itself. */
function shareOf({ name, percentage }: StatSource, amount: number): number | null {
  if (percentage) return amount / 100;
  return STAT_FACTORS.has(name) ? amount : null;
}

function totalOf(sources: readonly StatSource[], amounts: readonly number[]): number {
  let sum = 0;
  let shares = 0;
  for (const [position, source] of sources.entries()) {
    const amount = amounts[position] ?? 0;
    const share = shareOf(source, amount);
    if (share === null) sum += amount;
    else shares += share;
  }
  return sum * (1 + shares);
}
