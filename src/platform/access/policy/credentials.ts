/** Contents of an `Authorization` header, classified by syntax alone. */
export type Credential = { kind: 'none' } | { kind: 'session'; value: string } | { kind: 'token'; value: string };

const NO_CREDENTIAL: Credential = { kind: 'none' };

/** Only the scheme: a pattern for the whole header takes quadratic time over one that is full of spaces. */
const SCHEME = /^bearer\s+/i;

/** Longest scheme that is shown: those that are registered are shorter. */
const NAMED_SCHEME = /^[a-z0-9-]{1,20}(?=\s|$)/i;

/** The scheme of an `Authorization` header as sent; null without one. */
export function schemeOf(header: string | null): string | null {
  return NAMED_SCHEME.exec(header?.trim() ?? '')?.[0] ?? null;
}

/**
 * Reads an `Authorization` header. `none` when it is missing, empty, or of another scheme than Bearer. A session credential has
 * exactly two dots and a token none, which decides the validator.
 */
export function readCredential(header: string | null): Credential {
  const text = header?.trim() ?? '';
  const scheme = SCHEME.exec(text)?.[0];
  if (scheme === undefined) return NO_CREDENTIAL;
  const value = text.slice(scheme.length);
  return { kind: value.split('.').length === 3 ? 'session' : 'token', value };
}
