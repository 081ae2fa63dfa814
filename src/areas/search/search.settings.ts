import { integer, type SettingDeclarations, type SettingValues } from '../../platform/settings/settings.data.ts';

export const searchSettings = {
  // scope multipliers
  searchRateLimitMultiplier: integer({
    key: 'search_rate_limit_multiplier',
    default: 4,
    min: 1,
    max: 100,
    category: 'scope_multipliers',
    purpose: 'multiplies both rate limits of the search, whose field sends requests while a visitor types; above 1 with separate counters',
  }),
} satisfies SettingDeclarations;

declare module '../../platform/settings/settings.data.ts' {
  interface Settings extends SettingValues<typeof searchSettings> {}
}
