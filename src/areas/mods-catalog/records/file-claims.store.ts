import { eq, or, type SQL, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { Database } from '../../../platform/storage/database.ts';
import { modArtifactOwners, modRefusedFiles, modReleasePriorHashes, modReleases, mods } from './catalog.tables.ts';

/** Hashes of a file: whole, and without the header of a `.tmod`, which every upload changes. */
export interface FileHashes {
  sha256: string;
  contentSha256?: string | null | undefined;
}

/** Why a handle may not publish a file. */
export type FileRefusal = 'taken down' | 'of another handle';

export const FILE_REFUSALS: Readonly<Record<FileRefusal, string>> = {
  'taken down': 'the file was taken down by a moderator',
  'of another handle': 'the file was already published by another handle',
};

/** What moderators decided about a file, and who has it public. */
export interface FileState {
  /** Handle that moderators gave the file to; null for none. */
  given: string | null;
  isRefused: boolean;
  /** Handles of public mods with the file, the first publication first. */
  handles: string[];
}

const MAX_HANDLES = 20;

/**
 * Who may publish a file. A file belongs to the handle that moderators gave it to, otherwise to those whose public mods have it; private,
 * withdrawn and taken-down releases own nothing. A file that was taken down is refused for every handle.
 */
export function createFileClaims(db: Database) {
  const isPublic = (sha256: SQL, where: SQL) =>
    sql`exists (select 1 from ${modReleases} r join ${mods} m on m.id = r.mod_id where r.sha256 = ${sha256} and r.is_published = 1 and m.is_visible = 1 and ${where})`;
  const refused = (sha256: SQL, content: SQL) => sql`exists (select 1 from ${modRefusedFiles} where sha256 in (${sha256}, ${content}))`;
  const foreign = (sha256: SQL, handle: SQL) =>
    sql`coalesce((select handle <> ${handle} from ${modArtifactOwners} where sha256 = ${sha256}), ${isPublic(sha256, sql`m.handle <> ${handle}`)})`;
  const hashes = ({ sha256, contentSha256 }: FileHashes) => [sql`${sha256}`, sql`${contentSha256 ?? sha256}`] as const;

  return {
    /** Why a handle may not publish a file; null when it may. */
    async findRefusal(file: FileHashes, handle: string): Promise<FileRefusal | null> {
      const [sha256, content] = hashes(file);
      const [row] = await db.all<{ refused: number; foreign: number }>(
        sql`select ${refused(sha256, content)} as "refused", ${foreign(sha256, sql`${handle}`)} as "foreign"`,
      );
      if (row?.refused === 1) return 'taken down';
      return row?.foreign === 1 ? 'of another handle' : null;
    },

    /** Fails its transaction when the handle may not publish the file. */
    guardStatement(modId: number | SQL<number>, file: FileHashes, handle: string): BatchItem<'sqlite'> {
      const [sha256, content] = hashes(file);
      return db
        .update(mods)
        .set({ version: sql`case when not ${refused(sha256, content)} and not ${foreign(sha256, sql`${handle}`)} then version end` })
        .where(sql`${mods.id} = ${modId}`);
    },

    /** Whether a mod that becomes public has published releases that its handle may not publish. */
    refusedReleases: (modId: number, handle: string): SQL =>
      sql`exists (select 1 from ${modReleases} p where p.mod_id = ${modId} and p.is_published = 1 and (${refused(sql`p.sha256`, sql`p.content_sha256`)} or ${foreign(sql`p.sha256`, sql`${handle}`)}))`,

    /** Refuses the files that a mod has published, except those that another public mod has too: a copy must not block its original. */
    refuseStatement(modId: SQL | number, now: UnixSeconds): BatchItem<'sqlite'> {
      const published = sql`from ${modReleases} where mod_id = ${modId} and published_at is not null`;
      const found = sql`select sha256 ${published} union select content_sha256 ${published} and content_sha256 is not null union select sha256 from ${modReleasePriorHashes} where release_id in (select id ${published})`;
      const isElsewhere = sql`exists (select 1 from ${modReleases} r join ${mods} m on m.id = r.mod_id where (r.sha256 = f.sha256 or r.content_sha256 = f.sha256) and r.is_published = 1 and m.is_visible = 1 and m.id <> ${modId})`;
      return db
        .insert(modRefusedFiles)
        .select(sql`select f.sha256, ${modId}, ${now} from (${found}) f where ${modId} is not null and not ${isElsewhere}`)
        .onConflictDoNothing();
    },

    /** Allows the files that the take-down of a mod refused. */
    allowStatement: (modId: number): BatchItem<'sqlite'> => db.delete(modRefusedFiles).where(eq(modRefusedFiles.modId, modId)),

    async find(sha256: string): Promise<FileState> {
      const [given, [row], handles] = await Promise.all([
        db.select().from(modArtifactOwners).where(eq(modArtifactOwners.sha256, sha256)),
        db.all<{ n: number }>(
          sql`select exists (select 1 from ${modRefusedFiles} where sha256 = ${sha256} or sha256 in (select content_sha256 from ${modReleases} where sha256 = ${sha256})) as n`,
        ),
        db.all<{ handle: string }>(
          sql`select m.handle as handle, min(r.published_at) as at from ${modReleases} r join ${mods} m on m.id = r.mod_id where r.sha256 = ${sha256} and r.is_published = 1 and m.is_visible = 1 group by m.handle order by at limit ${MAX_HANDLES}`,
        ),
      ]);
      return { given: given[0]?.handle ?? null, isRefused: row?.n === 1, handles: handles.map(({ handle }) => handle) };
    },

    /** Gives a file to a handle; null leaves it to those who have it public. */
    async give(sha256: string, handle: string | null): Promise<void> {
      if (handle === null) await db.delete(modArtifactOwners).where(eq(modArtifactOwners.sha256, sha256));
      else
        await db
          .insert(modArtifactOwners)
          .values({ sha256, handle })
          .onConflictDoUpdate({ target: modArtifactOwners.sha256, set: { handle } });
    },

    /** Refuses a file for everyone, or allows it again, also without its header. */
    async setRefused(sha256: string, isRefused: boolean, now: UnixSeconds): Promise<void> {
      const contents = sql`select content_sha256 from ${modReleases} where sha256 = ${sha256} and content_sha256 is not null`;
      if (isRefused) {
        await db
          .insert(modRefusedFiles)
          .select(sql`select h.sha256, 0, ${now} from (select ${sha256} as sha256 union ${contents}) h where true`)
          .onConflictDoNothing();
      } else {
        await db.delete(modRefusedFiles).where(or(eq(modRefusedFiles.sha256, sha256), sql`sha256 in (${contents})`));
      }
    },
  };
}

export type FileClaims = ReturnType<typeof createFileClaims>;
