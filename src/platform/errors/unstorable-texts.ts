import type { FieldProblem } from './api-error.ts';

/** U+0000, at which the database's text search and string functions stop, and surrogates that UTF-8 cannot encode. */
const UNSTORABLE = /\0|\p{Surrogate}/u;
const MESSAGE = 'must not contain U+0000 or an unpaired surrogate';
const MAX_PROBLEMS = 20;
/** Deeper fields are named by their first levels: a body may be nested a million times. */
const MAX_LOC_DEPTH = 16;

/** An array or object with the place up to which it has been looked through. */
interface Frame {
  values: Readonly<Record<string | number, unknown>>;
  /** Null for an array. */
  names: readonly string[] | null;
  size: number;
  next: number;
}

/** A problem for each text and field name that cannot be stored and searched unchanged. Accepts JSON values only. */
export function unstorableTexts(source: FieldProblem['loc'][number], input: unknown): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const first = frameOf(input);
  // An explicit stack instead of recursion: a body may be nested deeper than the call stack.
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

/** Null for anything but an array and a plain object. */
function frameOf(value: unknown): Frame | null {
  if (typeof value !== 'object' || value === null) return null;
  const values = value as Frame['values'];
  if (Array.isArray(value)) return { values, names: null, size: value.length, next: 0 };
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return null;
  const names = Object.keys(value);
  return { values, names, size: names.length, next: 0 };
}

/** The place that was looked at last. */
function keyOf({ names, next }: Frame): string | number {
  return names ? (names[next - 1] ?? '') : next - 1;
}
