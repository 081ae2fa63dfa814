import { notFound } from '../../../platform/errors/api-error.ts';
import type { UnixSeconds } from '../../../platform/time/clock.ts';
import type { Announcements } from '../insert/announcements.service.ts';
import { modReleaseData } from '../insert/mod-release-event.domain.ts';
import type { ModWrites } from '../insert/mod-writes.repository.ts';
import type { CatalogRepository } from './catalog.repository.ts';
import { storedAddress } from './catalog.service.ts';
import type { ModLinks } from './links.domain.ts';
import type { Mod, ModAddress } from './mod.domain.ts';

/** Moderation of mods. Throws 404 for an unknown mod. */
export interface Moderation {
  /** Shows a mod that waits or was taken down; releases of one that waited are announced unless they are silent. */
  approve(address: ModAddress, links: ModLinks, now: UnixSeconds): Promise<Mod>;
  takeDown(address: ModAddress, now: UnixSeconds): Promise<Mod>;
}

export function createModeration(catalog: CatalogRepository, writes: ModWrites, announcements: Pick<Announcements, 'deliver'>): Moderation {
  async function known(address: ModAddress): Promise<Mod> {
    const mod = await catalog.find(storedAddress(address));
    if (!mod) throw notFound('mod not found');
    return mod;
  }

  return {
    async approve(address, links, now) {
      const mod = await known(address);
      const isNews = !mod.isApproved && mod.visibility === 'public';
      const releases = isNews ? ((await catalog.releasesOf([mod.id])).get(mod.id) ?? []) : [];
      const told = releases
        .filter(({ isSilent }) => !isSilent)
        .map((release) => ({ releaseId: release.id, data: modReleaseData(mod, release, links) }));
      if (await writes.approve(mod, now, told)) for (const { releaseId } of told) await announcements.deliver(releaseId, { now });
      return known(address);
    },

    async takeDown(address, now) {
      await writes.takeDown(await known(address), now);
      return known(address);
    },
  };
}
