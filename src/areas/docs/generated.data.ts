import type { ServiceEnv } from '../../platform/settings/variables.data.ts';

/** Parts of guides generated from route declarations: `<!-- generated: NAME -->` in the Markdown. */
export const GENERATED_PARTS = ['error-codes', 'rate-limits', 'scopes', 'event-types', 'cache-times', 'tools', 'registry-install'] as const;

export type GeneratedPart = (typeof GENERATED_PARTS)[number];

/** Marker of a part in rendered HTML. */
export const GENERATED_MARK = /<!--generated:([a-z-]+)-->/g;

/** Data of external services and the variable with its interval. */
export const REFRESH_VARIABLES = [
  ['News', 'NEWS_REFRESH_SECONDS'],
  ['Community events', 'COMMUNITY_EVENTS_REFRESH_SECONDS'],
  ['Live streams', 'STREAMS_REFRESH_SECONDS'],
  ['Videos (videos-a)', 'VIDEOS_A_REFRESH_SECONDS'],
  ['Videos (videos-b)', 'VIDEOS_B_REFRESH_SECONDS'],
  ['Releases of the companion app', 'CLIENTAPP_REFRESH_SECONDS'],
  ['Chaos chest', 'CHAOS_RELAY_REFRESH_SECONDS'],
  ['Builds of the game', 'UPDATES_PROBE_SECONDS'],
] as const satisfies readonly (readonly [string, keyof ServiceEnv])[];
