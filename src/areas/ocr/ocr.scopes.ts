import type { ScopeDeclarations } from '../../platform/access/policy/scopes.ts';

export const ocrScopes = {
  'ocr:read': { bit: 16_384, description: 'character stats from a screenshot' },
} satisfies ScopeDeclarations;

declare module '../../platform/access/policy/scopes.ts' {
  interface Scopes {
    'ocr:read': true;
  }
}
