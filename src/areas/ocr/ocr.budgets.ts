import type { BudgetRule } from '../../platform/access/policy/policy.ts';

/** Reading a screenshot is CPU-heavy: a separate rate limit, counted after that of the token. */
export const ocrBudget: BudgetRule = {
  name: 'ocr',
  limitOf: ({ ocrRateLimitMax: limit, ocrRateLimitWindowSeconds: windowSeconds }) => ({ limit, windowSeconds }),
};
