import { closest, distance } from 'fastest-levenshtein';

/** Longest input compared: the comparison is quadratic and the input is the client's. */
const MAX_COMPARED_LENGTH = 64;

/** The permitted value a client most likely meant, or undefined when none is close. */
export function nearestOf(value: string, allowed: readonly string[]): string | undefined {
  if (value.length === 0 || value.length > MAX_COMPARED_LENGTH || allowed.length === 0) return undefined;
  const wanted = value.toLowerCase();
  const best = closest(wanted, allowed as string[]);
  return distance(wanted, best.toLowerCase()) <= Math.max(2, Math.floor(best.length / 2)) ? best : undefined;
}
