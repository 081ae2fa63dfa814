import { type FieldProblem, problemsError } from './api-error.ts';
import { InputError, notOneOf } from './input-error.ts';
import { valueAt } from './zod-problems.ts';

type Source = 'body' | 'query';

/** Runs a rule on input from `source`. Converts `InputError` to 422 for kind `invalid` and 400 for `refused`. */
export function applyRule<Result>(source: Source, input: unknown, rule: () => Result): Result {
  try {
    return rule();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const code = error.kind === 'invalid' ? 'validation_error' : 'bad_request';
    throw problemsError(code, [toFieldProblem(error, source, input)]);
  }
}

function toFieldProblem({ kind, path, message, allowed }: InputError, source: Source, input: unknown): FieldProblem {
  const loc = [source, ...path];
  const value = valueAt(input, path);
  if (kind === 'invalid' && value === undefined && input !== undefined) return { loc, msg: 'is required', type: 'missing' };
  // The message of the rule may explain why the value is not allowed.
  return allowed ? { ...notOneOf(loc, value, allowed), msg: message } : { loc, msg: message, type: kind };
}
