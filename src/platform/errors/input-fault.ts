import { type ApiError, badRequest, type FieldProblem, validationError } from './api-error.ts';
import { InputError } from './input-error.ts';
import { nearestOf } from './nearest.ts';
import { valueAt } from './zod-problems.ts';

type Source = 'body' | 'query';

/** Runs a rule on input from `source`; its faults become answers: 422 for invalid input, 400 for refused. */
export function applyRule<Result>(source: Source, input: unknown, rule: () => Result): Result {
  try {
    return rule();
  } catch (error) {
    throw error instanceof InputError ? toApiError(error, source, input) : error;
  }
}

/** Both answers name the field alike. */
function toApiError(fault: InputError, source: Source, input: unknown): ApiError {
  const problem = toFieldProblem(fault, source, input);
  return fault.kind === 'invalid' ? validationError([problem]) : badRequest(`${problem.loc.join('.')}: ${problem.msg}`, [problem]);
}

function toFieldProblem({ kind, path, message, allowed }: InputError, source: Source, input: unknown): FieldProblem {
  const loc = [source, ...path];
  if (!allowed) return { loc, msg: message, type: kind };
  const value = valueAt(input, path);
  const nearest = typeof value === 'string' ? nearestOf(value, allowed.map(String)) : undefined;
  return { loc, msg: message, type: 'invalid_value', allowed, ...(nearest === undefined ? {} : { nearest }) };
}
