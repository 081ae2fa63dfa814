import type { RateLimitRule } from '../../platform/access/policy/policy.ts';
import type { ScopeDeclarations, ScopeNames } from '../../platform/access/policy/scopes.ts';
import { SECONDS_PER_DAY } from '../../platform/kit/time/clock.ts';
import {
  integer,
  rateLimitOf,
  rateLimitSettings,
  type SettingDeclarations,
  type SettingValues,
} from '../../platform/settings/settings.data.ts';

export const ocrScopes = {
  'ocr:read': { bit: 16_384, description: 'character stats from a screenshot' },
} satisfies ScopeDeclarations;

declare module '../../platform/access/policy/scopes.ts' {
  interface Scopes extends ScopeNames<typeof ocrScopes> {}
}

export const ocrSettings = {
  ...rateLimitSettings('ocrRateLimit', {
    key: 'ocr_rate_limit',
    category: 'ocr_rate_limit',
    requests: { default: 10, min: 1, max: 10000, purpose: 'additional per-token rate limit for reading screenshots' },
    windowSeconds: { default: 60, min: 10, max: 86400, purpose: 'window of the rate limit for reading screenshots, in seconds' },
  }),
  ocrVisitorMax: integer({
    key: 'ocr.visitor_max',
    default: 3,
    min: 1,
    max: 1000,
    category: 'ocr_rate_limit',
    purpose: 'screenshots that a visitor without an account may have read on the page, per IP and day',
  }),
  ocrAllVisitorsMax: integer({
    key: 'ocr.all_visitors_max',
    default: 300,
    min: 1,
    max: 100_000,
    category: 'ocr_rate_limit',
    purpose: 'screenshots that all visitors without an account may have read on the page per day',
  }),
} satisfies SettingDeclarations;

declare module '../../platform/settings/settings.data.ts' {
  interface Settings extends SettingValues<typeof ocrSettings> {}
}

/** Separate rate limit for screenshots, which are CPU-heavy; counted after that of the token. */
export const ocrRateLimit: RateLimitRule = {
  name: 'ocr',
  limitOf: rateLimitOf('ocrRateLimit'),
};

/** Screenshots of a visitor without an account, per IP address. */
export const visitorRateLimit: RateLimitRule = {
  name: 'ocr-visitor',
  limitOf: ({ ocrVisitorMax: limit }) => ({ limit, windowSeconds: SECONDS_PER_DAY }),
};

/** Screenshots of all visitors without an account. */
export const allVisitorsRateLimit: RateLimitRule = {
  name: 'ocr-visitors',
  limitOf: ({ ocrAllVisitorsMax: limit }) => ({ limit, windowSeconds: SECONDS_PER_DAY }),
};
