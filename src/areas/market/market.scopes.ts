import type { ScopeDeclarations } from '../../platform/access/policy/scopes.ts';

export const marketScopes = {
  'market:read': { bit: 1024, description: 'marketplace listings and prices' },
} satisfies ScopeDeclarations;

declare module '../../platform/access/policy/scopes.ts' {
  interface Scopes {
    'market:read': true;
  }
}
