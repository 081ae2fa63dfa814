/** Supported image types. */
export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/bmp'] as const;
export type ImageType = (typeof IMAGE_TYPES)[number];

interface Size {
  width: number;
  height: number;
}

/** Properties of an image that are known before decoding. */
export interface ImageHeader extends Size {
  type: ImageType;
  /** The image has several frames. */
  animated: boolean;
  /** The end of a JPEG is missing, which decoders fill with grey. False for other types, whose decoders detect it. */
  truncated: boolean;
  /** Every frame lies within the size in the header. Decoders allocate the size of a frame, which may be larger. */
  framesFit: boolean;
  /** Number of passes of a JPEG decoder over all pixels; 1 for other types. */
  scans: number;
}

/** Reads the header of an image. The type follows from the bytes. Null for unsupported and for truncated images. */
export function readImageHeader(bytes: Uint8Array): ImageHeader | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return pngHeader(view) ?? jpegHeader(view) ?? webpHeader(view) ?? gifHeader(view) ?? bmpHeader(view);
  } catch (error) {
    // `DataView` throws when it reads past the end: the header is incomplete.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function headerOf(type: ImageType, { width, height }: Size, more: Partial<ImageHeader> = {}): ImageHeader {
  return { type, width, height, animated: false, truncated: false, framesFit: true, scans: 1, ...more };
}

function textAt(view: DataView, offset: number, length: number): string {
  return String.fromCharCode(...Array.from({ length }, (_, index) => view.getUint8(offset + index)));
}

/** A chunk name as a number, because comparing numbers is fast and a file may have a million chunks. */
function chunkName(text: string): number {
  return [...text].reduce((sum, character) => sum * 256 + character.charCodeAt(0), 0);
}

const PNG_SIGNATURE = '\x89PNG\r\n\x1a\n';
const FIRST_CHUNK = 8;
const ACTL = chunkName('acTL');
const IDAT = chunkName('IDAT');

function pngHeader(view: DataView): ImageHeader | null {
  if (view.byteLength < 33 || textAt(view, 0, 8) !== PNG_SIGNATURE || textAt(view, 12, 4) !== 'IHDR') return null;
  return headerOf('image/png', { width: view.getUint32(16), height: view.getUint32(20) }, { animated: hasAnimationChunk(view) });
}

/** True if `acTL` comes before the pixels, which marks an animated PNG. */
function hasAnimationChunk(view: DataView): boolean {
  for (let at = FIRST_CHUNK; at + 12 <= view.byteLength; at += 12 + view.getUint32(at)) {
    const name = view.getUint32(at + 4);
    if (name === ACTL) return true;
    if (name === IDAT) return false;
  }
  return false;
}

const START_OF_IMAGE = 0xd8;
const END_OF_IMAGE = 0xd9;
const START_OF_SCAN = 0xda;
/** Markers that start a frame: C0 to CF without those of tables. */
const FRAMES = [0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf];
/** Frames of JPEGs in use: baseline, extended and progressive, with Huffman codes. */
const SUPPORTED_FRAMES = [0xc0, 0xc1, 0xc2];
/** Grayscale, color, CMYK. */
const COMPONENT_COUNTS = [1, 3, 4];

/**
 * Walks all segments up to the end marker, as decoders do. Rejects a second frame, because decoders differ in the frame that they use.
 * Counts scans, because a scan of a few bytes makes a decoder pass over all pixels.
 */
function jpegHeader(view: DataView): ImageHeader | null {
  if (view.byteLength < 4 || view.getUint16(0) !== 0xffd8 || view.getUint8(2) !== 0xff) return null;
  let frame: Size | null = null;
  let scans = 0;
  for (let at = nextMarker(view, 2); at !== null; at = nextMarker(view, segmentEnd(view, at))) {
    const marker = view.getUint8(at + 1);
    if (marker === START_OF_IMAGE) return null;
    if (marker === END_OF_IMAGE) return frame && headerOf('image/jpeg', frame, { scans });
    if (marker === START_OF_SCAN) scans += 1;
    if (!FRAMES.includes(marker)) continue;
    if (frame || !SUPPORTED_FRAMES.includes(marker) || !COMPONENT_COUNTS.includes(view.getUint8(at + 9))) return null;
    frame = { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
  }
  return frame && headerOf('image/jpeg', frame, { scans, truncated: true });
}

/** Position of the next marker of a segment or of the end. Skips stuffed bytes, padding and restart markers. */
function nextMarker(view: DataView, from: number): number | null {
  for (let at = from; at + 1 < view.byteLength; at++) {
    if (view.getUint8(at) !== 0xff) continue;
    const marker = view.getUint8(at + 1);
    if (marker >= 0xc0 && marker !== 0xff && (marker < 0xd0 || marker > 0xd7)) return at;
  }
  return null;
}

function segmentEnd(view: DataView, at: number): number {
  return at + 4 > view.byteLength ? view.byteLength : at + 2 + Math.max(2, view.getUint16(at + 2));
}

const ANIMATION_FLAG = 2;
const VP8X = chunkName('VP8X');
const VP8 = chunkName('VP8 ');
const VP8L = chunkName('VP8L');
const FIRST_WEBP_CHUNK = 12;

function webpHeader(view: DataView): ImageHeader | null {
  if (view.byteLength < 30 || textAt(view, 0, 4) !== 'RIFF' || textAt(view, 8, 4) !== 'WEBP') return null;
  if (view.getUint32(FIRST_WEBP_CHUNK) !== VP8X) {
    const frame = webpFrame(view, FIRST_WEBP_CHUNK);
    return frame && headerOf('image/webp', frame);
  }
  const readUint24 = (at: number) => view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
  const canvas = { width: readUint24(24) + 1, height: readUint24(27) + 1 };
  if ((view.getUint8(20) & ANIMATION_FLAG) !== 0) return headerOf('image/webp', canvas, { animated: true });
  const frame = firstWebpFrame(view);
  return frame && headerOf('image/webp', canvas, { framesFit: frame.width === canvas.width && frame.height === canvas.height });
}

/** Size of the first frame after an extended header; null without a frame. */
function firstWebpFrame(view: DataView): Size | null {
  for (let at = FIRST_WEBP_CHUNK; at + 8 <= view.byteLength; ) {
    const frame = webpFrame(view, at);
    if (frame) return frame;
    const length = view.getUint32(at + 4, true);
    at += 8 + length + (length & 1);
  }
  return null;
}

/** Size of the frame in a chunk; null for other chunks. */
function webpFrame(view: DataView, at: number): Size | null {
  const name = view.getUint32(at);
  if (name === VP8) return { width: view.getUint16(at + 14, true) & 0x3fff, height: view.getUint16(at + 16, true) & 0x3fff };
  if (name !== VP8L) return null;
  const bits = view.getUint32(at + 9, true);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

const GIF_EXTENSION = 0x21;
const GIF_FRAME = 0x2c;
const GIF_TRAILER = 0x3b;

/** Reads a GIF up to its second frame. Null for malformed blocks, which decoders read differently. */
function gifHeader(view: DataView): ImageHeader | null {
  if (view.byteLength < 13 || !/^GIF8[79]a$/.test(textAt(view, 0, 6))) return null;
  const canvas = { width: view.getUint16(6, true), height: view.getUint16(8, true) };
  let frames = 0;
  let framesFit = true;
  for (let at = 13 + gifColours(view, 10); at < view.byteLength && frames < 2; ) {
    const kind = view.getUint8(at);
    if (kind === GIF_TRAILER) break;
    if (kind === GIF_FRAME) {
      const [left, top, width, height] = [1, 3, 5, 7].map((offset) => view.getUint16(at + offset, true)) as [
        number,
        number,
        number,
        number,
      ];
      frames += 1;
      framesFit &&= left + width <= canvas.width && top + height <= canvas.height;
      at = afterGifBlocks(view, at + 11 + gifColours(view, at + 9));
    } else {
      const start = kind === GIF_EXTENSION ? gifExtension(view, at) : null;
      if (start === null) return null;
      at = afterGifBlocks(view, start);
    }
  }
  return headerOf('image/gif', canvas, { animated: frames > 1, framesFit });
}

/** Bytes of the color table that the flags at a position declare. */
function gifColours(view: DataView, at: number): number {
  const flags = view.getUint8(at);
  return flags & 0x80 ? 3 << ((flags & 7) + 1) : 0;
}

/** Start of the data blocks of a graphic control, comment or application extension; null for other extensions. */
function gifExtension(view: DataView, at: number): number | null {
  const label = view.getUint8(at + 1);
  if (label === 0xfe) return at + 2;
  const firstBlock = view.getUint8(at + 2);
  if (label === 0xff && firstBlock === 11) return at + 2;
  return label === 0xf9 && firstBlock === 4 && view.getUint8(at + 7) === 0 ? at + 2 : null;
}

function afterGifBlocks(view: DataView, start: number): number {
  let at = start;
  while (at < view.byteLength && view.getUint8(at) !== 0) at += view.getUint8(at) + 1;
  return at + 1;
}

const MIN_BMP_HEADER = 40;

/** Reads a BMP. A negative height means rows from top to bottom, which the decoder reads as four billion rows. */
function bmpHeader(view: DataView): ImageHeader | null {
  if (view.byteLength < 26 || textAt(view, 0, 2) !== 'BM' || view.getUint32(14, true) < MIN_BMP_HEADER) return null;
  const [width, height] = [view.getInt32(18, true), view.getInt32(22, true)];
  return width < 0 || height < 0 ? null : headerOf('image/bmp', { width, height });
}
