import type { StreamLimits } from '../../platform/access/policy/policy.ts';
import type { ScopeDeclarations, ScopeNames } from '../../platform/access/policy/scopes.ts';
import { integer, type SettingDeclarations, type SettingValues } from '../../platform/settings/settings.data.ts';

export const eventsScopes = {
  'events:read': { bit: 8192, description: 'live event stream' },
} satisfies ScopeDeclarations;

declare module '../../platform/access/policy/scopes.ts' {
  interface Scopes extends ScopeNames<typeof eventsScopes> {}
}

export const eventsSettings = {
  eventsStreamsPerAddressMax: integer({
    key: 'events_streams_per_address_max',
    default: 50,
    min: 1,
    max: 1000,
    category: 'api_rate_limits',
    purpose: 'concurrent event streams per IP address without a token',
  }),
  eventsStreamsPerTokenMax: integer({
    key: 'events_streams_per_token_max',
    default: 20,
    min: 1,
    max: 1000,
    category: 'api_rate_limits',
    purpose: 'concurrent event streams per token',
  }),
} satisfies SettingDeclarations;

declare module '../../platform/settings/settings.data.ts' {
  interface Settings extends SettingValues<typeof eventsSettings> {}
}

export const streamLimits: StreamLimits = (settings) => ({
  address: settings.eventsStreamsPerAddressMax,
  token: settings.eventsStreamsPerTokenMax,
});
