import { z } from '@hono/zod-openapi';
import { describe, expect, it } from 'vitest';
import { json } from '../../../../src/platform/http/replies/reply.ts';
import { listTable } from '../../../../src/platform/http/tables/table.ts';
import { tableReply } from '../../../../src/platform/http/tables/table-reply.ts';

const Body = z.object({ items: z.array(z.object({ name: z.string(), value: z.number() })) });
const TABLE = listTable(Body, 'items');
const decoder = new TextDecoder();
const MAX_CHUNK_BYTES = 65 * 1024;

async function chunksOf(body: unknown): Promise<Uint8Array[]> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body as ReadableStream<Uint8Array>) chunks.push(chunk);
  return chunks;
}

describe('tableReply', () => {
  const items = Array.from({ length: 20_000 }, (_, value) => ({ name: `row number ${value}`, value }));

  it.each(['csv', 'jsonl'] as const)('sends %s in chunks of at most 64 Ki characters plus one line', async (format) => {
    const { body } = tableReply({ ...json({ items }), etag: '"a"' }, TABLE, format, 'rows');
    const chunks = await chunksOf(body);
    expect(chunks.length).toBeGreaterThan(5);
    expect(Math.max(...chunks.map(({ length }) => length))).toBeLessThan(MAX_CHUNK_BYTES);
    const text = chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join('');
    expect(text.split('\n')).toHaveLength(items.length + (format === 'csv' ? 2 : 1));
  });

  it('puts a byte order mark before a CSV only, with an ETag of its own', async () => {
    const replyIn = (format: 'csv' | 'jsonl', hasBom: boolean) =>
      tableReply({ ...json({ items: [{ name: 'é', value: 1 }] }), etag: '"a"' }, TABLE, format, 'rows', hasBom);
    const bytesOf = async (format: 'csv' | 'jsonl', hasBom: boolean) => Buffer.concat(await chunksOf(replyIn(format, hasBom).body));
    const plain = await bytesOf('csv', false);
    expect(await bytesOf('csv', true)).toEqual(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), plain]));
    expect([replyIn('csv', false).etag, replyIn('csv', true).etag, replyIn('jsonl', true).etag]).toEqual([
      '"a-csv"',
      '"a-csv-bom"',
      '"a-jsonl"',
    ]);
    expect(await bytesOf('jsonl', true)).toEqual(await bytesOf('jsonl', false));
  });

  it('reads no rows before the first chunk is requested', async () => {
    const { body } = tableReply({ kind: 'json', text: 'not JSON', etag: '"a"' }, TABLE, 'csv', 'rows');
    await (body as ReadableStream).cancel();
    await expect(chunksOf(tableReply({ kind: 'json', text: 'not JSON', etag: '"a"' }, TABLE, 'jsonl', 'rows').body)).rejects.toThrow();
  });

  it('keeps status, max-age and headers and adds the format to the ETag', () => {
    const reply = { ...json({ items: [] }, { maxAge: 60, headers: { Link: '</next>; rel="next"' } }), etag: 'W/"abc"' };
    expect(tableReply(reply, TABLE, 'csv', 'rows')).toMatchObject({
      kind: 'raw',
      contentType: 'text/csv; charset=utf-8',
      etag: 'W/"abc-csv"',
      maxAge: 60,
      headers: { Link: '</next>; rel="next"', 'Content-Disposition': 'inline; filename="rows.csv"' },
    });
  });

  it('sends an empty body for JSON Lines without rows', async () => {
    expect(await chunksOf(tableReply({ ...json({ items: [] }), etag: '"a"' }, TABLE, 'jsonl', 'rows').body)).toEqual([]);
  });
});
