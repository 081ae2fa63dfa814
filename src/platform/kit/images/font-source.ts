import type { ImageFonts } from './svg-renderer.ts';

/** Family for text whose font family is not available. */
const DEFAULT_FAMILY = 'Exo 2';
const FONT_FILES = ['exo-2-500.ttf', 'exo-2-700.ttf', 'open-sans-400.ttf', 'open-sans-700.ttf'];

/** Loads the fonts of rendered images: Exo 2 (500, 700) and Open Sans (400, 700). Throws if a file is missing. */
export type FontSource = () => Promise<ImageFonts>;

/** Creates a source that loads the fonts on first use and caches them. */
export function createFontSource(assets: Fetcher): FontSource {
  let fonts: ImageFonts | null = null;
  return async () => {
    // Concurrent first requests each load the fonts: a Workers request cannot await another request's promise.
    fonts ??= { files: await Promise.all(FONT_FILES.map((name) => loadFont(assets, name))), defaultFamily: DEFAULT_FAMILY };
    return fonts;
  };
}

async function loadFont(assets: Fetcher, name: string): Promise<Uint8Array> {
  const response = await assets.fetch(`https://assets.invalid/fonts/${name}`);
  if (!response.ok) throw new Error(`font ${name} not found: ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}
