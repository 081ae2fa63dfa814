import type { BudgetRule } from '../../platform/access/policy/policy.ts';
import type { ScopeDeclarations } from '../../platform/access/policy/scopes.ts';
import { integer, type SettingDeclarations, type SettingValues } from '../../platform/settings/settings.data.ts';

export const ocrScopes = {
  'ocr:read': { bit: 16_384, description: 'character stats from a screenshot' },
} satisfies ScopeDeclarations;

declare module '../../platform/access/policy/scopes.ts' {
  interface Scopes {
    'ocr:read': true;
  }
}

export const ocrSettings = {
  ocrRateLimitMax: integer({
    key: 'ocr_rate_limit_max',
    default: 10,
    min: 1,
    max: 10000,
    category: 'ocr_rate_limit',
    purpose: 'additional per-token rate limit for reading screenshots',
  }),
  ocrRateLimitWindowSeconds: integer({
    key: 'ocr_rate_limit_window_seconds',
    default: 60,
    min: 10,
    max: 86400,
    category: 'ocr_rate_limit',
    purpose: 'window of the rate limit for reading screenshots, in seconds',
  }),
} satisfies SettingDeclarations;

declare module '../../platform/settings/settings.data.ts' {
  interface Settings extends SettingValues<typeof ocrSettings> {}
}

/** Separate rate limit for screenshots, which are CPU-heavy; counted after that of the token. */
export const ocrBudget: BudgetRule = {
  name: 'ocr',
  limitOf: ({ ocrRateLimitMax: limit, ocrRateLimitWindowSeconds: windowSeconds }) => ({ limit, windowSeconds }),
};
