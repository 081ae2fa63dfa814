import type { BudgetGroup } from '../../platform/access/policy/policy.ts';

export const fileBudget: BudgetGroup = {
  name: 'updates-file',
  multiplierOf: (settings) => settings.updatesFileRateLimitMultiplier,
};
