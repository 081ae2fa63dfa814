import type { ScopeDeclarations, ScopeNames } from '../../platform/access/policy/scopes.ts';

export const modsScopes = {
  'mods:read': { bit: 32, description: 'reading and building .tmod files, mods catalog' },
} satisfies ScopeDeclarations;

declare module '../../platform/access/policy/scopes.ts' {
  interface Scopes extends ScopeNames<typeof modsScopes> {}
}
