import { ApiError, notFound } from '../../../platform/kit/errors/api-error.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { Announcements } from '../insert/announcements.service.ts';
import { historyOf, modReleaseData } from '../insert/mod-release-event.domain.ts';
import type { ModWrites } from '../insert/mod-writes.repository.ts';
import type { CatalogRepository } from './catalog.repository.ts';
import { normalizeAddress } from './catalog.service.ts';
import type { ModLinks } from './links.domain.ts';
import type { Mod, ModAddress } from './mod.domain.ts';

/** Attempts of an approval with concurrent inserts. */
const MAX_ATTEMPTS = 5;

/** Moderation of mods. Throws 404 for an unknown mod. */
export interface Moderation {
  /** Makes a pending or taken-down mod visible. For a pending mod, sends the events of its releases that are not silent. Throws 409 after concurrent changes. */
  approve(address: ModAddress, links: ModLinks, now: UnixSeconds): Promise<Mod>;
  takeDown(address: ModAddress, now: UnixSeconds): Promise<Mod>;
}

export function createModeration(catalog: CatalogRepository, writes: ModWrites, announcements: Pick<Announcements, 'deliver'>): Moderation {
  async function findMod(address: ModAddress): Promise<Mod> {
    const mod = await catalog.find(normalizeAddress(address));
    if (!mod) throw notFound('mod not found');
    return mod;
  }

  return {
    async approve(address, links, now) {
      for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
        const mod = await findMod(address);
        if (mod.isApproved && mod.takenDownAt === null) return mod;
        const isNews = !mod.isApproved && mod.visibility === 'public';
        const releases = isNews ? ((await catalog.listReleases([mod.id])).get(mod.id) ?? []) : [];
        const pending = releases
          .filter(({ isSilent }) => !isSilent)
          .map((release) => ({ releaseId: release.id, data: modReleaseData(mod, release, historyOf(release, releases), links) }));
        if (!(await writes.approve(mod, now, pending))) continue;
        for (const { releaseId } of pending) await announcements.deliver(releaseId, { now });
        return findMod(address);
      }
      throw new ApiError('conflict', 'the mod was changed concurrently; repeat the request');
    },

    async takeDown(address, now) {
      await writes.takeDown(await findMod(address), now);
      return findMod(address);
    },
  };
}
