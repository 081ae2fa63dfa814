import { roundTo } from '../../../platform/kit/values/numbers.ts';
import { FOCUS_STRATEGIES, FOCUSES, type FocusName, type FocusStrategyKey, HEADLINE_STRATEGY } from './focuses.data.ts';

/** Containers with the same progress (0 to 1). */
interface FocusNeed {
  containers: number;
  progress: number;
}

/** Focuses and materials to fill all containers with one strategy. */
interface FocusTotals {
  key: FocusStrategyKey;
  label: string;
  superior: number;
  precise: number;
  rough: number;
  total: number;
  recipe_totals: Record<string, number>;
}

export interface FocusPlan {
  focus_totals: Record<FocusStrategyKey, FocusTotals>;
  headline_cost: FocusTotals;
}

/** Percent of the range of a container that one unit of a focus adds. */
const UNIT_PERCENT = 2.5;

export function createFocusPlan(needs: readonly FocusNeed[]): FocusPlan {
  const totalsOf = (key: FocusStrategyKey): FocusTotals => strategyTotals(key, needs);
  const focusTotals = {
    optimized_all: totalsOf('optimized_all'),
    optimized_precise_rough: totalsOf('optimized_precise_rough'),
    rough_only: totalsOf('rough_only'),
  };
  return { focus_totals: focusTotals, headline_cost: focusTotals[HEADLINE_STRATEGY] };
}

function strategyTotals(key: FocusStrategyKey, needs: readonly FocusNeed[]): FocusTotals {
  const { label, order } = FOCUS_STRATEGIES[key];
  const counts: Record<FocusName, number> = { superior: 0, precise: 0, rough: 0 };
  for (const { containers, progress } of needs) {
    let units = unitsToFill(progress);
    for (const focus of order) {
      const perContainer = Math.floor(units / FOCUSES[focus].units);
      counts[focus] += perContainer * containers;
      units -= perContainer * FOCUSES[focus].units;
    }
  }
  const total = counts.superior + counts.precise + counts.rough;
  return { key, label, ...counts, total, recipe_totals: materialsOf(order, counts) };
}

/** Units to fill a container; tolerates rounding errors above an integer. */
function unitsToFill(progress: number): number {
  const remaining = 100 - roundTo(100 * progress, 2);
  return Math.max(0, Math.ceil((remaining - 1e-9) / UNIT_PERCENT));
}

function materialsOf(order: readonly FocusName[], counts: Readonly<Record<FocusName, number>>): Record<string, number> {
  const totals: Record<string, number> = {};
  for (const focus of order) {
    if (counts[focus] === 0) continue;
    for (const [material, quantity] of Object.entries(FOCUSES[focus].materials)) {
      totals[material] = (totals[material] ?? 0) + quantity * counts[focus];
    }
  }
  return totals;
}
