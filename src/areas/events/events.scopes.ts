import type { ScopeDeclarations } from '../../platform/access/policy/scopes.ts';

export const eventsScopes = {
  'events:read': { bit: 8192, description: 'live event stream' },
} satisfies ScopeDeclarations;

declare module '../../platform/access/policy/scopes.ts' {
  interface Scopes {
    'events:read': true;
  }
}
