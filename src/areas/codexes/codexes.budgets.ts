import type { BudgetGroup } from '../../platform/access/policy/policy.ts';

/** Images of models that are drawn already: a page shows dozens. Drawing a new one charges `codexesBudget` as well. */
export const codexImagesBudget: BudgetGroup = {
  name: 'codex-images',
  multiplierOf: (settings) => settings.codexImagesRateLimitMultiplier,
};

export const codexesBudget: BudgetGroup = {
  name: 'codexes',
  multiplierOf: (settings) => settings.codexesRateLimitMultiplier,
  isAlwaysSeparate: true,
};
