import { type SettingDeclarations, type SettingValues, toggle } from '../../platform/settings/settings.data.ts';

export const activitySettings = {
  featurePlayerActivityEnabled: toggle({
    key: 'feature_player_activity_enabled',
    default: true,
    category: 'features',
    purpose: 'off: /v1/activity/* answer 404; the estimate is still computed',
  }),
} satisfies SettingDeclarations;

declare module '../../platform/settings/settings.data.ts' {
  interface Settings extends SettingValues<typeof activitySettings> {}
}
