import { crc32, deflateSync } from 'node:zlib';
import { joinBytes } from '../values/bytes.ts';
import type { Pixels } from './pixels.domain.ts';

/** Bytes of a pixel. */
const CHANNELS = 4;

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const BIT_DEPTH = 8;
/** Red, green, blue, alpha. */
const COLOUR_TYPE = 6;
/** PNG filter type Up: each byte is stored as the difference from the byte above. */
const FILTER_UP = 2;
const COMPRESSION = 6;

/** Encodes straight-alpha pixels as PNG. Every row uses the filter Up, which turns flat areas and vertical edges into zeros. */
export function encodePng({ width, height, rgba }: Pixels): Uint8Array<ArrayBuffer> {
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header[8] = BIT_DEPTH;
  header[9] = COLOUR_TYPE;
  return joinBytes([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(filterRows(rgba, width * CHANNELS, height), { level: COMPRESSION })),
    chunk('IEND', new Uint8Array(0)),
  ]);
}

function filterRows(rgba: Pixels['rgba'], rowBytes: number, height: number): Uint8Array {
  const rows = new Uint8Array((rowBytes + 1) * height);
  let to = 0;
  for (let from = 0; from < rowBytes * height; ) {
    rows[to] = FILTER_UP;
    to += 1;
    for (const end = from + rowBytes; from < end; from += 1) {
      rows[to] = (rgba[from] as number) - (rgba[from - rowBytes] ?? 0);
      to += 1;
    }
  }
  return rows;
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(12 + data.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  for (let at = 0; at < 4; at += 1) bytes[4 + at] = type.charCodeAt(at);
  bytes.set(data, 8);
  view.setUint32(8 + data.length, crc32(bytes.subarray(4, 8 + data.length)));
  return bytes;
}
