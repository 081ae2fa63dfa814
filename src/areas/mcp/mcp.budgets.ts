import type { BudgetRule } from '../../platform/access/policy/policy.ts';

/** Protocol messages of an address. What a tool reads counts for the endpoint that it reads, as any request. */
export const mcpBudget: BudgetRule = { name: 'mcp', limitOf: () => ({ limit: 300, windowSeconds: 60 }) };
