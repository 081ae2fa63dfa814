import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import omggif from 'omggif';
import { describe, expect, it } from 'vitest';
import { luminanceOf } from '../../../src/areas/ocr/luminance.domain.ts';
import { readPng } from '../../../src/areas/ocr/png-reader.service.ts';
import { readImageHeader } from '../../../src/platform/kit/values/image-header.ts';
import { emptyScan, gifOf, jpegOf, jpegSegment, type PngKind, pngChunk, pngOf, webpOf } from '../../support/images.ts';

const fixture = (name: string) => new Uint8Array(readFileSync(join(import.meta.dirname, '..', '..', 'fixtures', 'ocr', name)));
const SIZE = { width: 432, height: 374 };

describe('readImageHeader', () => {
  it.each([
    ['sheet.png', 'image/png', {}],
    ['sheet.jpg', 'image/jpeg', { scans: 9 }],
    ['sheet.webp', 'image/webp', {}],
    ['sheet.gif', 'image/gif', {}],
    ['animated.gif', 'image/gif', { animated: true }],
    ['sheet.bmp', 'image/bmp', {}],
  ])('reads the header of %s', (name, type, more) => {
    const usual = { animated: false, truncated: false, framesFit: true, scans: 1 };
    expect(readImageHeader(fixture(name))).toEqual({ type, ...SIZE, ...usual, ...more });
  });

  it('detects animated PNG and WebP', () => {
    const png = pngOf({ width: 2, height: 2, depth: 8, colourType: 0 }, [new Uint8Array(6)], {
      more: [pngChunk('acTL', new Uint8Array(8))],
    });
    expect(readImageHeader(png)?.animated).toBe(true);
    const webp = Buffer.alloc(40);
    webp.write('RIFF', 0, 'latin1');
    webp.write('WEBPVP8X', 8, 'latin1');
    webp[20] = 2;
    webp.writeUIntLE(99, 24, 3);
    webp.writeUIntLE(49, 27, 3);
    expect(readImageHeader(new Uint8Array(webp))).toMatchObject({ type: 'image/webp', width: 100, height: 50, animated: true });
  });

  it('returns null for truncated and invalid input', () => {
    for (const name of ['sheet.png', 'sheet.jpg', 'sheet.webp', 'sheet.gif', 'sheet.bmp']) {
      const whole = fixture(name);
      for (let length = 0; length < 13; length++) expect(readImageHeader(whole.slice(0, length))).toBeNull();
    }
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => void readImageHeader(bytes)),
      { numRuns: 500 },
    );
  });

  it('detects a truncated JPEG', () => {
    expect(readImageHeader(fixture('sheet.jpg').slice(0, -2))?.truncated).toBe(true);
  });

  it('counts JPEG scans only up to the end of the image', () => {
    const comment = jpegSegment(0xfe, [0xff, 0xda, 0xff, 0xd9, 0xff, 0xc0]);
    const jpeg = jpegOf({ width: 8, height: 9, scans: [[...emptyScan(), 0xff, 0x00, 0xff, 0xd0, 0xff, 0xff], emptyScan()], more: comment });
    expect(readImageHeader(jpeg)).toMatchObject({ width: 8, height: 9, scans: 2, truncated: false });
    expect(readImageHeader(new Uint8Array([...jpeg, ...jpeg]))).toMatchObject({ scans: 2 });
  });

  it('reports a frame of an extended WebP that exceeds the canvas', () => {
    for (const lossless of [true, false]) {
      expect(readImageHeader(webpOf({ width: 300, height: 200 }, { width: 300, height: 200, lossless }))?.framesFit).toBe(true);
      expect(readImageHeader(webpOf({ width: 300, height: 200 }, { width: 300, height: 201, lossless }))?.framesFit).toBe(false);
    }
  });

  it('reports the GIF frame that the decoder decodes', () => {
    const whole = [...gifOf({ width: 20, height: 20 }, [{ left: 2, top: 3, width: 18, height: 17 }], [0x21, 0xfe, 3, 1, 2, 3, 0])];
    let accepted = 0;
    const changes = fc.array(
      fc.tuple(fc.nat(whole.length - 1), fc.constantFrom(0, 1, 2, 4, 0x0b, 0x21, 0x2c, 0x3b, 0x80, 0xf9, 0xfe, 0xff)),
      {
        maxLength: 4,
      },
    );
    fc.assert(
      fc.property(changes, fc.uint8Array({ maxLength: 30 }), fc.nat(whole.length), (edits, more, at) => {
        const bytes = Uint8Array.from([...whole.slice(0, at), ...more, ...whole.slice(at)]);
        for (const [place, value] of edits) bytes[place] = value;
        const header = readImageHeader(bytes);
        if (!header?.framesFit || header.animated) return;
        const gif = decoderOf(bytes);
        if (!gif) return;
        accepted += 1;
        expect(gif.numFrames()).toBeLessThanOrEqual(1);
        if (gif.numFrames() === 0) return;
        const frame = gif.frameInfo(0);
        expect(frame.x + frame.width).toBeLessThanOrEqual(header.width);
        expect(frame.y + frame.height).toBeLessThanOrEqual(header.height);
      }),
      { numRuns: 5000 },
    );
    expect(accepted).toBeGreaterThan(100);
  });

  it('terminates for arbitrary bytes after a valid header', () => {
    const starts = ['sheet.png', 'sheet.jpg', 'sheet.webp', 'sheet.gif', 'sheet.bmp'].map((name) => fixture(name).slice(0, 40));
    fc.assert(
      fc.property(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 60 }), fc.nat(39), (start, tail, at) => {
        const bytes = new Uint8Array([...start, ...tail]);
        bytes[at] = tail[0] ?? 0;
        readImageHeader(bytes);
      }),
      { numRuns: 1000 },
    );
  });
});

/** Result of the GIF decoder; null if it rejects the file. */
function decoderOf(bytes: Uint8Array): omggif.GifReader | null {
  try {
    return new omggif.GifReader(bytes as unknown as Buffer);
  } catch {
    return null;
  }
}

describe('readPng', () => {
  const palette = [pngChunk('PLTE', Uint8Array.of(255, 0, 0, 0, 0, 255, 255, 255, 255))];

  it.each<[string, PngKind, number[], Uint8Array<ArrayBuffer>[], number[]]>([
    ['grey', { width: 3, height: 1, depth: 8, colourType: 0 }, [0, 1, 2, 250], [], [1, 2, 250]],
    ['two colours', { width: 3, height: 1, depth: 1, colourType: 0 }, [0, 0b10100000], [], [255, 0, 255]],
    ['four greys', { width: 3, height: 1, depth: 2, colourType: 0 }, [0, 0b00011000], [], [0, 85, 170]],
    ['sixteen greys', { width: 3, height: 1, depth: 4, colourType: 0 }, [0, 0x0f, 0x80], [], [0, 255, 136]],
    ['16 bits', { width: 2, height: 1, depth: 16, colourType: 0 }, [0, 200, 9, 3, 7], [], [200, 3]],
    ['colours', { width: 1, height: 1, depth: 8, colourType: 2 }, [0, 10, 20, 30], [], [luminanceOf(10, 20, 30)]],
    ['colours of 16 bits', { width: 1, height: 1, depth: 16, colourType: 2 }, [0, 10, 1, 20, 1, 30, 1], [], [luminanceOf(10, 20, 30)]],
    ['transparent colours on black', { width: 1, height: 1, depth: 8, colourType: 6 }, [0, 200, 200, 200, 128], [], [100]],
    ['transparent grey', { width: 2, height: 1, depth: 8, colourType: 4 }, [0, 200, 255, 200, 0], [], [200, 0]],
    [
      'a palette',
      { width: 3, height: 1, depth: 8, colourType: 3 },
      [0, 2, 0, 1],
      palette,
      [255, luminanceOf(255, 0, 0), luminanceOf(0, 0, 255)],
    ],
    [
      'a small palette',
      { width: 3, height: 1, depth: 2, colourType: 3 },
      [0, 0b10000100],
      palette,
      [255, luminanceOf(255, 0, 0), luminanceOf(0, 0, 255)],
    ],
  ])('converts %s', async (_, kind, row, more, expected) => {
    const { data } = await readPng(pngOf(kind, [Uint8Array.from(row)], { more, pieces: 2 }));
    expect([...data]).toEqual(expected);
  });

  it('joins the pixel data of many chunks, including empty ones', async () => {
    const rows = Array.from({ length: 200 }, (_, y) => Uint8Array.from([0, y, 255 - y, (y * 7) & 255]));
    const { data } = await readPng(pngOf({ width: 3, height: 200, depth: 8, colourType: 0 }, rows, { pieces: 2000 }));
    expect([...data]).toEqual(rows.flatMap((row) => [...row.subarray(1)]));
  });

  it('reverses every filter', async () => {
    const rows = [
      [0, 10, 20, 30, 40],
      [1, 1, 1, 1, 1],
      [2, 5, 5, 5, 5],
      [3, 8, 8, 8, 8],
      [4, 2, 2, 2, 2],
    ].map((row) => Uint8Array.from(row));
    const { data } = await readPng(pngOf({ width: 4, height: 5, depth: 8, colourType: 0 }, rows));
    expect([...data]).toEqual([10, 20, 30, 40, 1, 2, 3, 4, 6, 7, 8, 9, 11, 17, 20, 22, 13, 19, 22, 24]);
  });

  it('deinterlaces rows', async () => {
    // Passes of an image of 3 x 3: (0,0); none; none; (2,0); (0,2) (2,2); (1,0) (1,2); the middle row.
    const rows = [
      [0, 1],
      [0, 3],
      [0, 7, 9],
      [0, 2],
      [0, 8],
      [0, 4, 5, 6],
    ].map((row) => Uint8Array.from(row));
    const { data } = await readPng(pngOf({ width: 3, height: 3, depth: 8, colourType: 0, interlace: 1 }, rows));
    expect([...data]).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it.each([
    ['pixels that break off', pngOf({ width: 3, height: 2, depth: 8, colourType: 0 }, [Uint8Array.of(0, 1, 2, 3)])],
    ['an unknown filter', pngOf({ width: 1, height: 1, depth: 8, colourType: 0 }, [Uint8Array.of(9, 1)])],
    ['an unknown kind of colours', pngOf({ width: 1, height: 1, depth: 8, colourType: 5 }, [Uint8Array.of(0, 1)])],
    ['a depth it cannot have', pngOf({ width: 1, height: 1, depth: 16, colourType: 3 }, [Uint8Array.of(0, 1)])],
    ['a file that breaks off', fixture('sheet.png').slice(0, 30_000)],
  ])('rejects %s', async (_, bytes) => {
    await expect(readPng(bytes)).rejects.toThrow();
  });
});
