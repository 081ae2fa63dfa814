import { initWasm, Resvg } from '@resvg/resvg-wasm';
import resvgModule from '@resvg/resvg-wasm/index_bg.wasm';

/** Fonts of a drawing: whole files, and the fallback family for every other name. */
export interface ImageFonts {
  files: Uint8Array[];
  defaultFamily: string;
}

/** Memory of the instance beyond which it is replaced: it only ever grows. */
const MAX_KEPT_BYTES = 32 * 1024 * 1024;

type Exports = WebAssembly.Exports & { memory: WebAssembly.Memory };

/** The functions of the present library instance, in an object that outlives the instance. */
interface Handed {
  imports: WebAssembly.Imports;
  exports: Exports;
}

let handed: Handed | null = null;
let ready: Promise<void> | null = null;

/**
 * Renders an SVG at its own size as PNG. A failure in the library does not affect the next drawing. Time and memory are not
 * bounded here: check SVG from outside first.
 */
export function renderSvg(svg: string, fonts: ImageFonts | null = null): Promise<Uint8Array<ArrayBuffer>> {
  return rendered(svg, fonts, (picture) => new Uint8Array(picture.asPng()));
}

/** The premultiplied colours of an SVG at its own size, four bytes a pixel. */
export function renderPixels(svg: string): Promise<Uint8Array<ArrayBuffer>> {
  return rendered(svg, null, (picture) => new Uint8Array(picture.pixels));
}

type Picture = ReturnType<InstanceType<typeof Resvg>['render']>;

async function rendered<Result>(svg: string, fonts: ImageFonts | null, read: (picture: Picture) => Result): Promise<Result> {
  await startRenderer();
  let isSound = false;
  try {
    const result = draw(svg, fonts, read);
    isSound = true;
    return result;
  } finally {
    // After a trap, part of the library's stack and memory is lost, so the instance is replaced.
    if (!isSound || (handed?.exports.memory.buffer.byteLength ?? 0) > MAX_KEPT_BYTES) replaceInstance();
  }
}

/** Frees the memory of the instance explicitly: garbage collection may never run. */
function draw<Result>(svg: string, fonts: ImageFonts | null, read: (picture: Picture) => Result): Result {
  const font = fonts
    ? { fontBuffers: fonts.files, defaultFontFamily: fonts.defaultFamily, sansSerifFamily: fonts.defaultFamily }
    : { loadSystemFonts: false };
  const source = new Resvg(svg, { font });
  try {
    const picture = source.render();
    try {
      return read(picture);
    } finally {
      release(picture);
    }
  } finally {
    release(source);
  }
}

/**
 * Frees an object now, because the garbage collector could otherwise free it later in another instance. A failed object cannot
 * be freed and goes with its instance.
 */
function release(thing: { free(): void }): void {
  try {
    thing.free();
  } catch {
    // The original failure is thrown instead.
  }
}

/**
 * The wasm is a module already compiled: making an instance of it takes microtasks alone, so that no request ever waits
 * for another one here.
 */
function startRenderer(): Promise<void> {
  ready ??= startOnReplaceableInstance().catch((error: unknown) => {
    ready = null;
    throw error;
  });
  return ready;
}

/**
 * The library creates one instance and keeps its functions. It receives a wrapper object for the instance; `replaceInstance`
 * changes the contents of the wrapper.
 */
async function startOnReplaceableInstance(): Promise<void> {
  const { instantiate } = WebAssembly;
  const handOver = async (module: WebAssembly.Module, imports: WebAssembly.Imports) => {
    if (module !== resvgModule) return instantiate(module, imports);
    handed = { imports, exports: newExports(imports) };
    return { module, instance: { exports: handed.exports } };
  };
  WebAssembly.instantiate = handOver as unknown as typeof WebAssembly.instantiate;
  try {
    await initWasm(resvgModule);
  } finally {
    WebAssembly.instantiate = instantiate;
  }
}

function newExports(imports: WebAssembly.Imports): Exports {
  return { ...new WebAssembly.Instance(resvgModule, imports).exports } as Exports;
}

/** Starts again with empty memory. Nothing of the old instance may be in use. */
function replaceInstance(): void {
  if (!handed) return;
  const { exports, imports } = handed;
  // Growing by zero pages detaches the library's views of the old memory, which makes the library create new ones.
  exports.memory.grow(0);
  Object.assign(exports, newExports(imports));
}
