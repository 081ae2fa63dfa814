import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import encodeJpeg, { init as initJpeg } from '@jsquash/jpeg/encode.js';
import encodePng, { init as initPng } from '@jsquash/png/encode.js';
import encodeWebp, { init as initWebp } from '@jsquash/webp/encode.js';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import { randomUnit, seededRandom } from '../../src/platform/kit/random.ts';
import { sheetSvg } from './draw.ts';
import { readFonts } from './fonts.ts';
import type { SheetPlan } from './sheets.ts';

const require = createRequire(import.meta.url);
/** Node's `WebAssembly.compile`, which the Worker's types do not declare. */
const { compile } = WebAssembly as unknown as { compile(bytes: Uint8Array): Promise<WebAssembly.Module> };
const moduleOf = (path: string) => compile(readFileSync(require.resolve(path)));

export interface Pixels {
  data: Uint8ClampedArray<ArrayBuffer>;
  width: number;
  height: number;
}

export interface Painter {
  /** Draws the image, adds noise, and encodes it. */
  paint(plan: SheetPlan): Promise<Uint8Array>;
  /** Draws the image without noise. */
  draw(plan: SheetPlan): Pixels;
}

/** Creates a painter. */
export async function createPainter(): Promise<Painter> {
  await initWasm(await moduleOf('@resvg/resvg-wasm/index_bg.wasm'));
  await initPng(await moduleOf('@jsquash/png/codec/pkg/squoosh_png_bg.wasm'));
  await initJpeg(await moduleOf('@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm'));
  await initWebp(await moduleOf('@jsquash/webp/codec/enc/webp_enc.wasm'));
  const fontBuffers = readFonts();
  const draw = (plan: SheetPlan): Pixels => {
    const image = new Resvg(sheetSvg(plan), { font: { fontBuffers, loadSystemFonts: false } }).render();
    const drawn = { data: new Uint8ClampedArray(image.pixels), width: image.width, height: image.height };
    image.free();
    return drawn;
  };
  return { draw, paint: (plan) => encode(plan, noisy(resampled(draw(plan), plan.resample), plan)) };
}

async function encode({ format, quality }: SheetPlan, { data, width, height }: Pixels): Promise<Uint8Array> {
  const image = { data, width, height, colorSpace: 'srgb' as const };
  if (format === 'png') return new Uint8Array(await encodePng(image));
  if (format === 'jpeg') return new Uint8Array(await encodeJpeg(image, { quality }));
  return new Uint8Array(await encodeWebp(image, { quality }));
}

/** Resamples bilinearly, like game engines scale their interface. */
function resampled(source: Pixels, scale: number): Pixels {
  if (scale === 1) return source;
  const width = Math.round(source.width * scale);
  const height = Math.round(source.height * scale);
  const data = new Uint8ClampedArray(width * height * 4);
  const at = (x: number, y: number, channel: number) =>
    source.data[(Math.min(source.height - 1, y) * source.width + Math.min(source.width - 1, x)) * 4 + channel] ?? 0;
  for (let y = 0; y < height; y++) {
    const sourceY = Math.max(0, (y + 0.5) / scale - 0.5);
    const top = Math.floor(sourceY);
    const down = sourceY - top;
    for (let x = 0; x < width; x++) {
      const sourceX = Math.max(0, (x + 0.5) / scale - 0.5);
      const left = Math.floor(sourceX);
      const right = sourceX - left;
      for (let channel = 0; channel < 4; channel++) {
        const upper = at(left, top, channel) * (1 - right) + at(left + 1, top, channel) * right;
        const lower = at(left, top + 1, channel) * (1 - right) + at(left + 1, top + 1, channel) * right;
        data[(y * width + x) * 4 + channel] = upper * (1 - down) + lower * down;
      }
    }
  }
  return { data, width, height };
}

/** Adds grey noise of the plan's strength to every pixel. */
function noisy(pixels: Pixels, { noise, seed }: SheetPlan): Pixels {
  if (noise === 0) return pixels;
  const random = seededRandom(`noise-${seed}`);
  for (let index = 0; index < pixels.data.length; index += 4) {
    const amount = (randomUnit(random) + randomUnit(random) + randomUnit(random) - 1.5) * 2 * noise;
    for (let channel = 0; channel < 3; channel++) pixels.data[index + channel] = (pixels.data[index + channel] ?? 0) + amount;
  }
  return pixels;
}
