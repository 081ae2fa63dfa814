import { decode as decodeBmp } from 'fast-bmp';
import omggif from 'omggif';
import type { ImageType } from '../../platform/values/image-header.ts';
import { CostLimitError } from './cost-limit.domain.ts';
import { type Luminance, luminanceOf, luminanceOfRgba } from './luminance.domain.ts';
import { LARGE_IMAGE_PIXELS, MAX_DECODER_BYTES } from './ocr.data.ts';
import { readPng } from './png-reader.ts';

/** A decoder that is made of a compiled module. */
interface WasmDecoder {
  factory: (options: object) => Promise<{ decode(bytes: Uint8Array, ...options: unknown[]): unknown }>;
  module: WebAssembly.Module;
  /** Memory for decoding, besides the bytes. */
  options: readonly unknown[];
}

/** Decoders that differ in how they are loaded. */
export interface WasmDecoders {
  jpeg: WasmDecoder;
  webp: WasmDecoder;
}

/** Decodes an image to grey. Throws when undecodable, `CostLimitError` when it needs too much memory. */
export async function readImage(bytes: Uint8Array<ArrayBuffer>, type: ImageType, decoders: WasmDecoders): Promise<Luminance> {
  switch (type) {
    case 'image/png':
      return readPng(bytes);
    case 'image/jpeg':
      return decodeWith(decoders.jpeg, bytes);
    case 'image/webp':
      return decodeWith(decoders.webp, bytes);
    case 'image/gif':
      return readGif(bytes);
    case 'image/bmp':
      return readBmp(bytes);
  }
}

const WASM_PAGE_BYTES = 65_536;

/** A decoder instance, and whether an image exceeded its memory limit. */
interface Running {
  module: WebAssembly.Module;
  decoder: Awaited<ReturnType<WasmDecoder['factory']>>;
  memory: { wasRefused: boolean };
}

/** The decoder used last: there is never more than one, and a new one each time would pile up. */
let kept: Running | null = null;

async function decodeWith(wasm: WasmDecoder, bytes: Uint8Array): Promise<Luminance> {
  const running = kept?.module === wasm.module ? kept : await started(wasm);
  // Only a decoder that came through is used again.
  kept = null;
  const picture = decoded(running, bytes, wasm.options);
  if (!(picture instanceof GreyImage)) throw new Error('decoder returned no image');
  if (picture.width * picture.height <= LARGE_IMAGE_PIXELS) kept = running;
  return picture;
}

function decoded({ decoder, memory }: Running, bytes: Uint8Array, options: readonly unknown[]): unknown {
  memory.wasRefused = false;
  try {
    return withGreyCopy(() => decoder.decode(bytes, ...options));
  } catch (error) {
    throw memory.wasRefused ? new CostLimitError('decoding needs too much memory') : error;
  }
}

async function started({ factory, module }: WasmDecoder): Promise<Running> {
  kept = null;
  const memory = { wasRefused: false };
  const instantiateWasm = (imports: WebAssembly.Imports, receive: (instance: WebAssembly.Instance) => void) => {
    const instance = new WebAssembly.Instance(module, imports);
    limitMemory(instance, memory);
    receive(instance);
    return instance.exports;
  };
  // `printErr`: remarks on damaged images would fill the log.
  const options = { noInitialRun: true, printErr: () => {}, instantiateWasm };
  // A decoder that misses `ImageData` defines it, for good, with a class whose scope holds all the memory of that decoder.
  return { module, memory, decoder: await withGreyCopy(() => factory(options)) };
}

/**
 * Refuses an instance more memory than `MAX_DECODER_BYTES`, as if there were none: what a decoder allocates depends on tables in
 * the middle of a file, not on its size alone.
 */
function limitMemory({ exports }: WebAssembly.Instance, told: { wasRefused: boolean }): void {
  for (const memory of Object.values(exports)) {
    if (!(memory instanceof WebAssembly.Memory)) continue;
    const grow = memory.grow.bind(memory);
    memory.grow = (pages) => {
      told.wasRefused = memory.buffer.byteLength + pages * WASM_PAGE_BYTES > MAX_DECODER_BYTES;
      if (told.wasRefused) throw new RangeError('decoder memory limit reached');
      return grow(pages);
    };
  }
}

/** Replaces `ImageData`, which this runtime lacks. */
class GreyImage implements Luminance {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;

  constructor(data: Uint8Array, width: number, height: number) {
    this.data = data;
    this.width = width;
    this.height = height;
  }
}

/**
 * The decoders copy their colours into a new `Uint8ClampedArray`, wanted or not. While one works, which it does at once,
 * a grey copy is made instead: a quarter of the memory.
 */
function withGreyCopy<Result>(decode: () => Result): Result {
  const globals = globalThis as { Uint8ClampedArray: unknown; ImageData?: unknown };
  const { Uint8ClampedArray: colours, ImageData: pictures } = globals;
  globals.Uint8ClampedArray = function greyCopy(rgba: Uint8Array) {
    return luminanceOfRgba(rgba, rgba.length / 4, 1).data;
  };
  globals.ImageData = GreyImage;
  try {
    return decode();
  } finally {
    globals.Uint8ClampedArray = colours;
    globals.ImageData = pictures;
  }
}

function readGif(bytes: Uint8Array): Luminance {
  const gif = new omggif.GifReader(bytes);
  const rgba = new Uint8Array(gif.width * gif.height * 4);
  gif.decodeAndBlitFrameRGBA(0, rgba);
  return luminanceOfRgba(rgba, gif.width, gif.height);
}

/** Two colours are 0 and 1; otherwise samples of eight bits. */
function readBmp(bytes: Uint8Array): Luminance {
  const { width, height, channels, bitsPerPixel, data: pixels } = decodeBmp(bytes);
  const data = pixels as Uint8Array;
  if (data.length < width * height * channels) throw new Error('truncated pixel data');
  const grey = new Uint8Array(width * height);
  for (let index = 0; index < grey.length; index++) {
    const sample = (channel: number) => data[index * channels + channel] ?? 0;
    if (channels >= 3) grey[index] = luminanceOf(sample(0), sample(1), sample(2));
    else grey[index] = bitsPerPixel === 1 ? sample(0) * 255 : sample(0);
  }
  return { width, height, data: grey };
}
