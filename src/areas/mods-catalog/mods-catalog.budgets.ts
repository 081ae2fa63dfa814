import type { BudgetGroup } from '../../platform/access/policy/policy.ts';

export const modsCatalogBudget: BudgetGroup = {
  name: 'mods-catalog',
  multiplierOf: (settings) => settings.modsCatalogRateLimitMultiplier,
};
