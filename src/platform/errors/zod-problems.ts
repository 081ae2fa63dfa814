import type { z } from '@hono/zod-openapi';
import type { FieldProblem } from './api-error.ts';
import type { ErrorCode } from './catalogue.ts';
import { notOneOf } from './outside-set.ts';

type Issue = z.core.$ZodIssue;
type Source = 'body' | 'query' | 'path' | 'header';

/** Maximum number of problems in one response. */
const MAX_PROBLEMS = 20;

/** `params` of a custom schema issue. */
interface IssueParams {
  type?: unknown;
  /** The rejected value, if it is only part of the value at the path. */
  value?: unknown;
  /** Allowed values. */
  allowed?: readonly (string | number)[];
  /** Error code of the response. Default: `validation_error`. */
  code?: ErrorCode;
}

/** Converts schema issues to the `details` of the error. `input`: the rejected value. */
export function toFieldProblems(source: Source, issues: readonly Issue[], input: unknown): FieldProblem[] {
  return issues.slice(0, MAX_PROBLEMS).map((issue) => toFieldProblem(source, issue, input));
}

function toFieldProblem(source: Source, issue: Issue, input: unknown): FieldProblem {
  const path = issue.path.map((part) => (typeof part === 'symbol' ? part.toString() : part));
  const loc = [source, ...path];
  const params = paramsOf(issue);
  const value = params.value ?? valueAt(input, path);
  if (value === undefined) return { loc, msg: 'is required', type: 'missing' };
  const allowed = issue.code === 'invalid_value' ? issue.values.filter(isScalar) : params.allowed;
  if (allowed) return notOneOf(loc, value, allowed);
  return { loc, msg: issue.message, type: typeof params.type === 'string' ? params.type : issue.code };
}

/** Error code of the response: that of the first issue if every issue declares one, otherwise `validation_error`. */
export function codeOfIssues(issues: readonly Issue[]): ErrorCode {
  const codes = issues.map((issue) => paramsOf(issue).code);
  return codes.includes(undefined) ? 'validation_error' : (codes[0] ?? 'validation_error');
}

function paramsOf(issue: Issue): IssueParams {
  return issue.code === 'custom' ? (issue.params ?? {}) : {};
}

function isScalar(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

/** The value at a path of the input; undefined if the path does not exist. */
export function valueAt(input: unknown, path: readonly (string | number)[]): unknown {
  let value = input;
  for (const part of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<string | number, unknown>)[part];
  }
  return value;
}
