/**
 * Form of a text for equality and uniqueness: NFC, lower case. SQL `lower()`, `upper()` and `NOCASE` know ASCII only, so a column that is
 * compared this way is stored folded, next to the text as it was sent.
 */
export function foldCase(text: string): string {
  // Lower case can denormalize: `İ` becomes `i` with a combining dot, which may meet another mark.
  return isAscii(text) ? text.toLowerCase() : text.normalize('NFC').toLowerCase().normalize('NFC');
}

/** Form of a name for search only: its words in lower case without accents, apostrophes and punctuation, with a space between two. */
export function foldName(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\p{M}'’`]+/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

export const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text);
