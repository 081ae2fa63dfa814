import { Buffer } from 'node:buffer';
import { readImageHeader } from '../values/image-header.ts';
import { shrink } from './shrink.domain.ts';
import { renderPixels } from './svg-renderer.ts';
import { encodeWebp } from './webp-encoder.ts';

/** A screen of 2560 by 1440: decoding takes some 15 bytes a pixel. */
const MAX_PIXELS = 3_700_000;
/** Of the image that is made: 1416 by 1130. Together with the most that is decoded, less than a second of processor time. */
const MAX_TARGET_PIXELS = 1_600_000;
/** Most encoders make ten; each is a pass over all pixels. */
const MAX_SCANS = 12;
const QUALITY = 82;
/** Types that the renderer decodes. */
const DECODABLE: readonly string[] = ['image/png', 'image/jpeg', 'image/gif'];
const EXIF = Buffer.from('Exif\0\0', 'latin1');
/** Cameras put it first. */
const EXIF_WITHIN = 65_536;

/**
 * The image as WebP of a given width. Null where the original must be shown: it is not wider, is animated, may be rotated by
 * its metadata, is too large or cannot be decoded.
 */
export async function shrinkImage(bytes: Uint8Array<ArrayBuffer>, targetWidth: number): Promise<Uint8Array<ArrayBuffer> | null> {
  const header = readImageHeader(bytes);
  if (!header || header.animated || header.truncated || !header.framesFit || !DECODABLE.includes(header.type)) return null;
  const { type, width, height, scans } = header;
  if (width <= targetWidth || width * height > MAX_PIXELS || scans > MAX_SCANS) return null;
  if ((targetWidth * targetWidth * height) / width > MAX_TARGET_PIXELS) return null;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (type === 'image/jpeg' && buffer.subarray(0, EXIF_WITHIN).includes(EXIF)) return null;
  const size = `width="${width}" height="${height}"`;
  const image = `<image ${size} image-rendering="optimizeSpeed" href="data:${type};base64,${buffer.toString('base64')}"/>`;
  const rgba = await renderPixels(`<svg xmlns="http://www.w3.org/2000/svg" ${size}>${image}</svg>`);
  // The renderer leaves out an image that it cannot decode.
  if (rgba.length !== width * height * 4 || rgba.every((value) => value === 0)) return null;
  return encodeWebp(shrink({ width, height, rgba }, targetWidth), QUALITY);
}
