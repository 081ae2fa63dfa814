import type { z } from '@hono/zod-openapi';
import type { FieldProblem } from './api-error.ts';
import { nearestOf } from './nearest.ts';

type Issue = z.core.$ZodIssue;
type Source = 'body' | 'query' | 'path' | 'header';

/** Most problems listed in one answer. */
const MAX_PROBLEMS = 20;

/**
 * Turns schema issues into the `details` of a `validation_error`.
 * `input` is the rejected value: the nearest permitted value is looked up against it.
 */
export function toFieldProblems(source: Source, issues: readonly Issue[], input: unknown): FieldProblem[] {
  return issues.slice(0, MAX_PROBLEMS).map((issue) => toFieldProblem(source, issue, input));
}

function toFieldProblem(source: Source, issue: Issue, input: unknown): FieldProblem {
  const path = issue.path.map((part) => (typeof part === 'symbol' ? part.toString() : part));
  const value = issue.code === 'custom' && issue.params?.value !== undefined ? issue.params.value : valueAt(input, path);
  const missing = value === undefined;
  const problem: FieldProblem = {
    loc: [source, ...path],
    msg: missing ? 'is required' : issue.message,
    type: missing ? 'missing' : typeOf(issue),
  };
  const allowed = allowedValues(issue);
  if (allowed) {
    problem.allowed = allowed;
    const nearest = typeof value === 'string' ? nearestOf(value, allowed.map(String)) : undefined;
    if (nearest !== undefined) problem.nearest = nearest;
  }
  return problem;
}

function typeOf(issue: Issue): string {
  const type = issue.code === 'custom' ? issue.params?.type : undefined;
  return typeof type === 'string' ? type : issue.code;
}

function allowedValues(issue: Issue): (string | number)[] | undefined {
  const values = issue.code === 'invalid_value' ? issue.values : issue.code === 'custom' ? issue.params?.allowed : undefined;
  if (!Array.isArray(values)) return undefined;
  return values.filter((value): value is string | number => typeof value === 'string' || typeof value === 'number');
}

/** The part of an input that a path leads to; undefined where there is none. */
export function valueAt(input: unknown, path: readonly (string | number)[]): unknown {
  let value = input;
  for (const part of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<string | number, unknown>)[part];
  }
  return value;
}
