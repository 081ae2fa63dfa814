/** Control characters but for the tab and the line feed; both ranges are complete. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point.
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;

/** Decodes bytes for comparison: UTF-8, otherwise Latin-1; control characters become `\xNN`. */
export function comparableText(bytes: Uint8Array): string {
  return decoded(bytes).replaceAll(CONTROL, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

/** The text of clean UTF-8 without NUL; null for any other bytes. */
export function cleanText(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // Each byte is the code point of its character. Not `TextDecoder('latin1')`, which is another code page.
    let text = '';
    for (let start = 0; start < bytes.length; start += DECODE_CHUNK) {
      text += String.fromCharCode(...bytes.subarray(start, start + DECODE_CHUNK));
    }
    return text;
  }
}

const DECODE_CHUNK = 8192;
