import type { BudgetRule } from '../../platform/access/policy/policy.ts';

/** Rate limit of submissions per IP address. */
export const feedbackBudget: BudgetRule = {
  name: 'feedback',
  limitOf: ({ feedbackPerIpMax: limit, feedbackPerIpWindowSeconds: windowSeconds }) => ({ limit, windowSeconds }),
};

/** Rate limit of submissions from all IP addresses. */
export const allFeedbackBudget: BudgetRule = {
  name: 'feedback-global',
  limitOf: ({ feedbackGlobalMax: limit, feedbackGlobalWindowSeconds: windowSeconds }) => ({ limit, windowSeconds }),
};
