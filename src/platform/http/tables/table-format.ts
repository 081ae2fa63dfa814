import { namedValues } from '../../kit/values/named-values.ts';
import { choice } from '../pipeline/query-schemas.ts';

const FORMATS = namedValues('TableFormat', 'Format of a response with rows.', ['json', 'csv', 'jsonl']);
export type Format = (typeof FORMATS)[number];
/** The formats other than JSON. */
export type TableFormat = Exclude<Format, 'json'>;

export const TABLE_TYPES: Readonly<Record<TableFormat, string>> = { csv: 'text/csv; charset=utf-8', jsonl: 'application/x-ndjson' };

/** `format` parameter of an operation with several formats. */
export const formatParameter = choice(FORMATS, {
  description:
    '`json`, `csv` or `jsonl` (JSON Lines); takes precedence over `Accept`. Defaults to the format of `Accept`, otherwise `json`.',
  example: 'csv',
}).optional();

const FORMAT_OF_TYPE: Readonly<Record<string, Format>> = {
  'application/json': 'json',
  'text/csv': 'csv',
  'application/x-ndjson': 'jsonl',
  'application/jsonl': 'jsonl',
};
const WILDCARDS: readonly string[] = ['*/*', 'application/*'];
/** Maximum number of media ranges of an `Accept` header that are parsed. */
const MAX_RANGES = 32;

/** Format of a response by `format`, otherwise by `Accept`. */
export function formatOf(parameter: string | null, accept: string | null): Format {
  return FORMATS.find((format) => format === parameter) ?? acceptedFormat(accept);
}

/**
 * The format that `Accept` prefers. Wildcards select JSON. At equal quality the first media type takes precedence, and a media type
 * takes precedence over a wildcard.
 */
export function acceptedFormat(accept: string | null): Format {
  let best: { format: Format; quality: number } = { format: 'json', quality: 0 };
  let wildcard = 0;
  for (const range of (accept ?? '').split(',', MAX_RANGES)) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const quality = qualityOf(parameters);
    const format = Object.hasOwn(FORMAT_OF_TYPE, type) ? FORMAT_OF_TYPE[type] : undefined;
    if (format && quality > best.quality) best = { format, quality };
    if (WILDCARDS.includes(type)) wildcard = Math.max(wildcard, quality);
  }
  return best.quality >= wildcard ? best.format : 'json';
}

/** `q` of a media range (RFC 9110 12.4.2); 1 when absent, 0 when malformed. */
function qualityOf(parameters: readonly string[]): number {
  const qualityParameter = parameters.find((parameter) => parameter.startsWith('q='));
  if (qualityParameter === undefined) return 1;
  return /^q=(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(qualityParameter) ? Number(qualityParameter.slice(2)) : 0;
}
