import type { RateLimitGroup } from '../../platform/access/policy/policy.ts';
import type { ScopeDeclarations, ScopeNames } from '../../platform/access/policy/scopes.ts';
import { integer, type SettingDeclarations, type SettingValues, toggle } from '../../platform/settings/settings.data.ts';

export const updatesScopes = {
  'updates:read': { bit: 64, description: 'game file archive: versions, changes, tree, files' },
} satisfies ScopeDeclarations;

declare module '../../platform/access/policy/scopes.ts' {
  interface Scopes extends ScopeNames<typeof updatesScopes> {}
}

export const updatesSettings = {
  // features
  featureUpdatesEnabled: toggle({
    key: 'feature_updates_enabled',
    default: true,
    category: 'features',
    purpose: 'off: /v1/updates/* return 404; archiving continues',
  }),
  updatesArchiverEnabled: toggle({
    key: 'updates_archiver_enabled',
    default: false,
    category: 'features',
    purpose: 'on: the game file archiver probes and syncs; independent of feature_updates_enabled',
  }),

  // scope multipliers
  updatesFileRateLimitMultiplier: integer({
    key: 'updates_file_rate_limit_multiplier',
    default: 20,
    min: 1,
    max: 100,
    category: 'scope_multipliers',
    purpose: 'multiplies both rate limits of the archive file download; above 1 with separate counters',
  }),
} satisfies SettingDeclarations;

declare module '../../platform/settings/settings.data.ts' {
  interface Settings extends SettingValues<typeof updatesSettings> {}
}

export const fileRateLimit: RateLimitGroup = {
  name: 'updates-file',
  multiplierOf: (settings) => settings.updatesFileRateLimitMultiplier,
};
