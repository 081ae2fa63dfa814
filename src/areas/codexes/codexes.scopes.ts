import type { ScopeDeclarations } from '../../platform/access/policy/scopes.ts';

export const codexesScopes = {
  'codexes:read': { bit: 128, description: 'parsed game codexes' },
} satisfies ScopeDeclarations;

declare module '../../platform/access/policy/scopes.ts' {
  interface Scopes {
    'codexes:read': true;
  }
}
