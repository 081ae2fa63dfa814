import type { BudgetRule } from '../../platform/access/policy/policy.ts';

/** Reading a screenshot takes much processor time; charged to a token after its own budget. */
export const ocrBudget: BudgetRule = {
  name: 'ocr',
  limitOf: ({ ocrRateLimitMax: limit, ocrRateLimitWindowSeconds: windowSeconds }) => ({ limit, windowSeconds }),
};
