import { decode as decodeBmp } from 'fast-bmp';
import omggif from 'omggif';
import { isolateMemory, memoryOf } from '../../platform/kit/isolate-memory.ts';
import type { ImageType } from '../../platform/kit/values/image-header.ts';
import { CostLimitError, LARGE_IMAGE_PIXELS, MAX_DECODER_BYTES } from './limits.domain.ts';
import { type Luminance, luminanceOf, toLuminance } from './luminance.domain.ts';
import { readPng } from './png-reader.service.ts';

/** A decoder with a compiled WebAssembly module. */
interface WasmDecoder {
  factory: (options: object) => Promise<{ decode(bytes: Uint8Array, ...options: unknown[]): unknown }>;
  module: WebAssembly.Module;
  /** Arguments of `decode` after the bytes. */
  options: readonly unknown[];
}

/** WebAssembly decoders; the Worker and the tests load them differently. */
export interface WasmDecoders {
  jpeg: WasmDecoder;
  webp: WasmDecoder;
}

/** Decodes an image to grey. Throws `CostLimitError` if it needs too much memory, other errors if it cannot be decoded. */
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

/** A decoder instance; `wasRefused`: whether the current image exceeded the memory limit. */
interface RunningDecoder {
  module: WebAssembly.Module;
  decoder: Awaited<ReturnType<WasmDecoder['factory']>>;
  memory: { wasRefused: boolean; bytes(): number };
}

/** Cached decoder, at most one: unused instances would accumulate memory. */
let cachedDecoder: RunningDecoder | null = null;

isolateMemory.keep({
  bytes: () => cachedDecoder?.memory.bytes() ?? 0,
  drop() {
    cachedDecoder = null;
  },
});

async function decodeWith(wasm: WasmDecoder, bytes: Uint8Array): Promise<Luminance> {
  const running = cachedDecoder?.module === wasm.module ? cachedDecoder : await startDecoder(wasm);
  // Only an instance that succeeded is reused.
  cachedDecoder = null;
  const image = runDecoder(running, bytes, wasm.options);
  if (!(image instanceof GreyImage)) throw new Error('decoder returned no image');
  if (image.width * image.height <= LARGE_IMAGE_PIXELS) cachedDecoder = running;
  return image;
}

function runDecoder({ decoder, memory }: RunningDecoder, bytes: Uint8Array, options: readonly unknown[]): unknown {
  memory.wasRefused = false;
  try {
    return withGreyCopy(() => decoder.decode(bytes, ...options));
  } catch (error) {
    throw memory.wasRefused ? new CostLimitError('decoding needs too much memory') : error;
  }
}

async function startDecoder({ factory, module }: WasmDecoder): Promise<RunningDecoder> {
  cachedDecoder = null;
  const memory = { wasRefused: false, bytes: () => 0 };
  const instantiateWasm = (imports: WebAssembly.Imports, receive: (instance: WebAssembly.Instance) => void) => {
    const instance = new WebAssembly.Instance(module, imports);
    limitMemory(instance, memory);
    receive(instance);
    return instance.exports;
  };
  // `printErr`: suppresses log messages about damaged images.
  const options = { noInitialRun: true, printErr: () => {}, instantiateWasm };
  // Without `ImageData`, a decoder would define a global class whose scope retains the memory of the decoder permanently.
  return { module, memory, decoder: await withGreyCopy(() => factory(options)) };
}

/**
 * Limits the memory of an instance to `MAX_DECODER_BYTES`: the allocations of a decoder depend on tables inside the file, not only
 * on the image size.
 */
function limitMemory(instance: WebAssembly.Instance, state: RunningDecoder['memory']): void {
  const memory = memoryOf(instance);
  if (!memory) throw new Error('the decoder exports no memory');
  state.bytes = () => memory.buffer.byteLength;
  const grow = memory.grow.bind(memory);
  memory.grow = (pages) => {
    state.wasRefused = memory.buffer.byteLength + pages * WASM_PAGE_BYTES > MAX_DECODER_BYTES;
    if (state.wasRefused) throw new RangeError('decoder memory limit reached');
    return grow(pages);
  };
}

/** Replaces `ImageData`, which the runtime does not have. */
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
 * Replaces `Uint8ClampedArray` and `ImageData` during a synchronous decoding: decoders copy their RGBA pixels into a new
 * `Uint8ClampedArray`, and a grey copy needs a quarter of the memory.
 */
function withGreyCopy<Result>(decode: () => Result): Result {
  const globals = globalThis as { Uint8ClampedArray: unknown; ImageData?: unknown };
  const { Uint8ClampedArray: clampedArray, ImageData: imageData } = globals;
  globals.Uint8ClampedArray = function greyCopy(rgba: Uint8Array) {
    return toLuminance(rgba, rgba.length / 4, 1).data;
  };
  globals.ImageData = GreyImage;
  try {
    return decode();
  } finally {
    globals.Uint8ClampedArray = clampedArray;
    globals.ImageData = imageData;
  }
}

function readGif(bytes: Uint8Array): Luminance {
  const gif = new omggif.GifReader(bytes);
  const rgba = new Uint8Array(gif.width * gif.height * 4);
  gif.decodeAndBlitFrameRGBA(0, rgba);
  return toLuminance(rgba, gif.width, gif.height);
}

/** Samples have eight bits, or are 0 and 1 in images with two colours. */
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
