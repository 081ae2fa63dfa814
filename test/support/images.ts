import { crc32, deflateSync } from 'node:zlib';

type Bytes = Uint8Array<ArrayBuffer>;

const ascii = (text: string) => [...text].map((character) => character.charCodeAt(0));
const little16 = (value: number) => [value & 255, (value >> 8) & 255];
const little24 = (value: number) => [...little16(value), (value >> 16) & 255];
const little32 = (value: number) => [...little16(value), ...little16(value >>> 16)];
const big16 = (value: number) => [(value >> 8) & 255, value & 255];
const big32 = (value: number) => [...big16(value >>> 16), ...big16(value)];

function joined(...parts: ArrayLike<number>[]): Bytes {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

interface Frame {
  left?: number;
  top?: number;
  width: number;
  height: number;
}

/** A small GIF with arbitrary declared frame sizes. `before`: bytes before the first frame. */
export function gifOf(canvas: { width: number; height: number }, frames: readonly Frame[], before: readonly number[] = []): Bytes {
  const colours = [0, 0, 0, 255, 255, 255];
  const blocks = frames.flatMap(({ left = 0, top = 0, width, height }) => [
    ...[0x2c, ...little16(left), ...little16(top), ...little16(width), ...little16(height), 0],
    // A clear code, a pixel and the end code.
    ...[2, 2, 0x44, 0x05, 0],
  ]);
  return joined(ascii('GIF89a'), little16(canvas.width), little16(canvas.height), [0x80, 0, 0], colours, before, blocks, [0x3b]);
}

interface Jpeg {
  width: number;
  height: number;
  components?: number;
  /** Marker of the frame. Default: progressive. */
  frame?: number;
  /** Scans, each with its marker. */
  scans: readonly ArrayLike<number>[];
  /** Segments between the frame and the scans. */
  more?: ArrayLike<number>;
}

/** A hand-made JPEG whose only codes are a DC difference of 0 and an AC run of empty blocks. */
export function jpegOf({ width, height, components = 1, frame = 0xc2, scans, more = [] }: Jpeg): Bytes {
  const table = (kind: number, symbol: number) => jpegSegment(0xc4, [kind, 1, ...new Array<number>(15).fill(0), symbol]);
  return joined(
    [0xff, 0xd8],
    jpegSegment(0xdb, [0, ...new Array<number>(64).fill(1)]),
    jpegFrame({ width, height, components, frame }),
    table(0x00, 0),
    table(0x10, 0xe0),
    more,
    ...scans,
    [0xff, 0xd9],
  );
}

/** A JPEG segment with a length. */
export function jpegSegment(marker: number, content: readonly number[]): number[] {
  return [0xff, marker, ...big16(content.length + 2), ...content];
}

export function jpegFrame({
  width,
  height,
  components,
  frame,
}: Required<Pick<Jpeg, 'width' | 'height' | 'components' | 'frame'>>): number[] {
  const parts = Array.from({ length: components }, (_, index) => [index + 1, 0x11, 0]).flat();
  return jpegSegment(frame, [8, ...big16(height), ...big16(width), components, ...parts]);
}

/** A scan of the DC values of all components, without data. */
export function emptyScan(components = 1): number[] {
  const parts = Array.from({ length: components }, (_, index) => [index + 1, 0]).flat();
  return jpegSegment(0xda, [components, ...parts, 0, 0, 0]);
}

/** A refinement scan of the AC values of the first component with nothing to refine: the slowest scan for its size. */
export function refiningScan({ width, height }: { width: number; height: number }): number[] {
  const runs = Math.ceil((Math.ceil(width / 8) * Math.ceil(height / 8)) / 32_000);
  const bits = '011111110111110'.repeat(runs).padEnd(Math.ceil((runs * 15) / 8) * 8, '1');
  const data = (bits.match(/.{8}/g) ?? []).flatMap((byte) => (byte === '11111111' ? [0xff, 0] : [Number.parseInt(byte, 2)]));
  return [...jpegSegment(0xda, [1, 1, 0, 1, 63, 0x10]), ...data];
}

/** A WebP with an extended header and the start of a frame, whose size may differ. */
export function webpOf(canvas: { width: number; height: number }, frame: { width: number; height: number; lossless?: boolean }): Bytes {
  const lossless = [0x2f, ...little32((frame.width - 1) | ((frame.height - 1) << 14))];
  const lossy = [0, 0, 0, 0x9d, 0x01, 0x2a, ...little16(frame.width), ...little16(frame.height)];
  const chunk = (name: string, content: readonly number[]) => [
    ...ascii(name),
    ...little32(content.length),
    ...content,
    ...content.slice(0, content.length & 1),
  ];
  const chunks = [
    ...chunk('VP8X', [0, 0, 0, 0, ...little24(canvas.width - 1), ...little24(canvas.height - 1)]),
    ...chunk('EXIF', [1, 2, 3]),
    ...chunk(frame.lossless ? 'VP8L' : 'VP8 ', frame.lossless ? lossless : lossy),
  ];
  return joined(ascii('RIFF'), little32(chunks.length + 4), ascii('WEBP'), chunks);
}

/** The header of a BMP with 8 bits per pixel, without pixels. */
export function bmpHeaderOf(width: number, height: number): Bytes {
  const header = [
    ...little32(40),
    ...little32(width),
    ...little32(height),
    ...little16(1),
    ...little16(8),
    ...new Array<number>(24).fill(0),
  ];
  return joined(ascii('BM'), little32(54), little32(0), little32(54), header);
}

export interface PngKind {
  width: number;
  height: number;
  depth: number;
  colourType: number;
  interlace?: number;
}

/** A chunk of a PNG. */
export function pngChunk(type: string, content: Uint8Array): Bytes {
  const checked = joined(ascii(type), content);
  return joined(big32(content.length), checked, big32(crc32(checked)));
}

/** A PNG of raw rows, filter bytes included. `pieces`: number of IDAT chunks. */
export function pngOf(kind: PngKind, rows: readonly Uint8Array[], { more = [] as Bytes[], pieces = 1 } = {}): Bytes {
  const header = [...big32(kind.width), ...big32(kind.height), kind.depth, kind.colourType, 0, 0, kind.interlace ?? 0];
  const pixels = new Uint8Array(deflateSync(joined(...rows)));
  const size = Math.ceil(pixels.length / pieces);
  const data = Array.from({ length: pieces }, (_, index) => pngChunk('IDAT', pixels.subarray(index * size, (index + 1) * size)));
  return joined(
    [0x89, ...ascii('PNG\r\n'), 0x1a, 0x0a],
    pngChunk('IHDR', Uint8Array.from(header)),
    ...more,
    ...data,
    pngChunk('IEND', new Uint8Array(0)),
  );
}

/** A grey PNG with pixel values 0 to 255 from a function. */
export function greyPng(width: number, height: number, at: (x: number, y: number) => number): Bytes {
  const rows = Array.from({ length: height }, (_, y) => Uint8Array.from({ length: width + 1 }, (__, x) => (x === 0 ? 0 : at(x - 1, y))));
  return pngOf({ width, height, depth: 8, colourType: 0 }, rows);
}
