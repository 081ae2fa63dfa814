import type { BudgetRule } from '../../platform/access/policy/policy.ts';

/** Protocol messages per address. Requests of a tool count separately, against the rate limits of their endpoints. */
export const mcpBudget: BudgetRule = { name: 'mcp', limitOf: () => ({ limit: 300, windowSeconds: 60 }) };
