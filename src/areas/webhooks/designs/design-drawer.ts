import { logError } from '../../../platform/logging.ts';
import { type PictureFonts, renderSvg } from '../../../platform/pictures/svg-renderer.ts';
import type { Drawing } from './design.domain.ts';

/** Draws what was checked; null when the renderer breaks down over it. Throws when the fonts cannot be had. */
export type DrawPicture = (drawing: Drawing) => Promise<Uint8Array<ArrayBuffer> | null>;

/** Names that designs may ask for: "Exo 2" stands in for every other one. */
const DEFAULT_FAMILY = 'Exo 2';
const FONT_FILES = ['exo-2-500.ttf', 'exo-2-700.ttf', 'open-sans-400.ttf', 'open-sans-700.ttf'];

/** A drawer whose fonts are read with the first picture and kept: one for each isolate. */
export function createPictureDrawer(assets: Fetcher): DrawPicture {
  let fonts: PictureFonts | null = null;
  return async ({ svg }) => {
    // Requests that come meanwhile read for themselves: no request may wait for another one.
    fonts ??= { files: await Promise.all(FONT_FILES.map((name) => loadFont(assets, name))), defaultFamily: DEFAULT_FAMILY };
    try {
      return await renderSvg(svg, fonts);
    } catch (error) {
      logError('a design could not be drawn', error, {});
      return null;
    }
  };
}

async function loadFont(assets: Fetcher, name: string): Promise<Uint8Array> {
  const response = await assets.fetch(`https://assets.invalid/fonts/${name}`);
  if (!response.ok) throw new Error(`the font ${name} is missing: ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}
