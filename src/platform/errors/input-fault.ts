import { type ApiError, badRequest, type FieldProblem, validationError } from './api-error.ts';
import { nearestOf } from './nearest.ts';
import { valueAt } from './zod-problems.ts';

/**
 * What a rule of the game throws at input it turns down. The rules know no HTTP, and this layer knows no rules: they
 * meet in this shape alone.
 */
export interface InputFault extends Error {
  /** `invalid`: no such value can be sent. `refused`: well-formed, but the game knows nothing of the kind. */
  readonly kind: 'invalid' | 'refused';
  /** From the body or the query down to the field. */
  readonly path: readonly (string | number)[];
  readonly allowed?: readonly (string | number)[] | undefined;
}

type Source = 'body' | 'query';

/** Runs a rule on input from `source`; its faults become answers: 422 for invalid input, 400 for refused. */
export function applyRule<Result>(source: Source, input: unknown, rule: () => Result): Result {
  try {
    return rule();
  } catch (error) {
    throw isInputFault(error) ? toApiError(error, source, input) : error;
  }
}

function isInputFault(error: unknown): error is InputFault {
  return error instanceof Error && error.name === 'InputError' && 'kind' in error && 'path' in error;
}

/** Both answers name the field alike. */
function toApiError(fault: InputFault, source: Source, input: unknown): ApiError {
  const problem = toFieldProblem(fault, source, input);
  return fault.kind === 'invalid' ? validationError([problem]) : badRequest(`${problem.loc.join('.')}: ${problem.msg}`, [problem]);
}

function toFieldProblem({ kind, path, message, allowed }: InputFault, source: Source, input: unknown): FieldProblem {
  const loc = [source, ...path];
  if (!allowed) return { loc, msg: message, type: kind };
  const value = valueAt(input, path);
  const nearest = typeof value === 'string' ? nearestOf(value, allowed.map(String)) : undefined;
  return { loc, msg: message, type: 'invalid_value', allowed, ...(nearest === undefined ? {} : { nearest }) };
}
