import type { ScopeDeclarations, ScopeNames } from '../../platform/access/policy/scopes.ts';
import { choice, type SettingDeclarations, type SettingValues, string, toggle } from '../../platform/settings/settings.data.ts';
import { STAMPY_PERIODS } from './schedules/schedules.data.ts';

export const rotationsScopes = {
  'rotations:read': { bit: 1, description: 'server time, bonuses, merchants, biomes, challenges, calendar' },
} satisfies ScopeDeclarations;

declare module '../../platform/access/policy/scopes.ts' {
  interface Scopes extends ScopeNames<typeof rotationsScopes> {}
}

export const rotationsSettings = {
  // features
  featureDelvesEnabled: toggle({
    key: 'feature_delves_enabled',
    default: false,
    category: 'features',
    purpose: 'off (default): both delve endpoints return 404 and the delve job is paused',
  }),

  // rotations
  stampyPeriod: choice({
    key: 'stampy_period',
    default: 'weekly',
    choices: STAMPY_PERIODS,
    category: 'rotations',
    purpose: 'visits of Stampy: weekly from Saturday, as specified, or fortnightly from Monday, as players report',
  }),
  chaosRelayUrl: string({
    key: 'chaos_relay_url',
    default: 'https://trovesaurus.com/api/chaos-chest',
    category: 'rotations',
    purpose: 'URL of the chaos chest source; empty = job off',
  }),
  delvesSourceUrl: string({
    key: 'delves_source_url',
    default: '',
    category: 'rotations',
    purpose: 'URL of the delve source; empty = job off',
  }),
  delvesSourceReferer: string({
    key: 'delves_source_referer',
    default: '',
    category: 'rotations',
    purpose: '`Referer` header of requests to the delve source; empty = none',
  }),
} satisfies SettingDeclarations;

declare module '../../platform/settings/settings.data.ts' {
  interface Settings extends SettingValues<typeof rotationsSettings> {}
}
