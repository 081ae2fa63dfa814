import type { Column } from './columns.ts';
import type { Row } from './table.ts';

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
