import { type FaultKind, InputError } from '../../../../src/platform/kit/errors/input-error.ts';

/** Kind and dotted path of the `InputError` of an action; fails for any other result. */
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
