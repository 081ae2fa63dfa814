import { and, eq, type SQL, sql } from 'drizzle-orm';
import { outbox } from '../../../platform/durable/outbox.tables.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { Database } from '../../../platform/storage/database.ts';
import { MAX_RELEASES } from '../records/catalog.data.ts';
import { modImages, modReleases, mods } from '../records/catalog.tables.ts';
import type { Mod } from '../records/mod.domain.ts';
import { MOD_RELEASE } from '../records/mod-release-event.domain.ts';
import { nextVersion, releaseImagesStatement, type Statement } from '../records/mod-writes.store.ts';

/** A release in any state. */
export type ProjectRelease = typeof modReleases.$inferSelect;

type DraftTexts = Pick<ProjectRelease, 'tag' | 'branch' | 'title' | 'changelog' | 'isSilent' | 'sha256' | 'filename' | 'size'>;

/** Statements that write releases of a project, for transactions that fail when a guard does not hold. */
export function createReleaseStatements(db: Database) {
  const rowsOf = (modId: number) => sql`from ${modReleases} where mod_id = ${modId}`;
  const update = (id: string, set: Parameters<ReturnType<typeof db.update<typeof modReleases>>['set']>[0]): Statement =>
    db.update(modReleases).set(set).where(eq(modReleases.id, id));

  return {
    /** Stores a draft, if the project has room for it at the time of the write. */
    insertDraft({ size, ...row }: typeof modReleases.$inferInsert): Statement {
      const hasRoom = sql`(select count(*) ${rowsOf(row.modId)}) < ${MAX_RELEASES}`;
      return db.insert(modReleases).values({ ...row, size: sql`case when ${hasRoom} then ${size} end` });
    },

    updateDraft: ({ id }: ProjectRelease, texts: DraftTexts): Statement => update(id, texts),

    setImage: (id: string, image: ProjectRelease['image']): Statement => update(id, { image }),

    delete: (id: string): Statement => db.delete(modReleases).where(eq(modReleases.id, id)),

    /** Schedules the publication; null cancels it. */
    schedule: (id: string, publishAt: UnixSeconds | null): Statement =>
      update(id, publishAt === null ? { publishAt } : { publishAt, publishError: null }),

    /** Notes why a scheduled publication failed. */
    fail: (id: string, publishError: string): Statement => update(id, { publishAt: null, publishError }),

    /** Publishes a release and, if `isRising`, raises the time of the newest one of its mod. `isUnchanged`: guard of the release as it was read. */
    publish(
      mod: Pick<Mod, 'id' | 'version'>,
      { id, isSilent }: ProjectRelease,
      {
        isUnchanged,
        publishedAt,
        isRising,
        announcedAt,
        now,
      }: { isUnchanged: SQL; publishedAt: UnixSeconds; isRising: boolean; announcedAt: UnixSeconds | null; now: UnixSeconds },
    ): [Statement, Statement] {
      const newest = isSilent || !isRising ? 0 : publishedAt;
      return [
        db
          .update(mods)
          .set({ version: nextVersion(mod), updatedAt: now, lastReleaseAt: sql`max(${mods.lastReleaseAt}, ${newest})` })
          .where(eq(mods.id, mod.id)),
        update(id, {
          isPublished: sql`case when ${isUnchanged} then 1 end`,
          publishedAt,
          publishAt: null,
          publishError: null,
          announcedAt,
        }),
      ];
    },

    /** Takes the releases that were not announced out of the time of the newest one. */
    lowerStatement: (modId: number): Statement =>
      db
        .update(mods)
        .set({
          lastReleaseAt: sql`min(${mods.lastReleaseAt}, coalesce((select max(published_at) ${rowsOf(modId)} and is_published = 1 and is_silent = 0 and announced_at is not null), 0))`,
        })
        .where(eq(mods.id, modId)),

    /** Marks every published release of a mod as announced. */
    markAnnounced: (modId: number, now: UnixSeconds): Statement =>
      db
        .update(modReleases)
        .set({ announcedAt: now })
        .where(sql`${modReleases.modId} = ${modId} and ${modReleases.isPublished} = 1 and ${modReleases.announcedAt} is null`),

    /** Withdraws a published release with its image and its pending event. */
    withdraw(mod: Mod, { id, image }: ProjectRelease, reason: string, now: UnixSeconds): Statement[] {
      const newest = sql`(select max(published_at) ${rowsOf(mod.id)} and is_published = 1 and is_silent = 0)`;
      const usesImage = sql`${modImages.sha256} = ${image?.sha256 ?? ''} and ${modImages.modId} = ${mod.id}`;
      const isOfMod = [...mod.previews, ...(mod.banner ? [mod.banner] : [])].some(({ sha256 }) => sha256 === image?.sha256);
      return [
        update(id, { isPublished: false, withdrawnAt: now, withdrawReason: reason }),
        db
          .update(mods)
          .set({
            version: nextVersion(mod), // A release over the allowance of announcements never raised it.
            updatedAt: now,
            lastReleaseAt: sql`min(${mods.lastReleaseAt}, coalesce(${newest}, 0))`,
          })
          .where(eq(mods.id, mod.id)),
        ...(isOfMod ? [] : [db.delete(modImages).where(usesImage)]),
        // Another published release may have the same image.
        releaseImagesStatement(db, mod.id),
        db.delete(outbox).where(and(eq(outbox.kind, MOD_RELEASE), eq(outbox.key, id))),
      ];
    },
  };
}
