import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { attachment, fileReply } from '../../../src/platform/http/replies/file-reply.ts';
import { contentKey, createContentStore, sha256Of } from '../../../src/platform/storage/content-store.ts';

const STORED_AT = 1_780_000_000;
const LAST_MODIFIED = new Date(STORED_AT * 1000).toUTCString();
const encoded = (text: string) => new Uint8Array(new TextEncoder().encode(text));
const bytes = encoded('0123456789');
const store = createContentStore(env.OUTBOX);
let sha256: string;

beforeAll(async () => {
  ({ sha256 } = await store.put(bytes));
});

const send = (headers: Record<string, string> = {}, method = 'GET') =>
  fileReply(new Request('https://files.example/x', { method, headers }), {
    sha256,
    size: bytes.length,
    contentType: 'application/octet-stream',
    filename: 'x.bin',
    lastModified: STORED_AT,
    cacheControl: 'public, max-age=60',
    open: (range) => store.open(sha256, range),
  });
const textOf = async (headers: Record<string, string>) => {
  const { status, body, headers: sent } = await send(headers);
  return { status, text: body === null ? null : await new Response(body).text(), range: sent?.['Content-Range'] };
};

describe('content store', () => {
  it('stores equal bytes once under their hash', async () => {
    expect(sha256).toBe(await sha256Of(bytes));
    expect(await store.put(bytes)).toEqual({ sha256, created: false });
    expect(await env.OUTBOX.head(contentKey(sha256))).not.toBeNull();
  });

  it('accepts a stream whose hash matches and rejects other bytes', async () => {
    const body = () => new Response('abc').body as ReadableStream<Uint8Array>;
    const abc = await sha256Of(encoded('abc'));
    expect(await store.putStream({ sha256: abc, size: 3, body: body() })).toEqual({ created: true });
    expect(await store.putStream({ sha256: abc, size: 3, body: body() })).toEqual({ created: false });
    await expect(store.putStream({ sha256: '0'.repeat(64), size: 3, body: body() })).rejects.toThrow();
    expect(await store.bytes(abc)).toEqual(encoded('abc'));
    await store.delete([abc]);
    expect(await store.has(abc)).toBe(false);
    expect(await store.open(abc)).toBeNull();
  });
});

describe('file download', () => {
  it('sends the whole file with its headers', async () => {
    const { body, headers, etag } = await send();
    expect(new Uint8Array(await new Response(body).arrayBuffer())).toEqual(bytes);
    expect(etag).toBe(`"${sha256}"`);
    expect(headers).toEqual({
      'Accept-Ranges': 'bytes',
      'Cache-Control': 'public, max-age=60',
      'Content-Disposition': 'attachment; filename="x.bin"',
      'Last-Modified': LAST_MODIFIED,
    });
  });

  it('sends the requested range', async () => {
    expect(await textOf({ Range: 'bytes=2-4' })).toEqual({ status: 206, text: '234', range: 'bytes 2-4/10' });
    expect(await textOf({ Range: 'bytes=-2' })).toEqual({ status: 206, text: '89', range: 'bytes 8-9/10' });
    await expect(send({ Range: 'bytes=10-' })).rejects.toMatchObject({ status: 416, headers: { 'Content-Range': 'bytes */10' } });
  });

  it('sends the whole file when If-Range names another version', async () => {
    expect(await textOf({ Range: 'bytes=2-4', 'If-Range': '"other"' })).toMatchObject({ status: undefined, text: '0123456789' });
    expect(await textOf({ Range: 'bytes=2-4', 'If-Range': `"${sha256}"` })).toMatchObject({ status: 206 });
    expect(await textOf({ Range: 'bytes=2-4', 'If-Range': LAST_MODIFIED })).toMatchObject({ status: 206 });
  });

  it('returns 304 when the client has the file, preferring If-None-Match to If-Modified-Since', async () => {
    expect(await textOf({ 'If-None-Match': `W/"${sha256}"` })).toMatchObject({ status: 304, text: null });
    expect(await textOf({ 'If-Modified-Since': LAST_MODIFIED })).toMatchObject({ status: 304, text: null });
    expect(await textOf({ 'If-None-Match': '"other"', 'If-Modified-Since': LAST_MODIFIED })).toMatchObject({ text: '0123456789' });
  });

  it('returns the length for HEAD without reading the file', async () => {
    const { body, headers } = await send({}, 'HEAD');
    expect(body).toBeNull();
    expect(headers).toMatchObject({ 'Content-Length': '10' });
  });

  it('sends the file name in both forms of Content-Disposition', () => {
    expect(attachment('a"b.tmod')).toBe(`attachment; filename="a_b.tmod"; filename*=UTF-8''a%22b.tmod`);
    expect(attachment("é's (1).bin")).toBe(`attachment; filename="_'s (1).bin"; filename*=UTF-8''%C3%A9%27s%20%281%29.bin`);
  });
});
