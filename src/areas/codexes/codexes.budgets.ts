import type { BudgetGroup } from '../../platform/access/policy/policy.ts';

/** Cached model images: a page shows dozens. A request that renders a new image is also charged to `codexesBudget`. */
export const codexImagesBudget: BudgetGroup = {
  name: 'codex-images',
  multiplierOf: (settings) => settings.codexImagesRateLimitMultiplier,
};

export const codexesBudget: BudgetGroup = {
  name: 'codexes',
  multiplierOf: (settings) => settings.codexesRateLimitMultiplier,
  isAlwaysSeparate: true,
};
