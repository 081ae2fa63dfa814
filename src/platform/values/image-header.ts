/** Kinds of picture that can be read. */
export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/bmp'] as const;
export type ImageType = (typeof IMAGE_TYPES)[number];

/** What a picture says of itself before anything of it is decoded. */
export interface ImageHeader {
  type: ImageType;
  width: number;
  height: number;
  /** It has several frames. */
  animated: boolean;
  /** Its end is missing, as far as that shows; decoders notice in other formats, but fill up a JPEG with grey. */
  truncated: boolean;
}

/** The header of a picture, by its first bytes whatever it is called; null for anything else, and for one that breaks off. */
export function readImageHeader(bytes: Uint8Array): ImageHeader | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return pngHeader(view) ?? jpegHeader(view) ?? webpHeader(view) ?? gifHeader(view) ?? bmpHeader(view);
  } catch (error) {
    // Reading past the end: the header is not all there.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function textAt(view: DataView, offset: number, length: number): string {
  return String.fromCharCode(...Array.from({ length }, (_, index) => view.getUint8(offset + index)));
}

const PNG_SIGNATURE = '\x89PNG\r\n\x1a\n';
const FIRST_CHUNK = 8;

function pngHeader(view: DataView): ImageHeader | null {
  if (view.byteLength < 33 || textAt(view, 0, 8) !== PNG_SIGNATURE || textAt(view, 12, 4) !== 'IHDR') return null;
  return { type: 'image/png', width: view.getUint32(16), height: view.getUint32(20), animated: hasAnimationChunk(view), truncated: false };
}

/** Whether `acTL` comes before the pixels, as it must in an animated picture. */
function hasAnimationChunk(view: DataView): boolean {
  for (let at = FIRST_CHUNK; at + 12 <= view.byteLength; at += 12 + view.getUint32(at)) {
    const type = textAt(view, at + 4, 4);
    if (type === 'acTL') return true;
    if (type === 'IDAT') return false;
  }
  return false;
}

/** Whether the end marker comes after the frame; it cannot be in the pixels, only in a thumbnail before them. */
function hasEnd(view: DataView, frame: number): boolean {
  for (let at = view.byteLength - 2; at > frame; at--) if (view.getUint16(at) === 0xffd9) return true;
  return false;
}

/** Markers that begin a frame: all but those of tables among C0 to CF. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

function jpegHeader(view: DataView): ImageHeader | null {
  if (view.byteLength < 4 || view.getUint16(0) !== 0xffd8 || view.getUint8(2) !== 0xff) return null;
  for (let at = 2; ; ) {
    if (view.getUint8(at) !== 0xff) return null;
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) at += 1;
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) at += 2;
    else if (isFrame(marker))
      return {
        type: 'image/jpeg',
        width: view.getUint16(at + 7),
        height: view.getUint16(at + 5),
        animated: false,
        truncated: !hasEnd(view, at),
      };
    else if (marker === 0xda || marker === 0xd9) return null;
    else at += 2 + Math.max(2, view.getUint16(at + 2));
  }
}

const ANIMATION_FLAG = 2;

function webpHeader(view: DataView): ImageHeader | null {
  if (view.byteLength < 30 || textAt(view, 0, 4) !== 'RIFF' || textAt(view, 8, 4) !== 'WEBP') return null;
  const size = (width: number, height: number, animated = false): ImageHeader => ({
    type: 'image/webp',
    width,
    height,
    animated,
    truncated: false,
  });
  const three = (at: number) => view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
  switch (textAt(view, 12, 4)) {
    case 'VP8X':
      return size(three(24) + 1, three(27) + 1, (view.getUint8(20) & ANIMATION_FLAG) !== 0);
    case 'VP8 ':
      return size(view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff);
    case 'VP8L': {
      const bits = view.getUint32(21, true);
      return size((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
    }
    default:
      return null;
  }
}

function gifHeader(view: DataView): ImageHeader | null {
  if (view.byteLength < 13 || !/^GIF8[79]a$/.test(textAt(view, 0, 6))) return null;
  return {
    type: 'image/gif',
    width: view.getUint16(6, true),
    height: view.getUint16(8, true),
    animated: countGifFrames(view, 2) > 1,
    truncated: false,
  };
}

/** Frames of a GIF, counted up to `enough`. */
function countGifFrames(view: DataView, enough: number): number {
  const tableLength = (flags: number) => (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0);
  const afterBlocks = (start: number) => {
    let at = start;
    while (at < view.byteLength && view.getUint8(at) !== 0) at += view.getUint8(at) + 1;
    return at + 1;
  };
  let frames = 0;
  let at = 13 + tableLength(view.getUint8(10));
  while (at + 10 < view.byteLength && frames < enough) {
    const kind = view.getUint8(at);
    if (kind === 0x21) {
      at = afterBlocks(at + 2);
    } else if (kind === 0x2c) {
      frames += 1;
      at = afterBlocks(at + 11 + tableLength(view.getUint8(at + 9)));
    } else {
      break;
    }
  }
  return frames;
}

const LEAST_BMP_HEADER = 40;

function bmpHeader(view: DataView): ImageHeader | null {
  if (view.byteLength < 26 || textAt(view, 0, 2) !== 'BM' || view.getUint32(14, true) < LEAST_BMP_HEADER) return null;
  return {
    type: 'image/bmp',
    width: view.getInt32(18, true),
    height: Math.abs(view.getInt32(22, true)),
    animated: false,
    truncated: false,
  };
}
