import type { BudgetRule } from '../../platform/access/policy/policy.ts';

/** Separate rate limit for screenshots, which are CPU-heavy; counted after that of the token. */
export const ocrBudget: BudgetRule = {
  name: 'ocr',
  limitOf: ({ ocrRateLimitMax: limit, ocrRateLimitWindowSeconds: windowSeconds }) => ({ limit, windowSeconds }),
};
