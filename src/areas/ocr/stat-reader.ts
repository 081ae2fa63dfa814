import tesseractModule from 'tesseract-wasm/dist/tesseract-core.wasm';
import type { Pause } from '../../platform/heavy-work.ts';
import type { SheetReading } from './character-stats.domain.ts';
import type { Luminance } from './luminance.domain.ts';
import { findSheet, readSheet } from './sheet-reader.ts';
import { startTesseract, type TextEngine } from './tesseract-engine.ts';

/** Reads the stats of an image, one at a time. */
export interface StatReader {
  /**
   * Throws `CostLimitError` when there is too much to read, before the engine is used; other errors when the engine cannot be
   * started or breaks down, and the next reading starts it anew.
   */
  read(image: Luminance, pause: Pause): Promise<SheetReading>;
  /** Lets go of the engine until the next reading, to make room. */
  release(): void;
}

const MODEL_PATH = '/ocr/eng.traineddata.gz';

/** A reader with a lazily started, cached engine: one per isolate. */
export function createStatReader(assets: Fetcher): StatReader {
  let engine: TextEngine | null = null;
  return {
    async read(image, pause) {
      const text = findSheet(image);
      await pause();
      engine ??= await startTesseract(tesseractModule, await loadModel(assets));
      try {
        return await readSheet(text, engine, pause);
      } catch (error) {
        // An instance that trapped is discarded.
        engine = null;
        throw error;
      }
    },
    release() {
      engine = null;
    },
  };
}

/** The English model, from the Worker's own files. */
async function loadModel(assets: Fetcher): Promise<Uint8Array> {
  const response = await assets.fetch(`https://assets.invalid${MODEL_PATH}`);
  if (!response.ok || !response.body) throw new Error(`text reader model not found: ${response.status}`);
  const unpacked = response.body.pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(unpacked).arrayBuffer());
}
