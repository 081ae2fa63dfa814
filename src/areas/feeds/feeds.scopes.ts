import type { ScopeDeclarations } from '../../platform/access/policy/scopes.ts';

export const feedsScopes = {
  'feeds:read': { bit: 2, description: 'news, streams, videos, community events' },
} satisfies ScopeDeclarations;

declare module '../../platform/access/policy/scopes.ts' {
  interface Scopes {
    'feeds:read': true;
  }
}
