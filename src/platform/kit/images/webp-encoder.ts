import webpEncoder from '@jsquash/webp/codec/enc/webp_enc_simd.js';
import webpModule from '@jsquash/webp/codec/enc/webp_enc_simd.wasm';
import { isolateMemory, memoryOf } from '../isolate-memory.ts';
import type { Pixels } from './pixels.domain.ts';

type Encoder = Awaited<ReturnType<typeof webpEncoder>>;

/** An instance with more memory is replaced, because WebAssembly memory never shrinks. */
const MAX_INSTANCE_BYTES = 32 * 1024 * 1024;

/** `WebPConfig` of the library. Defaults, except `method`, which takes half the time of the default for the same size. */
const OPTIONS = {
  target_size: 0,
  target_PSNR: 0,
  method: 2,
  sns_strength: 50,
  filter_strength: 60,
  filter_sharpness: 0,
  filter_type: 1,
  partitions: 0,
  segments: 4,
  pass: 1,
  show_compressed: 0,
  preprocessing: 0,
  autofilter: 0,
  partition_limit: 0,
  alpha_compression: 1,
  alpha_filtering: 1,
  alpha_quality: 100,
  lossless: 0,
  exact: 0,
  image_hint: 0,
  emulate_jpeg_size: 0,
  thread_level: 0,
  low_memory: 0,
  near_lossless: 100,
  use_delta_palette: 0,
  use_sharp_yuv: 0,
};

interface EncoderInstance {
  encoder: Encoder;
  memory: WebAssembly.Memory | undefined;
}

let idle: EncoderInstance | null = null;

isolateMemory.keep({
  bytes: () => idle?.memory?.buffer.byteLength ?? 0,
  drop() {
    idle = null;
  },
});

/** Encodes straight-alpha pixels as lossy WebP. */
export async function encodeWebp({ width, height, rgba }: Pixels, quality: number): Promise<Uint8Array<ArrayBuffer>> {
  const instance = idle ?? (await startEncoder());
  // An encoder that throws is not reused.
  idle = null;
  const bytes = instance.encoder.encode(rgba, width, height, { ...OPTIONS, quality });
  if (!bytes) throw new Error('the image could not be encoded as WebP');
  if ((instance.memory?.buffer.byteLength ?? 0) <= MAX_INSTANCE_BYTES) idle = instance;
  return new Uint8Array(bytes);
}

async function startEncoder(): Promise<EncoderInstance> {
  let memory: WebAssembly.Memory | undefined;
  const instantiateWasm = (imports: WebAssembly.Imports, receive: (instance: WebAssembly.Instance) => void) => {
    const instance = new WebAssembly.Instance(webpModule, imports);
    memory = memoryOf(instance);
    receive(instance);
    return instance.exports;
  };
  const encoder = await webpEncoder({ noInitialRun: true, printErr: () => {}, instantiateWasm });
  return { encoder, memory };
}
