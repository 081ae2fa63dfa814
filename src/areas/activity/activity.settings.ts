import type { ScopeDeclarations, ScopeNames } from '../../platform/access/policy/scopes.ts';
import { integer, type SettingDeclarations, type SettingValues, toggle } from '../../platform/settings/settings.data.ts';

export const activityScopes = {
  'activity:read': { bit: 2048, description: 'player-activity estimates' },
} satisfies ScopeDeclarations;

declare module '../../platform/access/policy/scopes.ts' {
  interface Scopes extends ScopeNames<typeof activityScopes> {}
}

export const activitySettings = {
  featurePlayerActivityEnabled: toggle({
    key: 'feature_player_activity_enabled',
    default: true,
    category: 'features',
    purpose: 'off: /v1/activity/* and /v1/class-activity/* return 404; the estimate is still computed',
  }),

  // activity
  classActivityPowerRankThreshold: integer({
    key: 'class_activity_power_rank_threshold',
    default: 25000,
    min: 0,
    max: 1000000,
    category: 'activity',
    purpose: 'minimum power rank of the class for the clean figures; 0 = off',
  }),
  classActivityEffortThreshold: integer({
    key: 'class_activity_effort_threshold',
    default: 50,
    min: 0,
    max: 1000000000,
    category: 'activity',
    purpose: 'minimum weekly effort for the clean figures; 0 = off',
  }),
  classActivityXpThreshold: integer({
    key: 'class_activity_xp_threshold',
    default: 2000000,
    min: 0,
    max: 1000000000000,
    category: 'activity',
    purpose: 'minimum weekly experience for the clean figures; 0 = off',
  }),
} satisfies SettingDeclarations;

declare module '../../platform/settings/settings.data.ts' {
  interface Settings extends SettingValues<typeof activitySettings> {}
}
