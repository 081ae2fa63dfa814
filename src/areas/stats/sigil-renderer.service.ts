import { heavyWork } from '../../platform/kit/heavy-work.ts';
import { BoundedMap } from '../../platform/storage/memory-caches.ts';
import { SIGIL_ART_VERSION } from './sigil.data.ts';
import { type SigilScale, type SigilTiers, sigilSvg } from './sigil.domain.ts';

/** Cached images per isolate, of 390 tiers in 2 scales; 6 to 30 KB each, at most 3 MB in total. */
const MAX_CACHED_IMAGES = 100;
/** Typical CPU time of an image, in milliseconds. */
const DRAW_MS = 30;

/** PNG bytes of a sigil. */
export type SigilRenderer = (tiers: SigilTiers, scale: SigilScale) => Promise<Uint8Array<ArrayBuffer>>;

/** ETag, known before rendering: tiers, scale and art version determine the bytes. */
export function sigilTag({ shield, wings }: SigilTiers, scale: SigilScale): string {
  return `"sigil-${SIGIL_ART_VERSION}-${shield}-${wings}-${scale}"`;
}

/** Renders sigils with an LRU cache. */
export function createSigilRenderer(): SigilRenderer {
  const cache = new BoundedMap<string, Uint8Array<ArrayBuffer>>(MAX_CACHED_IMAGES);
  return async (tiers, scale) => {
    const key = sigilTag(tiers, scale);
    const cached = cache.get(key);
    if (cached) return cached;
    const { renderSvg } = await import('../../platform/kit/images/svg-renderer.ts');
    const png = await heavyWork.run(DRAW_MS, () => renderSvg(sigilSvg(tiers, scale)));
    cache.set(key, png);
    return png;
  };
}
