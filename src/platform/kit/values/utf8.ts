/** Bytes decoded per step, so that a long text is never in memory as one string. */
const SLICE_BYTES = 8 * 1024;

/** Text up to this length is first checked to be ASCII, which is faster than a decoder. */
const SHORT_BYTES = 40;

// Keep a byte order mark: without it a file could not be rebuilt byte for byte.
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/** Decodes UTF-8; null if the bytes are invalid. */
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

/** Decodes UTF-8 in parts of bounded length. Throws if the bytes are invalid. */
export function* utf8Pieces(bytes: Uint8Array): Generator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  for (let start = 0; start < bytes.length; start += SLICE_BYTES) {
    yield decoder.decode(bytes.subarray(start, start + SLICE_BYTES), { stream: start + SLICE_BYTES < bytes.length });
  }
}

export function isUtf8(bytes: Uint8Array): boolean {
  if (bytes.length <= SHORT_BYTES && bytes.every((byte) => byte < 0x80)) return true;
  try {
    for (const _piece of utf8Pieces(bytes));
    return true;
  } catch {
    return false;
  }
}
