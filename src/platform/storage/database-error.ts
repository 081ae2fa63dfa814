/** Maximum length of the statement in an error message, in characters. */
const MAX_STATEMENT_LENGTH = 1000;
/** Messages of D1 that contain no parameters. */
const KNOWN_FAULTS = [
  'no such table',
  'no such column',
  'malformed JSON',
  'fts5: syntax error',
  'LIKE or GLOB pattern too complex',
  'string or blob too big',
  'too many SQL variables',
  'too many terms in compound SELECT',
  'Exceeded maximum DB size',
  'Network connection lost',
  'DB is overloaded',
  'storage operation exceeded timeout',
  'caused object to be reset',
  'internal error',
];
const DATATYPE = /\bcannot store [A-Z]+ value in [A-Z]+ column \w+\.\w+/;
const CONSTRAINT =
  /\b(?:UNIQUE|NOT NULL|PRIMARY KEY|FOREIGN KEY|CHECK) constraint failed(?:: (?:index '\w+'|\w+(?:\.\w+)?(?:, \w+\.\w+)*))?/;
const SQLITE_CODE = /(SQLITE_[A-Z]+)(?: \(extended: (SQLITE_[A-Z_]+)\))?$/;
const D1_CODE = /^D1_[A-Z_]+/;

/**
 * A failed statement: error code, violated constraint and SQL text. Omits the message of the driver, which may contain parameters:
 * mail texts, addresses, hashes, secrets.
 */
export class DatabaseError extends Error {
  /** For example `SQLITE_CONSTRAINT_UNIQUE` or `D1_ERROR`. */
  readonly code: string;

  constructor(statement: string, cause: unknown) {
    const text = cause instanceof Error ? cause.message : '';
    const [, primary, extended] = SQLITE_CODE.exec(text) ?? [];
    const code = extended ?? primary ?? D1_CODE.exec(text)?.[0] ?? 'D1_ERROR';
    const fault = (CONSTRAINT.exec(text) ?? DATATYPE.exec(text))?.[0] ?? KNOWN_FAULTS.find((known) => text.includes(known));
    super([code, fault, statement.slice(0, MAX_STATEMENT_LENGTH)].filter((part) => part !== undefined).join(': '));
    this.name = 'DatabaseError';
    this.code = code;
  }
}
