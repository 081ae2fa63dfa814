import { h } from '../../../../assets/ui/dom.js';
import { MAX_FORM_BYTES, MAX_PIXELS, MAX_SIDE } from '../../../ocr/limits.domain.ts';
import type { PageStat } from './character-tool.domain.ts';

/** Space for the other parts of the form. */
const MAX_PICTURE_BYTES = MAX_FORM_BYTES - 64 * 1024;
const JPEG_QUALITY = 0.92;
/** Height of a crop on the page, in pixels. */
const CROP_HEIGHT = 28;
/** Part of the height of a number that a crop shows around it. */
const CROP_MARGIN = 0.4;

/** An image as it is sent: upright, within the limits, and without what a camera writes into a file, such as the place. */
export interface Picture {
  canvas: HTMLCanvasElement;
  file: Blob;
}

/** Reads and draws an image. Throws an `Error` if browsers cannot read it. */
export async function readPicture(source: Blob): Promise<Picture> {
  const bitmap = await createImageBitmap(source).catch(() => {
    throw new Error('this is not an image that your browser can read');
  });
  const { width, height } = bitmap;
  const scale = Math.min(1, Math.sqrt(MAX_PIXELS / (width * height)), MAX_SIDE / Math.max(width, height));
  const canvas = h('canvas', { width: Math.max(1, Math.floor(width * scale)), height: Math.max(1, Math.floor(height * scale)) });
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  const png = await encode(canvas, 'image/png');
  const file = png.size <= MAX_PICTURE_BYTES ? png : await encode(canvas, 'image/jpeg');
  if (file.size > MAX_PICTURE_BYTES) throw new Error('the image is too large; crop it to the stat sheet');
  return { canvas, file };
}

function encode(canvas: HTMLCanvasElement, type: string): Promise<Blob> {
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('your browser cannot encode the image'))), type, JPEG_QUALITY);
  });
}

/** The part of an image that shows a number. */
export function cropOf(picture: HTMLCanvasElement, { left, top, right, bottom }: NonNullable<PageStat['box']>): HTMLCanvasElement {
  const margin = (bottom - top) * CROP_MARGIN;
  const [width, height] = [right - left + 2 * margin, bottom - top + 2 * margin];
  const scale = CROP_HEIGHT / height;
  const density = Math.min(3, globalThis.devicePixelRatio || 1);
  const canvas = h('canvas', {
    className: 'crop',
    width: Math.max(1, Math.round(width * scale * density)),
    height: Math.round(CROP_HEIGHT * density),
  });
  canvas.style.width = `${Math.round(width * scale)}px`;
  canvas.getContext('2d')?.drawImage(picture, left - margin, top - margin, width, height, 0, 0, canvas.width, canvas.height);
  return canvas;
}
