import { createLuminance, type Luminance, luminanceOf } from './luminance.domain.ts';

/** Samples per pixel by colour type: 0 grey, 2 RGB, 3 palette, 4 grey with alpha, 6 RGB with alpha. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const DEPTHS: Readonly<Record<number, readonly number[]>> = { 0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16] };

/** A pass: all pixels, or a subset in an interlaced image. */
interface Pass {
  x: number;
  y: number;
  stepX: number;
  stepY: number;
}

const SINGLE_PASS: readonly Pass[] = [{ x: 0, y: 0, stepX: 1, stepY: 1 }];
const INTERLACED: readonly Pass[] = [
  { x: 0, y: 0, stepX: 8, stepY: 8 },
  { x: 4, y: 0, stepX: 8, stepY: 8 },
  { x: 0, y: 4, stepX: 4, stepY: 8 },
  { x: 2, y: 0, stepX: 4, stepY: 4 },
  { x: 0, y: 2, stepX: 2, stepY: 4 },
  { x: 1, y: 0, stepX: 2, stepY: 2 },
  { x: 0, y: 1, stepX: 1, stepY: 2 },
];

interface Png {
  width: number;
  height: number;
  depth: number;
  colourType: number;
  interlaced: boolean;
  /** Grey level of each palette colour. */
  palette: Uint8Array;
  /** Compressed pixels. */
  data: Uint8Array<ArrayBuffer>;
}

/**
 * Decodes a PNG to grey, row by row while inflating: a 4K screen needs 8 MB as grey, but 60 MB as colours. Ignores checksums, as
 * wrong pixels do not matter. Throws if the PNG is invalid or truncated. Overwrites `bytes`.
 */
export async function readPng(bytes: Uint8Array<ArrayBuffer>): Promise<Luminance> {
  const png = parse(bytes);
  const image = createLuminance(png.width, png.height);
  const rows = new RowReader(png, image);
  const stream = new Blob([png.data]).stream().pipeThrough(new DecompressionStream('deflate'));
  const reader = stream.getReader();
  while (!rows.done) {
    const { done, value } = await reader.read();
    if (done) throw new Error('truncated pixel data');
    rows.push(value);
  }
  await reader.cancel().catch(() => {});
  return image;
}

function parse(bytes: Uint8Array<ArrayBuffer>): Png {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const colourType = view.getUint8(25);
  const depth = view.getUint8(24);
  if (!DEPTHS[colourType]?.includes(depth)) throw new Error('invalid colour type');
  const png: Png = {
    width: view.getUint32(16),
    height: view.getUint32(20),
    depth,
    colourType,
    interlaced: view.getUint8(28) === 1,
    palette: new Uint8Array(256),
    data: bytes.subarray(0, 0),
  };
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = view.getUint32(at);
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    const content = bytes.subarray(at + 8, Math.min(bytes.length, at + 8 + length));
    if (type === 'PLTE') png.palette = readPalette(content);
    if (type === 'IDAT') png.data = appendChunk(bytes, png.data, content);
    if (type === 'IEND') break;
    at += 12 + length;
  }
  return png;
}

/** Joins IDAT chunks in place at the start of `bytes`: there may be a million, and a list of them would need more memory than their data. */
function appendChunk(bytes: Uint8Array<ArrayBuffer>, { length }: Uint8Array, chunk: Uint8Array): Uint8Array<ArrayBuffer> {
  bytes.set(chunk, length);
  return bytes.subarray(0, length + chunk.length);
}

function readPalette(content: Uint8Array): Uint8Array {
  const palette = new Uint8Array(256);
  for (let index = 0; index * 3 + 2 < content.length && index < 256; index++) {
    palette[index] = luminanceOf(content[index * 3] ?? 0, content[index * 3 + 1] ?? 0, content[index * 3 + 2] ?? 0);
  }
  return palette;
}

/** Receives inflated bytes, reverses the filters and writes the grey level of each pixel. */
class RowReader {
  readonly #png: Png;
  readonly #image: Luminance;
  readonly #passes: readonly Pass[];
  readonly #pixelBytes: number;
  readonly #toGrey: (row: Uint8Array, x: number) => number;
  #pass = -1;
  #y = 0;
  #columns = 0;
  #filled = 0;
  /** Filter byte and samples of the current row, and of the previous row. */
  #row = new Uint8Array(0);
  #above = new Uint8Array(0);

  constructor(png: Png, image: Luminance) {
    this.#png = png;
    this.#image = image;
    this.#passes = png.interlaced ? INTERLACED : SINGLE_PASS;
    const bits = png.depth * (CHANNELS[png.colourType] ?? 1);
    this.#pixelBytes = Math.max(1, bits >> 3);
    this.#toGrey = createGreyReader(png, this.#pixelBytes);
    this.#nextPass();
  }

  get done(): boolean {
    return this.#pass >= this.#passes.length;
  }

  push(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length && !this.done; ) {
      const copied = Math.min(chunk.length - at, this.#row.length - this.#filled);
      this.#row.set(chunk.subarray(at, at + copied), this.#filled);
      this.#filled += copied;
      at += copied;
      if (this.#filled === this.#row.length) this.#finishRow();
    }
  }

  /** Starts the next pass with pixels. */
  #nextPass(): void {
    for (this.#pass++; !this.done; this.#pass++) {
      const pass = this.#passes[this.#pass] ?? SINGLE_PASS[0];
      if (!pass) return;
      this.#columns = Math.ceil((this.#png.width - pass.x) / pass.stepX);
      if (this.#columns <= 0 || pass.y >= this.#png.height) continue;
      const length = 1 + Math.ceil((this.#columns * this.#png.depth * (CHANNELS[this.#png.colourType] ?? 1)) / 8);
      this.#row = new Uint8Array(length);
      this.#above = new Uint8Array(length);
      this.#y = pass.y;
      this.#filled = 0;
      return;
    }
  }

  #finishRow(): void {
    unfilter(this.#row, this.#above, this.#pixelBytes);
    const { x: startX, stepX, stepY } = this.#passes[this.#pass] ?? { x: 0, stepX: 1, stepY: 1 };
    const start = this.#y * this.#image.width + startX;
    for (let column = 0; column < this.#columns; column++) this.#image.data[start + column * stepX] = this.#toGrey(this.#row, column);
    [this.#row, this.#above] = [this.#above, this.#row];
    this.#filled = 0;
    this.#y += stepY;
    if (this.#y >= this.#png.height) this.#nextPass();
  }
}

/** Creates a function that returns the grey level of a pixel of a row. The first byte of a row is the filter. */
function createGreyReader({ colourType, depth, palette }: Png, bytes: number): (row: Uint8Array, x: number) => number {
  // Only the first eight of 16 bits are used.
  const sample = depth === 16 ? 2 : 1;
  const at = (row: Uint8Array, x: number, channel: number) => row[1 + x * bytes + channel * sample] ?? 0;
  if (colourType === 2) return (row, x) => (77 * at(row, x, 0) + 150 * at(row, x, 1) + 29 * at(row, x, 2)) >> 8;
  if (colourType === 6) return (row, x) => luminanceOf(at(row, x, 0), at(row, x, 1), at(row, x, 2), at(row, x, 3));
  if (colourType === 4) return (row, x) => Math.round((at(row, x, 0) * at(row, x, 1)) / 255);
  if (depth >= 8) return colourType === 3 ? (row, x) => palette[at(row, x, 0)] ?? 0 : (row, x) => at(row, x, 0);
  const mask = (1 << depth) - 1;
  const scale = 255 / mask;
  return (row, x) => {
    const bit = x * depth;
    const value = ((row[1 + (bit >> 3)] ?? 0) >> (8 - depth - (bit & 7))) & mask;
    return colourType === 3 ? (palette[value] ?? 0) : value * scale;
  };
}

/** Reverses the filter of a row in place. The first byte of the row is the filter type. */
function unfilter(row: Uint8Array, above: Uint8Array, pixelBytes: number): void {
  const left = (at: number) => (at > pixelBytes ? (row[at - pixelBytes] ?? 0) : 0);
  switch (row[0]) {
    case 0:
      return;
    case 1:
      for (let at = 1; at < row.length; at++) row[at] = (row[at] ?? 0) + left(at);
      return;
    case 2:
      for (let at = 1; at < row.length; at++) row[at] = (row[at] ?? 0) + (above[at] ?? 0);
      return;
    case 3:
      for (let at = 1; at < row.length; at++) row[at] = (row[at] ?? 0) + ((left(at) + (above[at] ?? 0)) >> 1);
      return;
    case 4:
      for (let at = 1; at < row.length; at++) {
        row[at] = (row[at] ?? 0) + paeth(left(at), above[at] ?? 0, at > pixelBytes ? (above[at - pixelBytes] ?? 0) : 0);
      }
      return;
    default:
      throw new Error('invalid filter');
  }
}

/** Paeth predictor of the PNG specification: the neighbour nearest to left + above - corner. */
function paeth(left: number, above: number, corner: number): number {
  const toLeft = Math.abs(above - corner);
  const toAbove = Math.abs(left - corner);
  const toCorner = Math.abs(left + above - 2 * corner);
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
}
