import { readFileSync } from 'node:fs';
import encodeJpeg, { init as initJpeg } from '@jsquash/jpeg/encode.js';
import encodeWebp, { init as initWebp } from '@jsquash/webp/encode.js';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import omggif from 'omggif';
import { inRoot } from '../../scripts/lib/paths.ts';
import { KNOWN_STATS } from '../../src/areas/ocr/character-stats.data.ts';
import { happens, pick, type RandomSource, randomBelow, randomUnit } from '../../src/platform/kit/random.ts';
import type { ImageType } from '../../src/platform/kit/values/image-header.ts';
import { readFonts } from '../ocr/fonts.ts';
import { bmpHeaderOf, pngOf, refiningScan } from './images.ts';

/** Compiles the wasm module of an installed package. Node only. */
export function wasmModule(path: string): WebAssembly.Module {
  return Reflect.construct(WebAssembly.Module, [readFileSync(inRoot('node_modules', path))]);
}

interface Grey {
  width: number;
  height: number;
  data: Uint8Array;
}

export interface SomeImage {
  /** Description of the image. */
  name: string;
  type: ImageType;
  bytes: Uint8Array<ArrayBuffer>;
}

const CHARACTERS = {
  letters: 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789',
  digits: '0123456789.,%',
  strokes: 'il1I|!jt',
  blocks: 'MWNHB8#@%&',
};
const LABELS = ['Magic Damage', 'Critical Damage', 'Jump', 'Light', 'Maximum Health', 'Attack Speed', 'Power Rank', 'Stability'];
const FAMILIES = ['Open Sans', 'Roboto Condensed', 'Exo 2', 'Ubuntu', 'PT Sans', 'Titillium Web'];
/** Maximum accepted size. */
const LARGE = { width: 3840, height: 2470 };

/** Creates a generator of random expensive images. */
export async function createImageMaker() {
  await initWasm(wasmModule('@resvg/resvg-wasm/index_bg.wasm'));
  await initJpeg(wasmModule('@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm'));
  await initWebp(wasmModule('@jsquash/webp/codec/enc/webp_enc.wasm'));
  const fontBuffers = readFonts();

  /** A sheet of every stat with the longest numbers, most of which are read twice. */
  function sheet(random: RandomSource): [string, Grey] {
    const size = 12 + randomBelow(random, 24);
    const digits = 9 + randomBelow(random, 7);
    const number = () => Array.from({ length: digits }, () => 1 + randomBelow(random, 9)).join('');
    const rows = KNOWN_STATS.map(({ labels: [label] }) => `${label} ${number()} ${happens(random, 0.3) ? number() : ''}`);
    return [`${rows.length} stats of ${digits} digits, ${size}px`, page(random, rows, size, Math.round(size * 1.6), 45 * size)];
  }

  /** Rows of text, near the accepted maximum. */
  function text(random: RandomSource): [string, Grey] {
    const size = 9 + randomBelow(random, 30);
    const pitch = Math.round(size * (1.1 + randomUnit(random)));
    const rows = 4 + randomBelow(random, 50);
    const length = Math.max(4, Math.round(((0.5 + 0.6 * randomUnit(random)) * 1000) / rows));
    const kind = pick(random, Object.keys(CHARACTERS) as (keyof typeof CHARACTERS)[]);
    const word = () => Array.from({ length: 1 + randomBelow(random, 9) }, () => pick(random, [...CHARACTERS[kind]])).join('');
    const line = () => {
      let words = happens(random, 0.5) ? `${pick(random, LABELS)} ` : '';
      while (words.length < length) words += `${word()}${pick(random, [' ', '', '     '])}`;
      return words.slice(0, length).replaceAll('&', '&amp;');
    };
    const width = Math.round(length * size * 0.75) + 40;
    return [`${kind} ${size}px, ${rows} rows of ${length}`, page(random, Array.from({ length: rows }, line), size, pitch, width)];
  }

  function page(random: RandomSource, rows: readonly string[], size: number, pitch: number, preferredWidth: number): Grey {
    const width = Math.min(LARGE.width, preferredWidth);
    const height = Math.min(LARGE.height, rows.length * pitch + 40);
    const family = pick(random, FAMILIES);
    const lines = rows.map((row, index) => `<text x="16" y="${(index + 1) * pitch}" xml:space="preserve">${row}</text>`);
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#fff"/><g font-family="${family}" font-size="${size}">${lines.join('')}</g></svg>`;
    const drawn = new Resvg(svg, { font: { fontBuffers, loadSystemFonts: false } }).render();
    const { pixels } = drawn;
    const data = Uint8Array.from({ length: width * height }, (_, index) => pixels[index * 4] ?? 0);
    drawn.free();
    return { width, height, data };
  }

  /** Bands of noise or strokes that resemble text. */
  function texture(random: RandomSource): [string, Grey] {
    const cap = 7 + randomBelow(random, 40);
    const pitch = Math.round(cap * (1.3 + randomUnit(random)));
    const rows = 3 + randomBelow(random, 40);
    const width = Math.min(LARGE.width, Math.round(((0.4 + 0.7 * randomUnit(random)) * 800 * cap * 0.72) / rows) + 40);
    const height = Math.min(LARGE.height, rows * pitch + 40);
    const cell = 1 + randomBelow(random, 6);
    const share = 0.1 + 0.5 * randomUnit(random);
    const stroke = 2 + randomBelow(random, 10);
    const gap = 1 + randomBelow(random, 8);
    const short = 1 + randomBelow(random, cap);
    const isNoise = happens(random, 0.5);
    const data = new Uint8Array(width * height).fill(255);
    for (let row = 0; row < rows; row++) {
      for (let y = 0; y < cap; y++) {
        const at = (20 + row * pitch + y) * width;
        if (20 + row * pitch + y >= height) break;
        for (let x = 16; x < width - 16; x++) {
          const isTall = Math.floor(x / (stroke + gap)) % 3 === 0;
          const isInk = isNoise
            ? ((x * 2654435761) ^ (Math.floor(y / cell) * 40503 + Math.floor(x / cell) * 69069 * (row + 3))) >>> 0 < share * 2 ** 32
            : x % (stroke + gap) < stroke && (isTall || y % (short + 1) < short);
          if (isInk) data[at + x] = 0;
        }
      }
    }
    return [
      isNoise ? `noise ${cell} ${share.toFixed(2)}, ${rows} bands of ${cap}` : `strokes ${stroke}/${gap}/${short}, ${rows} bands of ${cap}`,
      { width, height, data },
    ];
  }

  /** Marks of all kinds all over the image. */
  function marks(random: RandomSource): [string, Grey] {
    const { width, height } = pick(random, [{ width: 1600, height: 1600 }, { width: 2870, height: 3000 }, LARGE]);
    const stepX = 3 + randomBelow(random, 60);
    const stepY = 3 + randomBelow(random, 60);
    const data = new Uint8Array(width * height).fill(255);
    const [right, down] = [1 + randomBelow(random, stepX), 1 + randomBelow(random, stepY)];
    for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) if (x % stepX < right && y % stepY < down) data[y * width + x] = 0;
    return [`marks ${right}x${down} every ${stepX}x${stepY}`, { width, height, data }];
  }

  /** Places the image in the corner of an image of maximum size, to add decoding cost. */
  function enlarged(image: Grey): Grey {
    const { width, height } = LARGE;
    const data = new Uint8Array(width * height).fill(255);
    for (let y = 0; y < image.height; y++) data.set(image.data.subarray(y * image.width, (y + 1) * image.width), y * width);
    return { width, height, data };
  }

  async function encoded(random: RandomSource, image: Grey): Promise<Omit<SomeImage, 'name'>> {
    const type = pick<ImageType>(random, ['image/png', 'image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/bmp']);
    switch (type) {
      case 'image/png':
        return { type, bytes: png(image, happens(random, 0.5), happens(random, 0.3)) };
      case 'image/jpeg':
        return { type, bytes: await jpeg(random, image) };
      case 'image/webp':
        return { type, bytes: new Uint8Array(await encodeWebp(colours(image), { lossless: happens(random, 0.5) ? 1 : 0, method: 0 })) };
      case 'image/gif':
        return { type, bytes: gif(image) };
      case 'image/bmp':
        return { type, bytes: bmp(image) };
    }
  }

  async function jpeg(random: RandomSource, image: Grey): Promise<Uint8Array<ArrayBuffer>> {
    const encoded = new Uint8Array(await encodeJpeg(colours(image), { quality: 60 + randomBelow(random, 40), progressive: true }));
    // A table with the single code that the scans use, and the maximum number of scans.
    const table = [0xff, 0xc4, 0, 20, 0x10, 1, ...new Array<number>(15).fill(0), 0xe0];
    const scans = Array.from({ length: randomBelow(random, 12) }, () => refiningScan(image)).flat();
    return Uint8Array.from([...encoded.subarray(0, -2), ...(scans.length > 0 ? table : []), ...scans, 0xff, 0xd9]);
  }

  return {
    async image(random: RandomSource): Promise<SomeImage> {
      const [what, drawn] = pick(random, [sheet, text, text, text, texture, texture, marks])(random);
      const isLarge = happens(random, 0.4);
      const image = isLarge && drawn.height < LARGE.height ? enlarged(drawn) : drawn;
      const { type, bytes } = await encoded(random, image);
      return { name: `${what}, ${image.width} x ${image.height} as ${type} (${bytes.length} bytes)`, type, bytes };
    },
  };
}

function colours({ width, height, data }: Grey) {
  const pixels = new Uint8ClampedArray(width * height * 4).fill(255);
  for (let index = 0; index < data.length; index++) pixels.fill(data[index] ?? 0, index * 4, index * 4 + 3);
  return { data: pixels, width, height, colorSpace: 'srgb' as const };
}

/** Encodes a PNG with 16 bits, four samples, and the slowest filters. */
function png({ width, height, data }: Grey, isDeep: boolean, isInterlaced: boolean): Uint8Array<ArrayBuffer> {
  if (!isDeep) {
    const rows = Array.from({ length: height }, (_, y) => Uint8Array.from([0, ...data.subarray(y * width, (y + 1) * width)]));
    return pngOf({ width, height, depth: 8, colourType: 0 }, rows);
  }
  const passes = isInterlaced
    ? [
        [0, 0, 8, 8],
        [4, 0, 8, 8],
        [0, 4, 4, 8],
        [2, 0, 4, 4],
        [0, 2, 2, 4],
        [1, 0, 2, 2],
        [0, 1, 1, 2],
      ]
    : [[0, 0, 1, 1]];
  const rows: Uint8Array[] = [];
  for (const [startX = 0, startY = 0, stepX = 1, stepY = 1] of passes) {
    let above = new Uint8Array(Math.ceil((width - startX) / stepX) * 8);
    for (let y = startY; y < height; y += stepY) {
      const line = new Uint8Array(above.length);
      for (let x = startX, at = 0; x < width; x += stepX, at += 8) line.fill(data[y * width + x] ?? 0, at, at + 8);
      const row = new Uint8Array(line.length + 1);
      row[0] = 4;
      for (let at = 0; at < line.length; at++) {
        const [left, up, corner] = [at < 8 ? 0 : (line[at - 8] ?? 0), above[at] ?? 0, at < 8 ? 0 : (above[at - 8] ?? 0)];
        row[at + 1] = (line[at] ?? 0) - paeth(left, up, corner);
      }
      rows.push(row);
      above = line;
    }
  }
  return pngOf({ width, height, depth: 16, colourType: 6, interlace: isInterlaced ? 1 : 0 }, rows);
}

function paeth(left: number, above: number, corner: number): number {
  const estimate = left + above - corner;
  const [toLeft, toAbove, toCorner] = [Math.abs(estimate - left), Math.abs(estimate - above), Math.abs(estimate - corner)];
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
}

function gif({ width, height, data }: Grey): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(width * height * 2 + 2000);
  const palette = Array.from({ length: 256 }, (_, level) => level * 0x010101);
  const writer = new omggif.GifWriter(bytes, width, height, { palette });
  writer.addFrame(0, 0, width, height, data as unknown as number[]);
  return bytes.slice(0, writer.end());
}

function bmp({ width, height, data }: Grey): Uint8Array<ArrayBuffer> {
  const padded = Math.ceil(width / 4) * 4;
  const header = bmpHeaderOf(width, height);
  const bytes = new Uint8Array(header.length + padded * height);
  bytes.set(header);
  for (let y = 0; y < height; y++) bytes.set(data.subarray(y * width, (y + 1) * width), header.length + (height - 1 - y) * padded);
  return bytes;
}
