import { createOCREngine, type OCREngine } from 'tesseract-wasm';
import { memoryOf } from '../../platform/kit/isolate-memory.ts';
import type { Box, Luminance } from './luminance.domain.ts';

/** A recognised word. */
export interface EngineWord {
  text: string;
  box: Box;
  /** 0 to 1. */
  confidence: number;
}

/** Recognises a line of text, dark on white. */
export interface TextEngine {
  read(image: Luminance): EngineWord[];
  /** Size of its WebAssembly memory. */
  memoryBytes(): number;
}

/** Page segmentation mode 7: the image is a single line. Other modes detect lines, at an unbounded cost. */
const SINGLE_LINE = '7';

/**
 * Starts the engine with a compiled module. The library compiles WebAssembly from bytes, which Workers forbid: `withModule` replaces
 * `WebAssembly.instantiate` while the library starts.
 */
export async function startTesseract(module: WebAssembly.Module, model: Uint8Array): Promise<TextEngine> {
  defineModuleUrl();
  const { engine, memory } = await withModule(module, () => createOCREngine({ wasmBinary: new Uint8Array(8) }));
  engine.loadModel(model);
  // Disables the second attempt with inverted colours: lines are always dark on white.
  engine.setVariable('tessedit_do_invert', '0');
  return { read: (image) => read(engine, image), memoryBytes: () => memory?.buffer.byteLength ?? 0 };
}

/** The library requires `import.meta.url`, which a bundle does not have. Nothing is fetched from this URL. */
function defineModuleUrl(): void {
  const meta = import.meta as { url?: string };
  meta.url ??= 'https://bundle.invalid/';
}

interface StartedEngine {
  engine: OCREngine;
  memory: WebAssembly.Memory | undefined;
}

async function withModule(module: WebAssembly.Module, start: () => Promise<OCREngine>): Promise<StartedEngine> {
  const original = WebAssembly.instantiate;
  let memory: WebAssembly.Memory | undefined;
  const instantiateCompiled = async (_bytes: unknown, imports: WebAssembly.Imports) => {
    const instance = new WebAssembly.Instance(module, imports);
    memory = memoryOf(instance);
    return { module, instance };
  };
  WebAssembly.instantiate = instantiateCompiled as unknown as typeof WebAssembly.instantiate;
  try {
    const engine = await withoutWarnings(start);
    return { engine, memory };
  } finally {
    WebAssembly.instantiate = original;
  }
}

/** Disables `console.warn` while the engine starts and stores a reference to it: the engine would log warnings for every image. */
function withoutWarnings<Started>(start: () => Started): Started {
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
    engine.loadImage({ width, height, data: toRgba(image) });
    // `loadImage` resets the variable.
    engine.setVariable('tessedit_pageseg_mode', SINGLE_LINE);
    return engine.getTextBoxes('word').map(({ text, rect, confidence }) => ({ text, box: rect, confidence }));
  } finally {
    engine.clearImage();
  }
}

function toRgba({ data }: Luminance): Uint8ClampedArray {
  const words = new Uint32Array(data.length);
  for (let index = 0; index < data.length; index++) words[index] = 0xff000000 | ((data[index] ?? 0) * 0x010101);
  return new Uint8ClampedArray(words.buffer);
}
