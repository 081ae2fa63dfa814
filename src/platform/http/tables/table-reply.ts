import type { RawReply, Representation } from '../replies/reply.ts';
import type { Table } from './table.ts';
import { TABLE_TYPES, type TableFormat } from './table-format.ts';
import { csvHeader, csvRow, jsonLine } from './table-text.ts';

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
): RawReply & { etag: string } {
  const { kind: _kind, text, state: _state, accepted: _accepted, etag, headers, ...rest } = reply;
  return {
    ...rest,
    kind: 'raw',
    body: streamOf(linesOf(text, table, format)),
    contentType: TABLE_TYPES[format],
    etag: formatEtag(etag, format),
    headers: { ...headers, 'Content-Disposition': `inline; filename="${fileName}.${format}"` },
  };
}

/** Each format has its own ETag. */
function formatEtag(etag: string, format: TableFormat): string {
  return `${etag.slice(0, -1)}-${format}"`;
}

/** The lines of a file. */
export function* linesOf(text: string, table: Table, format: TableFormat): Generator<string> {
  const { columns } = table;
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
