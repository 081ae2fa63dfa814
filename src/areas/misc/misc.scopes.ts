import type { ScopeDeclarations } from '../../platform/access/policy/scopes.ts';

export const miscScopes = {
  'misc:read': { bit: 16, description: 'software list, time tools, news archive, interest items, supporters' },
} satisfies ScopeDeclarations;

declare module '../../platform/access/policy/scopes.ts' {
  interface Scopes {
    'misc:read': true;
  }
}
