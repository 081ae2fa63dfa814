import { and, eq, sql } from 'drizzle-orm';
import { outbox as outboxTable } from '../../../platform/durable/outbox.tables.ts';
import type { Attempt, Outbox } from '../../../platform/durable/outbox.ts';
import { SECONDS_PER_HOUR, type UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { type ContentStore, createContentStore, type Sha256, sha256Of } from '../../../platform/storage/content-store.ts';
import type { Database } from '../../../platform/storage/database.ts';
import { modImages, modReleases } from './catalog.tables.ts';
import type { Statement } from './mod-writes.store.ts';
import { FILE_DELETIONS } from './publishing.data.ts';

const FOLDER = 'projects';
const KIND = 'mod-project-content';
/** Longer than any request: contents to which no row refers by then are deleted. */
const UNREFERENCED_TTL_SECONDS = SECONDS_PER_HOUR;

interface ProjectContentsDeps {
  db: Database;
  bucket: R2Bucket;
  outbox: Outbox;
}

export type ProjectContents = ReturnType<typeof createProjectContents>;

/** The files and images that a bucket has for projects. Other areas have files of their own with the same hashes. */
const folderOf = (bucket: R2Bucket): ContentStore => createContentStore(bucket, FOLDER);

/** Files of the mods catalog: those of inserts and the mirror, which areas share, and those of projects. Writes store shared ones. */
export function createModFiles(bucket: R2Bucket, shared: ContentStore): ContentStore {
  const own = folderOf(bucket);
  return {
    ...shared,
    has: async (sha256) => (await shared.has(sha256)) || (await own.has(sha256)),
    open: async (sha256, range) => (await shared.open(sha256, range)) ?? (await own.open(sha256, range)),
    bytes: async (sha256) => (await shared.bytes(sha256)) ?? (await own.bytes(sha256)),
  };
}

/**
 * Published files and images of projects. Every write and every dropped reference queues a check in the outbox, which deletes contents that
 * no row refers to: a crash at any point leaves nothing behind, and the bytes of replaced and withdrawn contents are free.
 */
export function createProjectContents({ db, bucket, outbox }: ProjectContentsDeps) {
  const own = folderOf(bucket);
  const checks = outbox.kind({
    name: KIND,
    ...FILE_DELETIONS,
    async deliver({ key }) {
      if (!(await isReferenced(key))) await own.delete([key]);
      return { kind: 'done' };
    },
  });

  async function isReferenced(sha256: Sha256): Promise<boolean> {
    const [row] = await db.all<{ n: number }>(
      sql`select exists (select 1 from ${modImages} where sha256 = ${sha256}) or exists (select 1 from ${modReleases} where sha256 = ${sha256} and is_published = 1) as n`,
    );
    return row?.n === 1;
  }

  /** Postpones the check of a hash. Returns false while one runs. */
  async function postpone(sha256: Sha256, now: UnixSeconds): Promise<boolean> {
    const checkAt = now + UNREFERENCED_TTL_SECONDS;
    const check = and(eq(outboxTable.kind, KIND), eq(outboxTable.key, sha256));
    await db.batch([db.delete(outboxTable).where(and(check, eq(outboxTable.leaseUntil, 0))), checks.insertion({ key: sha256 }, checkAt)]);
    const [queued] = await db.select({ nextTryAt: outboxTable.nextTryAt }).from(outboxTable).where(check);
    return queued?.nextTryAt === checkAt;
  }

  return {
    /** Stores bytes. Returns false while earlier contents with the same hash are checked; the client repeats the request. */
    async put(bytes: Uint8Array<ArrayBuffer>, now: UnixSeconds): Promise<boolean> {
      if (!(await postpone(await sha256Of(bytes), now))) return false;
      await own.put(bytes);
      return true;
    },

    /** Stores a stream with a known hash. Returns false as `put`. */
    async putStream(file: Parameters<ContentStore['putStream']>[0], now: UnixSeconds): Promise<boolean> {
      if (!(await postpone(file.sha256, now))) return false;
      await own.putStream(file);
      return true;
    },

    /** Queues the check of a hash to which a row of the transaction no longer refers. */
    dropStatement: (sha256: Sha256, now: UnixSeconds): Statement => checks.insertion({ key: sha256 }, now),

    /** Makes the checks that are due. */
    drain: (attempt: Attempt): Promise<void> => checks.drain(attempt),
  };
}
