import { inflateSync } from 'node:zlib';

const SIGNATURE_BYTES = 8;
const CHANNELS = 4;
const UP = 2;

/** An image of the renderer: 8-bit RGBA, every row with the filter "Up". */
export interface ReadImage {
  width: number;
  height: number;
  rgba: Uint8Array;
  /** Red, green, blue and alpha of a pixel. */
  at(x: number, y: number): number[];
}

/** Decodes a PNG of the renderer. Throws for other PNGs. */
export function readPng(file: Uint8Array): ReadImage {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const chunks = new Map<string, Buffer>();
  for (let at = SIGNATURE_BYTES; at < bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    chunks.set(bytes.toString('latin1', at + 4, at + 8), bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at)));
  }
  const [header, data] = [chunks.get('IHDR'), chunks.get('IDAT')];
  if (!header || !data || !chunks.has('IEND')) throw new Error('PNG chunks missing');
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  if (header.toString('hex', 8) !== '0806000000') throw new Error('not an 8-bit RGBA image');
  const rows = inflateSync(data);
  const rowBytes = width * CHANNELS;
  const rgba = new Uint8Array(rowBytes * height);
  for (let y = 0; y < height; y += 1) {
    if (rows[y * (rowBytes + 1)] !== UP) throw new Error('unsupported row filter');
    for (let x = 0; x < rowBytes; x += 1) {
      rgba[y * rowBytes + x] = (rows[y * (rowBytes + 1) + 1 + x] ?? 0) + (rgba[(y - 1) * rowBytes + x] ?? 0);
    }
  }
  return { width, height, rgba, at: (x, y) => [...rgba.subarray(CHANNELS * (y * width + x), CHANNELS * (y * width + x + 1))] };
}
