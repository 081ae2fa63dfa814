import { badRequest } from '../../errors/api-error.ts';
import { joinBytes } from '../../values/bytes.ts';
import { parseJsonBody } from './body.ts';

/** Longer string literals of a body stay bytes. More than any text that means something in letters takes, all escaped. */
const LONG_LITERAL = 512 * 1024;
/** Maximum size of a body outside its long literals, in bytes: parsed objects take more memory than their text. */
const MAX_REST = 8 * 1024 * 1024;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** A string of a JSON body that was left undecoded: the bytes of the literal between its quotes. */
export class LongText {
  readonly literal: Uint8Array<ArrayBuffer>;

  constructor(literal: Uint8Array<ArrayBuffer>) {
    this.literal = literal;
  }
}

/** Base64 in a parsed body. */
export type Base64Text = string | LongText;

interface Literal {
  start: number;
  end: number;
}

/**
 * Parses a JSON body that carries files as base64. Strings of more than half a megabyte are not made: they come out as
 * `LongText`, views of the body, so that a body of 40 MiB costs its own bytes and little more. Throws 400 as
 * `parseJsonBody` does.
 */
export function parseBigJson(bytes: Uint8Array<ArrayBuffer>, contentType: string | null): unknown {
  const long = longLiterals(bytes);
  const rest = bytes.length - long.reduce((sum, { start, end }) => sum + end - start, 0);
  if (rest > MAX_REST) throw badRequest(`the request body must have at most ${MAX_REST} bytes besides its files`);
  if (long.length === 0) return parseJsonBody(bytes, contentType);
  const mark = crypto.randomUUID();
  const names = long.map((_, index) => `${mark}:${index}`);
  const found = new Map(long.map(({ start, end }, index) => [names[index] ?? '', new LongText(bytes.subarray(start, end))]));
  const value = parseJsonBody(withNames(bytes, long, names), contentType);
  return replaced(value, (text) => (text.startsWith(mark) ? (found.get(text) ?? text) : text));
}

/**
 * The bytes of base64 text of a body, to be decoded in their place; null when it has escapes that mean no such character.
 * A long one lies in the body itself, so that decoding it spoils the body.
 */
export function base64Bytes(text: Base64Text): Uint8Array<ArrayBuffer> | null {
  return typeof text === 'string' ? new Uint8Array(new TextEncoder().encode(text)) : unescapeInPlace(text.literal);
}

/** Every long string literal. Outside of strings JSON has no quotes, so going from quote to quote is enough. */
function longLiterals(bytes: Uint8Array): Literal[] {
  const long: Literal[] = [];
  for (let open = bytes.indexOf(QUOTE); open >= 0; ) {
    const end = endOfLiteral(bytes, open + 1);
    if (end < 0) break;
    if (end - open > LONG_LITERAL) long.push({ start: open + 1, end });
    open = bytes.indexOf(QUOTE, end + 1);
  }
  return long;
}

/** Index of the closing quote of a literal, the next unescaped one; negative without one. */
function endOfLiteral(bytes: Uint8Array, start: number): number {
  for (let end = bytes.indexOf(QUOTE, start); end >= 0; end = bytes.indexOf(QUOTE, end + 1)) {
    let slashes = 0;
    while (end - slashes > start && bytes[end - slashes - 1] === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return end;
  }
  return -1;
}

/** The body with a short name in the place of each long literal. */
function withNames(bytes: Uint8Array, long: readonly Literal[], names: readonly string[]): Uint8Array {
  const pieces: Uint8Array[] = [];
  let from = 0;
  for (const [index, { start, end }] of long.entries()) {
    pieces.push(bytes.subarray(from, start), new TextEncoder().encode(names[index]));
    from = end;
  }
  pieces.push(bytes.subarray(from));
  return joinBytes(pieces);
}

/** Maximum depth of the search: every schema rejects deeper values. */
const MAX_DEPTH = 8;

function replaced(value: unknown, replace: (text: string) => unknown, depth = 0): unknown {
  if (typeof value === 'string') return replace(value);
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) return value.map((item) => replaced(item, replace, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replaced(item, replace, depth + 1)]));
}

const ESCAPED_SLASH = '/'.charCodeAt(0);
const ESCAPED_CODE = 'u'.charCodeAt(0);
const CODE_DIGITS = 4;

/** Resolves the JSON escapes that can occur in base64 (`\/` and `\u002b`), in place; null for any other escape. */
function unescapeInPlace(text: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> | null {
  let from = text.indexOf(BACKSLASH);
  if (from < 0) return text;
  let to = from;
  while (from < text.length) {
    const escaped = text[from] === BACKSLASH ? text[from + 1] : null;
    if (escaped === null) {
      text[to++] = text[from++] ?? 0;
    } else if (escaped === ESCAPED_SLASH) {
      text[to++] = ESCAPED_SLASH;
      from += 2;
    } else {
      const digits = String.fromCharCode(...text.subarray(from + 2, from + 2 + CODE_DIGITS));
      if (escaped !== ESCAPED_CODE || !/^00[0-9a-f]{2}$/i.test(digits)) return null;
      text[to++] = Number.parseInt(digits, 16);
      from += 2 + CODE_DIGITS;
    }
  }
  return text.subarray(0, to);
}
