import { and, eq } from 'drizzle-orm';
import { outbox as outboxTable } from '../../../platform/durable/outbox.tables.ts';
import type { Attempt, Outbox } from '../../../platform/durable/outbox.ts';
import { SECONDS_PER_HOUR, type UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { type ContentStore, type Sha256, sha256Of } from '../../../platform/storage/content-store.ts';
import type { Database } from '../../../platform/storage/database.ts';
import type { Statement } from '../records/mod-writes.store.ts';
import type { ProjectContents } from '../records/project-contents.store.ts';
import { FILE_DELETIONS } from '../records/publishing.data.ts';
import type { ProjectRelease } from './releases.store.ts';

const FOLDER = 'drafts';
const KIND = 'mod-draft-file';
/** Longer than any upload: a file whose release is not stored by then is deleted. */
const UNSTORED_TTL_SECONDS = SECONDS_PER_HOUR;

/** A file or an image of an unpublished release. */
interface DraftFile {
  releaseId: string;
  sha256: Sha256;
}

interface DraftFilesDeps {
  db: Database;
  bucket: R2Bucket;
  store: ContentStore;
  contents: Pick<ProjectContents, 'putStream'>;
  outbox: Outbox;
}

export type DraftFiles = ReturnType<typeof createDraftFiles>;

/** The files of an unpublished release: the artifact and its image. */
export const filesOf = ({ id, sha256, image }: Pick<ProjectRelease, 'id' | 'sha256' | 'image'>): DraftFile[] =>
  [sha256, ...(image && image.sha256 !== sha256 ? [image.sha256] : [])].map((hash) => ({ releaseId: id, sha256: hash }));

/**
 * Files of unpublished releases, in a folder of their own: each belongs to one release and is deleted with it. Once the release is published,
 * its files are contents of projects.
 */
export function createDraftFiles({ db, bucket, store, contents, outbox }: DraftFilesDeps) {
  const nameOf = ({ releaseId, sha256 }: DraftFile) => `${releaseId}/${sha256}`;
  const keyOf = (file: DraftFile) => `${FOLDER}/${nameOf(file)}`;
  const removals = outbox.kind({
    name: KIND,
    ...FILE_DELETIONS,
    async deliver({ key }) {
      await bucket.delete(`${FOLDER}/${key}`);
      return { kind: 'done' };
    },
  });
  const removalOf = (file: DraftFile) => and(eq(outboxTable.kind, KIND), eq(outboxTable.key, nameOf(file)));

  return {
    /**
     * Stores a file. Its deletion is queued before, and `keepStatement` in the transaction of the release cancels it, so that a crash leaves
     * no file behind. Returns false while an earlier deletion of the same file runs.
     */
    async put(releaseId: string, bytes: Uint8Array<ArrayBuffer>, now: UnixSeconds): Promise<boolean> {
      const file = { releaseId, sha256: await sha256Of(bytes) };
      const deleteAt = now + UNSTORED_TTL_SECONDS;
      await db.batch([
        db.delete(outboxTable).where(and(removalOf(file), eq(outboxTable.leaseUntil, 0))),
        removals.insertion({ key: nameOf(file) }, deleteAt),
      ]);
      const [queued] = await db.select({ nextTryAt: outboxTable.nextTryAt }).from(outboxTable).where(removalOf(file));
      if (queued?.nextTryAt !== deleteAt) return false;
      await bucket.put(keyOf(file), bytes, { sha256: file.sha256 });
      return true;
    },

    /** Cancels the deletion of a stored file. */
    keepStatement: (file: DraftFile): Statement => db.delete(outboxTable).where(removalOf(file)),

    /** Queues the deletion of a file. */
    removalStatement: (file: DraftFile, now: UnixSeconds): Statement => removals.insertion({ key: nameOf(file) }, now),

    async bytes(file: DraftFile): Promise<Uint8Array<ArrayBuffer> | null> {
      const object = await bucket.get(keyOf(file));
      return object ? new Uint8Array(await object.arrayBuffer()) : store.bytes(file.sha256);
    },

    /** Copies the files of a release to the published ones. `busy`: contents with the same hash are being checked. */
    async copyToContents(release: ProjectRelease, now: UnixSeconds): Promise<'copied' | 'lost' | 'busy'> {
      for (const file of filesOf(release)) {
        const object = await bucket.get(keyOf(file));
        if (!object) {
          // An insert or an earlier attempt may have stored it.
          if (await store.has(file.sha256)) continue;
          return 'lost';
        }
        if (!(await contents.putStream({ sha256: file.sha256, size: object.size, body: object.body }, now))) return 'busy';
      }
      return 'copied';
    },

    /** Deletes what is due. */
    drain: (attempt: Attempt): Promise<void> => removals.drain(attempt),
  };
}
