import { describe, expect, it } from 'vitest';
import { bearer, type CallOptions, call, type TestResponse } from '../../support/requests.ts';
import {
  containerOf,
  deflated,
  EXAMPLE_FILE,
  EXAMPLE_HEX,
  fromHex,
  joined,
  packed,
  sampleBytes,
  storedStream,
  toHex,
} from '../../support/tmod.ts';
import { createToken } from '../../support/tokens.ts';
import { inPieces } from './pieces.ts';

const MIB = 1024 * 1024;
const MODS_READ = 32;
const authorization = bearer(await createToken({ scopes: MODS_READ }));
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');

const post = (path: string, options: CallOptions): Promise<TestResponse> => call(path, { method: 'POST', authorization, ...options });
const read = (body: BodyInit, query = '') => post(`/v1/mods/read${query}`, { body });
const build = (request: unknown) =>
  post('/v1/mods/build', {
    body: typeof request === 'string' ? request : JSON.stringify(request),
    headers: { 'Content-Type': 'application/json' },
  });
// biome-ignore lint/suspicious/noExplicitAny: tests read bodies of any shape.
const bodyOf = (response: TestResponse): any => JSON.parse(response.text);

describe('POST /v1/mods/read', () => {
  it('reads the documented example', async () => {
    const response = await read(fromHex(EXAMPLE_HEX));
    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Type')).toBe('application/json');
    expect(response.text).toBe(
      '{"version":1,"header_size":110,"properties":{"title":"Tiny","author":"Me","tags":"Wings","modLoader":"ServiceAPI","flags":"8192"},' +
        '"file_count":2,"files":[{"path":"ui/tiny.swf","index":0,"offset":0,"size":5,"checksum":2510041067,"content_base64":"YWJjZGU=","checksum_ok":true},' +
        '{"path":"a.txt","index":0,"offset":0,"size":0,"checksum":2166136261,"content_base64":"","checksum_ok":true}],' +
        '"metadata_only":false,"flags":8192,"categories":["Wings"],"header_repaired":false}',
    );
  });

  it.each(['true', '1'])('omits contents and does not decode the stream with metadata_only=%s', async (value) => {
    const broken = joined(fromHex(EXAMPLE_HEX).subarray(0, 110), new Uint8Array(500).fill(255));
    for (const body of [broken, inPieces(broken, 7)]) {
      const { files, ...rest } = bodyOf(await read(body, `?metadata_only=${value}`));
      expect(rest).toMatchObject({ metadata_only: true, file_count: 2, flags: 8192, categories: ['Wings'] });
      expect(files[0]).toEqual(EXAMPLE_FILE);
    }
  });

  it('repairs a header whose lengths count characters, with and without contents', async () => {
    const bytes = fromHex(
      '2500000000000000 0100 0100 05 7469746c65 01 c3a9 06 75692f c3a9 2e78 00 00 03 adb1d08607 7801 00 0400 fbff 78797a00 00 0000 ffff',
    );
    const expected = { header_size: 37, properties: { title: 'é' }, file_count: 1, header_repaired: true };
    const [file] = bodyOf(await read(bytes)).files;
    expect(file).toEqual({
      path: 'ui/é.x',
      index: 0,
      offset: 0,
      size: 3,
      checksum: 1_892_948_141,
      content_base64: 'eHl6',
      checksum_ok: true,
    });
    for (const query of ['', '?metadata_only=true']) {
      for (const body of [bytes, inPieces(bytes, 5)]) expect(bodyOf(await read(body, query))).toMatchObject(expected);
    }
  });

  it('accepts any content type and a chunked body', async () => {
    const bytes = fromHex(EXAMPLE_HEX);
    const expected = (await read(bytes)).text;
    for (const type of ['application/octet-stream', 'text/plain', 'application/json', 'nonsense']) {
      expect((await post('/v1/mods/read', { body: bytes, headers: { 'Content-Type': type } })).text).toBe(expected);
    }
    expect((await read(inPieces(bytes, 3))).text).toBe(expected);
  });

  it('returns offset and field of an invalid header, with and without contents', async () => {
    const cases = [
      [new Uint8Array(0), 'offset 0, file: must not be empty'],
      [new Uint8Array(11), 'offset 0, file: must have at least 12 bytes'],
      [containerOf({ headerSize: 2n ** 63n }), 'offset 0, header_size: 9223372036854775808 exceeds the file size of 19 bytes'],
      [containerOf({ propertyCount: 1 }), 'offset 12, properties[0].name.length: extends beyond the header'],
      [containerOf({ properties: [['a', Uint8Array.of(0xff)]] }), 'offset 15, properties[0].value: is not UTF-8 ("a")'],
    ] as const;
    for (const [bytes, message] of cases) {
      for (const body of [bytes, inPieces(bytes, 5)]) {
        for (const query of ['', '?metadata_only=true']) {
          const response = await read(body instanceof ReadableStream ? inPieces(bytes, 5) : body, query);
          expect([response.status, bodyOf(response).error], query).toMatchObject([400, { code: 'bad_request', message }]);
        }
      }
    }
  });

  it('reads large files, stored and compressed, in any order', async () => {
    const files = Array.from({ length: 5 }, (_, index) => ({ path: `${index}`, content: sampleBytes(1_000_003, index) }));
    const { entries, decoded } = packed(files);
    const right = files.map(({ content }) => base64(content));
    for (const stream of [storedStream(decoded), deflated(decoded)]) {
      for (const [order, expected] of [
        [entries, right],
        [entries.toReversed(), right.toReversed()],
      ] as const) {
        const body = bodyOf(await read(containerOf({ entries: order, stream })));
        expect(body.files.every((file: { checksum_ok: boolean }) => file.checksum_ok)).toBe(true);
        expect(body.files.map((file: { content_base64: string }) => file.content_base64).join() === expected.join()).toBe(true);
      }
    }
  });

  it('accepts 20 MiB and returns 413 for one byte more, with and without Content-Length', async () => {
    const head = fromHex(EXAMPLE_HEX);
    const largest = joined(head, new Uint8Array(20 * MIB - head.length));
    const larger = joined(largest, [0]);
    for (const query of ['', '?metadata_only=1']) {
      expect((await read(largest, query)).status).toBe(200);
      expect((await read(inPieces(largest), query)).status).toBe(200);
      for (const body of [larger, inPieces(larger)]) {
        const response = await read(body, query);
        expect([response.status, bodyOf(response).error.code]).toEqual([413, 'bad_request']);
      }
    }
  });

  it('limits the decoding of decompression bombs and rejects oversized entries', async () => {
    const bomb = deflated(new Uint8Array(32 * MIB + 1));
    const entry = { path: 'x', offset: 0, size: 1000, checksum: 1 };
    expect(bodyOf(await read(containerOf({ entries: [entry], stream: bomb }))).files[0].content_base64).toBe(base64(new Uint8Array(1000)));
    const response = await read(containerOf({ entries: [{ ...entry, size: 32 * MIB + 1 }], stream: bomb }));
    expect([response.status, bodyOf(response).error.message]).toEqual([
      400,
      'offset 12, files[0]: ends after the maximum of 33554432 decoded bytes',
    ]);
  });

  it('ignores an Idempotency-Key', async () => {
    const headers = { 'Idempotency-Key': 'same' };
    expect((await post('/v1/mods/read', { body: fromHex(EXAMPLE_HEX), headers })).status).toBe(200);
    const again = await post('/v1/mods/read', { body: containerOf({}), headers });
    expect([again.status, again.headers.get('Idempotent-Replay')]).toEqual([200, null]);
  });
});

describe('POST /v1/mods/build', () => {
  it('builds the documented example byte for byte', async () => {
    const response = await build({
      properties: { title: 'Tiny', author: 'Me', tags: 'Wings' },
      files: [
        { path: 'UI\\Tiny.SWF', content_base64: 'YWJjZGU=' },
        { path: 'a.txt', content_base64: '' },
      ],
    });
    expect(response.status).toBe(200);
    expect(toHex(response.bytes)).toBe(toHex(fromHex(EXAMPLE_HEX)));
    expect(response.headers.get('Content-Type')).toBe('application/octet-stream');
    expect(response.headers.get('Content-Disposition')).toBe('attachment; filename="Tiny.tmod"');
  });

  it('offers the file under its exact title, and under an ASCII name', async () => {
    const files = [{ path: 'ui/a.swf', content_base64: '' }];
    const nameOf = async (title: string) => (await build({ properties: { title }, files })).headers.get('Content-Disposition');
    expect(await nameOf("Li'l Größe")).toBe(`attachment; filename="Lil Gre.tmod"; filename*=UTF-8''Li%27l%20Gr%C3%B6%C3%9Fe.tmod`);
    expect(await nameOf("Li'l Größe: Mod?")).toBe(
      `attachment; filename="Lil Gre Mod.tmod"; filename*=UTF-8''Li%27l%20Gr%C3%B6%C3%9Fe%20Mod.tmod`,
    );
    expect(await nameOf('日本')).toBe(`attachment; filename="mod.tmod"; filename*=UTF-8''%E6%97%A5%E6%9C%AC.tmod`);
    expect(await nameOf(' ?')).toBe('attachment; filename="mod.tmod"');
  });

  it('round-trips files of any size', async () => {
    const files = [0, 1, 3, 32_768, 1_500_001].map((length, index) => ({
      path: `dir/${index}.bin`,
      content_base64: base64(sampleBytes(length)),
    }));
    const built = await build({ version: 3, properties: { title: 'Big', notes: 'é\n"', tags: ['Wings', 'GUI'] }, files });
    const contents = bodyOf(await read(new Uint8Array(built.bytes)));
    expect(contents).toMatchObject({
      version: 3,
      flags: 8320,
      categories: ['GUI', 'Wings'],
      properties: { notes: 'é\n"', tags: 'Wings,GUI' },
    });
    expect(contents.files.map(({ path, content_base64 }: (typeof files)[0]) => ({ path, content_base64 }))).toEqual(files);
    const again = await build(contents);
    expect(Buffer.from(again.bytes).equals(Buffer.from(built.bytes))).toBe(true);
  });

  it.each([
    [{ files: [] }, 400, 'body.files: must have at least one file'],
    [{ files: [{ path: '../x', content_base64: '' }] }, 400, 'body.files.0.path: must not have a segment . or ..'],
    [
      { files: [{ path: 'x', content_base64: 'YQ' }] },
      400,
      'body.files.0.content_base64: must be base64 (standard alphabet, padded, no white space)',
    ],
    [{}, 422, 'body.files: is required'],
    [{ files: [{ path: 'x' }] }, 422, 'body.files.0.content_base64: is required'],
    [{ version: '1', files: [] }, 422, 'body.version: must be a number'],
    ['[]', 422, 'body: must be an object'],
    ['{"files":', 400, 'the request body is not valid JSON in UTF-8'],
    ['', 400, 'the request body is not valid JSON in UTF-8'],
  ])('rejects %j', async (request, status, message) => {
    const response = await build(request);
    expect([response.status, bodyOf(response).error.message]).toEqual([status, message]);
    expect(bodyOf(response).error.code).toBe(status === 422 ? 'validation_error' : 'bad_request');
  });

  it('requires a JSON content type', async () => {
    const response = await post('/v1/mods/build', { body: '{}', headers: { 'Content-Type': 'text/plain' } });
    expect([response.status, bodyOf(response).error.code]).toEqual([400, 'bad_request']);
  });

  it('accepts a request of 20 MiB and rejects one byte more', async () => {
    const content = base64(new Uint8Array(15 * MIB - 100));
    const text = `{"files":[{"path":"x","content_base64":"${content}"}]}`;
    const largest = text + ' '.repeat(20 * MIB - text.length);
    const response = await build(largest);
    const headerSize = 12 + 21 + 13;
    expect([response.status, response.bytes.length]).toEqual([200, headerSize + 2 + 480 * 5 + 15 * MIB - 100 + 5]);
    expect((await build(`${largest} `)).status).toBe(413);
    const headers = { 'Content-Type': 'application/json' };
    expect((await post('/v1/mods/build', { body: inPieces(new TextEncoder().encode(`${largest} `)), headers })).status).toBe(413);
  });
});

describe('GET /v1/mods/categories', () => {
  it('lists nineteen categories in bit order without a token', async () => {
    const { status, text } = await call('/v1/mods/categories');
    expect(status).toBe(200);
    const { categories } = JSON.parse(text);
    expect(categories).toHaveLength(19);
    expect([categories[0], categories[13], categories[18]]).toEqual([
      { name: 'Allies', bit: 1 },
      { name: 'Wings', bit: 8192 },
      { name: 'Radar', bit: 262_144 },
    ]);
  });
});
