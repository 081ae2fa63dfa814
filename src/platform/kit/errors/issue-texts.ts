import type { z } from '@hono/zod-openapi';

type RawIssue = z.core.$ZodRawIssue;

const KINDS: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

const FORMATS: Readonly<Record<string, string>> = {
  email: 'an email address',
  uuid: 'a UUID',
  url: 'an absolute URL',
  datetime: 'a date and time in ISO 8601',
  date: 'a date as YYYY-MM-DD',
};

/** Creates the message of a schema issue. Clients never receive messages of the schema library. */
export function issueText(issue: RawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${KINDS[issue.expected] ?? 'of another type'}`;
    case 'too_small':
      return boundText(issue.origin, Number(issue.minimum), issue.inclusive === false ? 'more than' : 'at least');
    case 'too_big':
      return boundText(issue.origin, Number(issue.maximum), issue.inclusive === false ? 'less than' : 'at most');
    case 'invalid_format':
      return `must be ${FORMATS[issue.format] ?? 'in the documented format'}`;
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'unrecognized_keys':
      return `must not have unknown fields: ${issue.keys.slice(0, MAX_NAMED_KEYS).join(', ')}`;
    default:
      return 'must have the documented format';
  }
}

const MAX_NAMED_KEYS = 5;

function boundText(origin: string, limit: number, comparison: string): string {
  if (origin === 'string')
    return limit === 1 && comparison === 'at least' ? 'must not be empty' : `must have ${comparison} ${limit} characters`;
  if (origin === 'array' || origin === 'set') return `must have ${comparison} ${limit} items`;
  return `must be ${comparison} ${limit}`;
}
