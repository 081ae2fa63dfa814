import type { BudgetGroup } from '../../../platform/access/policy/policy.ts';

export const proxiedImageBudget: BudgetGroup = {
  name: 'videos-b-image',
  multiplierOf: (settings) => settings.videosBImageRateLimitMultiplier,
};
