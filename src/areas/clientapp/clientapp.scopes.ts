import type { ScopeDeclarations } from '../../platform/access/policy/scopes.ts';

export const clientappScopes = {
  'clientapp:read': { bit: 256, description: 'companion app releases' },
} satisfies ScopeDeclarations;

declare module '../../platform/access/policy/scopes.ts' {
  interface Scopes {
    'clientapp:read': true;
  }
}
