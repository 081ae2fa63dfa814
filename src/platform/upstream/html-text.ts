import { decodeHTML } from 'entities/decode';

/** Replaces every HTML entity by its character, as browsers do. */
export function decodeEntities(text: string): string {
  return decodeHTML(text);
}
