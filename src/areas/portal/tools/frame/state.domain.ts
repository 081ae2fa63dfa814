/** How a link contains one value of a tool. */
export interface Field<Value> {
  /** The value of the example, which links omit. */
  readonly initial: Value;
  write(value: Value): string;
  /** Undefined for a text that is not a value of the field. */
  read(text: string): Value | undefined;
}

/** The values of a tool by name. Names are part of links: never rename one. */
export type Fields<State> = { readonly [Name in keyof State]: Field<State[Name]> };

/** Maximum length of the part of a link after `#`, in characters. */
export const MAX_LINK_LENGTH = 8192;
const MAX_PAIRS = 100;

/** A number from `min` to `max`. */
export function numberIn(min: number, max: number, initial: number): Field<number> {
  return {
    initial,
    write: String,
    read(text) {
      const value = /^-?\d{1,15}(?:\.\d{1,25})?(?:e-\d{1,3})?$/.test(text) ? Number(text) : Number.NaN;
      return value >= min && value <= max ? value : undefined;
    },
  };
}

/** An integer from `min` to `max`. */
export function integerIn(min: number, max: number, initial: number): Field<number> {
  const numbers = numberIn(min, max, initial);
  return {
    ...numbers,
    read(text) {
      const value = numbers.read(text);
      return Number.isInteger(value) ? value : undefined;
    },
  };
}

/** One of `values`. */
export function oneOf<const Value extends string | number>(values: readonly Value[], initial: Value): Field<Value> {
  return { initial, write: String, read: (text) => values.find((value) => String(value) === text) };
}

/** A text of at most `maxLength` characters that matches the pattern. */
export function textOf(pattern: RegExp, maxLength: number, initial = ''): Field<string> {
  return { initial, write: (value) => value, read: (text) => (text.length <= maxLength && pattern.test(text) ? text : undefined) };
}

/** A yes or no. */
export function flag(initial = false): Field<boolean> {
  return { initial, write: (value) => (value ? '1' : '0'), read: (text) => (text === '1' ? true : text === '0' ? false : undefined) };
}

/** A value of another field, or null. */
export function orNull<Value>(field: Field<Value>, initial: Value | null = null): Field<Value | null> {
  return {
    initial,
    write: (value) => (value === null ? '' : field.write(value)),
    read: (text) => (text === '' ? null : field.read(text)),
  };
}

/** Amounts by position of a list, without those that are 0: `3,7:120` is 1 at position 3 and 120 at position 7. */
export function amountsOf(positions: number, maxAt: (position: number) => number): Field<Readonly<Record<number, number>>> {
  const amount = numberIn(0, Number.MAX_SAFE_INTEGER, 0);
  const entryOf = (part: string): [number, number] | null => {
    const [at = '', value = '1'] = part.split(':');
    const position = /^\d{1,3}$/.test(at) ? Number(at) : Number.NaN;
    const count = amount.read(value);
    return position < positions && count !== undefined && count > 0 && count <= maxAt(position) ? [position, count] : null;
  };
  return {
    initial: {},
    write: (value) =>
      Object.entries(value)
        .filter(([, count]) => count > 0)
        .map(([position, count]) => (count === 1 ? position : `${position}:${count}`))
        .join(','),
    read(text) {
      const entries = text === '' ? [] : text.split(',').map(entryOf);
      return entries.every((entry) => entry !== null) ? Object.fromEntries(entries) : undefined;
    },
  };
}

export function initialState<State>(fields: Fields<State>): State {
  return mapFields(fields, (_, field) => field.initial);
}

/** The part of a link after `#`: the values that differ from the example, in the order of the fields. */
export function writeState<State>(fields: Fields<State>, state: State): string {
  const pairs: string[] = [];
  for (const name of namesOf(fields)) {
    const text = fields[name].write(state[name]);
    if (text !== fields[name].write(fields[name].initial)) pairs.push(`${String(name)}=${escapeValue(text)}`);
  }
  return pairs.join('&');
}

export interface ReadState<State> {
  state: State;
  /** Names that are unknown, repeated or have a value that the field does not accept. Their fields have the values of the example. */
  ignored: string[];
}

/** Reads the part of a link after `#`. Accepts every text. */
export function readState<State>(fields: Fields<State>, text: string): ReadState<State> {
  const state = initialState(fields);
  if (text.length > MAX_LINK_LENGTH) return { state, ignored: ['link'] };
  const ignored: string[] = [];
  const seen = new Set<string>();
  for (const pair of text.split('&').slice(0, MAX_PAIRS)) {
    if (pair === '') continue;
    const [name = '', ...rest] = pair.split('=');
    const value = Object.hasOwn(fields, name) && !seen.has(name) ? readValue(fields[name as keyof State], rest.join('=')) : undefined;
    seen.add(name);
    if (value === undefined) ignored.push(name.slice(0, 40));
    else state[name as keyof State] = value;
  }
  return { state, ignored };
}

function readValue<Value>(field: Field<Value>, text: string): Value | undefined {
  try {
    return field.read(decodeURIComponent(text));
  } catch {
    return undefined;
  }
}

/** Keeps separators readable that no server or chat program changes. */
const escapeValue = (text: string) => encodeURIComponent(text).replaceAll(/%(?:2C|3A)/g, decodeURIComponent);

const namesOf = <State>(fields: Fields<State>) => Object.keys(fields) as (keyof State)[];

function mapFields<State>(fields: Fields<State>, map: (name: keyof State, field: Field<State[keyof State]>) => State[keyof State]): State {
  return Object.fromEntries(namesOf(fields).map((name) => [name, map(name, fields[name])])) as State;
}
