/** Validation of allowlist entries. */

const V4 = /^(?:\d{1,3}\.){3}\d{1,3}$/;
const V6 = /^[0-9a-f:.]*:[0-9a-f:.]*$/i;

/** Returns the error of an entry; null for an address or network. The API validates entries again. */
export function errorOf(text) {
  const [address, length, ...rest] = text.split('/');
  const isV4 = V4.test(address) && address.split('.').every((part) => Number(part) <= 255);
  if ((!isV4 && !V6.test(address)) || rest.length > 0) return `${text} is not an IP address. Examples: 198.51.100.7, 198.51.100.0/24.`;
  const maxLength = isV4 ? 32 : 128;
  const isValidLength = length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= maxLength);
  return isValidLength ? null : `The prefix length must be between 0 and ${maxLength}.`;
}
