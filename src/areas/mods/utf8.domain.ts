/** Bytes checked at once: a long text is never held as a string as a whole. */
const SLICE_BYTES = 8 * 1024;

// A mark at the start of a text belongs to it: without it the container could not be written again as it was.
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/** The text of bytes that are UTF-8; null when they are not. */
export function utf8Text(bytes: Uint8Array): string | null {
  try {
    return strict.decode(bytes);
  } catch {
    return null;
  }
}

export function utf8Bytes(text: string): Uint8Array {
  return encoder.encode(text);
}

/** The text in pieces of bounded length. Throws when the bytes are not UTF-8. */
export function* utf8Pieces(bytes: Uint8Array): Generator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  for (let start = 0; start < bytes.length; start += SLICE_BYTES) {
    yield decoder.decode(bytes.subarray(start, start + SLICE_BYTES), { stream: start + SLICE_BYTES < bytes.length });
  }
}

export function isUtf8(bytes: Uint8Array): boolean {
  try {
    for (const _piece of utf8Pieces(bytes));
    return true;
  } catch {
    return false;
  }
}
