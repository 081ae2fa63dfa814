import { InputError } from '../errors/input-error.ts';
import { isUtf8, utf8Text } from './bytes.ts';

/** Invalid JSON, or invalid UTF-8. */
export class MalformedJson extends Error {
  override readonly name = 'MalformedJson';
}

type JsonKind = 'object' | 'array' | 'string' | 'number' | 'literal';

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const MINUS = 0x2d;
const PLUS = 0x2b;
const POINT = 0x2e;
const ZERO = 0x30;
const EXPONENT = 0x65;
const LITERALS = ['true', 'false', 'null'].map((text) => [...text].map((character) => character.charCodeAt(0)));
/** Text up to this length is decoded here: a call of the platform decoder is slower for short text. */
const SHORT_BYTES = 40;
/** Maximum nesting. */
const MAX_DEPTH = 200;

/** Bounds of a document. */
export interface JsonBounds {
  /** Maximum total of members and items. Limits the time spent on skipped values. */
  maxEntries?: number;
  /** Maximum size in bytes without the strings read by `literal`. Limits the memory of decoded values. */
  maxRestBytes?: number;
}

const ESCAPES = new Set([...'"\\/bfnrt'].map((character) => character.charCodeAt(0)));
const UNICODE_ESCAPE = 0x75;
const UNICODE_DIGITS = 4;

const isWhiteSpace = (byte: number) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
const isHexDigit = (byte: number) => (byte >= 0x30 && byte <= 0x39) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66);
const isDigit = (byte: number) => byte >= ZERO && byte <= 0x39;

/**
 * Pull parser for JSON bytes. Values can be skipped: they are checked but not stored, so the memory stays bounded by the text.
 * Every method throws `MalformedJson`, and `InputError` for a document above its bounds.
 */
export class JsonReader<Memory extends ArrayBufferLike = ArrayBufferLike> {
  readonly #bytes: Uint8Array<Memory>;
  readonly #maxEntries: number;
  readonly #maxRestBytes: number;
  #at = 0;
  #depth = 0;
  #entryCount = 0;
  #literalBytes = 0;

  constructor(bytes: Uint8Array<Memory>, { maxEntries, maxRestBytes }: JsonBounds = {}) {
    this.#bytes = bytes;
    this.#maxEntries = maxEntries ?? Number.POSITIVE_INFINITY;
    this.#maxRestBytes = maxRestBytes ?? Number.POSITIVE_INFINITY;
    if (BYTE_ORDER_MARK.every((byte, index) => bytes[index] === byte)) this.#at = BYTE_ORDER_MARK.length;
  }

  /** Type of the next value. */
  kind(): JsonKind {
    const byte = this.#peek();
    if (byte === OPEN_OBJECT) return 'object';
    if (byte === OPEN_ARRAY) return 'array';
    if (byte === QUOTE) return 'string';
    return byte === MINUS || isDigit(byte) ? 'number' : 'literal';
  }

  /** Yields the member names of an object. Read or skip each value before the next name. */
  *members(): Generator<string> {
    for (const _index of this.#entries(OPEN_OBJECT, CLOSE_OBJECT)) {
      if (this.#peek() !== QUOTE) throw new MalformedJson('missing member name');
      const name = this.string();
      this.#expect(COLON);
      yield name;
    }
  }

  /** Yields the item indexes of an array. Read or skip each item before the next index. */
  items(): Generator<number> {
    return this.#entries(OPEN_ARRAY, CLOSE_ARRAY);
  }

  string(): string {
    const { start, end, hasEscapes } = this.#span();
    this.#checkRest();
    const text = shortText(this.#bytes, start, end);
    return hasEscapes ? (JSON.parse(`"${text}"`) as string) : text;
  }

  /** Raw bytes of a string; null, without reading it, if it has escapes. */
  plainString(): Uint8Array<Memory> | null {
    const from = this.#at;
    const { start, end, hasEscapes } = this.#span();
    if (!hasEscapes) return this.#checkedText(start, end);
    this.#at = from;
    return null;
  }

  /**
   * Bytes between the quotes of a string with at least `minBytes`, with its escapes; null, without reading it, if it is shorter. Searches
   * only the end: the bytes are not checked.
   */
  literal(minBytes: number): Uint8Array<Memory> | null {
    const from = this.#at;
    this.#expect(QUOTE);
    const start = this.#at;
    const end = endOfLiteral(this.#bytes, start);
    if (end - start < minBytes) {
      this.#at = from;
      return null;
    }
    this.#at = end + 1;
    this.#literalBytes += end - start;
    return this.#bytes.subarray(start, end);
  }

  number(): number {
    this.#peek();
    const start = this.#at;
    this.#skipNumber();
    return Number(shortText(this.#bytes, start, this.#at));
  }

  /** `true`, `false` or `null`. */
  constant(): boolean | null {
    this.#peek();
    const start = this.#at;
    this.#skipLiteral();
    return JSON.parse(shortText(this.#bytes, start, this.#at)) as boolean | null;
  }

  /** Checks and skips a value. */
  skip(): void {
    switch (this.kind()) {
      case 'object':
        for (const _name of this.members()) this.skip();
        return;
      case 'array':
        for (const _index of this.items()) this.skip();
        return;
      case 'string': {
        const { start, end } = this.#span();
        this.#checkedText(start, end);
        return;
      }
      case 'number':
        this.#skipNumber();
        return;
      case 'literal':
        this.#skipLiteral();
    }
  }

  /** Throws if there is more data. */
  end(): void {
    if (this.#peek() !== -1) throw new MalformedJson('unexpected data after the value');
  }

  *#entries(open: number, close: number): Generator<number> {
    this.#expect(open);
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new MalformedJson('nested too deeply');
    for (let index = 0; this.#peek() !== close || index > 0; index += 1) {
      this.#entryCount += 1;
      if (this.#entryCount > this.#maxEntries) {
        throw new InputError('refused', [], `must have at most ${this.#maxEntries} members and items`);
      }
      this.#checkRest();
      yield index;
      if (this.#peek() === close) break;
      this.#expect(COMMA);
    }
    this.#expect(close);
    this.#depth -= 1;
  }

  #checkRest(): void {
    if (this.#at - this.#literalBytes > this.#maxRestBytes) {
      throw new InputError('refused', [], `must have at most ${this.#maxRestBytes} bytes without its files`);
    }
  }

  /** Skips white space and returns the next byte; -1 at the end. */
  #peek(): number {
    while (isWhiteSpace(this.#bytes[this.#at] ?? 0)) this.#at += 1;
    return this.#bytes[this.#at] ?? -1;
  }

  #expect(byte: number): void {
    if (this.#peek() !== byte) throw new MalformedJson(`expected ${String.fromCharCode(byte)}`);
    this.#at += 1;
  }

  /** Reads a string and returns the range between its quotes. */
  #span(): { start: number; end: number; hasEscapes: boolean } {
    this.#expect(QUOTE);
    const bytes = this.#bytes;
    const start = this.#at;
    let hasEscapes = false;
    let at = start;
    for (; bytes[at] !== QUOTE; at += 1) {
      const byte = bytes[at] ?? 0;
      if (byte < 0x20) throw new MalformedJson('unterminated string');
      if (byte !== BACKSLASH) continue;
      hasEscapes = true;
      at += escapeLength(bytes, at + 1);
    }
    this.#at = at + 1;
    return { start, end: at, hasEscapes };
  }

  #checkedText(start: number, end: number): Uint8Array<Memory> {
    const text = this.#bytes.subarray(start, end);
    if (!isUtf8(text)) throw notUtf8();
    return text;
  }

  #skipNumber(): void {
    const bytes = this.#bytes;
    if (bytes[this.#at] === MINUS) this.#at += 1;
    if (bytes[this.#at] === ZERO) this.#at += 1;
    else this.#skipDigits();
    if (bytes[this.#at] === POINT) {
      this.#at += 1;
      this.#skipDigits();
    }
    if (((bytes[this.#at] ?? 0) | 0x20) !== EXPONENT) return;
    this.#at += 1;
    if (bytes[this.#at] === PLUS || bytes[this.#at] === MINUS) this.#at += 1;
    this.#skipDigits();
  }

  /** Skips one or more digits. */
  #skipDigits(): void {
    const start = this.#at;
    while (isDigit(this.#bytes[this.#at] ?? 0)) this.#at += 1;
    if (this.#at === start) throw new MalformedJson('missing digit');
  }

  #skipLiteral(): void {
    const literal = LITERALS.find((codes) => codes.every((code, index) => this.#bytes[this.#at + index] === code));
    if (!literal) throw new MalformedJson('invalid value');
    this.#at += literal.length;
  }
}

const notUtf8 = () => new MalformedJson('not UTF-8');

function shortText(bytes: Uint8Array, start: number, end: number): string {
  let text = '';
  for (let at = start; at < end && end - start <= SHORT_BYTES; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte >= 0x80) return longText(bytes.subarray(start, end));
    text += String.fromCharCode(byte);
  }
  return end - start <= SHORT_BYTES ? text : longText(bytes.subarray(start, end));
}

function longText(bytes: Uint8Array): string {
  const text = utf8Text(bytes);
  if (text === null) throw notUtf8();
  return text;
}

/** Index of the closing quote of a literal, which is the next unescaped quote. */
function endOfLiteral(bytes: Uint8Array, start: number): number {
  for (let end = bytes.indexOf(QUOTE, start); end >= 0; end = bytes.indexOf(QUOTE, end + 1)) {
    let slashes = 0;
    while (end - slashes > start && bytes[end - slashes - 1] === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return end;
  }
  throw new MalformedJson('unterminated string');
}

/** Length of an escape sequence after its backslash. */
function escapeLength(bytes: Uint8Array, at: number): number {
  const byte = bytes[at] ?? 0;
  if (ESCAPES.has(byte)) return 1;
  const digits = bytes.subarray(at + 1, at + 1 + UNICODE_DIGITS);
  if (byte !== UNICODE_ESCAPE || digits.length < UNICODE_DIGITS || !digits.every(isHexDigit)) throw new MalformedJson('invalid escape');
  return 1 + UNICODE_DIGITS;
}
