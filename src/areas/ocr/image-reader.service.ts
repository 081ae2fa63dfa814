import jpegDecoder from '@jsquash/jpeg/codec/dec/mozjpeg_dec.js';
import jpegModule from '@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm';
import webpDecoder from '@jsquash/webp/codec/dec/webp_dec.js';
import webpModule from '@jsquash/webp/codec/dec/webp_dec.wasm';
import type { ImageType } from '../../platform/kit/values/image-header.ts';
import { readImage } from './image-formats.service.ts';
import type { Luminance } from './luminance.domain.ts';

/** Decodes an image to grey with the decoders of the Worker. Throws like `readImage`. */
export function decodeImage(bytes: Uint8Array<ArrayBuffer>, type: ImageType): Promise<Luminance> {
  return readImage(bytes, type, {
    // `true`: applies the EXIF orientation.
    jpeg: { factory: jpegDecoder, module: jpegModule, options: [true] },
    webp: { factory: webpDecoder, module: webpModule, options: [] },
  });
}
