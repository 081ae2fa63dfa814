import { createOCREngine, type OCREngine } from 'tesseract-wasm';
import type { Box, Luminance } from './luminance.domain.ts';

/** A word as the engine read it. */
export interface EngineWord {
  text: string;
  box: Box;
  /** 0 to 1. */
  confidence: number;
}

/** Reads a line of text, dark on white. One at a time. */
export interface TextEngine {
  read(image: Luminance): EngineWord[];
}

/** The engine takes the whole image for one line. Otherwise it looks for lines, at a cost that nothing bounds. */
const SINGLE_LINE = '7';

/**
 * Starts the engine on a compiled module. The library compiles bytes, which the platform forbids, so it is handed the
 * instance when it asks for one; nothing else asks in between, as it does so at once.
 */
export async function startTesseract(module: WebAssembly.Module, model: Uint8Array): Promise<TextEngine> {
  nameThisModule();
  const engine = await withModule(module, () => createOCREngine({ wasmBinary: new Uint8Array(8) }));
  engine.loadModel(model);
  // What is doubtful would be read once more as light text on dark, which it never is.
  engine.setVariable('tessedit_do_invert', '0');
  return { read: (image) => read(engine, image) };
}

/** The library wants to know where it was loaded from, and a bundle does not say. It never fetches anything from there. */
function nameThisModule(): void {
  const meta = import.meta as { url?: string };
  meta.url ??= 'https://bundle.invalid/';
}

async function withModule(module: WebAssembly.Module, start: () => Promise<OCREngine>): Promise<OCREngine> {
  const original = WebAssembly.instantiate;
  const handed = async (_bytes: unknown, imports: WebAssembly.Imports) => ({ module, instance: new WebAssembly.Instance(module, imports) });
  WebAssembly.instantiate = handed as unknown as typeof WebAssembly.instantiate;
  try {
    return await silenced(start);
  } finally {
    WebAssembly.instantiate = original;
  }
}

/** Starts something that notes right away how to warn: the engine would write lines about every picture into the log. */
function silenced<Started>(start: () => Started): Started {
  const { warn } = console;
  console.warn = () => {};
  try {
    return start();
  } finally {
    console.warn = warn;
  }
}

function read(engine: OCREngine, image: Luminance): EngineWord[] {
  const { width, height } = image;
  try {
    engine.loadImage({ width, height, data: rgbaOf(image) });
    // Loading an image resets it.
    engine.setVariable('tessedit_pageseg_mode', SINGLE_LINE);
    return engine.getTextBoxes('word').map(({ text, rect, confidence }) => ({ text, box: rect, confidence }));
  } finally {
    engine.clearImage();
  }
}

function rgbaOf({ data }: Luminance): Uint8ClampedArray {
  const words = new Uint32Array(data.length);
  for (let index = 0; index < data.length; index++) words[index] = 0xff000000 | ((data[index] ?? 0) * 0x010101);
  return new Uint8ClampedArray(words.buffer);
}
