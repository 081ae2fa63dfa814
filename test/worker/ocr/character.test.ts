import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../../src/app.ts';
import { createCharacterSheetService } from '../../../src/areas/ocr/character-sheet.service.ts';
import { CharacterBody, createOcrEndpoint } from '../../../src/areas/ocr/ocr.routes.ts';
import type { StatReader } from '../../../src/areas/ocr/stat-reader.service.ts';
import { composeApp } from '../../../src/composition.ts';
import { createHeavyWork } from '../../../src/platform/kit/heavy-work.ts';
import { ISOLATE_RATE_LIMIT_BYTES, isolateMemory } from '../../../src/platform/kit/isolate-memory.ts';
import { imageBytes } from '../../support/image-forms.ts';
import { bearer, call, type Fetch, fetchWorker } from '../../support/requests.ts';
import { createToken } from '../../support/tokens.ts';

const PATH = '/v1/ocr/character';
const MEBIBYTE = 1024 * 1024;
/** Stats of the sample screenshot. */
const SAMPLE = {
  physical_damage: 24_459,
  magic_damage: 702_115,
  maximum_health: 1_253_201,
  attack_speed: 212.3,
  jump: 14,
  critical_hit: 84.2,
  critical_damage: 2950.5,
  light: 17_239,
  coefficient: 21_418_018,
  power_rank: 37_418,
};

let authorization = '';
beforeAll(async () => {
  authorization = bearer(await createToken());
});

function formOf(bytes: Uint8Array<ArrayBuffer>, type: string, part = 'file', name = 'sheet'): FormData {
  const form = new FormData();
  form.set(part, new Blob([bytes], { type }), name);
  return form;
}

async function send(body: BodyInit, headers: Record<string, string> = {}, fetch = fetchWorker) {
  const response = await call(PATH, { method: 'POST', authorization, body, headers }, fetch);
  return { ...response, body: JSON.parse(response.text) };
}

describe('POST /v1/ocr/character', () => {
  it('reads all stats of a sheet and returns its text row by row', async () => {
    const { status, body } = await send(formOf(imageBytes('sheet.png'), 'image/png'));
    expect(status).toBe(200);
    const { stats, matched, total_known } = CharacterBody.strict().parse(body);
    expect(Object.fromEntries(Object.entries(stats).map(([key, stat]) => [key, stat?.value]))).toEqual(SAMPLE);
    expect([matched, total_known]).toEqual([10, 22]);
    expect(stats.coefficient).toMatchObject({ derived: true, raw: '', unit: 'count' });
    expect(stats.magic_damage).toMatchObject({ derived: false, raw: '702,115', in_range: true, type_match: true });
    expect(body.lines).toEqual(expect.arrayContaining(['LEVEL 30', 'Magic Damage 702,115', 'Jump 14']));
  });

  it.each([
    ['jpg', 'image/jpeg'],
    ['webp', 'image/webp'],
    ['gif', 'image/gif'],
    ['bmp', 'image/bmp'],
    ['webp', 'application/octet-stream'],
    ['jpg', 'image/png'],
  ])('reads %s named %s', async (extension, type) => {
    const { status, body } = await send(formOf(imageBytes(`short-sheet.${extension}`), type));
    expect(status).toBe(200);
    const { stats, matched, lines } = CharacterBody.strict().parse(body);
    expect([matched, stats.physical_damage?.value]).toEqual([1, SAMPLE.physical_damage]);
    expect(lines).toContain('LEVEL 30');
  });

  it('returns no stats for an image without text', async () => {
    const { status, body } = await send(formOf(blankBmp(64, 48), 'image/bmp'));
    expect([status, body]).toEqual([200, { stats: {}, matched: 0, total_known: 22, lines: [] }]);
  });
});

/** A white BMP. */
function blankBmp(width: number, height: number): Uint8Array<ArrayBuffer> {
  const row = Math.ceil((width * 3) / 4) * 4;
  const bytes = new Uint8Array(54 + row * height).fill(255, 54);
  const view = new DataView(bytes.buffer);
  bytes.set([0x42, 0x4d]);
  view.setUint32(2, bytes.length, true);
  view.setUint32(10, 54, true);
  view.setUint32(14, 40, true);
  view.setInt32(18, width, true);
  view.setInt32(22, height, true);
  view.setUint16(26, 1, true);
  view.setUint16(28, 24, true);
  return bytes;
}

/** The sample with a different size in its header. */
function pngOfSize(width: number, height: number): Uint8Array<ArrayBuffer> {
  const bytes = imageBytes('sheet.png');
  new DataView(bytes.buffer).setUint32(16, width);
  new DataView(bytes.buffer).setUint32(20, height);
  return bytes;
}

describe('POST /v1/ocr/character with invalid input', () => {
  const text = new Uint8Array(new TextEncoder().encode('plain text, not an image'));

  it.each<[string, () => FormData, RegExp]>([
    ['text declared as an image', () => formOf(text, 'image/png'), /unsupported image type;/],
    ['an image declared as text', () => formOf(imageBytes('sheet.png'), 'text/plain'), /unsupported image type text\/plain/],
    ['an empty file', () => formOf(new Uint8Array(0), 'image/png'), /empty/],
    ['a PNG that breaks off', () => formOf(imageBytes('sheet.png').slice(0, 20_000), 'image/png'), /damaged/],
    ['a JPEG that breaks off', () => formOf(garbled('sheet.jpg'), 'image/jpeg'), /damaged/],
    ['a WebP that breaks off', () => formOf(imageBytes('sheet.webp').slice(0, 60), 'image/webp'), /damaged/],
    ['a BMP that breaks off', () => formOf(imageBytes('sheet.bmp').slice(0, 2000), 'image/bmp'), /damaged/],
    ['a GIF that breaks off', () => formOf(imageBytes('sheet.gif').slice(0, 900), 'image/gif'), /damaged/],
    ['no pixels', () => formOf(pngOfSize(0, 10), 'image/png'), /no pixels/],
    ['an animation', () => formOf(imageBytes('animated.gif'), 'image/gif'), /animated/],
  ])('returns 400 for %s', async (_, form, message) => {
    const { status, body } = await send(form());
    expect([status, body.error.code]).toEqual([400, 'bad_request']);
    expect(body.error.message).toMatch(message);
  });

  it.each<[string, number, number, RegExp]>([
    ['of 20,000 x 20,000 pixels', 20_000, 20_000, /20000 x 20000 pixels; at most 9500000 in total are allowed; crop/],
    ['with a side of 20,001 pixels', 20_001, 10, /20001 x 10 pixels; at most 20000 per side are allowed; crop/],
  ])('returns 422 with a hint to crop for %s', async (_, width, height, message) => {
    const { status, body } = await send(formOf(pngOfSize(width, height), 'image/png'));
    expect([status, body.error.code]).toEqual([422, 'validation_error']);
    expect(body.error.message).toMatch(message);
  });

  it('returns 422 with the name of the missing form field', async () => {
    const { status, body } = await send(formOf(imageBytes('sheet.png'), 'image/png', 'image'));
    expect([status, body.error.details]).toEqual([422, [{ loc: ['body', 'file'], msg: 'is required', type: 'missing' }]]);
  });

  it('returns 422 for a text field', async () => {
    const form = new FormData();
    form.set('file', 'sheet.png');
    expect((await send(form)).body.error.details[0]).toMatchObject({ loc: ['body', 'file'], type: 'invalid_type' });
  });

  it('returns 400 for two files', async () => {
    const form = formOf(imageBytes('sheet.png'), 'image/png');
    form.append('file', new Blob([imageBytes('sheet.png')]), 'again');
    expect((await send(form)).status).toBe(400);
  });

  it('returns 400 without a form', async () => {
    expect((await send(imageBytes('sheet.png'), { 'Content-Type': 'image/png' })).status).toBe(400);
  });

  it('returns 413 for one byte more than 12 MiB', async () => {
    const { status, body } = await send(new Uint8Array(12 * MEBIBYTE + 1), { 'Content-Type': 'multipart/form-data; boundary=x' });
    expect([status, body.error.details]).toEqual([413, { limit_bytes: 12 * MEBIBYTE }]);
  });

  it('reads a valid image after an invalid one', async () => {
    for (const bytes of [text, garbled('sheet.jpg'), imageBytes('sheet.webp').slice(0, 60)]) await send(formOf(bytes, 'image/png'));
    expect((await send(formOf(imageBytes('short-sheet.jpg'), 'image/jpeg'))).body.matched).toBe(1);
  });
});

describe('POST /v1/ocr/character with little memory', () => {
  const sigil = (rank: number) => call(`/v1/stats/sigil?power_rank=${rank}&mastery=900&scale=2`, { authorization });

  it('returns 503 with Retry-After, as does a drawing, and succeeds when the memory is free', async () => {
    const form = () => formOf(imageBytes('short-sheet.jpg'), 'image/jpeg');
    expect([(await send(form())).status, (await sigil(30_000)).status]).toEqual([200, 200]);
    // Succeeds only because the instances that both keep are dropped: the text engine alone has 28 MiB.
    const large = ISOLATE_RATE_LIMIT_BYTES - 8 * MEBIBYTE;
    isolateMemory.take(large);
    try {
      for (const { status, headers } of [await send(form()), await sigil(100)])
        expect([status, headers.get('Retry-After')]).toEqual([503, '5']);
    } finally {
      isolateMemory.refund(large);
    }
    expect([(await send(form())).body.matched, (await sigil(100)).status]).toEqual([1, 200]);
  });
});

/** First 250 bytes of a file, without its pixel data. */
function garbled(name: string): Uint8Array<ArrayBuffer> {
  const bytes = imageBytes(name);
  return bytes.slice(0, 250);
}

describe('POST /v1/ocr/character without the engine', () => {
  const READING = { stats: {}, sources: new Map(), matched: 0, totalKnown: 22, lines: [], boxes: new Map() };

  function appWith(reader: StatReader, heavyWork = createHeavyWork()) {
    const service = createCharacterSheetService({
      decode: async () => ({ width: 1, height: 1, data: new Uint8Array(1) }),
      reader,
      heavyWork,
    });
    const app = createApp({ ...composeApp(env), endpoints: [createOcrEndpoint(service)] });
    const context = { waitUntil: () => {}, passThroughOnException: () => {} } as unknown as ExecutionContext;
    const fetch: Fetch = async (request) => app.fetch(request, env, context);
    return fetch;
  }

  it('processes concurrent requests one at a time', async () => {
    let running = 0;
    let most = 0;
    const read: StatReader['read'] = async (_image, pause) => {
      running += 1;
      most = Math.max(most, running);
      await pause();
      running -= 1;
      return READING;
    };
    const fetch = appWith({ read, release: () => {}, engineBytes: () => 0 });
    const sent = Array.from({ length: 4 }, () => send(formOf(imageBytes('sheet.webp'), 'image/webp'), {}, fetch));
    expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect([running, most]).toEqual([0, 1]);
  });

  it('returns 503 with Retry-After if the queue is full', async () => {
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const reader = { read: async () => READING, release: () => {}, engineBytes: () => 0 };
    const heavyWork = createHeavyWork();
    const fetch = appWith(reader, heavyWork);
    const form = () => formOf(imageBytes('sheet.webp'), 'image/webp');
    const blocker = heavyWork.run(5001, () => ended);
    const { status, body, headers } = await send(form(), {}, fetch);
    expect([status, body.error.code, headers.get('Retry-After')]).toEqual([503, 'service_unavailable', '6']);
    end();
    await blocker;
    expect((await send(form(), {}, fetch)).status).toBe(200);
  });

  it('returns 503 if the engine cannot start', async () => {
    const reader = { read: () => Promise.reject(new Error('no model')), release: () => {}, engineBytes: () => 0 };
    const { status, body, headers } = await send(formOf(imageBytes('sheet.png'), 'image/png'), {}, appWith(reader));
    expect([status, body.error.message, headers.get('Retry-After')]).toEqual([503, 'text recognition is not available', '5']);
  });

  it('does not serve the model as a static asset', async () => {
    expect((await call('/ocr/eng.traineddata.gz')).status).toBe(404);
  });
});
