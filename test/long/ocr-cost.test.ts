import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import jpegDecoder from '@jsquash/jpeg/codec/dec/mozjpeg_dec.js';
import webpDecoder from '@jsquash/webp/codec/dec/webp_dec.js';
import { expect, it } from 'vitest';
import { createCharacterSheetService } from '../../src/areas/ocr/character-sheet.service.ts';
import { MAX_CHARACTERS, MAX_FORM_BYTES, MAX_REREAD_CHARACTERS } from '../../src/areas/ocr/ocr.data.ts';
import { readPicture, type WasmDecoders } from '../../src/areas/ocr/picture-formats.ts';
import { findSheet, readSheet } from '../../src/areas/ocr/sheet-reader.ts';
import { startTesseract } from '../../src/areas/ocr/tesseract-engine.ts';
import { createTurnstile } from '../../src/areas/ocr/turnstile.ts';
import { ApiError } from '../../src/platform/errors/api-error.ts';
import { seededRandom } from '../../src/platform/values/random-source.ts';
import { createImageMaker, type SomeImage, wasmModule } from '../support/ocr-images.ts';

const RUNS = Number(process.env.OCR_RUNS ?? 150);
/** Statuses of images that are refused on purpose. */
const REFUSALS = [400, 422];
/** Width of the engine's lines for each character that they have room for: a character in capitals of 28 and 36 pixels, and a margin. */
const MAX_LINE_PIXELS = 80 * 32 + MAX_CHARACTERS * 0.72 * 28 * 1.5 + MAX_REREAD_CHARACTERS * 0.72 * 36 * 1.5 + 22 * 32;

const decoders: WasmDecoders = {
  jpeg: { factory: jpegDecoder, module: wasmModule('@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm'), options: [true] },
  webp: { factory: webpDecoder, module: wasmModule('@jsquash/webp/codec/dec/webp_dec.wasm'), options: [] },
};

/** The service as it runs in the Worker; only its modules are loaded another way. `work`: what the engine was given, in pixels of width. */
async function startService() {
  const model = new Uint8Array(gunzipSync(readFileSync(new URL('../../assets/ocr/eng.traineddata.gz', import.meta.url))));
  const engine = await startTesseract(wasmModule('tesseract-wasm/dist/tesseract-core.wasm'), model);
  const work = { pixels: 0 };
  const counted: typeof engine = {
    read(image) {
      work.pixels += image.width;
      return engine.read(image);
    },
  };
  const service = createCharacterSheetService({
    decode: (bytes, type) => readPicture(bytes, type, decoders),
    reader: { read: async (image) => readSheet(findSheet(image), counted), release: () => {} },
    turnstile: createTurnstile({ patience: 1000, lease: 600_000, maxWaiting: 1 }),
  });
  return { service, work };
}

const formOf = ({ type, bytes }: SomeImage) => ({
  fields: new Map<string, string>(),
  files: [{ field: 'file', filename: 'sheet', contentType: type, bytes }],
  emptyFiles: new Set<string>(),
});

it('reads no accepted image with more engine work than its counted bound, and prints the processor time of the worst', async () => {
  const { service, work } = await startService();
  const maker = await createImageMaker();
  const random = seededRandom(process.env.FUZZ_SEED ?? 'ocr-cost');
  const accepted: { name: string; milliseconds: number; pixels: number }[] = [];
  let refused = 0;
  for (let run = 0; run < RUNS; run += 1) {
    const image = await maker.image(random);
    if (image.bytes.length > MAX_FORM_BYTES) continue;
    work.pixels = 0;
    const before = process.cpuUsage();
    try {
      await service.read(formOf(image));
      const { user, system } = process.cpuUsage(before);
      expect(work.pixels, image.name).toBeLessThanOrEqual(MAX_LINE_PIXELS);
      accepted.push({ name: image.name, milliseconds: Math.round((user + system) / 1000), pixels: work.pixels });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      expect(REFUSALS, `${image.name}: ${error.message}`).toContain(error.status);
      refused += 1;
      if (process.env.OCR_SHOW) {
        const { user, system } = process.cpuUsage(before);
        console.log('refused', Math.round((user + system) / 1000), image.name, error.message);
      }
    }
  }
  const worst = accepted.toSorted((one, other) => other.milliseconds - one.milliseconds).slice(0, 12);
  const lines = worst.map(({ milliseconds, pixels, name }) => `  ${milliseconds} ms, ${pixels} pixels of lines: ${name}\n`);
  // Past the console of the runner, which is silent while tests pass: these figures are what the test is run for.
  process.stdout.write(`${accepted.length} accepted, ${refused} refused; most processor time:\n${lines.join('')}`);
  expect(accepted.length).toBeGreaterThan(RUNS / 4);
  expect(refused).toBeGreaterThan(0);
});
