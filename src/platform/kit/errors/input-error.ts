import { notOneOfText } from './outside-set.ts';

/** Path of a field in the request body or query: `['items', 1, 'type']`. */
export type FieldPath = readonly (string | number)[];

/** `invalid`: the value is malformed. `refused`: the value is well-formed, but not valid under the rules of the game. */
export type FaultKind = 'invalid' | 'refused';

/** Input that a rule rejects. `allowed`: allowed values of the field, if the list is short. */
export class InputError extends Error {
  readonly kind: FaultKind;
  readonly path: FieldPath;
  readonly allowed: readonly (string | number)[] | undefined;

  constructor(kind: FaultKind, path: FieldPath, message: string, allowed?: readonly (string | number)[]) {
    super(message);
    this.name = 'InputError';
    this.kind = kind;
    this.path = path;
    this.allowed = allowed;
  }
}

/** Maximum absolute value of numbers in calculations. Larger values do not occur in the game. */
export const MAX_AMOUNT = 1e12;

export function checkNumber(value: unknown, path: FieldPath, min = -MAX_AMOUNT, max = MAX_AMOUNT): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new InputError('invalid', path, 'must be a finite number');
  if (value < min) throw new InputError('invalid', path, `must be at least ${min}`);
  if (value > max) throw new InputError('invalid', path, `must be at most ${max}`);
  return value;
}

export function checkInteger(value: unknown, path: FieldPath, min = -MAX_AMOUNT, max = MAX_AMOUNT): number {
  if (!Number.isInteger(value)) throw new InputError('invalid', path, 'must be an integer');
  return checkNumber(value, path, min, max);
}

/** Returns the value if it is one of `choices`. Otherwise throws an `InputError` of the given kind that lists the choices. */
export function checkChoice<T extends string | number>(value: unknown, choices: readonly T[], path: FieldPath, kind: FaultKind): T {
  const choice = choices.find((candidate) => candidate === value);
  if (choice === undefined) throw choiceError(value, choices, path, kind);
  return choice;
}

/** Creates the error for a value that is not one of `choices`. */
export function choiceError(value: unknown, choices: readonly (string | number)[], path: FieldPath, kind: FaultKind): InputError {
  return new InputError(kind, path, notOneOfText(value, choices), choices);
}
