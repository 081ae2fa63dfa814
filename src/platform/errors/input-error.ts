import { notOneOfText } from './outside-set.ts';

/** Where a fault lies, from the request body or query down: `['items', 1, 'type']`. */
export type FieldPath = readonly (string | number)[];

/** `invalid`: no such value can be sent. `refused`: well-formed, but the rules of the game know nothing of the kind. */
export type FaultKind = 'invalid' | 'refused';

/** Input that a rule turns down, with the field at fault and, where short enough to list, the values it may have. */
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

/** Largest size of any number that takes part in a calculation; beyond it nothing in the game makes sense. */
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

/** The value itself when it is one of `choices`; otherwise a fault of the given kind that lists them. */
export function checkChoice<T extends string | number>(value: unknown, choices: readonly T[], path: FieldPath, kind: FaultKind): T {
  const choice = choices.find((candidate) => candidate === value);
  if (choice === undefined) throw outsideChoices(value, choices, path, kind);
  return choice;
}

/** The fault of a value that is none of `choices`. */
export function outsideChoices(value: unknown, choices: readonly (string | number)[], path: FieldPath, kind: FaultKind): InputError {
  return new InputError(kind, path, notOneOfText(value, choices), choices);
}
