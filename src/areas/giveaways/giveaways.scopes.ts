import type { ScopeDeclarations } from '../../platform/access/policy/scopes.ts';

export const giveawaysScopes = {
  'giveaways:read': { bit: 4096, description: 'public giveaways' },
} satisfies ScopeDeclarations;

declare module '../../platform/access/policy/scopes.ts' {
  interface Scopes {
    'giveaways:read': true;
  }
}
