import { and, eq, gt, isNull, lte, or, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../../../platform/storage/database.ts';
import { runInOneTransaction } from '../../../../platform/storage/database.ts';
import { archiveBranches, archiveVersions } from '../../updates.tables.ts';
import { toBatches } from './batches.domain.ts';
import { completionStatements } from './completion.repository.ts';
import { stepStatements } from './file-statements.repository.ts';
import { LeaseLostError } from './lease-lost.domain.ts';
import { rollUpDirectories } from './roll-up.repository.ts';
import { findStoredContents, listArchiveFiles, readManifest } from './sync-reads.repository.ts';
import type { BranchState, PlannedWork, SyncPlan, SyncStore } from './sync-store.repository.ts';
import type { WorkItem } from './work.domain.ts';

const MAX_ERROR_LENGTH = 500;
/** Work items per SQL parameter: at most some 100 kB of JSON. */
const WORK_PER_STATEMENT = 1000;

export interface D1SyncStoreDeps {
  db: Database;
  branch: string;
  /** Lease holder; the same holder can always renew the lease. */
  holder: string;
}

/** The write side of a branch in D1. */
export function createD1SyncStore({ db, branch, holder }: D1SyncStoreDeps): SyncStore {
  const ofBranch = eq(archiveBranches.branch, branch);
  const fence = fenceStatement(branch, holder);

  /** Runs one transaction; throws `LeaseLostError` if another worker holds the lease. */
  async function write(statements: readonly SQL[]): Promise<void> {
    try {
      await runInOneTransaction(db, [fence, ...statements]);
    } catch (error) {
      throw isFenceError(error) ? new LeaseLostError(branch) : error;
    }
  }

  async function readState(): Promise<BranchState> {
    const [rows, open] = await db.batch([
      db.select().from(archiveBranches).where(ofBranch),
      db
        .select({ ordinal: archiveVersions.ordinal, versionTag: archiveVersions.versionTag })
        .from(archiveVersions)
        .where(
          and(
            eq(archiveVersions.branch, branch),
            gt(archiveVersions.ordinal, sql`coalesce((SELECT current_ordinal FROM ${archiveBranches} WHERE branch = ${branch}), 0)`),
            isNull(archiveVersions.completedAt),
          ),
        ),
    ]);
    const row = rows[0];
    const version = open[0];
    return {
      currentOrdinal: row?.currentOrdinal ?? 0,
      currentVersion: row?.currentVersion ?? null,
      manifestDigest: row?.manifestDigest ?? null,
      open: version ? { ...version, contentPath: row?.syncContentPath ?? null, manifestDigest: row?.syncManifestDigest ?? null } : null,
    };
  }

  async function begin(plan: SyncPlan, now: number): Promise<number> {
    const { currentOrdinal, open } = await readState();
    const ordinal = open?.ordinal ?? currentOrdinal + 1;
    await write([
      sql`INSERT INTO archive_versions (branch, ordinal, version_tag, captured_at) VALUES (${branch}, ${ordinal}, ${plan.versionTag}, ${now})
        ON CONFLICT (branch, ordinal) DO UPDATE SET version_tag = excluded.version_tag`,
      sql`UPDATE archive_branches SET status = 'syncing', last_probe_at = ${now}, sync_content_path = ${plan.contentPath},
        sync_manifest_digest = ${plan.manifestDigest} WHERE branch = ${branch}`,
      sql`DELETE FROM archive_work WHERE branch = ${branch}`,
      ...workStatements(branch, plan.work),
    ]);
    return ordinal;
  }

  return {
    async acquireLease(realNow, until) {
      const isAvailable = or(
        eq(archiveBranches.leaseHolder, holder),
        eq(archiveBranches.leaseHolder, ''),
        lte(archiveBranches.leaseUntil, realNow),
      );
      const [, updated] = await db.batch([
        db.insert(archiveBranches).values({ branch }).onConflictDoNothing(),
        db.update(archiveBranches).set({ leaseHolder: holder, leaseUntil: until }).where(and(ofBranch, isAvailable)),
      ]);
      return updated.meta.changes > 0;
    },

    async releaseLease() {
      await db
        .update(archiveBranches)
        .set({ leaseHolder: '', leaseUntil: 0 })
        .where(and(ofBranch, eq(archiveBranches.leaseHolder, holder)));
    },

    readBranch: readState,
    readManifest: () => readManifest(db, branch),
    listArchiveFiles: (archive) => listArchiveFiles(db, branch, archive),
    findStoredContents: (hashes) => findStoredContents(db, hashes),
    beginVersion: begin,

    recordUnchanged: ({ versionTag, manifestDigest }, now) =>
      write([
        sql`UPDATE archive_branches SET status = 'idle', error = NULL, last_probe_at = ${now}, current_version = ${versionTag},
          manifest_digest = ${manifestDigest} WHERE branch = ${branch}`,
      ]),

    recordUnpublished: (now) => write([sql`UPDATE archive_branches SET last_probe_at = ${now} WHERE branch = ${branch}`]),

    async listWork(limit) {
      const rows = await db.all<{ position: number; item: string }>(
        sql`SELECT position, item FROM archive_work WHERE branch = ${branch} ORDER BY position LIMIT ${limit}`,
      );
      return rows.map(({ position, item }): PlannedWork => ({ position, item: JSON.parse(item) as WorkItem }));
    },

    async countWork() {
      const [row] = await db.all<{ n: number }>(sql`SELECT count(*) AS n FROM archive_work WHERE branch = ${branch}`);
      return row?.n ?? 0;
    },

    storeResult: (result) => write(stepStatements(branch, result)),
    rollUpDirectories: (ordinal) => rollUpDirectories({ db, branch, ordinal, write }),

    async completeVersion(ordinal, now) {
      await write(completionStatements(branch, ordinal, now));
      const [version] = await db
        .select()
        .from(archiveVersions)
        .where(and(eq(archiveVersions.branch, branch), eq(archiveVersions.ordinal, ordinal)));
      if (!version) throw new Error(`version ${ordinal} of ${branch} not found`);
      return version;
    },

    recordFailure: (message, now) =>
      write([
        sql`UPDATE archive_branches SET status = 'error', error = ${message.slice(0, MAX_ERROR_LENGTH)}, last_probe_at = ${now}
          WHERE branch = ${branch}`,
      ]),
  };
}

/** Fails the transaction if another worker holds the lease, by setting a NOT NULL column to null. */
function fenceStatement(branch: string, holder: string): SQL {
  return sql`UPDATE archive_branches SET lease_holder = CASE lease_holder WHEN ${holder} THEN lease_holder END WHERE branch = ${branch}`;
}

function isFenceError(error: unknown): boolean {
  const text = error instanceof Error ? `${error.message} ${error.cause instanceof Error ? error.cause.message : ''}` : '';
  return text.includes('archive_branches.lease_holder');
}

function workStatements(branch: string, work: readonly WorkItem[]): SQL[] {
  return toBatches(work, WORK_PER_STATEMENT).map((batch, index) => {
    const items = JSON.stringify(batch);
    return sql`INSERT INTO archive_work (branch, position, item) SELECT ${branch}, ${index * WORK_PER_STATEMENT} + key, value FROM json_each(${items})`;
  });
}
