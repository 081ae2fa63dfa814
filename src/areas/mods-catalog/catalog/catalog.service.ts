import { notFound } from '../../../platform/errors/api-error.ts';
import type { AttachedReleases } from '../catalog.data.ts';
import type { CatalogRepository } from './catalog.repository.ts';
import { folded, isVisible, type Mod, type ModAddress, type ModWithReleases, type Release } from './mod.domain.ts';

/** A file that was recognised by its hash. */
export interface Recognised {
  mod: Mod;
  release: Release;
  /** Other published releases of the mod; null if not requested. */
  releases: Release[] | null;
}

/** Public reads of single mods. */
export interface CatalogService {
  /** Throws 404 for a hidden mod. */
  detail(address: ModAddress): Promise<ModWithReleases>;
  /** Public releases by hash, as it was sent. */
  lookup(hashes: readonly string[], attached: AttachedReleases): Promise<Map<string, Recognised>>;
}

const SHA256 = /^[0-9a-f]{64}$/;

/** Normalised handle and slug, case-insensitive. */
export function storedAddress({ handle, slug }: ModAddress): ModAddress {
  return { handle: folded(handle), slug: folded(slug) };
}

export function createCatalogService(catalog: CatalogRepository): CatalogService {
  return {
    async detail(address) {
      const mod = await catalog.find(storedAddress(address));
      if (!mod || !isVisible(mod)) throw notFound('mod not found');
      return { mod, releases: (await catalog.releasesOf([mod.id])).get(mod.id) ?? [] };
    },

    async lookup(hashes, attached) {
      const sent = [...new Set(hashes)].filter((hash) => SHA256.test(folded(hash)));
      const hits = await catalog.lookup([...new Set(sent.map(folded))]);
      const modIds = [...new Set([...hits.values()].map(({ modId }) => modId))];
      const [mods, releases, attachedOf] = await Promise.all([
        catalog.modsById(modIds),
        catalog.releasesById([...hits.values()].map(({ releaseId }) => releaseId)),
        attached === 'none' ? null : catalog.releasesOf(modIds, attached),
      ]);
      const recognised = new Map<string, Recognised>();
      for (const hash of sent) {
        const hit = hits.get(folded(hash));
        const mod = hit && mods.get(hit.modId);
        const release = hit && releases.get(hit.releaseId);
        if (mod && release) recognised.set(hash, { mod, release, releases: attachedOf && (attachedOf.get(mod.id) ?? []) });
      }
      return recognised;
    },
  };
}
