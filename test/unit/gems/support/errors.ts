import { type FaultKind, InputError } from '../../../../src/platform/errors/input-error.ts';

/** The input fault an action ends in, as kind and dotted path; fails when it ends in anything else. */
export function faultOf(action: () => unknown): { kind: FaultKind; path: string } {
  try {
    action();
  } catch (error) {
    if (error instanceof InputError) return { kind: error.kind, path: error.path.join('.') };
    throw error;
  }
  throw new Error('nothing was thrown');
}

export const invalid = (path: string) => ({ kind: 'invalid' as const, path });
export const refused = (path: string) => ({ kind: 'refused' as const, path });
