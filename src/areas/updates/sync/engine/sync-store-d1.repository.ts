import { and, eq, gt, isNull, lte, or, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../../../platform/storage/database.ts';
import { runInOneTransaction } from '../../../../platform/storage/raw-batch.ts';
import { archiveBranches, archiveVersions } from '../../updates.tables.ts';
import { completionStatements } from './completion.repository.ts';
import { takeStatements } from './file-statements.repository.ts';
import { LeaseLost } from './lease-lost.domain.ts';
import { rollUpDirectories } from './roll-up.repository.ts';
import { filesOfArchive, knownContents, readManifest } from './sync-reads.repository.ts';
import type { BranchState, PlannedWork, SyncPlan, SyncStore } from './sync-store.repository.ts';
import type { WorkItem } from './work.domain.ts';

const MAX_ERROR_LENGTH = 500;
/** Work items in one parameter: a text of at most some hundred kilobytes. */
const WORK_PER_STATEMENT = 1000;

export interface D1SyncStoreDeps {
  db: Database;
  branch: string;
  /** Who holds the branch; the same holder may always go on. */
  holder: string;
}

/** The write side of a branch in D1. */
export function createD1SyncStore({ db, branch, holder }: D1SyncStoreDeps): SyncStore {
  const ofBranch = eq(archiveBranches.branch, branch);
  const fence = fenceStatement(branch, holder);

  /** One transaction, which fails as a whole when the branch is held by somebody else. */
  async function write(statements: readonly SQL[]): Promise<void> {
    try {
      await runInOneTransaction(db, [fence, ...statements]);
    } catch (error) {
      throw isFenceError(error) ? new LeaseLost(branch) : error;
    }
  }

  async function readBranch(): Promise<BranchState> {
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
    const { currentOrdinal, open } = await readBranch();
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
    async lease(realNow, until) {
      const isFree = or(
        eq(archiveBranches.leaseHolder, holder),
        eq(archiveBranches.leaseHolder, ''),
        lte(archiveBranches.leaseUntil, realNow),
      );
      const [, taken] = await db.batch([
        db.insert(archiveBranches).values({ branch }).onConflictDoNothing(),
        db.update(archiveBranches).set({ leaseHolder: holder, leaseUntil: until }).where(and(ofBranch, isFree)),
      ]);
      return taken.meta.changes > 0;
    },

    async release() {
      await db
        .update(archiveBranches)
        .set({ leaseHolder: '', leaseUntil: 0 })
        .where(and(ofBranch, eq(archiveBranches.leaseHolder, holder)));
    },

    branch: readBranch,
    manifest: () => readManifest(db, branch),
    filesOfArchive: (archive) => filesOfArchive(db, branch, archive),
    knownContents: (hashes) => knownContents(db, hashes),
    begin,

    quiet: ({ versionTag, manifestDigest }, now) =>
      write([
        sql`UPDATE archive_branches SET status = 'idle', error = NULL, last_probe_at = ${now}, current_version = ${versionTag},
          manifest_digest = ${manifestDigest} WHERE branch = ${branch}`,
      ]),

    probed: (now) => write([sql`UPDATE archive_branches SET last_probe_at = ${now} WHERE branch = ${branch}`]),

    async work(limit) {
      const rows = await db.all<{ position: number; item: string }>(
        sql`SELECT position, item FROM archive_work WHERE branch = ${branch} ORDER BY position LIMIT ${limit}`,
      );
      return rows.map(({ position, item }): PlannedWork => ({ position, item: JSON.parse(item) as WorkItem }));
    },

    async workLeft() {
      const [row] = await db.all<{ n: number }>(sql`SELECT count(*) AS n FROM archive_work WHERE branch = ${branch}`);
      return row?.n ?? 0;
    },

    take: (result) => write(takeStatements(branch, result)),
    rollUp: (ordinal) => rollUpDirectories({ db, branch, ordinal, write }),

    async complete(ordinal, now) {
      await write(completionStatements(branch, ordinal, now));
      const [version] = await db
        .select()
        .from(archiveVersions)
        .where(and(eq(archiveVersions.branch, branch), eq(archiveVersions.ordinal, ordinal)));
      if (!version) throw new Error(`version ${ordinal} of ${branch} not found`);
      return version;
    },

    fail: (message, now) =>
      write([
        sql`UPDATE archive_branches SET status = 'error', error = ${message.slice(0, MAX_ERROR_LENGTH)}, last_probe_at = ${now}
          WHERE branch = ${branch}`,
      ]),
  };
}

/** Sets a column that must not be null to null when the branch is held by somebody else: the transaction then fails. */
function fenceStatement(branch: string, holder: string): SQL {
  return sql`UPDATE archive_branches SET lease_holder = CASE lease_holder WHEN ${holder} THEN lease_holder END WHERE branch = ${branch}`;
}

function isFenceError(error: unknown): boolean {
  const text = error instanceof Error ? `${error.message} ${error.cause instanceof Error ? error.cause.message : ''}` : '';
  return text.includes('archive_branches.lease_holder');
}

function workStatements(branch: string, work: readonly WorkItem[]): SQL[] {
  const statements: SQL[] = [];
  for (let start = 0; start < work.length; start += WORK_PER_STATEMENT) {
    const items = JSON.stringify(work.slice(start, start + WORK_PER_STATEMENT));
    statements.push(
      sql`INSERT INTO archive_work (branch, position, item) SELECT ${branch}, ${start} + key, value FROM json_each(${items})`,
    );
  }
  return statements;
}
