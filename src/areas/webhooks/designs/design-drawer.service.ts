import { heavyWork } from '../../../platform/kit/heavy-work.ts';
import { createFontSource } from '../../../platform/kit/images/font-source.ts';
import { logError } from '../../../platform/kit/logging.ts';
import type { Drawing } from './design.domain.ts';

/** Draws a checked design as PNG; null when the renderer fails. Throws when fonts are unavailable, and 503 when the queue is full. */
export type RenderImage = (drawing: Drawing) => Promise<Uint8Array<ArrayBuffer> | null>;

/** One renderer per isolate; it caches the fonts. */
export function createImageRenderer(assets: Fetcher): RenderImage {
  const fonts = createFontSource(assets);
  return async ({ svg, costMs }) => {
    const loaded = await fonts();
    const { renderSvg } = await import('../../../platform/kit/images/svg-renderer.ts');
    return heavyWork.run(costMs, () =>
      renderSvg(svg, loaded).catch((error: unknown) => {
        logError('design could not be drawn', error, {});
        return null;
      }),
    );
  };
}
