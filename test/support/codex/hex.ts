/** Decodes hexadecimal text; white space is ignored. */
export function bytesOf(hex: string): Uint8Array<ArrayBuffer> {
  const digits = hex.replace(/\s/g, '');
  return Uint8Array.from({ length: digits.length / 2 }, (_, index) => Number.parseInt(digits.slice(index * 2, index * 2 + 2), 16));
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Encodes text as Latin-1; characters must be below 256. */
export function latin1Bytes(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
