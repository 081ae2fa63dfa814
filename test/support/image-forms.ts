import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Files of `test/fixtures/ocr` by name, in base64. */
    images: Record<string, string>;
  }
}

/** A sample image. */
export function imageBytes(name: string): Uint8Array<ArrayBuffer> {
  const encoded = inject('images')[name];
  if (encoded === undefined) throw new Error(`image not found: ${name}`);
  return Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
}

/** An encoded form with a sample image. */
export function imageForm(name: string, type: string): { body: Uint8Array<ArrayBuffer>; contentType: string } {
  const boundary = 'sample-boundary';
  const encode = (text: string) => new TextEncoder().encode(text);
  const head = encode(`--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n`);
  return {
    body: new Uint8Array([...head, ...imageBytes(name), ...encode(`\r\n--${boundary}--\r\n`)]),
    contentType: `multipart/form-data; boundary=${boundary}`,
  };
}
