import type { ScopeDeclarations, ScopeNames } from '../../platform/access/policy/scopes.ts';

export const clientappScopes = {
  'clientapp:read': { bit: 256, description: 'companion app releases' },
} satisfies ScopeDeclarations;

declare module '../../platform/access/policy/scopes.ts' {
  interface Scopes extends ScopeNames<typeof clientappScopes> {}
}
