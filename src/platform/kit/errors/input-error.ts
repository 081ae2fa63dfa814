import { distance } from 'fastest-levenshtein';
import type { FieldProblem } from './api-error.ts';

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

type Value = string | number;

/** Maximum length of the input that is compared. The comparison is quadratic, and clients control the input. */
const MAX_COMPARED_LENGTH = 64;
/** Shorter prefixes match too many values. */
const MIN_PREFIX_LENGTH = 2;
/** Messages truncate longer rejected values. */
const MAX_QUOTED_LENGTH = 60;
/** Messages omit longer lists of allowed values, which are in `allowed`. */
const MAX_LIST_LENGTH = 300;

/** Creates the problem of a value outside a documented set. The status of the response is not necessarily 422. */
export function notOneOf(loc: FieldProblem['loc'], value: unknown, allowed: readonly Value[]): FieldProblem {
  const nearest = typeof value === 'string' ? nearestOf(value, allowed.map(String)) : undefined;
  return { loc, msg: notOneOfText(value, allowed), type: 'invalid_value', allowed, ...(nearest === undefined ? {} : { nearest }) };
}

/** Creates the message with the allowed values and the value sent. */
function notOneOfText(value: unknown, allowed: readonly Value[]): string {
  const list = allowed.join(', ');
  const values = list.length <= MAX_LIST_LENGTH ? list : `the ${allowed.length} values in allowed`;
  const isScalar = typeof value === 'string' || typeof value === 'number';
  return `must be one of ${values}${isScalar ? `, not ${quote(value)}` : ''}`;
}

function quote(value: Value): string {
  if (typeof value === 'number') return String(value);
  return value.length <= MAX_QUOTED_LENGTH ? `"${value}"` : `"${value.slice(0, MAX_QUOTED_LENGTH)}…"`;
}

/** Returns the nearest allowed value; undefined without a candidate. See `nearestValues`. */
export function nearestOf(value: string, allowed: readonly string[]): string | undefined {
  return nearestValues(value, allowed, 1)[0];
}

/**
 * Returns up to `max` allowed values, sorted by edit distance, ignoring case. Candidates extend the input, are a prefix of the input,
 * or differ by at most a third of their length, or only in number (`allies` for `ally`).
 */
export function nearestValues(value: string, allowed: readonly string[], max: number): string[] {
  if (value.length > MAX_COMPARED_LENGTH) return [];
  const lowerValue = value.toLowerCase();
  const [letters, singular] = [lettersOf(lowerValue), singularOf(lowerValue)];
  const candidates: { name: string; edits: number }[] = [];
  for (const name of allowed) {
    const lowerName = name.toLowerCase();
    const difference = distance(lowerValue, lowerName);
    // Swapped letters are one mistake, which the distance counts as two edits.
    const isSwapped = lowerName.length === lowerValue.length && lettersOf(lowerName) === letters;
    const edits = isSwapped ? Math.min(1, difference) : difference;
    if (singularOf(lowerName) === singular) candidates.push({ name, edits: Math.min(1, edits) });
    else if (edits <= Math.floor(lowerName.length / 3) || isPrefixOfOther(lowerValue, lowerName)) candidates.push({ name, edits });
  }
  candidates.sort((one, other) => one.edits - other.edits);
  return candidates.slice(0, max).map(({ name }) => name);
}

/** The regular singular of an English word; a word that is none becomes the same form as its plural. */
function singularOf(word: string): string {
  return word
    .replace(/ies$/, 'y')
    .replace(/(s|x|ch|sh)es$/, '$1')
    .replace(/(?<=[^s])s$/, '');
}

/** The letters of a text in order. */
function lettersOf(text: string): string {
  return [...text].sort().join('');
}

function isPrefixOfOther(one: string, other: string): boolean {
  const [shorter, longer] = one.length < other.length ? [one, other] : [other, one];
  return shorter.length >= MIN_PREFIX_LENGTH && longer.startsWith(shorter);
}
