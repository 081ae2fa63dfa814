/** Image types that uploads may have. */
export type ImageType = 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif';

const ASCII = { png: '\x89PNG\r\n\x1a\n', jpeg: '\xff\xd8\xff', gif87: 'GIF87a', gif89: 'GIF89a', riff: 'RIFF', webp: 'WEBP' } as const;
/** Number of leading bytes that identify the type. */
export const SIGNATURE_BYTES = 12;

/** Type of an image by its first bytes; null for unsupported types. */
export function imageTypeOf(bytes: Uint8Array): ImageType | null {
  const start = String.fromCharCode(...bytes.subarray(0, SIGNATURE_BYTES));
  if (start.startsWith(ASCII.png)) return 'image/png';
  if (start.startsWith(ASCII.jpeg)) return 'image/jpeg';
  if (start.startsWith(ASCII.gif87) || start.startsWith(ASCII.gif89)) return 'image/gif';
  return start.startsWith(ASCII.riff) && start.slice(8) === ASCII.webp ? 'image/webp' : null;
}
