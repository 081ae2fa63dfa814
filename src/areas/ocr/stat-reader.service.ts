import tesseractModule from 'tesseract-wasm/dist/tesseract-core.wasm';
import type { Pause } from '../../platform/kit/heavy-work.ts';
import { isolateMemory } from '../../platform/kit/isolate-memory.ts';
import type { SheetReading } from './character-stats.domain.ts';
import type { Luminance } from './luminance.domain.ts';
import { detectSheet, readSheet } from './sheet-reader.service.ts';
import { startTesseract, type TextEngine } from './tesseract-engine.service.ts';

const MODEL_PATH = '/ocr/eng.traineddata.gz';

export type StatReader = ReturnType<typeof createStatReader>;

/** Reads the stats of images; calls must not overlap. Starts the engine on first use; one per isolate. */
export function createStatReader(assets: Fetcher) {
  let engine: TextEngine | null = null;
  let forget = () => {};

  /** Size of the memory of the engine; 0 without one. */
  const engineBytes = () => engine?.memoryBytes() ?? 0;

  /** Discards the engine to free memory; the next call starts a new one. */
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
    /**
     * Throws `CostLimitError` before recognition if the image has too much text; other errors if the engine fails. The next call starts
     * a new engine.
     */
    async read(image: Luminance, pause: Pause): Promise<SheetReading> {
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
