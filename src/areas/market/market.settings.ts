import type { ScopeDeclarations, ScopeNames } from '../../platform/access/policy/scopes.ts';
import { integer, rateLimitSettings, type SettingDeclarations, type SettingValues, toggle } from '../../platform/settings/settings.data.ts';

export const marketScopes = {
  'market:read': { bit: 1024, description: 'marketplace listings and prices' },
} satisfies ScopeDeclarations;

declare module '../../platform/access/policy/scopes.ts' {
  interface Scopes extends ScopeNames<typeof marketScopes> {}
}

export const marketSettings = {
  // features
  featureMarketEnabled: toggle({
    key: 'feature_market_enabled',
    default: true,
    category: 'features',
    purpose: 'off: /v1/market/* (reads and insert) return 404',
  }),

  // retention
  marketKeepDays: integer({
    key: 'market_keep_days',
    default: 400,
    min: 0,
    max: 10000,
    category: 'retention',
    purpose:
      'days after which the listings of a month move to a file; day figures of their items stay; 0 = listings stay, 1 to 100 count as 100',
  }),

  // archive rate limits
  ...rateLimitSettings('marketArchiveRateLimit', {
    key: 'market_archive_rate_limit',
    category: 'archive_rate_limits',
    requests: {
      default: 0,
      min: 0,
      max: 10000,
      purpose:
        'requests per token and window for market reads that include expired listings, in addition to the token rate limit; 0 = no limit',
    },
    windowSeconds: { default: 60, min: 10, max: 86400, purpose: 'window of the archive rate limit' },
  }),
} satisfies SettingDeclarations;

declare module '../../platform/settings/settings.data.ts' {
  interface Settings extends SettingValues<typeof marketSettings> {}
}
