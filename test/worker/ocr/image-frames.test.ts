import { beforeAll, describe, expect, it } from 'vitest';
import { bmpHeaderOf, emptyScan, gifOf, jpegFrame, jpegOf, webpOf } from '../../support/images.ts';
import { bearer, call } from '../../support/requests.ts';
import { createToken } from '../../support/tokens.ts';

let authorization = '';
beforeAll(async () => {
  authorization = bearer(await createToken());
});

async function send(bytes: Uint8Array<ArrayBuffer>, type: string) {
  const body = new FormData();
  body.set('file', new Blob([bytes], { type }), 'sheet');
  const { status, text } = await call('/v1/ocr/character', { method: 'POST', authorization, body });
  return { status, message: (JSON.parse(text).error?.message ?? '') as string };
}

const PIXEL = { width: 1, height: 1 };
const STRAY_FRAME = { status: 400, message: 'the image has a frame larger than its canvas' };

describe('POST /v1/ocr/character with frames that differ from the file header', () => {
  it.each([15_000, 65_535])('refuses a GIF of a few bytes whose frame is %i pixels wide and high', async (side) => {
    const gif = gifOf(PIXEL, [{ width: side, height: side }]);
    expect(gif.length).toBeLessThan(50);
    expect(await send(gif, 'image/gif')).toEqual(STRAY_FRAME);
  });

  it('refuses a GIF whose frame lies partly outside the image', async () => {
    expect(await send(gifOf({ width: 10, height: 10 }, [{ left: 1, width: 10, height: 10 }]), 'image/gif')).toEqual(STRAY_FRAME);
    expect(await send(gifOf({ width: 10, height: 10 }, [{ top: 65_535, width: 1, height: 1 }]), 'image/gif')).toEqual(STRAY_FRAME);
  });

  it('refuses a GIF with an extension that the decoder and the check parse differently', async () => {
    // An application block of four bytes, of which the decoder always skips seventeen.
    const hiding = [0x21, 0xff, 4, 0, 0, 0, 0, 0];
    const { status, message } = await send(gifOf(PIXEL, [{ width: 65_535, height: 65_535 }], hiding), 'image/gif');
    expect([status, message]).toEqual([400, expect.stringContaining('unsupported image type')]);
  });

  it.each([true, false])('refuses a WebP whose frame is larger than its canvas (lossless: %s)', async (lossless) => {
    expect(await send(webpOf({ width: 16, height: 16 }, { width: 16_383, height: 16_383, lossless }), 'image/webp')).toEqual(STRAY_FRAME);
  });

  it('refuses a BMP with a negative height, which the decoder reads as four billion rows', async () => {
    expect((await send(bmpHeaderOf(1, -1), 'image/bmp')).status).toBe(400);
  });

  it.each([
    [1, 0x7fffffff],
    [20_001, 1],
    [3100, 3100],
  ])('returns 422 with a hint to crop for a BMP of %i x %i pixels', async (width, height) => {
    const { status, message } = await send(bmpHeaderOf(width, height), 'image/bmp');
    expect([status, message]).toEqual([422, expect.stringMatching(/pixels; at most .*; crop the screenshot to the character sheet/)]);
  });

  it('refuses a JPEG with a second frame', async () => {
    const more = jpegFrame({ width: 65_500, height: 65_500, components: 1, frame: 0xc0 });
    expect((await send(jpegOf({ ...PIXEL, scans: [emptyScan()], more }), 'image/jpeg')).status).toBe(400);
  });

  it.each([0xc3, 0xc5, 0xc9, 0xca])('refuses a JPEG with an unsupported frame type (marker %i)', async (frame) => {
    expect((await send(jpegOf({ ...PIXEL, scans: [emptyScan()], frame }), 'image/jpeg')).status).toBe(400);
  });

  it('refuses a JPEG that needs more memory than the decoder limit', async () => {
    const jpeg = jpegOf({ width: 3080, height: 3080, components: 3, scans: [emptyScan(3)] });
    const { status, message } = await send(jpeg, 'image/jpeg');
    expect([status, message]).toEqual([422, 'body.file: decoding needs too much memory; crop the screenshot to the character sheet']);
  });

  it('accepts a progressive 4K JPEG without subsampling', async () => {
    const jpeg = jpegOf({ width: 3840, height: 2160, components: 3, scans: [emptyScan(3)] });
    expect((await send(jpeg, 'image/jpeg')).status).toBe(200);
  });
});
