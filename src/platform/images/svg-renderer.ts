import { initWasm, Resvg } from '@resvg/resvg-wasm';
import resvgModule from '@resvg/resvg-wasm/index_bg.wasm';

/** Fonts that a drawing may use: whole files, and the family that stands in for every name they do not have. */
export interface ImageFonts {
  files: Uint8Array[];
  defaultFamily: string;
}

/** Memory of the instance beyond which it is replaced: it only ever grows. */
const MAX_KEPT_BYTES = 32 * 1024 * 1024;

type Exports = WebAssembly.Exports & { memory: WebAssembly.Memory };

/** What the library was started with: the functions of the present instance, in an object that outlives the instance. */
interface Handed {
  imports: WebAssembly.Imports;
  exports: Exports;
}

let handed: Handed | null = null;
let ready: Promise<void> | null = null;

/**
 * Draws an SVG at its own size and gives the PNG. Whatever goes wrong in the library, the next drawing is not affected by it.
 * How much time and memory a drawing takes is its own matter: one from outside has to be looked at first.
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
    // What has trapped once is not to be trusted: part of its stack and memory is gone for good.
    if (!isSound || (handed?.exports.memory.buffer.byteLength ?? 0) > MAX_KEPT_BYTES) replaceInstance();
  }
}

/** Memory of the instance is freed by hand: a collector that may never run is no way to bound it. */
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
 * Has the library forget a thing, or its collector would free it later, in whichever instance there is then. What has
 * broken down cannot free it, and goes as a whole.
 */
function release(thing: { free(): void }): void {
  try {
    thing.free();
  } catch {
    // The failure that matters is on its way.
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
 * The library makes one instance and keeps the functions it got. So it is handed an object of ours when it asks for the
 * instance; `replaceInstance` changes what is in it.
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

/** Starts anew with empty memory. Nothing of the old instance may be in use. */
function replaceInstance(): void {
  if (!handed) return;
  const { exports, imports } = handed;
  // Growing by nothing detaches the library's views of the old memory, at which it notices that it needs new ones.
  exports.memory.grow(0);
  Object.assign(exports, newExports(imports));
}
