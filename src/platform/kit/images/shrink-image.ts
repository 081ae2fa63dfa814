import { Buffer } from 'node:buffer';
import { readImageHeader } from '../values/image-header.ts';
import { encodePng } from './encode-png.ts';
import { shrink } from './pixels.domain.ts';

/** Maximum size of the original, 2560 by 1440. */
const MAX_PIXELS = 3_700_000;
/** Approximate memory of decoding. */
const DECODING_BYTES_PER_PIXEL = 15;
/** Memory of a small image: the text of the file for the renderer, and the encoder. */
const MIN_SHRINK_BYTES = 16 * 1024 * 1024;
/** Maximum size of the result, 1416 by 1130. Decoding and encoding images of the maximum sizes takes less than 1 s of CPU time. */
const MAX_TARGET_PIXELS = 1_600_000;
/** Maximum number of scans of a JPEG, each a pass over all pixels. Most encoders write ten. */
const MAX_SCANS = 12;
const QUALITY = 82;
/** Types that the renderer decodes. */
const DECODABLE: readonly string[] = ['image/png', 'image/jpeg', 'image/gif'];
const EXIF = Buffer.from('Exif\0\0', 'latin1');
/** Number of leading bytes that are searched for EXIF metadata. Cameras write it first. */
const EXIF_SEARCH_BYTES = 65_536;

/**
 * Resizes an image to a width and encodes it as WebP. Null if the original must be used: it is not wider, is animated, has metadata
 * that may rotate it, is too large or cannot be decoded.
 */
export async function shrinkImage(bytes: Uint8Array<ArrayBuffer>, targetWidth: number): Promise<Uint8Array<ArrayBuffer> | null> {
  const header = readImageHeader(bytes);
  if (!header || header.animated || header.truncated || !header.framesFit || !DECODABLE.includes(header.type)) return null;
  const { type, width, height, scans } = header;
  if (width <= targetWidth || width * height > MAX_PIXELS || scans > MAX_SCANS) return null;
  if ((targetWidth * targetWidth * height) / width > MAX_TARGET_PIXELS) return null;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (type === 'image/jpeg' && buffer.subarray(0, EXIF_SEARCH_BYTES).includes(EXIF)) return null;
  const rgba = await decodePixels(buffer, type, width, height);
  // The renderer omits an image that it cannot decode, so all pixels are zero.
  if (rgba.length !== width * height * 4 || rgba.every((value) => value === 0)) return null;
  const { encodeWebp } = await import('./webp-encoder.ts');
  return encodeWebp(shrink({ width, height, rgba }, targetWidth), QUALITY);
}

/** Memory that `shrinkImage` needs besides the file, in bytes: 16 MiB to 56 MB. */
export function shrinkMemoryBytes(bytes: Uint8Array<ArrayBuffer>): number {
  const { width = 0, height = 0 } = readImageHeader(bytes) ?? {};
  return Math.max(MIN_SHRINK_BYTES, Math.min(width * height, MAX_PIXELS) * DECODING_BYTES_PER_PIXEL);
}

/** Scales a square PNG of our own to a smaller side. */
export async function scalePng(bytes: Uint8Array<ArrayBuffer>, side: number, targetSide: number): Promise<Uint8Array<ArrayBuffer>> {
  const rgba = await decodePixels(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), 'image/png', side, side);
  return encodePng(shrink({ width: side, height: side, rgba }, targetSide));
}

/** Premultiplied pixels of an image. */
async function decodePixels(file: Buffer, type: string, width: number, height: number): Promise<Uint8Array> {
  const size = `width="${width}" height="${height}"`;
  const image = `<image ${size} image-rendering="optimizeSpeed" href="data:${type};base64,${file.toString('base64')}"/>`;
  const { renderPixels } = await import('./svg-renderer.ts');
  return renderPixels(`<svg xmlns="http://www.w3.org/2000/svg" ${size}>${image}</svg>`);
}
