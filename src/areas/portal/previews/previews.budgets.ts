import type { BudgetRule } from '../../../platform/access/policy/policy.ts';

/** Preview images that an address may read. */
export const previewsBudget: BudgetRule = { name: 'previews', limitOf: () => ({ limit: 300, windowSeconds: 60 }) };

/** New preview images that are drawn for an address. */
export const previewDrawingsBudget: BudgetRule = { name: 'preview-drawings', limitOf: () => ({ limit: 30, windowSeconds: 60 }) };
