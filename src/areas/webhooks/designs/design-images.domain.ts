import { decodeBase64InPlace } from '../../../platform/kit/values/base64.ts';
import { readImageHeader } from '../../../platform/kit/values/image-header.ts';
import { MAX_JPEG_SCANS } from './design-limits.data.ts';
import { designError } from './design-tree.domain.ts';

/** An embedded image. */
export interface EmbeddedImage {
  /** `data:` URL with the type of the actual bytes. */
  href: string;
  width: number;
  height: number;
}

const DATA_URL = /^data:image\/(?:png|jpe?g);base64,/i;
const START_OF_SCAN = 0xda;

/** Parses a `data:` URL of a PNG or JPEG; the size comes from the image header. Throws for other values. */
export function embeddedImage(address: string): EmbeddedImage {
  const [head] = DATA_URL.exec(address) ?? [];
  if (!head) throw designError('image: href must be a base64 data: URL of a PNG or JPEG');
  const base64 = address.slice(head.length).replaceAll(/\s/g, '');
  const bytes = decodeBase64InPlace(new TextEncoder().encode(base64));
  const header = bytes && readImageHeader(bytes);
  if (!bytes || (header?.type !== 'image/png' && header?.type !== 'image/jpeg')) throw designError('image: the data must be a PNG or JPEG');
  const { width, height } = header;
  if (width === 0 || height === 0) throw designError('image: width and height must be at least 1 pixel');
  if (header.type === 'image/jpeg' && scansIn(bytes) > MAX_JPEG_SCANS)
    throw designError(`image: must have at most ${MAX_JPEG_SCANS} scans`);
  return { href: `data:${header.type};base64,${base64}`, width, height };
}

/** Counts the scans of a JPEG. A scan is a few bytes, but decoding it touches every pixel. */
function scansIn(bytes: Uint8Array): number {
  let scans = 0;
  for (let at = 0; at + 1 < bytes.length; at += 1) if (bytes[at] === 0xff && bytes[at + 1] === START_OF_SCAN) scans += 1;
  return scans;
}
