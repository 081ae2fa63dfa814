import type { ScopeDeclarations } from '../../platform/access/policy/scopes.ts';

export const updatesScopes = {
  'updates:read': { bit: 64, description: 'game file archive: versions, changes, tree, files' },
} satisfies ScopeDeclarations;

declare module '../../platform/access/policy/scopes.ts' {
  interface Scopes {
    'updates:read': true;
  }
}
