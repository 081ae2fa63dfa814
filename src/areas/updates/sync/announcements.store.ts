import { and, desc, eq, isNotNull, lt, sql } from 'drizzle-orm';
import type { Database } from '../../../platform/storage/database.ts';
import type { Version } from '../archive.domain.ts';
import { archiveBranches, archiveVersions } from '../updates.tables.ts';

/** A version with a pending event. */
interface PendingAnnouncement {
  branch: string;
  ordinal: number;
}

/** Publication state of version events. */
export type AnnouncementsStore = ReturnType<typeof createAnnouncementsStore>;

export function createAnnouncementsStore(db: Database) {
  return {
    /** Newest complete version of each branch with a pending event. */
    listPending: (): Promise<PendingAnnouncement[]> =>
      db
        .select({ branch: archiveBranches.branch, ordinal: archiveBranches.currentOrdinal })
        .from(archiveBranches)
        .where(lt(archiveBranches.announcedOrdinal, archiveBranches.currentOrdinal)),

    /** Marks versions up to this one as published. */
    async markAnnounced({ branch, ordinal }: PendingAnnouncement): Promise<void> {
      await db
        .update(archiveBranches)
        .set({ announcedOrdinal: sql`max(${archiveBranches.announcedOrdinal}, ${ordinal})` })
        .where(eq(archiveBranches.branch, branch));
    },

    /** Newest complete version of a branch; null before the first. */
    async newestVersion(branch: string): Promise<Version | null> {
      const [version] = await db
        .select()
        .from(archiveVersions)
        .where(and(eq(archiveVersions.branch, branch), isNotNull(archiveVersions.completedAt)))
        .orderBy(desc(archiveVersions.ordinal))
        .limit(1);
      return version ?? null;
    },
  };
}
