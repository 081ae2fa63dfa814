import type { z } from '@hono/zod-openapi';
import { type FieldProblem, problemsError, validationError } from '../../kit/errors/api-error.ts';
import { nearestOf } from '../../kit/errors/input-error.ts';
import { codeOfIssues, issueText, toFieldProblems } from '../../kit/errors/zod-problems.ts';
import { typedTextProblem } from '../bodies/typed-texts.ts';

/** Query parameters as a plain object. An empty value counts as absent. Throws 422 for a repeated parameter that is not a list. */
export function readQuery(
  query: URLSearchParams,
  known: readonly string[],
  lists: ReadonlySet<string> = NO_LISTS,
): Record<string, string | string[]> {
  const values: Record<string, string | string[]> = {};
  const repeated: FieldProblem[] = [];
  for (const name of known) {
    const occurrences = query.getAll(name);
    if (lists.has(name)) {
      const items = occurrences.filter((item) => item !== '');
      if (items.length > 0) values[name] = items;
      continue;
    }
    if (occurrences.length > 1) repeated.push({ loc: ['query', name], msg: 'must be given only once', type: 'repeated' });
    if (occurrences[0]) values[name] = occurrences[0];
  }
  if (repeated.length > 0) throw validationError(repeated);
  return values;
}

const NO_LISTS: ReadonlySet<string> = new Set();

/** Maximum number of names in `Unknown-Parameters`, and maximum length of each. */
const MAX_UNKNOWN_NAMES = 10;
const MAX_UNKNOWN_NAME_LENGTH = 64;

/**
 * Names of the query that an endpoint does not have, as a structured field (RFC 9651): `att;did-you-mean=at`. Null without any. The
 * parameters are ignored, because clients may send more than an endpoint needs.
 */
export function unknownParametersOf(query: URLSearchParams, known: readonly string[]): string | null {
  const unknown = new Set<string>();
  for (const name of query.keys()) {
    if (unknown.size === MAX_UNKNOWN_NAMES) break;
    if (name !== '' && name.length <= MAX_UNKNOWN_NAME_LENGTH && !known.includes(name)) unknown.add(name);
  }
  if (unknown.size === 0) return null;
  const items = [...unknown].map((name) => {
    const nearest = nearestOf(name, known);
    return toBareItem(name) + (nearest === undefined ? '' : `;did-you-mean=${toBareItem(nearest)}`);
  });
  return items.join(', ');
}

/** Tokens, strings and display strings of RFC 9651. */
const TOKEN = /^[A-Za-z*][\w!#$%&'*+.^`|~:/-]*$/;
const PRINTABLE = /^[ -~]*$/;

function toBareItem(text: string): string {
  if (TOKEN.test(text)) return text;
  if (PRINTABLE.test(text)) return `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
  const bytes = [...new TextEncoder().encode(text)];
  const isPlain = (byte: number) => byte >= 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x25;
  return `%"${bytes.map((byte) => (isPlain(byte) ? String.fromCharCode(byte) : `%${byte.toString(16).padStart(2, '0')}`)).join('')}"`;
}

/**
 * Parses a value with its schema. Throws an error that lists every problem, and 422 for text that cannot be stored unchanged. `texts`:
 * `typed` also refuses hidden characters, and line breaks outside fields of several lines.
 */
export function validate(schema: z.ZodType, source: 'body' | 'query' | 'path', input: unknown, texts: 'typed' | 'any' = 'typed'): unknown {
  const refused = texts === 'typed' ? findRefusedTexts(schema, source, input) : findUnstorableTexts(source, input);
  if (refused.length > 0) throw validationError(refused);
  const result = schema.safeParse(input, { error: issueText });
  if (result.success) return result.data;
  const { issues } = result.error;
  throw problemsError(codeOfIssues(issues), toFieldProblems(schema, source, issues, input));
}

/** Throws 422 for texts that a write refuses. For a form whose handler checks its fields by itself. */
export function validateTexts(schema: z.ZodType, source: 'body', input: unknown): void {
  const refused = findRefusedTexts(schema, source, input);
  if (refused.length > 0) throw validationError(refused);
}

/** U+0000, which terminates text in the search and string functions of the database, and surrogates, which UTF-8 cannot encode. */
const UNSTORABLE = /\0|\p{Surrogate}/u;
const MESSAGE = 'must not contain U+0000 or an unpaired surrogate';
const MAX_PROBLEMS = 20;
/** Maximum length of `loc`: a body may have a million levels. */
const MAX_LOC_DEPTH = 16;

/** The problem of a text at a path, or null. `path`: null for the name of a field. */
type TextProblem = (text: string, path: (() => (string | number)[]) | null) => string | null;

const unstorableProblem: TextProblem = (text) => (UNSTORABLE.test(text) ? MESSAGE : null);

/** Returns a problem for each string and field name that cannot be stored and searched unchanged. `input`: a JSON value. */
export function findUnstorableTexts(source: FieldProblem['loc'][number], input: unknown): FieldProblem[] {
  return findTextProblems(source, input, unstorableProblem);
}

/** Like `findUnstorableTexts`, also for each text that must not be typed into its field. */
function findRefusedTexts(schema: z.ZodType, source: FieldProblem['loc'][number], input: unknown): FieldProblem[] {
  return findTextProblems(source, input, (text, path) => unstorableProblem(text, path) ?? typedTextProblem(schema, path?.() ?? null, text));
}

/** An array or object and the number of its values that were checked. */
interface Frame {
  values: Readonly<Record<string | number, unknown>>;
  /** Null for an array. */
  names: readonly string[] | null;
  size: number;
  next: number;
}

function findTextProblems(source: FieldProblem['loc'][number], input: unknown, problemOf: TextProblem): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const first = frameOf(input);
  // An explicit stack, because a body may be nested deeper than the call stack.
  const frames = first ? [first] : [];
  const path = () => frames.slice(0, MAX_LOC_DEPTH).map(keyOf);
  for (let frame = frames.at(-1); frame && problems.length < MAX_PROBLEMS; frame = frames.at(-1)) {
    if (frame.next === frame.size) {
      frames.pop();
      continue;
    }
    frame.next += 1;
    const key = keyOf(frame);
    const value = frame.values[key];
    const ofKey = typeof key === 'string' ? problemOf(key, null) : null;
    const msg = ofKey ?? (typeof value === 'string' ? problemOf(value, path) : null);
    if (msg !== null) problems.push({ loc: [source, ...path()], msg, type: 'invalid_text' });
    const inner = frameOf(value);
    if (inner) frames.push(inner);
  }
  return problems;
}

/** Returns null for a value that is neither an array nor a plain object. */
function frameOf(value: unknown): Frame | null {
  if (typeof value !== 'object' || value === null) return null;
  const values = value as Frame['values'];
  if (Array.isArray(value)) return { values, names: null, size: value.length, next: 0 };
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return null;
  const names = Object.keys(value);
  return { values, names, size: names.length, next: 0 };
}

/** Key of the value that was checked last. */
function keyOf({ names, next }: Frame): string | number {
  return names ? (names[next - 1] ?? '') : next - 1;
}
