import { Buffer } from 'node:buffer';

/** A JSON value of an entry. */
type Value = unknown;
type Fields = Readonly<Record<string, Value>>;

/** A field of an entry that differs between two dumps. */
export interface FieldChange {
  /** JSON Pointer (RFC 6901) of the field in the entry. */
  field: string;
  change: 'added' | 'removed' | 'changed';
  /** Absent for an added field. */
  old?: Value;
  /** Absent for a removed field. */
  new?: Value;
  /** `new` minus `old`, for two numbers. */
  difference?: number;
  /** For two lists: items that only the new or only the old list has, in its order. */
  added?: Value[];
  removed?: Value[];
}

/** An entry that differs between two dumps. The fields of a removed entry are not listed. */
export interface EntryChange {
  type: string;
  path: string;
  name: string;
  change: 'added' | 'modified' | 'removed';
  fields: FieldChange[];
}

const isObject = (value: Value): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);
const isEqual = (one: Value, other: Value) => JSON.stringify(one) === JSON.stringify(other);
const pointer = (base: string, key: string) => `${base}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** The fields that differ. Objects are compared field by field, lists as a whole. Applied to the old value, they give the new one. */
function diffFields(before: Fields, after: Fields, base = ''): FieldChange[] {
  const changes: FieldChange[] = [];
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const field = pointer(base, key);
    const [old, value] = [before[key], after[key]];
    if (!Object.hasOwn(after, key)) changes.push({ field, change: 'removed', old });
    else if (!Object.hasOwn(before, key)) changes.push({ field, change: 'added', new: value });
    else if (isObject(old) && isObject(value)) changes.push(...diffFields(old, value, field));
    else if (!isEqual(old, value)) changes.push({ field, change: 'changed', old, new: value, ...detailsOf(old, value) });
  }
  return changes;
}

function detailsOf(old: Value, value: Value): Pick<FieldChange, 'difference' | 'added' | 'removed'> {
  if (typeof old === 'number' && typeof value === 'number') return { difference: Number((value - old).toPrecision(12)) };
  if (Array.isArray(old) && Array.isArray(value)) return { added: itemsWithout(value, old), removed: itemsWithout(old, value) };
  return {};
}

/** Items of a list beyond those of another one; repeated items count. */
function itemsWithout(list: readonly Value[], other: readonly Value[]): Value[] {
  const counts = new Map<string, number>();
  for (const item of other) {
    const text = JSON.stringify(item);
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return list.filter((item) => {
    const text = JSON.stringify(item);
    const left = counts.get(text) ?? 0;
    if (left > 0) counts.set(text, left - 1);
    return left === 0;
  });
}

/** Splits a stream of UTF-8 text into lines, in groups of one chunk each. */
async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string[]> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield lines;
  }
  if (rest !== '') yield [rest];
}

/** Reads lines one by one; null at the end. */
function createLineReader(stream: ReadableStream<Uint8Array>) {
  const groups = linesOf(stream);
  let lines: string[] = [];
  let at = 0;
  return async (): Promise<string | null> => {
    while (at >= lines.length) {
      const { done, value } = await groups.next();
      if (done) return null;
      lines = value;
      at = 0;
    }
    const line = lines[at] ?? '';
    at += 1;
    return line;
  };
}

type DumpEntry = Fields & { type: string; path: string; name: string };

const parseLine = (line: string) => JSON.parse(line) as DumpEntry;

function changeOf(entry: DumpEntry, change: EntryChange['change'], fields: FieldChange[]): EntryChange {
  return { type: entry.type, path: entry.path, name: entry.name, change, fields };
}

/** The entries that differ between two dumps, by path in byte order, the order of dumps. Holds one line of each in memory. */
export async function* compareDumps(
  before: ReadableStream<Uint8Array>,
  after: ReadableStream<Uint8Array>,
): AsyncGenerator<EntryChange, void, void> {
  const [readOld, readNew] = [createLineReader(before), createLineReader(after)];
  let [old, current] = [await readOld(), await readNew()];
  while (old !== null || current !== null) {
    // Most entries do not change: equal lines are not parsed.
    if (old === current) {
      [old, current] = [await readOld(), await readNew()];
      continue;
    }
    const oldEntry = old === null ? null : parseLine(old);
    const newEntry = current === null ? null : parseLine(current);
    const order = oldEntry && newEntry ? Buffer.compare(Buffer.from(oldEntry.path), Buffer.from(newEntry.path)) : oldEntry ? -1 : 1;
    if (oldEntry && order < 0) {
      yield changeOf(oldEntry, 'removed', []);
      old = await readOld();
    } else if (newEntry && order > 0) {
      yield changeOf(newEntry, 'added', diffFields({}, newEntry));
      current = await readNew();
    } else if (oldEntry && newEntry) {
      yield changeOf(newEntry, 'modified', diffFields(oldEntry, newEntry));
      [old, current] = [await readOld(), await readNew()];
    }
  }
}
