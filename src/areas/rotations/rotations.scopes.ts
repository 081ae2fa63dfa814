import type { ScopeDeclarations } from '../../platform/access/policy/scopes.ts';

export const rotationsScopes = {
  'rotations:read': { bit: 1, description: 'server time, bonuses, merchants, biomes, challenges, calendar' },
} satisfies ScopeDeclarations;

declare module '../../platform/access/policy/scopes.ts' {
  interface Scopes {
    'rotations:read': true;
  }
}
