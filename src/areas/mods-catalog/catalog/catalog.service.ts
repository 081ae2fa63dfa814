import { MAX_BATCH_BYTES, responseTooLarge } from '../../../platform/http/replies/response-size.ts';
import { notFound } from '../../../platform/kit/errors/api-error.ts';
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
  /**
   * Public releases by hash, in the spelling that was sent first. Throws 422 when the texts of the mods and their releases are longer than
   * a response may be.
   */
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
      const found = await catalog.findWithReleases(normalizeAddress(address));
      if (!found || !isVisible(found.mod)) throw notFound('mod not found');
      return found;
    },

    async lookup(hashes, attached) {
      const sent = new Map<string, string>();
      for (const hash of hashes) {
        const sha256 = lowerCase(hash);
        if (SHA256.test(sha256) && !sent.has(sha256)) sent.set(sha256, hash);
      }
      const hits = await catalog.lookup([...sent.keys()]);
      const modIds = [...new Set([...hits.values()].map(({ modId }) => modId))];
      if ((await catalog.countBytes(modIds, attached)) > MAX_BATCH_BYTES) throw responseTooLarge('body', 'hashes');
      const [mods, releases, attachedOf] = await Promise.all([
        catalog.findMods(modIds),
        catalog.findReleases([...hits.values()].map(({ releaseId }) => releaseId)),
        attached === 'none' ? null : catalog.listReleases(modIds, attached),
      ]);
      const matches = new Map<string, LookupMatch>();
      for (const [sha256, hash] of sent) {
        const hit = hits.get(sha256);
        const mod = hit && mods.get(hit.modId);
        const release = hit && releases.get(hit.releaseId);
        if (mod && release) matches.set(hash, { mod, release, releases: attachedOf && (attachedOf.get(mod.id) ?? []) });
      }
      return matches;
    },
  };
}
