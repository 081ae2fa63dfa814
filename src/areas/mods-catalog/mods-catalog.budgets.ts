import type { BudgetGroup } from '../../platform/access/policy/policy.ts';

export const modsCatalogBudget: BudgetGroup = {
  name: 'mods-catalog',
  multiplierOf: (settings) => settings.modsCatalogRateLimitMultiplier,
};

/** Images and downloads: a page of a mod manager shows dozens of banners. Separate, so that they do not use up the limit of lists. */
export const modFilesBudget: BudgetGroup = {
  name: 'mods-files',
  multiplierOf: (settings) => settings.modFilesRateLimitMultiplier,
};
