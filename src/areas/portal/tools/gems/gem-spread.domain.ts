import type { RandomSource } from '../../../../platform/kit/random.ts';
import type { BoosterId } from '../../../gems/gem.data.ts';
import { TIERS } from '../../../gems/gem.data.ts';
import type { Gem } from '../../../gems/gem.domain.ts';
import { levelUpTo } from '../../../gems/levels/level-up.domain.ts';

export interface SpreadInput {
  gem: Gem;
  booster: BoosterId | null;
}

/** Distribution of one amount over all runs. */
export interface Spread {
  name: string;
  mean: number;
  /** Amounts that one run in ten, half of the runs and nine in ten do not exceed. */
  p10: number;
  p50: number;
  p90: number;
  /** Bars of equal width: upper end of each and the number of runs. */
  bars: { upTo: number; runs: number }[];
}

/** Number of simulated ways to the maximum. */
export const SPREAD_RUNS = 2000;
const BARS = 24;

/** Levels a gem to its maximum many times. The first amount is the number of attempts, then each material. */
export function spreadToMaximum(
  { gem, booster }: SpreadInput,
  random: RandomSource,
  progress: (share: number) => void = () => {},
): Spread[] {
  const amounts = new Map<string, number[]>([['Attempts', []]]);
  const rolls = { random, newId: () => gem.id };
  for (let run = 0; run < SPREAD_RUNS; run += 1) {
    const { attempts, cost } = levelUpTo(gem, TIERS[gem.tier].maxLevel, booster, null, rolls);
    amounts.get('Attempts')?.push(attempts);
    for (const { name, count } of cost) {
      const list = amounts.get(name) ?? [];
      list[run] = count;
      amounts.set(name, list);
    }
    progress((run + 1) / SPREAD_RUNS);
  }
  return [...amounts].map(([name, list]) =>
    spreadOf(
      name,
      Array.from({ length: SPREAD_RUNS }, (_, run) => list[run] ?? 0),
    ),
  );
}

function spreadOf(name: string, amounts: readonly number[]): Spread {
  const sorted = amounts.toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  const [least, most] = [sorted[0] ?? 0, sorted.at(-1) ?? 0];
  const width = Math.max(1, Math.ceil((most - least + 1) / BARS));
  const bars = Array.from({ length: Math.ceil((most - least + 1) / width) }, (_, index) => ({
    upTo: least + (index + 1) * width - 1,
    runs: 0,
  }));
  for (const amount of sorted) {
    const bar = bars[Math.floor((amount - least) / width)];
    if (bar) bar.runs += 1;
  }
  return { name, mean: sorted.reduce((sum, amount) => sum + amount, 0) / sorted.length, p10: at(0.1), p50: at(0.5), p90: at(0.9), bars };
}
