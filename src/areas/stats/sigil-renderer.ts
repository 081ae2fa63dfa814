import { heavyWork } from '../../platform/heavy-work.ts';
import { renderSvg } from '../../platform/pictures/svg-renderer.ts';
import { BoundedMap } from '../../platform/storage/bounded-map.ts';
import { SIGIL_ART_VERSION } from './sigil.data.ts';
import { type SigilScale, type SigilTiers, sigilSvg } from './sigil.domain.ts';

/** Maximum cached images per isolate, of 780 in total; 6 to 30 KB each, at most 3 MB. */
const MAX_CACHED_IMAGES = 100;
/** Processor time of a picture. */
const DRAW_MS = 30;

/** PNG bytes of a sigil. */
export type SigilRenderer = (tiers: SigilTiers, scale: SigilScale) => Promise<Uint8Array<ArrayBuffer>>;

/** ETag before rendering: the same tiers, scale and art version always render the same bytes. */
export function sigilTag({ shield, wings }: SigilTiers, scale: SigilScale): string {
  return `"sigil-${SIGIL_ART_VERSION}-${shield}-${wings}-${scale}"`;
}

/** Renders sigils with an LRU cache. */
export function createSigilRenderer(): SigilRenderer {
  const kept = new BoundedMap<string, Uint8Array<ArrayBuffer>>(MAX_CACHED_IMAGES);
  return async (tiers, scale) => {
    const key = sigilTag(tiers, scale);
    const known = kept.get(key);
    if (known) return known;
    const png = await heavyWork.run(DRAW_MS, () => renderSvg(sigilSvg(tiers, scale)));
    kept.set(key, png);
    return png;
  };
}
