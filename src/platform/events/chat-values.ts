/** Values of chat messages, as people read them. */

/** `1234567` as `1,234,567`; null as `0`. */
export function formatCount(count: number | null): string {
  return String(count ?? 0).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** First letter of each word in upper case, the others in lower case. */
export function titleCase(text: string): string {
  return text.replace(/[a-z]+/gi, (word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase());
}

/** Truncates to `max` characters without splitting a surrogate pair and without trailing spaces. */
export function truncateText(text: string, max: number): string {
  if (text.length <= max) return text;
  const isPairCut = /[\uD800-\uDBFF]/.test(text.charAt(max - 1));
  return text.slice(0, isPairCut ? max - 1 : max).trimEnd();
}
