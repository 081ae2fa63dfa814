import { notFound } from '../../../platform/errors/api-error.ts';
import type { AttachedReleases } from '../catalog.data.ts';
import type { CatalogRepository } from './catalog.repository.ts';
import { isVisible, lowerCase, type Mod, type ModAddress, type ModWithReleases, type Release } from './mod.domain.ts';

/** Result of a hash lookup. */
export interface LookupMatch {
  mod: Mod;
  release: Release;
  /** Other published releases of the mod; null if not requested. */
  releases: Release[] | null;
}

export interface CatalogService {
  /** Throws 404 for a hidden or unknown mod. */
  detail(address: ModAddress): Promise<ModWithReleases>;
  /** Public releases by hash, as sent. */
  lookup(hashes: readonly string[], attached: AttachedReleases): Promise<Map<string, LookupMatch>>;
}

const SHA256 = /^[0-9a-f]{64}$/;

/** Normalised handle and slug, case-insensitive. */
export function normalizeAddress({ handle, slug }: ModAddress): ModAddress {
  return { handle: lowerCase(handle), slug: lowerCase(slug) };
}

export function createCatalogService(catalog: CatalogRepository): CatalogService {
  return {
    async detail(address) {
      const mod = await catalog.find(normalizeAddress(address));
      if (!mod || !isVisible(mod)) throw notFound('mod not found');
      return { mod, releases: (await catalog.listReleases([mod.id])).get(mod.id) ?? [] };
    },

    async lookup(hashes, attached) {
      const sent = [...new Set(hashes)].filter((hash) => SHA256.test(lowerCase(hash)));
      const hits = await catalog.lookup([...new Set(sent.map(lowerCase))]);
      const modIds = [...new Set([...hits.values()].map(({ modId }) => modId))];
      const [mods, releases, attachedOf] = await Promise.all([
        catalog.findMods(modIds),
        catalog.findReleases([...hits.values()].map(({ releaseId }) => releaseId)),
        attached === 'none' ? null : catalog.listReleases(modIds, attached),
      ]);
      const matches = new Map<string, LookupMatch>();
      for (const hash of sent) {
        const hit = hits.get(lowerCase(hash));
        const mod = hit && mods.get(hit.modId);
        const release = hit && releases.get(hit.releaseId);
        if (mod && release) matches.set(hash, { mod, release, releases: attachedOf && (attachedOf.get(mod.id) ?? []) });
      }
      return matches;
    },
  };
}
