import { badRequest } from '../../kit/errors/api-error.ts';
import { joinBytes } from '../../kit/values/bytes.ts';
import { parseJsonBody } from './body.ts';

/** Longer string literals stay undecoded. Every text field is shorter, even if all its characters are escaped. */
const MIN_LONG_LITERAL_BYTES = 512 * 1024;
/** Maximum size of a body without its long literals, in bytes. Parsed objects take more memory than their text. */
const MAX_REST_BYTES = 8 * 1024 * 1024;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** An undecoded string of a JSON body: the bytes of the literal between its quotes. */
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
 * Parses a JSON body that contains files as base64. Strings over 512 KiB stay undecoded as `LongText`, a view of the body, so a body
 * of 40 MiB needs little additional memory. Throws 400 like `parseJsonBody`.
 */
export function parseBigJson(bytes: Uint8Array<ArrayBuffer>, contentType: string | null): unknown {
  const long = longLiterals(bytes);
  const rest = bytes.length - long.reduce((sum, { start, end }) => sum + end - start, 0);
  if (rest > MAX_REST_BYTES) throw badRequest(`the request body must have at most ${MAX_REST_BYTES} bytes without its files`);
  if (long.length === 0) return parseJsonBody(bytes, contentType);
  const prefix = crypto.randomUUID();
  const placeholders = long.map((_, index) => `${prefix}:${index}`);
  const longTexts = new Map(long.map(({ start, end }, index) => [placeholders[index] ?? '', new LongText(bytes.subarray(start, end))]));
  const value = parseJsonBody(withPlaceholders(bytes, long, placeholders), contentType);
  return replaceTexts(value, (text) => (text.startsWith(prefix) ? (longTexts.get(text) ?? text) : text));
}

/**
 * The bytes of base64 text, for decoding in place; null if the text has an escape of a character outside base64. A `LongText` is a
 * view of the body, so decoding overwrites the body.
 */
export function base64Bytes(text: Base64Text): Uint8Array<ArrayBuffer> | null {
  return typeof text === 'string' ? new Uint8Array(new TextEncoder().encode(text)) : unescapeInPlace(text.literal);
}

/** Finds every long string literal. JSON has quotes only around strings, so the search goes from quote to quote. */
function longLiterals(bytes: Uint8Array): Literal[] {
  const long: Literal[] = [];
  for (let open = bytes.indexOf(QUOTE); open >= 0; ) {
    const end = endOfLiteral(bytes, open + 1);
    if (end < 0) break;
    if (end - open > MIN_LONG_LITERAL_BYTES) long.push({ start: open + 1, end });
    open = bytes.indexOf(QUOTE, end + 1);
  }
  return long;
}

/** Index of the closing quote of a literal, which is the next unescaped quote; -1 without one. */
function endOfLiteral(bytes: Uint8Array, start: number): number {
  for (let end = bytes.indexOf(QUOTE, start); end >= 0; end = bytes.indexOf(QUOTE, end + 1)) {
    let slashes = 0;
    while (end - slashes > start && bytes[end - slashes - 1] === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return end;
  }
  return -1;
}

/** Replaces each long literal of the body with a short placeholder. */
function withPlaceholders(bytes: Uint8Array, long: readonly Literal[], placeholders: readonly string[]): Uint8Array {
  const chunks: Uint8Array[] = [];
  let from = 0;
  for (const [index, { start, end }] of long.entries()) {
    chunks.push(bytes.subarray(from, start), new TextEncoder().encode(placeholders[index]));
    from = end;
  }
  chunks.push(bytes.subarray(from));
  return joinBytes(chunks);
}

/** Maximum depth of the search. Every schema rejects deeper values. */
const MAX_DEPTH = 8;

function replaceTexts(value: unknown, replace: (text: string) => unknown, depth = 0): unknown {
  if (typeof value === 'string') return replace(value);
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) return value.map((item) => replaceTexts(item, replace, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replaceTexts(item, replace, depth + 1)]));
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
