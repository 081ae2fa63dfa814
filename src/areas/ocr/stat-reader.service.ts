import tesseractModule from 'tesseract-wasm/dist/tesseract-core.wasm';
import type { Pause } from '../../platform/kit/heavy-work.ts';
import { isolateMemory } from '../../platform/kit/isolate-memory.ts';
import type { SheetReading } from './character-stats.domain.ts';
import type { Luminance } from './luminance.domain.ts';
import { detectSheet, readSheet } from './sheet-reader.service.ts';
import { startTesseract, type TextEngine } from './tesseract-engine.service.ts';

/** Reads the stats of images. Calls must not overlap. */
export interface StatReader {
  /**
   * Throws `CostLimitError` before recognition if the image has too much text; other errors if the engine fails. The next call starts
   * a new engine.
   */
  read(image: Luminance, pause: Pause): Promise<SheetReading>;
  /** Discards the engine to free memory; the next call starts a new one. */
  release(): void;
  /** Size of the memory of the engine; 0 without one. */
  engineBytes(): number;
}

const MODEL_PATH = '/ocr/eng.traineddata.gz';

/** Creates a reader that starts the engine on first use; one per isolate. */
export function createStatReader(assets: Fetcher): StatReader {
  let engine: TextEngine | null = null;
  let forget = () => {};

  const engineBytes = () => engine?.memoryBytes() ?? 0;

  function release(): void {
    engine = null;
    forget();
  }

  async function startEngine(): Promise<TextEngine> {
    engine = await startTesseract(tesseractModule, await loadModel(assets));
    forget = isolateMemory.keep({ bytes: engineBytes, drop: release });
    return engine;
  }

  return {
    async read(image, pause) {
      const text = detectSheet(image);
      await pause();
      try {
        return await readSheet(text, engine ?? (await startEngine()), pause);
      } catch (error) {
        // Discards an instance that trapped.
        release();
        throw error;
      }
    },
    release,
    engineBytes,
  };
}

/** Loads the English model from the static assets of the Worker. */
async function loadModel(assets: Fetcher): Promise<Uint8Array> {
  const response = await assets.fetch(`https://assets.invalid${MODEL_PATH}`);
  if (!response.ok || !response.body) throw new Error(`model of the text engine not found: ${response.status}`);
  const unpacked = response.body.pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(unpacked).arrayBuffer());
}
