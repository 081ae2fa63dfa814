import type { BudgetRule } from '../../../platform/access/policy/policy.ts';

/** Reads per address. */
export const previewsBudget: BudgetRule = { name: 'previews', limitOf: () => ({ limit: 300, windowSeconds: 60 }) };

/** New renderings per address. */
export const previewDrawingsBudget: BudgetRule = { name: 'preview-drawings', limitOf: () => ({ limit: 30, windowSeconds: 60 }) };
