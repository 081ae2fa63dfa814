/** Maximum length of an address, and of the part before the @, in bytes (RFC 5321 4.5.3.1). */
export const MAX_EMAIL_LENGTH = 254;
const MAX_LOCAL_LENGTH = 64;

/** Characters before the @: atext of RFC 5322 and the dot, as in the grammar of HTML. */
const LOCAL = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+$/i;
/** A label of a domain (RFC 1123): letters, digits and inner hyphens, at most 63 characters. */
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;
const ASCII = /^[\x20-\x7e]*$/;

/**
 * What is wrong with an email address; null for a valid one. The rule of every endpoint that takes one: the grammar of HTML, and a dot in
 * the domain, no empty part between dots before the @, and the lengths of RFC 5321.
 */
export function mailAddressFault(address: string): string | null {
  const at = address.lastIndexOf('@');
  if (at < 1) return 'must be an email address, such as ada@example.com';
  const local = address.slice(0, at);
  const domain = address.slice(at + 1);
  if (!ASCII.test(local)) return 'must have only ASCII characters before the @';
  if (!ASCII.test(domain)) return 'must have the domain in ASCII (xn--…) after the @';
  if (address.length > MAX_EMAIL_LENGTH) return `must be at most ${MAX_EMAIL_LENGTH} characters`;
  if (local.length > MAX_LOCAL_LENGTH) return `must have at most ${MAX_LOCAL_LENGTH} characters before the @`;
  if (!LOCAL.test(local)) return 'has a character before the @ that email addresses do not allow';
  if (local.split('.').includes('')) return 'must not start or end with a dot before the @, or have two in a row';
  const labels = domain.split('.');
  if (labels.length < 2) return 'must have a dot in the domain after the @';
  return labels.every((label) => LABEL.test(label)) ? null : 'must have a domain name after the @';
}
