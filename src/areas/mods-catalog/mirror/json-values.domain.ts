const CODES = Object.fromEntries([...'[]{},:"\\'].map((mark) => [mark, mark.charCodeAt(0)]));
const { '[': OPEN_LIST, ']': CLOSE_LIST, '{': OPEN_MAP, '}': CLOSE_MAP, ',': COMMA, ':': COLON, '"': QUOTE, '\\': BACKSLASH } = CODES;
const SPACE = 0x20;

/** The text is not a JSON array or object. */
export class NotJson extends Error {}

/**
 * Yields the values of a JSON array or object as raw bytes, so that a list of tens of megabytes is never parsed as a whole.
 * Throws `NotJson` for a broken structure; does not check the values.
 */
export function* jsonValues(bytes: Uint8Array): Generator<Uint8Array> {
  let at = 0;
  while (at < bytes.length && (bytes[at] ?? 0) <= SPACE) at++;
  const isMap = bytes[at] === OPEN_MAP;
  if (!isMap && bytes[at] !== OPEN_LIST) throw new NotJson('must be an array or an object');
  let depth = 0;
  let start = isMap ? -1 : at + 1;
  for (; at < bytes.length; at++) {
    const code = bytes[at];
    if (code === QUOTE) at = endOfString(bytes, at);
    else if (code === OPEN_LIST || code === OPEN_MAP) depth++;
    else if (code === COLON && depth === 1 && isMap && start < 0) start = at + 1;
    else if (code === CLOSE_LIST || code === CLOSE_MAP) depth--;
    if (depth > 1 || (depth === 1 && code !== COMMA)) continue;
    if (start >= 0 && !isBlank(bytes, start, at)) yield bytes.subarray(start, at);
    if (depth === 0) return;
    start = isMap ? -1 : at + 1;
  }
  throw new NotJson('unexpected end');
}

function endOfString(bytes: Uint8Array, open: number): number {
  for (let at = open + 1; at < bytes.length; at++) {
    if (bytes[at] === BACKSLASH) at++;
    else if (bytes[at] === QUOTE) return at;
  }
  throw new NotJson('unterminated string');
}

function isBlank(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if ((bytes[at] ?? 0) > SPACE) return false;
  return true;
}
