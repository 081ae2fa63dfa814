/** Credential of an `Authorization` header, classified by syntax alone. */
export type Credential = { kind: 'none' } | { kind: 'session'; value: string } | { kind: 'token'; value: string };

const NO_CREDENTIAL: Credential = { kind: 'none' };

/** Matches the scheme only: a pattern for the whole header would take quadratic time on a header of many spaces. */
const SCHEME = /^bearer\s+/i;

/** A scheme of at most 20 characters, for error messages: registered schemes are shorter. */
const NAMED_SCHEME = /^[a-z0-9-]{1,20}(?=\s|$)/i;

/** The scheme of an `Authorization` header as sent; null without one. */
export function schemeOf(header: string | null): string | null {
  return NAMED_SCHEME.exec(header?.trim() ?? '')?.[0] ?? null;
}

/**
 * Reads an `Authorization` header: `none` when the header is missing, empty, or has a scheme other than Bearer. A session
 * credential has exactly two dots, a token has none.
 */
export function readCredential(header: string | null): Credential {
  const text = header?.trim() ?? '';
  const scheme = SCHEME.exec(text)?.[0];
  if (scheme === undefined) return NO_CREDENTIAL;
  const value = text.slice(scheme.length);
  return { kind: value.split('.').length === 3 ? 'session' : 'token', value };
}
