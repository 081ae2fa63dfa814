import { notFound } from '../../../platform/errors/api-error.ts';
import type { UnixSeconds } from '../../../platform/time/clock.ts';
import type { Announcements } from '../insert/announcements.service.ts';
import { modReleaseData } from '../insert/mod-release-event.domain.ts';
import type { ModWrites } from '../insert/mod-writes.repository.ts';
import type { CatalogRepository } from './catalog.repository.ts';
import { normalizeAddress } from './catalog.service.ts';
import type { ModLinks } from './links.domain.ts';
import type { Mod, ModAddress } from './mod.domain.ts';

/** Moderation of mods. Throws 404 for an unknown mod. */
export interface Moderation {
  /** Makes a pending or taken-down mod visible. For a pending mod, sends the events of its releases that are not silent. */
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
      const mod = await findMod(address);
      const isNews = !mod.isApproved && mod.visibility === 'public';
      const releases = isNews ? ((await catalog.listReleases([mod.id])).get(mod.id) ?? []) : [];
      const pending = releases
        .filter(({ isSilent }) => !isSilent)
        .map((release) => ({ releaseId: release.id, data: modReleaseData(mod, release, links) }));
      if (await writes.approve(mod, now, pending)) for (const { releaseId } of pending) await announcements.deliver(releaseId, { now });
      return findMod(address);
    },

    async takeDown(address, now) {
      await writes.takeDown(await findMod(address), now);
      return findMod(address);
    },
  };
}
