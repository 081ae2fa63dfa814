import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { luminanceOf } from '../../../src/areas/ocr/luminance.domain.ts';
import { readPng } from '../../../src/areas/ocr/png-reader.ts';
import { readImageHeader } from '../../../src/platform/values/image-header.ts';

const fixture = (name: string) => new Uint8Array(readFileSync(join(import.meta.dirname, '..', '..', 'fixtures', 'ocr', name)));
const SIZE = { width: 432, height: 374 };

describe('readImageHeader', () => {
  it.each([
    ['sheet.png', 'image/png', false],
    ['sheet.jpg', 'image/jpeg', false],
    ['sheet.webp', 'image/webp', false],
    ['sheet.gif', 'image/gif', false],
    ['animated.gif', 'image/gif', true],
    ['sheet.bmp', 'image/bmp', false],
  ])('%s', (name, type, animated) => expect(readImageHeader(fixture(name))).toEqual({ type, ...SIZE, animated, truncated: false }));

  it('finds animation in PNG and WebP', () => {
    const png = pngOf({ width: 2, height: 2, depth: 8, colourType: 0 }, [new Uint8Array(6)], [['acTL', new Uint8Array(8)]]);
    expect(readImageHeader(png)?.animated).toBe(true);
    const webp = Buffer.alloc(40);
    webp.write('RIFF', 0, 'latin1');
    webp.write('WEBPVP8X', 8, 'latin1');
    webp[20] = 2;
    webp.writeUIntLE(99, 24, 3);
    webp.writeUIntLE(49, 27, 3);
    expect(readImageHeader(new Uint8Array(webp))).toEqual({ type: 'image/webp', width: 100, height: 50, animated: true, truncated: false });
  });

  it('is null for anything cut short or made up', () => {
    for (const name of ['sheet.png', 'sheet.jpg', 'sheet.webp', 'sheet.gif', 'sheet.bmp']) {
      const whole = fixture(name);
      for (let length = 0; length < 13; length++) expect(readImageHeader(whole.slice(0, length))).toBeNull();
    }
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => void readImageHeader(bytes)),
      { numRuns: 500 },
    );
  });

  it('sees a JPEG whose end is missing', () => {
    expect(readImageHeader(fixture('sheet.jpg').slice(0, -2))?.truncated).toBe(true);
  });

  it('ends for any bytes after a good beginning', () => {
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

interface Kind {
  width: number;
  height: number;
  depth: number;
  colourType: number;
  interlace?: number;
}

function chunk(type: string, content: Uint8Array): Buffer {
  const bytes = Buffer.alloc(12 + content.length);
  bytes.writeUInt32BE(content.length, 0);
  bytes.write(type, 4, 'latin1');
  bytes.set(content, 8);
  return bytes;
}

/** A PNG of rows as they are, filter bytes included. */
function pngOf({ width, height, depth, colourType, interlace = 0 }: Kind, rows: readonly Uint8Array[], more: [string, Uint8Array][] = []) {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, colourType, 0, 0, interlace], 8);
  const data = deflateSync(Buffer.concat(rows));
  const half = data.length >> 1;
  return new Uint8Array(
    Buffer.concat([
      Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
      chunk('IHDR', header),
      ...more.map(([type, content]) => chunk(type, content)),
      chunk('IDAT', data.subarray(0, half)),
      chunk('IDAT', data.subarray(half)),
      chunk('IEND', new Uint8Array(0)),
    ]),
  );
}

describe('readPng', () => {
  const palette: [string, Uint8Array][] = [['PLTE', Uint8Array.of(255, 0, 0, 0, 0, 255, 255, 255, 255)]];

  it.each<[string, Kind, number[], [string, Uint8Array][], number[]]>([
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
  ])('%s', async (_, kind, row, more, expected) => {
    const { data } = await readPng(pngOf(kind, [Uint8Array.from(row)], more));
    expect([...data]).toEqual(expected);
  });

  it('undoes every filter', async () => {
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

  it('puts interlaced rows where they belong', async () => {
    // Passes of a picture of 3 x 3: (0,0); none; none; (2,0); (0,2) (2,2); (1,0) (1,2); the middle row.
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
  ])('refuses %s', async (_, bytes) => {
    await expect(readPng(bytes)).rejects.toThrow();
  });
});
