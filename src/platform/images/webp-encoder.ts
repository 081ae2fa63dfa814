import webpEncoder from '@jsquash/webp/codec/enc/webp_enc_simd.js';
import webpModule from '@jsquash/webp/codec/enc/webp_enc_simd.wasm';
import type { Pixels } from './shrink.domain.ts';

type Encoder = Awaited<ReturnType<typeof webpEncoder>>;

/** Memory of the instance beyond which it is replaced: it only ever grows. */
const MAX_KEPT_BYTES = 32 * 1024 * 1024;

/**
 * `WebPConfig` of the library: its defaults except the quality, and a method that takes half the time of the default for the
 * same size.
 */
const OPTIONS = {
  ...{ target_size: 0, target_PSNR: 0, method: 2, sns_strength: 50, filter_strength: 60, filter_sharpness: 0, filter_type: 1 },
  ...{ partitions: 0, segments: 4, pass: 1, show_compressed: 0, preprocessing: 0, autofilter: 0, partition_limit: 0 },
  ...{ alpha_compression: 1, alpha_filtering: 1, alpha_quality: 100, lossless: 0, exact: 0, image_hint: 0, emulate_jpeg_size: 0 },
  ...{ thread_level: 0, low_memory: 0, near_lossless: 100, use_delta_palette: 0, use_sharp_yuv: 0 },
};

interface Running {
  encoder: Encoder;
  memory: WebAssembly.Memory | undefined;
}

let kept: Running | null = null;

/** Encodes straight colours as lossy WebP. */
export async function encodeWebp({ width, height, rgba }: Pixels, quality: number): Promise<Uint8Array<ArrayBuffer>> {
  const running = kept ?? (await started());
  // Only an encoder that succeeded is reused.
  kept = null;
  const bytes = running.encoder.encode(rgba, width, height, { ...OPTIONS, quality });
  if (!bytes) throw new Error('the image could not be encoded as WebP');
  if ((running.memory?.buffer.byteLength ?? 0) <= MAX_KEPT_BYTES) kept = running;
  return new Uint8Array(bytes);
}

async function started(): Promise<Running> {
  let memory: WebAssembly.Memory | undefined;
  const instantiateWasm = (imports: WebAssembly.Imports, receive: (instance: WebAssembly.Instance) => void) => {
    const instance = new WebAssembly.Instance(webpModule, imports);
    memory = Object.values(instance.exports).find((value) => value instanceof WebAssembly.Memory);
    receive(instance);
    return instance.exports;
  };
  const encoder = await webpEncoder({ noInitialRun: true, printErr: () => {}, instantiateWasm });
  return { encoder, memory };
}
