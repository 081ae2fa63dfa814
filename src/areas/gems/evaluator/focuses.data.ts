export type FocusName = 'rough' | 'precise' | 'superior';
export type FocusStrategyKey = 'optimized_all' | 'optimized_precise_rough' | 'rough_only';

/** Units of progress per focus (a unit is 2.5 % of a container) and its crafting cost. */
interface FocusRecipe {
  units: number;
  materials: Readonly<Record<string, number>>;
}

export const FOCUSES: Record<FocusName, FocusRecipe> = {
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
export const HEADLINE_STRATEGY: FocusStrategyKey = 'optimized_precise_rough';
