import type { BudgetGroup } from '../../platform/access/policy/policy.ts';

/** Requests of public data pages, as a multiple of the anonymous rate limit. */
const PAGES_PER_REQUEST = 4;

/** The rate limit of public data pages: separate, so that looking around does not use up the requests of the same address to the API. */
export const pagesBudget: BudgetGroup = { name: 'pages', multiplierOf: () => PAGES_PER_REQUEST };
