import type { RateLimitGroup } from '../../platform/access/policy/policy.ts';
import type { ScopeDeclarations, ScopeNames } from '../../platform/access/policy/scopes.ts';
import { integer, type SettingDeclarations, type SettingValues, toggle } from '../../platform/settings/settings.data.ts';

export const codexesScopes = {
  'codexes:read': { bit: 128, description: 'parsed game codexes' },
} satisfies ScopeDeclarations;

declare module '../../platform/access/policy/scopes.ts' {
  interface Scopes extends ScopeNames<typeof codexesScopes> {}
}

export const codexesSettings = {
  // features
  featureCodexesEnabled: toggle({
    key: 'feature_codexes_enabled',
    default: true,
    category: 'features',
    purpose: 'off: /v1/codexes/* return 404',
  }),

  // scope multipliers
  codexesRateLimitMultiplier: integer({
    key: 'codexes_rate_limit_multiplier',
    default: 5,
    min: 1,
    max: 100,
    category: 'scope_multipliers',
    purpose: 'multiplies both rate limits of codexes:read, with separate counters',
  }),
  codexImagesRateLimitMultiplier: integer({
    key: 'codex_images_rate_limit_multiplier',
    default: 50,
    min: 1,
    max: 1000,
    category: 'scope_multipliers',
    purpose: 'multiplies both rate limits for cached model images',
  }),
} satisfies SettingDeclarations;

declare module '../../platform/settings/settings.data.ts' {
  interface Settings extends SettingValues<typeof codexesSettings> {}
}

/** Cached model images: a page shows dozens. A request that renders a new image is also charged to `codexRendersRateLimit`. */
export const codexImagesRateLimit: RateLimitGroup = {
  name: 'codex-images',
  multiplierOf: (settings) => settings.codexImagesRateLimitMultiplier,
};

export const codexesRateLimit: RateLimitGroup = {
  name: 'codexes',
  multiplierOf: (settings) => settings.codexesRateLimitMultiplier,
  isAlwaysSeparate: true,
};

/** New model images. Their own counter: a page with dozens of new ones must not refuse its reader the next page. */
export const codexRendersRateLimit: RateLimitGroup = {
  name: 'codex-renders',
  multiplierOf: (settings) => settings.codexesRateLimitMultiplier,
};
