import type { FieldProblem } from './api-error.ts';

/** U+0000, which terminates text in the search and string functions of the database, and surrogates, which UTF-8 cannot encode. */
const UNSTORABLE = /\0|\p{Surrogate}/u;
const MESSAGE = 'must not contain U+0000 or an unpaired surrogate';
const MAX_PROBLEMS = 20;
/** Maximum length of `loc`: a body may have a million levels. */
const MAX_LOC_DEPTH = 16;

/** An array or object and the number of its values that were checked. */
interface Frame {
  values: Readonly<Record<string | number, unknown>>;
  /** Null for an array. */
  names: readonly string[] | null;
  size: number;
  next: number;
}

/** Returns a problem for each string and field name that cannot be stored and searched unchanged. `input`: a JSON value. */
export function findUnstorableTexts(source: FieldProblem['loc'][number], input: unknown): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const first = frameOf(input);
  // An explicit stack, because a body may be nested deeper than the call stack.
  const frames = first ? [first] : [];
  for (let frame = frames.at(-1); frame && problems.length < MAX_PROBLEMS; frame = frames.at(-1)) {
    if (frame.next === frame.size) {
      frames.pop();
      continue;
    }
    frame.next += 1;
    const key = keyOf(frame);
    const value = frame.values[key];
    if (isUnstorable(key) || isUnstorable(value)) {
      problems.push({ loc: [source, ...frames.slice(0, MAX_LOC_DEPTH).map(keyOf)], msg: MESSAGE, type: 'invalid_text' });
    }
    const inner = frameOf(value);
    if (inner) frames.push(inner);
  }
  return problems;
}

function isUnstorable(value: unknown): boolean {
  return typeof value === 'string' && UNSTORABLE.test(value);
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
