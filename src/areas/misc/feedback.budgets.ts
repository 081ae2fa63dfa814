import type { BudgetRule } from '../../platform/access/policy/policy.ts';

/** Submissions of an address. */
export const feedbackBudget: BudgetRule = {
  name: 'feedback',
  limitOf: ({ feedbackPerIpMax: limit, feedbackPerIpWindowSeconds: windowSeconds }) => ({ limit, windowSeconds }),
};

/** Submissions of all addresses together. */
export const allFeedbackBudget: BudgetRule = {
  name: 'feedback-global',
  limitOf: ({ feedbackGlobalMax: limit, feedbackGlobalWindowSeconds: windowSeconds }) => ({ limit, windowSeconds }),
};
