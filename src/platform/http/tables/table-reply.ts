import { namedValues } from '../../kit/values/named-values.ts';
import { choice, optionalBoolean } from '../pipeline/query-schemas.ts';
import { mediaRanges } from '../replies/accept.ts';
import type { RawReply, Representation } from '../replies/reply.ts';
import type { Column, Row, Table } from './table.ts';

const FORMATS = namedValues('TableFormat', 'Format of a response with rows.', ['json', 'csv', 'jsonl']);
export type Format = (typeof FORMATS)[number];
/** The formats other than JSON. */
type TableFormat = Exclude<Format, 'json'>;

const TABLE_TYPES: Readonly<Record<TableFormat, string>> = { csv: 'text/csv; charset=utf-8', jsonl: 'application/x-ndjson' };

/** `format` parameter of an operation with several formats. */
export const formatParameter = choice(FORMATS, {
  description:
    '`json`, `csv` or `jsonl` (JSON Lines); takes precedence over `Accept`. Defaults to the format of `Accept`, otherwise `json`.',
  example: 'csv',
}).optional();

/** `bom` parameter of an operation with several formats. No header selects it: the bytes of a URL must not depend on the client. */
export const bomParameter = optionalBoolean({
  description: 'Puts a byte order mark before a CSV, by which Excel recognises UTF-8. No effect on other formats.',
  example: true,
});

const BYTE_ORDER_MARK = '\ufeff';

const FORMAT_OF_TYPE: Readonly<Record<string, Format>> = {
  'application/json': 'json',
  'text/csv': 'csv',
  'application/x-ndjson': 'jsonl',
  'application/jsonl': 'jsonl',
};
const WILDCARDS: readonly string[] = ['*/*', 'application/*'];

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
  for (const { type, quality } of mediaRanges(accept ?? '')) {
    const format = Object.hasOwn(FORMAT_OF_TYPE, type) ? FORMAT_OF_TYPE[type] : undefined;
    if (format && quality > best.quality) best = { format, quality };
    if (WILDCARDS.includes(type)) wildcard = Math.max(wildcard, quality);
  }
  return best.quality >= wildcard ? best.format : 'json';
}

/** Minimum length of a chunk. A chunk exceeds it by at most one line. */
const CHUNK_CHARACTERS = 64 * 1024;

/**
 * Converts the rows of a JSON body to a file while it is sent. Memory: the JSON text, its parsed value and one chunk. The text is
 * parsed at the first read, so 304 and HEAD cost no more than with JSON.
 */
export function tableReply(
  reply: Representation & { etag: string },
  table: Table,
  format: TableFormat,
  fileName: string,
  hasBom = false,
): RawReply & { etag: string } {
  const isMarked = hasBom && format === 'csv';
  const { kind: _kind, text, state: _state, accepted: _accepted, etag, headers, ...rest } = reply;
  return {
    ...rest,
    kind: 'raw',
    body: streamOf(linesOf(text, table, format, isMarked)),
    contentType: TABLE_TYPES[format],
    etag: formatEtag(etag, isMarked ? `${format}-bom` : format),
    headers: { ...headers, 'Content-Disposition': `inline; filename="${fileName}.${format}"` },
  };
}

/** Each format has its own ETag. */
function formatEtag(etag: string, format: string): string {
  return `${etag.slice(0, -1)}-${format}"`;
}

/** The lines of a file. `hasBom`: starts with a byte order mark. */
export function* linesOf(text: string, table: Table, format: TableFormat, hasBom = false): Generator<string> {
  const { columns } = table;
  if (hasBom) yield BYTE_ORDER_MARK;
  if (format === 'csv') yield csvHeader(columns);
  for (const row of table.rows(JSON.parse(text))) yield format === 'csv' ? csvRow(columns, row) : jsonLine(row);
}

/** A stream that creates each chunk when it is read. */
function streamOf(lines: Iterator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        let chunk = '';
        let next = lines.next();
        while (!next.done) {
          chunk += next.value;
          if (chunk.length >= CHUNK_CHARACTERS) break;
          next = lines.next();
        }
        if (chunk !== '') controller.enqueue(encoder.encode(chunk));
        if (next.done) controller.close();
      },
      cancel() {
        lines.return?.();
      },
    },
    // Creates no chunk before it is read.
    { highWaterMark: 0 },
  );
}

/** RFC 4180. */
const LINE_END = '\r\n';
/** Semicolons and tabs too: spreadsheets of some languages separate cells with them. */
const NEEDS_QUOTES = /[",;\t\r\n]/;
/**
 * A formula after a character that separates cells or lines for spreadsheets that do not separate with commas: for these, a quote inside
 * a line is text and protects nothing.
 */
const INNER_FORMULA = /([;\t\r\n]"*)(?=[=+\-@＝＋－＠])/g;
/** The same in JSON, where tabs and line breaks are escaped. */
const INNER_FORMULA_IN_JSON = /(?<=;)[=+\-@＝＋－＠]/g;
/** First characters of a cell that a spreadsheet evaluates as a formula, including full-width forms. */
const FORMULA_START = /^[=+\-@\t\r\n＝＋－＠]/;
/** Allowed in JSON, but many line readers treat them as line ends. */
const LINE_SEPARATORS = /[\u0085\u2028\u2029]/g;

/** The header line of a CSV file. */
export function csvHeader(columns: readonly Column[]): string {
  return csvLine(columns.map(({ name }) => name));
}

/** One row as a line of CSV. */
export function csvRow(columns: readonly Column[], row: Row): string {
  return csvLine(columns.map(({ path }) => cellText(valueAt(row, path))));
}

/** One row as a line of JSON. */
export function jsonLine(row: Row): string {
  return `${JSON.stringify(row).replace(LINE_SEPARATORS, unicodeEscape)}\n`;
}

/**
 * Text of a cell. Missing values and null are empty; lists and maps are JSON. A formula at the start of a string, or after a semicolon, a
 * tab or a line break in it, gets an apostrophe in front; in JSON, its first character is escaped.
 */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return JSON.stringify(value).replace(INNER_FORMULA_IN_JSON, unicodeEscape);
  const text = value.replace(INNER_FORMULA, "$1'");
  return FORMULA_START.test(text) ? `'${text}` : text;
}

function csvLine(cells: readonly string[]): string {
  // An empty line would be a blank line instead of an empty cell.
  if (cells.length === 1 && cells[0] === '') return `""${LINE_END}`;
  return cells.map(quote).join(',') + LINE_END;
}

function quote(cell: string): string {
  return NEEDS_QUOTES.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

function valueAt(row: Row, path: readonly string[]): unknown {
  let value: unknown = row;
  for (const key of path) value = (value as Row | null | undefined)?.[key];
  return value;
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
