import type { ScopeDeclarations, ScopeNames } from '../../platform/access/policy/scopes.ts';

export const statsScopes = {
  'stats:read': { bit: 4, description: 'stat tables, classes' },
} satisfies ScopeDeclarations;

declare module '../../platform/access/policy/scopes.ts' {
  interface Scopes extends ScopeNames<typeof statsScopes> {}
}
