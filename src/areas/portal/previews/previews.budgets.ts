import type { BudgetRule } from '../../../platform/access/policy/policy.ts';

/** Rate limit of preview requests per IP address. */
export const previewsBudget: BudgetRule = { name: 'previews', limitOf: () => ({ limit: 300, windowSeconds: 60 }) };

/** Rate limit of new renderings per IP address. */
export const previewRenderingsBudget: BudgetRule = { name: 'preview-drawings', limitOf: () => ({ limit: 30, windowSeconds: 60 }) };
