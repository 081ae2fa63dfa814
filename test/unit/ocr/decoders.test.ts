import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import jpegDecoder from '@jsquash/jpeg/codec/dec/mozjpeg_dec.js';
import webpDecoder from '@jsquash/webp/codec/dec/webp_dec.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readImage, type WasmDecoders } from '../../../src/areas/ocr/image-formats.service.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const readSample = (name: string) => new Uint8Array(readFileSync(join(ROOT, 'test', 'fixtures', 'ocr', name)));
const moduleOf = (path: string): WebAssembly.Module =>
  Reflect.construct(WebAssembly.Module, [readFileSync(join(ROOT, 'node_modules', path))]);

const decoders: WasmDecoders = {
  jpeg: { factory: jpegDecoder, module: moduleOf('@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm'), options: [true] },
  webp: { factory: webpDecoder, module: moduleOf('@jsquash/webp/codec/dec/webp_dec.wasm'), options: [] },
};

const TIMEOUT_MS = 10_000;

setFlagsFromString('--expose_gc');
const collectGarbage = runInNewContext('gc') as () => void;

describe('readImage', () => {
  const { Instance } = WebAssembly;
  let memories: WeakRef<object>[] = [];

  beforeEach(() => {
    memories = [];
    WebAssembly.Instance = function instantiate(module: WebAssembly.Module, imports: WebAssembly.Imports) {
      const instance = new Instance(module, imports);
      memories.push(new WeakRef(instance.exports));
      return instance;
    } as unknown as typeof Instance;
  });

  afterEach(() => {
    WebAssembly.Instance = Instance;
  });

  function countLiving(): number {
    collectGarbage();
    return memories.filter((memory) => memory.deref() !== undefined).length;
  }

  it('frees the memory of all decoders except the cached one', async () => {
    for (const round of [1, 2]) {
      expect(await readImage(readSample('sheet.jpg'), 'image/jpeg', decoders)).toMatchObject({ width: 432, height: 374 });
      expect(await readImage(readSample('sheet.webp'), 'image/webp', decoders)).toMatchObject({ width: 432, height: 374 });
      expect(memories).toHaveLength(2 * round);
      // A garbage collection does not free objects referenced in the current task: poll.
      await expect.poll(countLiving, { timeout: TIMEOUT_MS }).toBe(1);
    }
  });

  it('discards a decoder after a failure', async () => {
    await readImage(readSample('sheet.jpg'), 'image/jpeg', decoders);
    await expect(readImage(readSample('sheet.jpg').fill(7, 200), 'image/jpeg', decoders)).rejects.toThrow();
    await readImage(readSample('sheet.jpg'), 'image/jpeg', decoders);
    expect(memories).toHaveLength(2);
  });
});
