import { neutralizeAddresses } from '../kit/values/bare-addresses.ts';

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

/** Invisible character. */
const ZERO_WIDTH_SPACE = '\u200b';
/** Variables with an address that the service made or read from an official source: `url`, `page_url`, `image`. */
const ADDRESS_NAME = /(?:^|_)url$|^image$/;
const ADDRESS = /^https?:\/\/\S+$/i;

/**
 * Escapes a third-party value in chat markup. Zero-width spaces prevent links with hidden targets, addresses, mentions and timestamps, also
 * where two values meet. `name`: variable of the value; the address in a variable for addresses stays one.
 */
export function escapeMarkup(value: string, name = ''): string {
  const isAddress = ADDRESS_NAME.test(name) && ADDRESS.test(value);
  return (isAddress ? value : neutralizeAddresses(value))
    .replace(/\](?=\(|$)/g, `]${ZERO_WIDTH_SPACE}`)
    .replace(/^\(/, `${ZERO_WIDTH_SPACE}(`)
    .replace(/<(?=[@#&:/]|[a-z]{1,2}:|$)/gi, `<${ZERO_WIDTH_SPACE}`)
    .replace(/@(?=everyone|here|$)/gi, `@${ZERO_WIDTH_SPACE}`);
}
