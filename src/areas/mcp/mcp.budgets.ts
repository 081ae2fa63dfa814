import type { BudgetRule } from '../../platform/access/policy/policy.ts';

/** Rate limit of protocol messages per IP address. The requests of a tool count against the rate limits of their endpoints. */
export const mcpBudget: BudgetRule = { name: 'mcp', limitOf: () => ({ limit: 300, windowSeconds: 60 }) };
