import { eq } from 'drizzle-orm';
import type { Database } from '../../../platform/storage/database.ts';
import type { Mod, Release } from '../catalog/mod.domain.ts';
import { modReleases, mods } from '../catalog.tables.ts';

/** A stored mirrored mod. */
export interface Mirrored {
  mod: Omit<Mod, 'forkCount'>;
  sourceImage: string | null;
  mirroredDownloads: number;
  /** The mirrored release; null if there is none. */
  release: Release | null;
  sourceFileId: string | null;
}

/** Mirrored mods. */
export interface MirrorRepository {
  find(sourceId: string): Promise<Mirrored | null>;
  saveCounts(modId: number, counts: { starCount: number; mirroredDownloads: number }): Promise<void>;
}

export function createMirrorRepository(db: Database): MirrorRepository {
  return {
    async find(sourceId) {
      const rows = await db
        .select({ mod: mods, release: modReleases })
        .from(mods)
        .leftJoin(modReleases, eq(modReleases.modId, mods.id))
        .where(eq(mods.sourceId, sourceId));
      const row = rows.find(({ release }) => release?.sourceFileId) ?? rows[0];
      if (!row) return null;
      const { mod, release } = row;
      const isMirrored = release?.sourceFileId != null;
      return {
        mod,
        sourceImage: mod.sourceImage,
        mirroredDownloads: mod.mirroredDownloads,
        release: isMirrored ? release : null,
        sourceFileId: isMirrored ? release.sourceFileId : null,
      };
    },

    async saveCounts(modId, counts) {
      await db.update(mods).set(counts).where(eq(mods.id, modId));
    },
  };
}
