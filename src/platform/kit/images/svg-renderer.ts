import { initWasm, Resvg } from '@resvg/resvg-wasm';
import resvgModule from '@resvg/resvg-wasm/index_bg.wasm';
import { isolateMemory } from '../isolate-memory.ts';

/** Font files, and the family for text whose font family is not available. */
export interface ImageFonts {
  files: Uint8Array[];
  defaultFamily: string;
}

/** An instance with more memory is replaced, because WebAssembly memory never shrinks. */
const MAX_INSTANCE_BYTES = 32 * 1024 * 1024;
/** A new instance has about 1 MiB. */
const FRESH_INSTANCE_BYTES = 2 * 1024 * 1024;

type Exports = WebAssembly.Exports & { memory: WebAssembly.Memory };

/** The exports of the current library instance. The library holds the `exports` object, whose contents change with the instance. */
interface Instance {
  imports: WebAssembly.Imports;
  exports: Exports;
}

let current: Instance | null = null;
let ready: Promise<void> | null = null;

const memoryBytes = () => current?.exports.memory.buffer.byteLength ?? 0;

// Drawing is synchronous, so the instance is idle whenever others need memory.
isolateMemory.keep({
  bytes: memoryBytes,
  drop() {
    if (memoryBytes() > FRESH_INSTANCE_BYTES) replaceInstance();
  },
});

/**
 * Renders an SVG at its own size as PNG. A failure of the library does not affect the next image. Time and memory are not bounded:
 * validate untrusted SVG first.
 */
export function renderSvg(svg: string, fonts: ImageFonts | null = null): Promise<Uint8Array<ArrayBuffer>> {
  return render(svg, fonts, (image) => new Uint8Array(image.asPng()));
}

/** Renders an SVG at its own size as premultiplied pixels, four bytes each. */
export function renderPixels(svg: string): Promise<Uint8Array<ArrayBuffer>> {
  return render(svg, null, (image) => new Uint8Array(image.pixels));
}

type RenderedImage = ReturnType<InstanceType<typeof Resvg>['render']>;

async function render<Result>(svg: string, fonts: ImageFonts | null, read: (image: RenderedImage) => Result): Promise<Result> {
  await startRenderer();
  let hasSucceeded = false;
  try {
    const result = draw(svg, fonts, read);
    hasSucceeded = true;
    return result;
  } finally {
    // After a trap, the stack and memory of the instance are in an undefined state.
    if (!hasSucceeded || memoryBytes() > MAX_INSTANCE_BYTES) replaceInstance();
  }
}

/** Frees WebAssembly memory explicitly, because garbage collection may never run. */
function draw<Result>(svg: string, fonts: ImageFonts | null, read: (image: RenderedImage) => Result): Result {
  const font = fonts
    ? { fontBuffers: fonts.files, defaultFontFamily: fonts.defaultFamily, sansSerifFamily: fonts.defaultFamily }
    : { loadSystemFonts: false };
  const source = new Resvg(svg, { font });
  try {
    const image = source.render();
    try {
      return read(image);
    } finally {
      release(image);
    }
  } finally {
    release(source);
  }
}

/**
 * Frees an object of the library. The garbage collector could free it later in another instance. An object that failed cannot be
 * freed; its instance is replaced.
 */
function release(object: { free(): void }): void {
  try {
    object.free();
  } catch {
    // The original error is thrown instead.
  }
}

/** Requests may share this promise: the module is compiled, so creating an instance takes microtasks only. */
function startRenderer(): Promise<void> {
  ready ??= startWithReplaceableInstance().catch((error: unknown) => {
    ready = null;
    throw error;
  });
  return ready;
}

/**
 * Starts the library, which creates one instance and holds its exports. The patched `WebAssembly.instantiate` returns an object whose
 * contents `replaceInstance` can change.
 */
async function startWithReplaceableInstance(): Promise<void> {
  const { instantiate } = WebAssembly;
  const instantiateReplaceable = async (module: WebAssembly.Module, imports: WebAssembly.Imports) => {
    if (module !== resvgModule) return instantiate(module, imports);
    current = { imports, exports: newExports(imports) };
    return { module, instance: { exports: current.exports } };
  };
  WebAssembly.instantiate = instantiateReplaceable as unknown as typeof WebAssembly.instantiate;
  try {
    await initWasm(resvgModule);
  } finally {
    WebAssembly.instantiate = instantiate;
  }
}

function newExports(imports: WebAssembly.Imports): Exports {
  return { ...new WebAssembly.Instance(resvgModule, imports).exports } as Exports;
}

/** Replaces the instance with one with empty memory. No object of the old instance may be in use. */
function replaceInstance(): void {
  if (!current) return;
  const { exports, imports } = current;
  // Growing by zero pages detaches the library's views of the old memory, so the library creates new ones.
  exports.memory.grow(0);
  Object.assign(exports, newExports(imports));
}
