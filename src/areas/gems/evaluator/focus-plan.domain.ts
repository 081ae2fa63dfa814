import { roundTo } from '../../../platform/kit/values/numbers.ts';

type FocusName = 'rough' | 'precise' | 'superior';
export type FocusStrategyKey = 'optimized_all' | 'optimized_precise_rough' | 'rough_only';

/** Units of progress per focus (a unit is 2.5 % of a container) and its crafting cost. */
interface FocusRecipe {
  units: number;
  materials: Readonly<Record<string, number>>;
}

const FOCUSES: Record<FocusName, FocusRecipe> = {
  rough: { units: 1, materials: { bound_brilliance: 1, heart_of_darkness: 4, flux: 1200 } },
  precise: {
    units: 2,
    materials: { bound_brilliance: 1, water_gem_dust: 3000, air_gem_dust: 3000, fire_gem_dust: 3000, flux: 2000 },
  },
  superior: { units: 5, materials: { bound_brilliance: 1, diamond_dragonite: 30, titan_soul: 3, flux: 50000 } },
};

/** Strategies to fill a container: uses each focus as often as possible, largest first. */
export const FOCUS_STRATEGIES: Record<FocusStrategyKey, { label: string; order: readonly FocusName[] }> = {
  optimized_all: { label: 'Superior + Precise + Rough', order: ['superior', 'precise', 'rough'] },
  optimized_precise_rough: { label: 'Precise + Rough', order: ['precise', 'rough'] },
  rough_only: { label: 'Rough Only', order: ['rough'] },
};

/** Strategy of `headline_cost`. */
const HEADLINE_STRATEGY: FocusStrategyKey = 'optimized_precise_rough';

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

interface FocusPlan {
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
