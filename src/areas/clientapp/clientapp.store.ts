import { and, desc, eq, getTableColumns, sql } from 'drizzle-orm';
import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import type { Database, PublicReads } from '../../platform/storage/database.ts';
import type { Commit, Tag } from './changelog.domain.ts';
import { type Channel, PLATFORMS, type Platform } from './clientapp.data.ts';
import { clientappChangelogs, clientappReleases } from './clientapp.tables.ts';
import { assetsForPlatform, type Release, type StoredRelease } from './releases.domain.ts';

/** A page of releases, newest first; `channel` null: both channels. */
export interface ReleasesQuery {
  channel: Channel | null;
  limit: number;
  offset: number;
}

/** Tags and commits of the last refresh. */
export interface StoredChangelog {
  tags: Tag[];
  commits: Commit[];
  rateLimited: boolean;
  /** Null before the first success. */
  fetchedAt: UnixSeconds | null;
}

export type ClientappStore = ReturnType<typeof createClientappStore>;

/** D1 allows 2 MB per bound value. */
const MAX_CHUNK_LENGTH = 500_000;
const NEWEST_FIRST = [desc(clientappReleases.publishedAt), desc(clientappReleases.releaseId)];

export function createClientappStore(db: Database, reads: PublicReads = db) {
  const isInChannel = (channel: Channel) => eq(clientappReleases.prerelease, channel === 'beta');
  const newestFor = (channel: Channel, platform: Platform) =>
    reads
      .select()
      .from(clientappReleases)
      .where(and(isInChannel(channel), eq(clientappReleases[platform], true)))
      .orderBy(...NEWEST_FIRST)
      .limit(1);

  return {
    /** Stores releases by id. If the list is complete, deletes releases that are not in it. */
    async saveReleases(releases: readonly Release[], fetchedAt: UnixSeconds, isComplete: boolean): Promise<void> {
      const ids = JSON.stringify(releases.map(({ releaseId }) => releaseId));
      const deleteOthers = db
        .delete(clientappReleases)
        .where(sql`${isComplete ? 1 : 0} = 1 AND ${clientappReleases.releaseId} NOT IN (SELECT value FROM json_each(${ids}))`);
      const upserts = chunksOf(releases).map((chunk) =>
        db
          .insert(clientappReleases)
          .select(selectRows(chunk, fetchedAt))
          .onConflictDoUpdate({ target: clientappReleases.releaseId, set: UPDATED_COLUMNS }),
      );
      await db.batch([deleteOthers, ...upserts]);
    },

    async listReleases({ channel, limit, offset }: ReleasesQuery): Promise<{ rows: StoredRelease[]; total: number }> {
      const condition = channel === null ? undefined : isInChannel(channel);
      const [rows, [counted]] = await reads.batch([
        reads
          .select()
          .from(clientappReleases)
          .where(condition)
          .orderBy(...NEWEST_FIRST)
          .limit(limit)
          .offset(offset),
        reads.select({ total: sql<number>`count(*)` }).from(clientappReleases).where(condition),
      ]);
      return { rows, total: counted?.total ?? 0 };
    },

    /** The newest release of the channel with a file for the platform, by platform; null if there is none. */
    async newestByPlatform(channel: Channel): Promise<Record<Platform, StoredRelease | null>> {
      const [windows, linux, android] = await reads.batch([
        newestFor(channel, 'windows'),
        newestFor(channel, 'linux'),
        newestFor(channel, 'android'),
      ]);
      return { windows: windows[0] ?? null, linux: linux[0] ?? null, android: android[0] ?? null };
    },

    findChangelog: (repo: string): Promise<StoredChangelog | null> => changelogIn(db, repo),
    /** The changelog at a replica, for clients. */
    findPublicChangelog: (repo: string): Promise<StoredChangelog | null> => changelogIn(reads, repo),

    async saveChangelog(repo: string, changelog: StoredChangelog): Promise<void> {
      const row = { repo, ...changelog };
      await db.insert(clientappChangelogs).values(row).onConflictDoUpdate({ target: clientappChangelogs.repo, set: row });
    },
  };
}

async function changelogIn(source: PublicReads, repo: string): Promise<StoredChangelog | null> {
  const [row] = await source.select().from(clientappChangelogs).where(eq(clientappChangelogs.repo, repo));
  return row ?? null;
}

/** Selects rows from JSON, with the columns in the order of the table. */
function selectRows(chunk: string, fetchedAt: UnixSeconds) {
  return sql`
    SELECT value->>'releaseId', value->>'tagName', value->>'name', value->>'body', value->>'htmlUrl', value->>'prerelease', value->>'publishedAt',
      ${fetchedAt}, value->'assets', value->>'windows', value->>'linux', value->>'android'
    FROM json_each(${chunk}) WHERE true`;
}

/** Updates of a stored release: all columns except the id. */
const UPDATED_COLUMNS = Object.fromEntries(
  Object.entries(getTableColumns(clientappReleases))
    .filter(([name]) => name !== 'releaseId')
    .map(([name, column]) => [name, sql.raw(`excluded.${column.name}`)]),
);

/** Splits releases into JSON arrays below the maximum size of a bound value. */
function chunksOf(releases: readonly Release[]): string[] {
  const chunks: string[][] = [];
  let length = Number.POSITIVE_INFINITY;
  for (const release of releases) {
    const row = JSON.stringify({ ...release, ...platformsOf(release) });
    if (length + row.length > MAX_CHUNK_LENGTH) {
      chunks.push([]);
      length = 0;
    }
    chunks.at(-1)?.push(row);
    length += row.length;
  }
  return chunks.map((rows) => `[${rows.join(',')}]`);
}

function platformsOf({ assets }: Release): Record<Platform, boolean> {
  const has = (platform: Platform) => assetsForPlatform(assets, platform).length > 0;
  return Object.fromEntries(PLATFORMS.map((platform) => [platform, has(platform)])) as Record<Platform, boolean>;
}
