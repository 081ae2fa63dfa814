import { describe, expect, it } from 'vitest';
import { type Form, type FormLimits, readForm } from '../../../src/platform/http/bodies/multipart.ts';
import { ApiError } from '../../../src/platform/kit/errors/api-error.ts';

const LIMITS: FormLimits = { total: 4096, file: 1000, files: 2, field: 50, fields: 3, seconds: 2 };
const BOUNDARY = 'X-BOUNDARY-x';
const TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

/** A part in the format of browsers. */
function part(name: string, value: string, more = ''): string {
  return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
}

function filePart(filename: string, value: string, name = 'files'): string {
  return part(name, value, `; filename="${filename}"\r\nContent-Type: image/png`);
}

const noReserve = () => {};
const formBody = (...parts: string[]) => `${parts.join('')}--${BOUNDARY}--\r\n`;

/** Reads a form that arrives in chunks of the given size. */
function read(body: string | Uint8Array, { size = 65_536, type = TYPE, limits = {} as Partial<FormLimits> } = {}): Promise<Form> {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  let at = 0;
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at >= bytes.byteLength) return controller.close();
      controller.enqueue(bytes.slice(at, at + size));
      at += size;
    },
  });
  const request = new Request('https://api.test/', { method: 'POST', body: stream, headers: { 'Content-Type': type } });
  return readForm(request, { ...LIMITS, ...limits }, noReserve);
}

async function errorOf(promise: Promise<Form>): Promise<{ status: number; message: string; details: unknown }> {
  const error = await promise.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ApiError)) throw new Error(`expected an API error, got ${error}`);
  const { status, message, details } = error;
  return { status, message, details };
}

const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

describe('readForm', () => {
  it('returns the same parts for every split into chunks', async () => {
    const body = formBody(part('message', 'Ünïcödé\r\n--X'), filePart('a b.png', `--${BOUNDARY.slice(0, -1)}\r\n\r--`), part('empty', ''));
    for (let size = 1; size <= body.length + 10; size += 1) {
      const { fields, files } = await read(body, { size });
      expect([...fields], String(size)).toEqual([
        ['message', 'Ünïcödé\r\n--X'],
        ['empty', ''],
      ]);
      expect(files.map(({ bytes, ...file }) => ({ ...file, text: textOf(bytes) }))).toEqual([
        { field: 'files', filename: 'a b.png', contentType: 'image/png', text: `--${BOUNDARY.slice(0, -1)}\r\n\r--` },
      ]);
    }
  });

  it('accepts the encoding that the platform produces for FormData', async () => {
    const data = new FormData();
    data.set('message', 'hello "there"');
    const bytes = crypto.getRandomValues(new Uint8Array(900));
    data.append('files', new File([bytes], '日本 "x".png', { type: 'image/png' }));
    const { fields, files } = await readForm(new Request('https://api.test/', { method: 'POST', body: data }), LIMITS, noReserve);
    expect(fields.get('message')).toBe('hello "there"');
    expect(files[0]?.filename).toContain('日本');
    expect(files[0]?.bytes).toEqual(bytes);
  });

  it('drops empty files and continues', async () => {
    const { files } = await read(
      formBody(filePart('', ''), filePart('', ''), filePart('a.png', 'x'), filePart('', ''), filePart('b.png', 'y')),
    );
    expect(files.map(({ filename }) => filename)).toEqual(['a.png', 'b.png']);
  });

  it('accepts a preamble and an epilogue', async () => {
    expect((await read(`hello\r\n${formBody(part('a', 'b'))}good bye`)).fields.get('a')).toBe('b');
  });
});

describe('multipart limit', () => {
  it.each([1, 7, 100, 65_536])('rejects the field by name in chunks of %i bytes', async (size) => {
    expect((await read(formBody(filePart('a.png', 'x'.repeat(1000))), { size })).files[0]?.bytes).toHaveLength(1000);
    expect(await errorOf(read(formBody(part('a', 'b'), filePart('big.png', 'x'.repeat(1001)), filePart('c.png', 'y')), { size }))).toEqual({
      status: 400,
      message: 'big.png must have at most 1000 bytes',
      details: { filename: 'big.png', limit_bytes: 1000 },
    });
    expect(await errorOf(read(formBody(filePart('1.png', 'x'), filePart('2.png', 'x'), filePart('3.png', 'x')), { size }))).toEqual({
      status: 400,
      message: 'the form must have at most 2 files; 3.png exceeds the limit',
      details: { filename: '3.png', limit: 2 },
    });
    expect(await errorOf(read(formBody(part('a', 'ä'.repeat(26))), { size }))).toMatchObject({
      status: 400,
      message: 'a must have at most 50 bytes',
    });
    expect(await errorOf(read('x'.repeat(4097), { size }))).toMatchObject({ status: 413, details: { limit_bytes: 4096 } });
  });

  it('rejects too many parts', async () => {
    const parts = ['a', 'b', 'c', 'd'].map((name) => part(name, '1'));
    expect(await errorOf(read(formBody(...parts)))).toMatchObject({ status: 400, message: 'the form must have at most 3 fields' });
    expect((await read(formBody(...parts.slice(1)))).fields.size).toBe(3);
    const slots = Array.from({ length: 101 }, () => filePart('', ''));
    expect(await errorOf(read(formBody(...slots), { limits: { total: 100_000 } }))).toMatchObject({
      status: 400,
      message: 'the form must have at most 100 parts',
    });
  });

  it.each([
    ['field', part('message', 'a\0b'), 'message'],
    ['file name', filePart('a\0b.png', 'x'), 'files'],
  ])('rejects U+0000 in a %s', async (_, body, name) => {
    const details = [{ loc: ['body', name], msg: 'must not contain U+0000 or an unpaired surrogate', type: 'invalid_text' }];
    expect(await errorOf(read(formBody(body)))).toMatchObject({ status: 422, details });
  });

  it('rejects a repeated field', async () => {
    expect(await errorOf(read(formBody(part('a', '1'), part('a', '2'))))).toMatchObject({
      status: 422,
      details: [{ loc: ['body', 'a'], msg: 'must be given only once', type: 'repeated' }],
    });
  });
});

describe('invalid multipart body', () => {
  it.each([
    ['', TYPE],
    ['x', TYPE],
    ['{}', 'application/json'],
    [formBody(part('a', 'b')), 'application/x-www-form-urlencoded'],
    [formBody(part('a', 'b')), 'multipart/form-data'],
    [formBody(part('a', 'b')), 'multipart/form-data; charset=utf-8'],
    [formBody(part('a', 'b')), 'multipart/mixed; boundary=X-BOUNDARY-x'],
    [formBody(part('a', 'b')), 'multipart/form-data; boundary=other'],
    [formBody(part('a', 'b')), `multipart/form-data; boundary=${'x'.repeat(71)}`],
    [part('a', 'b'), TYPE],
    [filePart('a.png', 'cut short'), TYPE],
    [`--${BOUNDARY}\r\n`, TYPE],
    [`--${BOUNDARY}\r\nContent-Disposition: form-data; name="a"; filename="x.png"\r\n\r\nno end`, TYPE],
  ])('is rejected: %j as %s', async (body, type) => {
    expect(await errorOf(read(body, { type }))).toMatchObject({ status: 400 });
  });

  it('is rejected when the closing boundary is missing', async () => {
    let cancelled = false;
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode(part('a', 'b'))),
      cancel: () => {
        cancelled = true;
      },
    });
    const request = new Request('https://api.test/', { method: 'POST', body: stream, headers: { 'Content-Type': TYPE } });
    expect(await errorOf(readForm(request, { ...LIMITS, seconds: 0.05 }, noReserve))).toMatchObject({
      message: 'the request body must arrive within 0.05 seconds',
    });
    expect(cancelled).toBe(true);
  });
});

describe('multipart body of the maximum size', () => {
  it('is read in one pass', async () => {
    const data = new FormData();
    const bytes = new Uint8Array(5 * 1024 * 1024).fill(13);
    for (const name of ['1', '2', '3', '4']) data.append('files', new File([bytes], `${name}.png`, { type: 'image/png' }));
    const request = new Request('https://api.test/', { method: 'POST', body: data });
    const { files } = await readForm(
      request,
      { ...LIMITS, total: 24 * 1024 * 1024, file: bytes.byteLength, files: 4, seconds: 60 },
      noReserve,
    );
    expect(files.map((file) => file.bytes.byteLength)).toEqual([bytes.byteLength, bytes.byteLength, bytes.byteLength, bytes.byteLength]);
  });
});
