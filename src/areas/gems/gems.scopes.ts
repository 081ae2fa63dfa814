import type { ScopeDeclarations, ScopeNames } from '../../platform/access/policy/scopes.ts';

export const gemsScopes = {
  'gems:read': { bit: 8, description: 'gem tools, evaluator, build optimizer' },
} satisfies ScopeDeclarations;

declare module '../../platform/access/policy/scopes.ts' {
  interface Scopes extends ScopeNames<typeof gemsScopes> {}
}
