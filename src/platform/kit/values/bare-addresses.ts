/** Invisible; interrupts an address, so that no program makes a link of it. */
const ZERO_WIDTH_SPACE = '\u200b';

/** `scheme://`. Also at the end of a value, where the next one may continue it. */
const SCHEME = /(?<![\p{L}\p{N}])((?:[a-z][a-z\d+.-]{0,30}(?=:\/\/))|(?:https?(?=:\/?$))):/giu;
/** Schemes without slashes that programs open. */
const OPENED_SCHEME = /(?<![\p{L}\p{N}])(mailto|javascript|vbscript|data|file|tel|sms|magnet|steam|discord|ms-[a-z]+):(?=[^\s\u200b])/giu;
/** The rest of an address that an earlier value begins. */
const CONTINUATION = /^(?=\/\/)/;
const WWW = /(?<![\p{L}\p{N}])(www\d?)(?=[.。．｡]|$)/giu;
const TOP_LEVEL = '(?:xn--[a-z\\d-]{1,59}|\\p{L}{2,63})';
const AFTER_HOST = '[.。．｡]?(?::\\d{1,5})?[/?#\\\\]';
/** The last dot of `domain.tld/`, also with the dots of other scripts. */
const HOST_DOT = new RegExp(`(?<=[\\p{L}\\p{N}\\]-])(?=[.。．｡]${TOP_LEVEL}${AFTER_HOST})`, 'giu');
/** The last dot of an IPv4 address with a path or a port. */
const IP_DOT = /(?<=(?<![\d.])(?:\d{1,3}\.){2}\d{1,3})(?=\.\d{1,3}(?:[/?#]|:\d))/g;

/**
 * The text of a stranger with a zero-width space in each address: `https:` before the slashes, `www`, the last dot of `domain.tld/`. Chat
 * and mail programs would make links of them, which others take for links of this service.
 */
export function neutralizeAddresses(text: string): string {
  return text
    .replace(SCHEME, `$1:${ZERO_WIDTH_SPACE}`)
    .replace(OPENED_SCHEME, `$1:${ZERO_WIDTH_SPACE}`)
    .replace(CONTINUATION, ZERO_WIDTH_SPACE)
    .replace(WWW, `$1${ZERO_WIDTH_SPACE}`)
    .replace(HOST_DOT, ZERO_WIDTH_SPACE)
    .replace(IP_DOT, ZERO_WIDTH_SPACE);
}
