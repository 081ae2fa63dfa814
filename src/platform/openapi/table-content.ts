import type { AnyRouteSpec } from '../http/pipeline/define-route.ts';
import type { Table } from '../http/tables/table.ts';

/** Media types of a table in addition to JSON. */
export function tableContent({ columns, rowOf }: Table) {
  const header = columns.map(({ name }) => name).join(',');
  return {
    'text/csv': {
      schema: {
        type: 'string' as const,
        description: `One row for each ${rowOf}. Columns: ${columns.map(({ name }) => `\`${name}\``).join(', ')}.`,
      },
      example: `${header}\r\n`,
    },
    'application/x-ndjson': {
      schema: { type: 'string' as const, description: `One JSON object per line for each ${rowOf}.` },
    },
  };
}

/** Sentence about downloading a table; empty for operations without one. */
export function tableSentence({ table, access }: AnyRouteSpec): string {
  if (!table) return '';
  const formats =
    'Also available as CSV and JSON Lines: send `format=csv` or `format=jsonl`, or name `text/csv` or `application/x-ndjson` in `Accept`.';
  const isPublic = access.kind !== 'token';
  return `\n\n${formats} ${isPublic ? 'Spreadsheets can load the CSV by its URL.' : 'Spreadsheets cannot load the CSV by its URL, because the token belongs in a header.'}`;
}
