import type { ScopeDeclarations, ScopeNames } from '../../platform/access/policy/scopes.ts';
import { type SettingDeclarations, type SettingValues, toggle } from '../../platform/settings/settings.data.ts';

export const giveawaysScopes = {
  'giveaways:read': { bit: 4096, description: 'public giveaways' },
} satisfies ScopeDeclarations;

declare module '../../platform/access/policy/scopes.ts' {
  interface Scopes extends ScopeNames<typeof giveawaysScopes> {}
}

export const giveawaysSettings = {
  featureGiveawaysEnabled: toggle({
    key: 'feature_giveaways_enabled',
    default: true,
    category: 'features',
    purpose: 'off: /v1/giveaways/* returns 404; the admin endpoints stay available',
  }),
} satisfies SettingDeclarations;

declare module '../../platform/settings/settings.data.ts' {
  interface Settings extends SettingValues<typeof giveawaysSettings> {}
}
