import { decodeHTML } from 'entities/decode';

/** Decodes HTML entities as browsers do. */
export function decodeEntities(text: string): string {
  return decodeHTML(text);
}
