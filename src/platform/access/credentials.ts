/** What an `Authorization` header holds, told by its looks alone. */
export type Credential = { kind: 'none' } | { kind: 'session'; value: string } | { kind: 'token'; value: string };

const NO_CREDENTIAL: Credential = { kind: 'none' };

/**
 * Reads an `Authorization` header. Absent, empty, or of another scheme than Bearer: none. A session credential has
 * exactly two dots and a token none, so one look decides which validator runs.
 */
export function readCredential(header: string | null): Credential {
  if (header === null) return NO_CREDENTIAL;
  const match = /^\s*bearer\s+(\S.*?)\s*$/i.exec(header);
  const value = match?.[1];
  if (value === undefined) return NO_CREDENTIAL;
  return { kind: value.split('.').length === 3 ? 'session' : 'token', value };
}
