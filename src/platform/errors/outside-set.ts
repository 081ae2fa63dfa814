import { distance } from 'fastest-levenshtein';
import type { FieldProblem } from './api-error.ts';

type Value = string | number;

/** Longest input compared: the comparison is quadratic and the input is the client's. */
const MAX_COMPARED_LENGTH = 64;
/** A shorter text is the beginning of too much. */
const MIN_PREFIX_LENGTH = 2;
/** Of the rejected value, in a message. */
const MAX_SHOWN_LENGTH = 60;
/** A longer list appears in `allowed` only. */
const MAX_LIST_LENGTH = 300;

/** The problem of a value outside a documented set, for any status. */
export function notOneOf(loc: FieldProblem['loc'], value: unknown, allowed: readonly Value[]): FieldProblem {
  const nearest = typeof value === 'string' ? nearestOf(value, allowed.map(String)) : undefined;
  return { loc, msg: notOneOfText(value, allowed), type: 'invalid_value', allowed, ...(nearest === undefined ? {} : { nearest }) };
}

/** States the allowed values and the value sent. */
export function notOneOfText(value: unknown, allowed: readonly Value[]): string {
  const list = allowed.join(', ');
  const values = list.length <= MAX_LIST_LENGTH ? list : `the ${allowed.length} values in allowed`;
  const isShown = typeof value === 'string' || typeof value === 'number';
  return `must be one of ${values}${isShown ? `, not ${shown(value)}` : ''}`;
}

function shown(value: Value): string {
  if (typeof value === 'number') return String(value);
  return value.length <= MAX_SHOWN_LENGTH ? `"${value}"` : `"${value.slice(0, MAX_SHOWN_LENGTH)}…"`;
}

/**
 * The most likely intended value: the fewest edits among values that differ in case only, share a prefix with the input, or
 * differ by at most a third of their length. Undefined when none is near.
 */
export function nearestOf(value: string, allowed: readonly string[]): string | undefined {
  if (value.length > MAX_COMPARED_LENGTH) return undefined;
  const wanted = value.toLowerCase();
  let nearest: { name: string; edits: number } | undefined;
  for (const name of allowed) {
    const known = name.toLowerCase();
    const edits = distance(wanted, known);
    const isNear = edits <= Math.floor(known.length / 3) || startsWithOther(wanted, known);
    if (isNear && (nearest === undefined || edits < nearest.edits)) nearest = { name, edits };
  }
  return nearest?.name;
}

function startsWithOther(one: string, other: string): boolean {
  const [shorter, longer] = one.length < other.length ? [one, other] : [other, one];
  return shorter.length >= MIN_PREFIX_LENGTH && longer.startsWith(shorter);
}
