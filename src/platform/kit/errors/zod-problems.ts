import { z } from '@hono/zod-openapi';
import type { ErrorCode, FieldProblem } from './api-error.ts';
import { nearestOf, notOneOf } from './input-error.ts';
import { schemasAt } from './schema-path.ts';

type Issue = z.core.$ZodIssue;
type Source = 'body' | 'query' | 'path' | 'header';

/** Maximum number of problems in one response. */
const MAX_PROBLEMS = 20;
/** Maximum number of sent fields that are compared with the name of a missing one. */
const MAX_COMPARED_FIELDS = 50;

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
export function toFieldProblems(schema: z.ZodType, source: Source, issues: readonly Issue[], input: unknown): FieldProblem[] {
  return issues.slice(0, MAX_PROBLEMS).map((issue) => toFieldProblem(schema, source, issue, input));
}

function toFieldProblem(schema: z.ZodType, source: Source, issue: Issue, input: unknown): FieldProblem {
  const path = issue.path.map((part) => (typeof part === 'symbol' ? part.toString() : part));
  const loc = [source, ...path];
  const params = paramsOf(issue);
  const value = params.value ?? valueAt(input, path);
  if (value === undefined) return missingField(loc, misspeltField(schema, path, input));
  const allowed = issue.code === 'invalid_value' ? issue.values.filter(isScalar) : params.allowed;
  if (allowed) return notOneOf(loc, value, allowed);
  return { loc, msg: issue.message, type: typeof params.type === 'string' ? params.type : issue.code };
}

function missingField(loc: FieldProblem['loc'], misspelt: string | undefined): FieldProblem {
  if (misspelt === undefined) return { loc, msg: 'is required', type: 'missing' };
  return { loc, msg: `is required; "${misspelt}" is not a field`, type: 'missing', nearest: String(loc.at(-1)) };
}

/** The sent field whose name is closest to that of a missing field; undefined if none is similar. */
function misspeltField(schema: z.ZodType, path: readonly (string | number)[], input: unknown): string | undefined {
  const name = path.at(-1);
  const parent = valueAt(input, path.slice(0, -1));
  const known = fieldsAt(schema, path.slice(0, -1));
  if (typeof name !== 'string' || typeof parent !== 'object' || parent === null || known === null) return undefined;
  const unknown = Object.keys(parent)
    .slice(0, MAX_COMPARED_FIELDS)
    .filter((field) => !Object.hasOwn(known, field));
  return nearestOf(name, unknown);
}

/** Fields of the object at a path of a schema; null where the schema has no fixed fields. */
function fieldsAt(schema: z.ZodType, path: readonly (string | number)[]): Readonly<Record<string, unknown>> | null {
  return schemasAt(schema, path).find((found) => found instanceof z.ZodObject)?.shape ?? null;
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

type RawIssue = z.core.$ZodRawIssue;

const KINDS: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

const FORMATS: Readonly<Record<string, string>> = {
  email: 'an email address',
  uuid: 'a UUID',
  url: 'an absolute URL',
  datetime: 'a date and time in ISO 8601',
  date: 'a date as YYYY-MM-DD',
};

/** Creates the message of a schema issue. Clients never receive messages of the schema library. */
export function issueText(issue: RawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${KINDS[issue.expected] ?? 'of another type'}`;
    case 'too_small':
      return boundText(issue.origin, Number(issue.minimum), issue.inclusive === false ? 'more than' : 'at least');
    case 'too_big':
      return boundText(issue.origin, Number(issue.maximum), issue.inclusive === false ? 'less than' : 'at most');
    case 'invalid_format':
      return `must be ${FORMATS[issue.format] ?? 'in the documented format'}`;
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'unrecognized_keys':
      return `must not have unknown fields: ${issue.keys.slice(0, MAX_NAMED_KEYS).join(', ')}`;
    default:
      return 'must have the documented format';
  }
}

const MAX_NAMED_KEYS = 5;

function boundText(origin: string, limit: number, comparison: string): string {
  if (origin === 'string')
    return limit === 1 && comparison === 'at least' ? 'must not be empty' : `must have ${comparison} ${limit} characters`;
  if (origin === 'array' || origin === 'set') return `must have ${comparison} ${limit} items`;
  return `must be ${comparison} ${limit}`;
}
