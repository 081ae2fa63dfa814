import type { ScopeDeclarations } from '../../platform/access/policy/scopes.ts';

export const leaderboardsScopes = {
  'leaderboards:read': { bit: 512, description: 'in-game leaderboards' },
} satisfies ScopeDeclarations;

declare module '../../platform/access/policy/scopes.ts' {
  interface Scopes {
    'leaderboards:read': true;
  }
}
