import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Files of `test/fixtures/ocr` by name, in base64. */
    pictures: Record<string, string>;
  }
}

/** A sample picture. */
export function pictureBytes(name: string): Uint8Array<ArrayBuffer> {
  const encoded = inject('pictures')[name];
  if (encoded === undefined) throw new Error(`there is no picture called ${name}`);
  return Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
}
