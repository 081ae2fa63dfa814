import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import { unionAll } from 'drizzle-orm/sqlite-core';
import { type Outbox, outboxInsertion } from '../../../platform/durable/outbox.ts';
import type { RetryPolicy } from '../../../platform/durable/retry-policy.domain.ts';
import type { EventFacts } from '../../../platform/events/event-declaration.ts';
import type { EventPublisher } from '../../../platform/events/event-source.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { foldCase } from '../../../platform/kit/values/fold.ts';
import type { Database } from '../../../platform/storage/database.ts';
import { MAX_RELEASES, STRAY_HANDLE } from './catalog.data.ts';
import { modAuthors, modImages, modReleasePriorHashes, modReleases, mods, modTags } from './catalog.tables.ts';
import { createFileClaims } from './file-claims.store.ts';
import { authorKeys, type Mod, type ModAddress, type ModDetails, pathOf, type Release, searchTextOf } from './mod.domain.ts';
import { historyOf, MOD_RELEASE, type ReleaseHistory } from './mod-release-event.domain.ts';
import { projectAccounts, projectMembers, projectTakeDowns } from './publishing.tables.ts';

/** A release to write; downloads are counted separately. */
export type ReleaseRow = Omit<Release, 'modId' | 'downloadCount' | 'image'> & { sourceFileId?: string | null };

/** Fields of a mirrored mod. */
interface MirroredFields {
  sourceId: string;
  sourceImage: string | null;
  starCount: number;
  mirroredDownloads: number;
}

/** A mod and at most one release, written in one transaction. */
export interface ModWrite {
  address: ModAddress;
  details: ModDetails;
  /** The mod as read before; null for a new one. */
  before: Pick<Mod, 'id' | 'version'> | null;
  isApproved: boolean;
  createdAt: UnixSeconds;
  updatedAt: UnixSeconds;
  mirrored?: MirroredFields;
  release: ReleaseRow | null;
  /** Published release that the new one overwrites, keeping the old id. Its hash remains known. */
  replaces?: Pick<Release, 'id' | 'sha256'> | null;
  /** Data of the event to announce; null for none. */
  announcement: string | null;
  /** Further statements of the transaction, such as the members of a new project. */
  extra?: readonly Statement[];
}

/** A pending release event. */
interface Announcement {
  releaseId: string;
  data: string;
}

export type Statement = BatchItem<'sqlite'>;

/** Audit entry and mails about a moderator's decision, for its transaction. `onlyIf`: the transaction fails unless it holds. */
export interface ModerationNotice {
  statements(onlyIf?: SQL): Statement[];
  /** Sends the mails now; their job sends those that this does not. */
  send(): Promise<void>;
}

export type ModWrites = ReturnType<typeof createModWrites>;

/** Writes of mods and releases, each in one transaction that fails when the mod has changed since it was read. */
export function createModWrites(db: Database) {
  const at = ({ handle, slug }: ModAddress) => and(eq(mods.handle, handle), eq(mods.slug, slug));

  const files = createFileClaims(db);

  const save = (statements: [Statement, ...Statement[]]) => saveUnlessChanged(db, statements);

  return {
    /** Returns false and stores nothing if the mod or the release has changed since it was read, or its file became one of another handle. */
    save: (write: ModWrite): Promise<boolean> =>
      save([modStatement(db, write), ...indexStatements(db, write), ...releaseStatements(db, write), ...(write.extra ?? [])]),

    /** A release by branch and tag, published or not. */
    async findRelease(modId: number, branch: string, tag: string): Promise<Release | null> {
      const where = and(eq(modReleases.modId, modId), eq(modReleases.branch, branch), eq(modReleases.tag, tag));
      const [row] = await db.select().from(modReleases).where(where);
      return row ?? null;
    },

    async countReleases(modId: number): Promise<number> {
      const [row] = await db.select({ n: sql<number>`count(*)` }).from(modReleases).where(eq(modReleases.modId, modId));
      return row?.n ?? 0;
    },

    /** What a release follows among the stored releases of its mod. */
    async findHistory(modId: number, release: Pick<Release, 'id' | 'branch' | 'isPublished' | 'publishedAt'>): Promise<ReleaseHistory> {
      const { id, branch, tag, isPublished, publishedAt } = modReleases;
      const where = and(eq(modReleases.modId, modId), eq(branch, release.branch));
      const { previous, releaseCount } = historyOf(
        release,
        await db.select({ id, branch, tag, isPublished, publishedAt }).from(modReleases).where(where).limit(MAX_RELEASES),
      );
      const [row] = previous ? await db.select().from(modReleases).where(eq(id, previous.id)) : [];
      return { previous: row ?? null, releaseCount };
    },

    findRefusal: files.findRefusal,

    /** Approves a mod and queues its events. Returns false and stores nothing if the mod has changed since it was read. */
    approve(
      before: Pick<Mod, 'id' | 'version'>,
      now: UnixSeconds,
      announcements: readonly Announcement[],
      extra: readonly Statement[],
    ): Promise<boolean> {
      return save([
        db
          .update(mods)
          .set({ isApproved: true, takenDownAt: null, updatedAt: now, version: nextVersion(before) })
          .where(eq(mods.id, before.id)),
        db
          .update(modReleases)
          .set({ announcedAt: now })
          .where(and(eq(modReleases.modId, before.id), eq(modReleases.isPublished, true), isNull(modReleases.announcedAt))),
        files.allowStatement(before.id),
        db.delete(projectTakeDowns).where(eq(projectTakeDowns.projectId, before.id)),
        ...announcements.map((announcement) => announceStatement(db, announcement, now)),
        ...extra,
      ]);
    },

    /**
     * Hides a mod, refuses its files, and makes what its owners publish wait for approval. Returns false and stores nothing if the mod is
     * already taken down. `extra`: a statement among them fails unless the condition holds.
     */
    takeDown(address: ModAddress, now: UnixSeconds, extra: (isUp: SQL) => readonly Statement[]): Promise<boolean> {
      const id = idOf(address);
      const isUp = and(at(address), isNull(mods.takenDownAt));
      const [first, ...more]: Statement[] = [
        ...extra(sql`exists (select 1 from ${mods} where ${isUp})`),
        db
          .update(mods)
          .set({ takenDownAt: now, updatedAt: now, version: sql`${mods.version} + 1` })
          .where(isUp),
        files.refuseStatement(id, now),
        db
          .insert(projectTakeDowns)
          .select(
            sql`select project_id, user_id, ${now} from (select project_id, user_id from ${projectMembers} where role = 'owner' union select project_id, user_id from ${projectAccounts} where user_id is not null) where project_id = ${id}`,
          )
          .onConflictDoNothing(),
      ];
      return first ? save([first, ...more]) : Promise.resolve(false);
    },
  };
}

/** Runs a transaction. Returns false and stores nothing if a statement breaks a constraint: guards of concurrent changes do. */
export async function saveUnlessChanged(db: Database, [first, ...more]: [Statement, ...Statement[]]): Promise<boolean> {
  try {
    await db.batch([first, ...more]);
    return true;
  } catch (error) {
    if (isConstraintFailure(error)) return false;
    throw error;
  }
}

/** Whether a batch failed because a row has changed since it was read. */
function isConstraintFailure(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (/constraint failed/i.test(cause.message)) return true;
  return false;
}

/** The raised version of a mod; null if it has changed since it was read, which fails the batch. */
export const nextVersion = ({ version }: Pick<Mod, 'version'>) => sql`case when ${mods.version} = ${version} then ${version + 1} end`;

/** Writes the row of the mod, unless its version has changed since it was read. */
function modStatement(db: Database, write: ModWrite): Statement {
  const { address, details, before, isApproved, createdAt, updatedAt, mirrored, release } = write;
  const columns = {
    ...details,
    ...mirrored,
    forkedFromPath: details.forkedFrom && pathOf(details.forkedFrom),
    sortTitle: foldCase(details.title),
    searchText: searchTextOf(details),
    updatedAt,
    isApproved,
  };
  // `isSilent` of a mirrored release only suppresses the event.
  const isCounted = release?.isPublished && (!release.isSilent || mirrored);
  const published = isCounted ? (release.publishedAt ?? 0) : 0;
  if (!before) {
    const isStray = address.handle === STRAY_HANDLE;
    return db.insert(mods).values({ ...address, ...columns, isStray, createdAt, lastReleaseAt: published });
  }
  const lastReleaseAt = sql`max(${mods.lastReleaseAt}, ${published})`;
  return db
    .update(mods)
    .set({ ...columns, version: nextVersion(before), lastReleaseAt })
    .where(eq(mods.id, before.id));
}

/** Index rows of tags, authors and images. */
function indexStatements(db: Database, { address, details }: ModWrite): Statement[] {
  const modId = idOf(address);
  const images = [...(details.banner ? [details.banner] : []), ...details.previews];
  const items = (values: readonly unknown[]) => sql`json_each(${JSON.stringify(values)})`;
  const tags = items(details.tags.map(foldCase));
  return [
    // Tags that stay are not written again: each write also changes the count of its tag.
    db.delete(modTags).where(and(eq(modTags.modId, modId), sql`${modTags.tag} not in (select value from ${tags})`)),
    db.insert(modTags).select(sql`select ${modId}, value from ${tags} where true`).onConflictDoNothing(),
    db.delete(modAuthors).where(eq(modAuthors.modId, modId)),
    db.insert(modAuthors).select(sql`select ${modId}, value from ${items(authorKeys({ ...address, author: details.author }))}`),
    db.delete(modImages).where(eq(modImages.modId, modId)),
    db
      .insert(modImages)
      .select(sql`select ${modId}, value ->> 'sha256', value ->> 'contentType', value ->> 'size' from ${items(images)} where true`)
      .onConflictDoNothing(),
    releaseImagesStatement(db, modId),
  ];
}

/** Index rows of the images of published releases. */
export function releaseImagesStatement(db: Database, modId: SQL<number> | number): Statement {
  const image = (name: string) => sql.raw(`image ->> '${name}'`);
  const columns = sql`${modId}, ${image('sha256')}, ${image('contentType')}, ${image('size')}`;
  return db
    .insert(modImages)
    .select(sql`select ${columns} from ${modReleases} where mod_id = ${modId} and image is not null and is_published = 1`)
    .onConflictDoNothing();
}

/** Writes the release, if its file is not refused, and its pending event. */
function releaseStatements(db: Database, { address, release, replaces, announcement, updatedAt }: ModWrite): Statement[] {
  if (!release) return [];
  const modId = idOf(address);
  const { id, branch, tag, ...columns } = release;
  const isSameRelease = and(eq(modReleases.modId, modId), eq(modReleases.branch, branch), eq(modReleases.tag, tag));
  const statements: Statement[] = replaces
    ? [
        db
          .update(modReleases)
          .set({ branch, tag, ...columns })
          .where(eq(modReleases.id, replaces.id)),
        db.insert(modReleasePriorHashes).values({ sha256: replaces.sha256, releaseId: replaces.id }).onConflictDoNothing(),
      ]
    : [
        // Replaces a draft. A published release with this branch and tag fails the batch by the unique index.
        db.delete(modReleases).where(and(isSameRelease, eq(modReleases.isPublished, false))),
        db.insert(modReleases).values({ ...release, modId }),
      ];
  if (release.isPublished) statements.push(createFileClaims(db).guardStatement(modId, release, address.handle));
  if (announcement !== null) statements.push(announceStatement(db, { releaseId: id, data: announcement }, updatedAt));
  return statements;
}

/** Id of the mod at an address, as a subquery. */
export const idOf = ({ handle, slug }: ModAddress) =>
  sql<number>`(select ${mods.id} from ${mods} where ${mods.handle} = ${handle} and ${mods.slug} = ${slug})`;

/** Retries with every run of the job, once a minute, without limit. */
const POLICY: RetryPolicy = { tries: null, firstPauseSeconds: 30, factor: 1, longestPauseSeconds: 30 };
const LEASE_SECONDS = 30;
const BATCH_SIZE = 50;

export type Announcements = ReturnType<typeof createAnnouncements>;

/** Queue of pending release events. The event stream deduplicates by release id. */
export function createAnnouncements(outbox: Outbox, events: Pick<EventPublisher, 'announce'>) {
  return outbox.kind({
    name: MOD_RELEASE,
    policy: POLICY,
    leaseSeconds: LEASE_SECONDS,
    batch: BATCH_SIZE,
    concurrency: 1,
    async deliver({ key, payload }, { now }) {
      const isAccepted = await events.announce(MOD_RELEASE, key, payload, now);
      return isAccepted ? { kind: 'done' } : { kind: 'retry', reason: 'event stream rejected the event' };
    },
  });
}

/** Queues the event of a release in the transaction that publishes it. */
export function announceStatement(db: Database, { releaseId, data }: Announcement, now: UnixSeconds) {
  return outboxInsertion(db, MOD_RELEASE, { key: releaseId, payload: data }, now);
}

/** Reader of the authors and tags of a mod, which the body of its release lacks, in lower case. */
export function createReleaseFacts(db: Database): NonNullable<EventFacts['mod_release']> {
  return ({ project: { owner, slug } }) => {
    const isMod = and(eq(mods.handle, owner), eq(mods.slug, slug));
    return unionAll(
      db
        .select({ name: sql<string>`'author'`, value: modAuthors.name })
        .from(modAuthors)
        .innerJoin(mods, eq(mods.id, modAuthors.modId))
        .where(isMod),
      db.select({ name: sql<string>`'tag'`, value: modTags.tag }).from(modTags).innerJoin(mods, eq(mods.id, modTags.modId)).where(isMod),
    );
  };
}
