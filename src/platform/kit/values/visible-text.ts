/**
 * Control characters, except tab and line breaks, and characters that reverse the direction of the text after them. They are invisible, or
 * change how the text around them looks.
 */
const HIDDEN_CHARACTERS = /(?![\t\n\r])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu;
const HIDDEN_CHARACTER = new RegExp(HIDDEN_CHARACTERS.source, 'u');

/** Whether a text has control characters, other than tab and line breaks, or characters that reverse its direction. */
export function hasHiddenCharacters(text: string): boolean {
  return HIDDEN_CHARACTER.test(text);
}

/** The text without hidden characters and lone surrogates. Each UTF-16 code unit has at most 3 bytes in JSON. */
export function visibleText(text: string): string {
  const clean = hasHiddenCharacters(text) ? text.replaceAll(HIDDEN_CHARACTERS, '') : text;
  return clean.toWellFormed();
}

/** Number of hidden characters in a text. */
export function countHiddenCharacters(text: string): number {
  return text.match(HIDDEN_CHARACTERS)?.length ?? 0;
}

/** Cuts a text to `max` UTF-16 code units without splitting a surrogate pair. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  const isPairCut = /[\ud800-\udbff]/.test(text.charAt(max - 1));
  return text.slice(0, isPairCut ? max - 1 : max);
}
