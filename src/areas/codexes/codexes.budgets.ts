import type { BudgetGroup } from '../../platform/access/policy/policy.ts';

export const codexesBudget: BudgetGroup = {
  name: 'codexes',
  multiplierOf: (settings) => settings.codexesRateLimitMultiplier,
  isAlwaysApart: true,
};
