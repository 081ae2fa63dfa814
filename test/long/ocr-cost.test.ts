import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import jpegDecoder from '@jsquash/jpeg/codec/dec/mozjpeg_dec.js';
import webpDecoder from '@jsquash/webp/codec/dec/webp_dec.js';
import { expect, it } from 'vitest';
import { createCharacterSheetService } from '../../src/areas/ocr/character-sheet.service.ts';
import { readImage, type WasmDecoders } from '../../src/areas/ocr/image-formats.service.ts';
import { MAX_CHARACTERS, MAX_FORM_BYTES, MAX_REREAD_CHARACTERS } from '../../src/areas/ocr/limits.domain.ts';
import { detectSheet, readSheet } from '../../src/areas/ocr/sheet-reader.service.ts';
import { startTesseract } from '../../src/areas/ocr/tesseract-engine.service.ts';
import { ApiError } from '../../src/platform/kit/errors/api-error.ts';
import { createHeavyWork } from '../../src/platform/kit/heavy-work.ts';
import { seededRandom } from '../../src/platform/kit/random.ts';
import { createImageMaker, type SomeImage, wasmModule } from '../support/ocr-images.ts';

const RUNS = 80;
const SHOWN = 10;
/** Statuses of refused images. */
const REFUSALS = [400, 422];
/** Maximum total width of the engine's lines: the characters of both readings at 28 and 36 pixels, with gaps and margins. */
const MAX_LINE_PIXELS = 80 * 32 + MAX_CHARACTERS * 0.72 * 28 * 1.5 + MAX_REREAD_CHARACTERS * 0.72 * 36 * 1.5 + 22 * 32;

const decoders: WasmDecoders = {
  jpeg: { factory: jpegDecoder, module: wasmModule('@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm'), options: [true] },
  webp: { factory: webpDecoder, module: wasmModule('@jsquash/webp/codec/dec/webp_dec.wasm'), options: [] },
};

/** The service, with modules loaded for Node. `work`: total width of the engine's input in pixels. */
async function startService() {
  const model = new Uint8Array(gunzipSync(readFileSync(new URL('../../assets/ocr/eng.traineddata.gz', import.meta.url))));
  const engine = await startTesseract(wasmModule('tesseract-wasm/dist/tesseract-core.wasm'), model);
  const work = { pixels: 0 };
  const counted: typeof engine = {
    memoryBytes: () => 0,
    read(image) {
      work.pixels += image.width;
      return engine.read(image);
    },
  };
  const service = createCharacterSheetService({
    decode: (bytes, type) => readImage(bytes, type, decoders),
    reader: { read: async (image) => readSheet(detectSheet(image), counted, async () => {}), release: () => {}, engineBytes: () => 0 },
    heavyWork: createHeavyWork(),
  });
  return { service, work };
}

/** The form with a copy of an image, because reading a PNG overwrites the bytes. */
const formOf = ({ type, bytes }: SomeImage) => ({
  fields: new Map<string, string>(),
  files: [{ field: 'file', filename: 'sheet', contentType: type, bytes: bytes.slice() }],
  emptyFiles: new Set<string>(),
});

/** CPU milliseconds of this process for some work. */
async function processorTime(work: () => Promise<unknown>): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return Math.round((user + system) / 1000);
}

it('reads every accepted image within the bound of engine work and prints the CPU time of the slowest', async () => {
  const { service, work } = await startService();
  const maker = await createImageMaker();
  const random = seededRandom(process.env.FUZZ_SEED ?? 'ocr-cost');
  const accepted: { image: SomeImage; milliseconds: number; pixels: number }[] = [];
  let refused = 0;
  for (let run = 0; run < RUNS; run += 1) {
    const image = await maker.image(random);
    if (image.bytes.length > MAX_FORM_BYTES) continue;
    work.pixels = 0;
    try {
      const milliseconds = await processorTime(() => service.read(formOf(image)));
      expect(work.pixels, image.name).toBeLessThanOrEqual(MAX_LINE_PIXELS);
      accepted.push({ image, milliseconds, pixels: work.pixels });
      // Keep only the bytes of the slowest images.
      accepted.sort((one, other) => other.milliseconds - one.milliseconds).splice(SHOWN);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      expect(REFUSALS, `${image.name}: ${error.message}`).toContain(error.status);
      expect(work.pixels, image.name).toBe(0);
      refused += 1;
    }
  }
  let report = `${RUNS} images, ${refused} refused before recognition; slowest images, first and warm CPU time:\n`;
  for (const { image, milliseconds, pixels } of accepted) {
    const again = await processorTime(() => service.read(formOf(image)));
    report += `  ${milliseconds} ms, ${again} ms; ${pixels} pixels of lines: ${image.name}\n`;
  }
  // Not `console`, which is silenced for passing tests.
  process.stdout.write(report);
  expect(accepted).toHaveLength(SHOWN);
  expect(refused).toBeGreaterThan(0);
});
