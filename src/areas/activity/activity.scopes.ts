import type { ScopeDeclarations } from '../../platform/access/policy/scopes.ts';

export const activityScopes = {
  'activity:read': { bit: 2048, description: 'player-activity estimates' },
} satisfies ScopeDeclarations;

declare module '../../platform/access/policy/scopes.ts' {
  interface Scopes {
    'activity:read': true;
  }
}
