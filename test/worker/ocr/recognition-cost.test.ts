import { beforeEach, describe, expect, it } from 'vitest';
import { createCharacterSheetService } from '../../../src/areas/ocr/character-sheet.service.ts';
import { decodeImage } from '../../../src/areas/ocr/image-reader.service.ts';
import { createStatReader } from '../../../src/areas/ocr/stat-reader.service.ts';
import { ApiError } from '../../../src/platform/kit/errors/api-error.ts';
import { createHeavyWork } from '../../../src/platform/kit/heavy-work.ts';
import { imageBytes } from '../../support/image-forms.ts';
import { emptyScan, greyPng, jpegOf, refiningScan } from '../../support/images.ts';
import { bearer, call, freshInstant } from '../../support/requests.ts';
import { createToken } from '../../support/tokens.ts';

const PATH = '/v1/ocr/character';

function formOf(bytes: Uint8Array<ArrayBuffer>): FormData {
  const form = new FormData();
  form.set('file', new Blob([bytes], { type: 'image/png' }), 'sheet');
  return form;
}

/** Status and message for an image, from a service without a model, which returns 503 for images that reach the engine. */
async function outcomeOf(bytes: Uint8Array<ArrayBuffer>, type: string): Promise<[number, string]> {
  const withoutModel = { fetch: async () => new Response(null, { status: 404 }) } as unknown as Fetcher;
  const service = createCharacterSheetService({
    decode: decodeImage,
    reader: createStatReader(withoutModel),
    heavyWork: createHeavyWork(),
  });
  const files = [{ field: 'file', filename: 'sheet', contentType: type, bytes }];
  const error = await service.read({ fields: new Map(), files, emptyFiles: new Set() }).catch((thrown: unknown) => thrown);
  if (!(error instanceof ApiError)) throw new Error('the image was read');
  return [error.status, error.message];
}

interface Grid {
  width: number;
  height: number;
  /** Distance between marks. */
  step: readonly [number, number];
  mark: readonly [number, number];
  /** Marks per word, followed by a gap. */
  perWord?: number;
}

/** Marks in rows, which count as letters, words and lines. */
function gridOf({ width, height, step: [stepX, stepY], mark: [right, down], perWord = 10_000 }: Grid): Uint8Array<ArrayBuffer> {
  const isMark = (x: number, y: number) => x % stepX < right && y % stepY < down && Math.floor(x / stepX) % (perWord + 3) < perWord;
  return greyPng(width, height, (x, y) => (isMark(x, y) ? 0 : 255));
}

const PAGE: Grid = { width: 1600, height: 1600, step: [12, 40], mark: [7, 12] };

describe('POST /v1/ocr/character: bounds before recognition', () => {
  it.each<[string, Grid, RegExp]>([
    ['a page full of text', PAGE, /too many characters \(estimated from the text width\): \d+; at most \d+ are allowed;/],
    [
      'too many lines',
      { width: 160, height: 2000, step: [12, 20], mark: [7, 12] },
      /too many lines of text: \d+; at most \d+ are allowed;/,
    ],
    [
      'too many words',
      { width: 1600, height: 1200, step: [9, 50], mark: [6, 10], perWord: 4 },
      /too many words: \d+; at most \d+ are allowed;/,
    ],
    ['too many letters', { width: 1600, height: 1600, step: [9, 14], mark: [4, 7] }, /too many letters: \d+; at most \d+ are allowed;/],
    ['a texture of dots', { width: 1600, height: 1600, step: [2, 2], mark: [1, 1] }, /too many marks: \d+; at most \d+ are allowed;/],
  ])('returns 422 with a hint to crop for %s', async (_, grid, expected) => {
    const [status, message] = await outcomeOf(gridOf(grid), 'image/png');
    expect([status, message]).toEqual([422, expect.stringMatching(expected)]);
    expect(message).toContain('crop the screenshot to the character sheet');
  });

  it('refuses a JPEG of 48 KB with 4,000 scans', async () => {
    const jpeg = jpegOf({ width: 400, height: 400, scans: Array.from({ length: 4000 }, () => emptyScan()) });
    expect(jpeg.length).toBeLessThan(50_000);
    expect(await outcomeOf(jpeg, 'image/jpeg')).toEqual([
      422,
      expect.stringMatching(/4000 JPEG scans; at most 100 are allowed at this size; crop/),
    ]);
  });

  it('allows fewer scans in a larger image, because each scan processes all pixels', async () => {
    const size = { width: 3840, height: 2160 };
    const jpeg = jpegOf({ ...size, scans: Array.from({ length: 20 }, () => refiningScan(size)) });
    expect(await outcomeOf(jpeg, 'image/jpeg')).toEqual([422, expect.stringMatching(/20 JPEG scans; at most 19 are allowed at this size/)]);
  });

  it.each([
    ['sheet.png', 'image/png'],
    ['sheet.jpg', 'image/jpeg'],
    ['sheet.gif', 'image/gif'],
  ])('accepts the character sheet %s', async (name, type) => {
    expect(await outcomeOf(imageBytes(name), type)).toEqual([503, 'text recognition is not available']);
  });

  it('reads images after a refused image', async () => {
    const authorization = bearer(await createToken());
    const send = async (bytes: Uint8Array<ArrayBuffer>) =>
      (await call(PATH, { method: 'POST', authorization, body: formOf(bytes) })).status;
    const sheet = imageBytes('short-sheet.webp');
    expect([await send(sheet), await send(gridOf(PAGE)), await send(sheet)]).toEqual([200, 422, 200]);
  });
});

/** The rate limits of a request. */
const POLICY = '"token";q=120;w=60, "ocr";q=10;w=60';

describe('POST /v1/ocr/character: rate limit of a token', () => {
  const RATE_HEADERS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'RateLimit-Policy'];
  let authorization = '';
  let now = 0;

  /** A request that is counted and then refused for its content. */
  async function read(at = now, as = authorization) {
    const options = { method: 'POST', authorization: as, body: formOf(new Uint8Array(20)), now: at };
    const { status, headers, text } = await call(PATH, options);
    return { status, text, rate: RATE_HEADERS.map((name) => headers.get(name)), retryAfter: headers.get('Retry-After') };
  }

  beforeEach(async () => {
    authorization = bearer(await createToken());
    now = freshInstant();
  });

  it('allows ten requests a minute and shows both rate limits in the headers', async () => {
    for (let used = 1; used <= 10; used += 1) {
      expect(await read()).toMatchObject({ status: 400, rate: ['10', String(10 - used), String(now + 30), POLICY] });
    }
  });

  it('returns 429 with its own rate limit headers for the eleventh request until the window ends', async () => {
    for (let used = 1; used <= 10; used += 1) await read();
    const refused = await read();
    expect(refused).toMatchObject({ status: 429, retryAfter: '30', rate: ['10', '0', String(now + 30), POLICY] });
    expect(JSON.parse(refused.text).error).toMatchObject({ code: 'rate_limited', details: { limit: 10, window_seconds: 60 } });
    expect((await read(now + 30)).status).toBe(400);
  });

  it('does not affect other endpoints or tokens', async () => {
    for (let used = 1; used <= 11; used += 1) await read();
    const { headers } = await call('/v1/rotations/server-time', { authorization, now });
    expect(headers.get('X-RateLimit-Remaining')).toBe(String(120 - 12));
    expect((await read(now, bearer(await createToken()))).status).toBe(400);
  });

  it('is not charged for a token without the scope', async () => {
    const withoutScope = bearer(await createToken({ scopes: 1 }));
    for (let used = 1; used <= 11; used += 1) expect((await read(now, withoutScope)).status).toBe(403);
  });
});
