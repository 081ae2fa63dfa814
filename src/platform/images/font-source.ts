import type { ImageFonts } from './svg-renderer.ts';

/** Fallback family for every name outside the fonts. */
const DEFAULT_FAMILY = 'Exo 2';
const FONT_FILES = ['exo-2-500.ttf', 'exo-2-700.ttf', 'open-sans-400.ttf', 'open-sans-700.ttf'];

/** The fonts of drawings: Exo 2 (500, 700) and Open Sans (400, 700). Throws when a file is missing. */
export type FontSource = () => Promise<ImageFonts>;

/** Reads the fonts with the first drawing and keeps them. */
export function createFontSource(assets: Fetcher): FontSource {
  let fonts: ImageFonts | null = null;
  return async () => {
    // Requests that come meanwhile read for themselves: no request may wait for another one.
    fonts ??= { files: await Promise.all(FONT_FILES.map((name) => loadFont(assets, name))), defaultFamily: DEFAULT_FAMILY };
    return fonts;
  };
}

async function loadFont(assets: Fetcher, name: string): Promise<Uint8Array> {
  const response = await assets.fetch(`https://assets.invalid/fonts/${name}`);
  if (!response.ok) throw new Error(`font ${name} not found: ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}
