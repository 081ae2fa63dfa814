import { and, eq, gt, isNull, lte, or, type SQL, sql } from 'drizzle-orm';
import { bind } from '../../../../platform/kit/bind.ts';
import type { Database } from '../../../../platform/storage/database.ts';
import { runInOneTransaction } from '../../../../platform/storage/database.ts';
import { archiveBranches, archiveVersions } from '../../updates.tables.ts';
import { toBatches, type WorkItem } from './plan.domain.ts';
import {
  completionStatements,
  findStoredContents,
  listArchiveFiles,
  readManifest,
  rollUpDirectories,
  type StepResult,
  stepStatements,
} from './sync-statements.store.ts';

/** A work item with its position in the plan. */
export interface PlannedWork {
  position: number;
  item: WorkItem;
}

/** Sync state of a branch. */
interface BranchState {
  currentOrdinal: number;
  currentVersion: string | null;
  /** Digest of the manifest of the current version. */
  manifestDigest: string | null;
  /** The version in progress; null between syncs. */
  open: OpenVersion | null;
}

export interface OpenVersion {
  ordinal: number;
  versionTag: string;
  /** URL path of the build; null before its plan was stored. */
  contentPath: string | null;
  manifestDigest: string | null;
}

/** Plan of a version. */
interface SyncPlan {
  versionTag: string;
  contentPath: string;
  manifestDigest: string;
  work: readonly WorkItem[];
}

/** A completed version with its counts. */
export interface CompletedVersion {
  ordinal: number;
  versionTag: string;
  filesAdded: number;
  filesModified: number;
  filesRemoved: number;
}

const MAX_ERROR_LENGTH = 500;
/** Work items per SQL parameter: at most some 100 kB of JSON. */
const WORK_PER_STATEMENT = 1000;

interface D1SyncStoreDeps {
  db: Database;
  branch: string;
  /** Lease holder; the same holder can always renew the lease. */
  holder: string;
}

export type SyncStore = ReturnType<typeof createD1SyncStore>;

interface D1SyncContext extends D1SyncStoreDeps {
  /** Condition of the row of the branch. */
  ofBranch: SQL;
  /** Statement that fails a transaction without the lease. */
  fence: SQL;
}

/**
 * Sync state and writes of one branch in D1. Writes are idempotent. All writes except those of the lease throw `LeaseLostError` if another
 * worker holds the lease.
 */
export function createD1SyncStore(deps: D1SyncStoreDeps) {
  const ofBranch = eq(archiveBranches.branch, deps.branch);
  const fence = fenceStatement(deps.branch, deps.holder);
  const context: D1SyncContext = { ...deps, ofBranch, fence };
  return {
    /** Archived entries of the manifest, by path; `sha1` is empty for an entry that was archived in part. */
    readManifest: () => readManifest(deps.db, deps.branch),
    /** Newest files of a packed directory, by path. */
    listArchiveFiles: (archive: string) => listArchiveFiles(deps.db, deps.branch, archive),
    /** The subset of contents that are already stored. */
    findStoredContents: (hashes: readonly string[]) => findStoredContents(deps.db, hashes),
    /** Writes the directory totals of the version from its changes. */
    rollUpDirectories: (ordinal: number) =>
      rollUpDirectories({ db: deps.db, branch: deps.branch, ordinal, write: (statements) => write(context, statements) }),
    ...bind(context, {
      acquireLease,
      releaseLease,
      readBranch: readState,
      beginVersion: begin,
      recordUnchanged,
      recordUnpublished,
      listWork,
      countWork,
      storeResult,
      completeVersion,
      recordFailure,
    }),
  };
}

/** Runs one transaction; throws `LeaseLostError` if another worker holds the lease. The fence is first: it rejects all statements after it. */
async function write({ db, branch, fence }: D1SyncContext, statements: readonly SQL[]): Promise<void> {
  try {
    await runInOneTransaction(db, [fence, ...statements]);
  } catch (error) {
    throw isFenceError(error) ? new LeaseLostError(branch) : error;
  }
}

async function readState({ db, branch, ofBranch }: D1SyncContext): Promise<BranchState> {
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

/** Creates a version, or replaces the plan of the one in progress. Returns the ordinal. */
async function begin(deps: D1SyncContext, plan: SyncPlan, now: number): Promise<number> {
  const { currentOrdinal, open } = await readState(deps);
  const ordinal = open?.ordinal ?? currentOrdinal + 1;
  await write(deps, [
    sql`INSERT INTO archive_versions (branch, ordinal, version_tag, captured_at) VALUES (${deps.branch}, ${ordinal}, ${plan.versionTag}, ${now})
      ON CONFLICT (branch, ordinal) DO UPDATE SET version_tag = excluded.version_tag`,
    sql`UPDATE archive_branches SET status = 'syncing', last_probe_at = ${now}, sync_content_path = ${plan.contentPath},
      sync_manifest_digest = ${plan.manifestDigest} WHERE branch = ${deps.branch}`,
    sql`DELETE FROM archive_work WHERE branch = ${deps.branch}`,
    ...workStatements(deps.branch, plan.work),
  ]);
  return ordinal;
}

/** Acquires or renews the lease until `until` (wall clock, Unix seconds); false if another worker holds it. */
async function acquireLease({ db, branch, holder, ofBranch }: D1SyncContext, realNow: number, until: number): Promise<boolean> {
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
}

async function releaseLease({ db, holder, ofBranch }: D1SyncContext): Promise<void> {
  await db
    .update(archiveBranches)
    .set({ leaseHolder: '', leaseUntil: 0 })
    .where(and(ofBranch, eq(archiveBranches.leaseHolder, holder)));
}

/** Records a probe without changes. */
const recordUnchanged = (
  deps: D1SyncContext,
  { versionTag, manifestDigest }: Pick<SyncPlan, 'versionTag' | 'manifestDigest'>,
  now: number,
) =>
  write(deps, [
    sql`UPDATE archive_branches SET status = 'idle', error = NULL, last_probe_at = ${now}, current_version = ${versionTag},
      manifest_digest = ${manifestDigest} WHERE branch = ${deps.branch}`,
  ]);

/** Records a probe of a branch that is not published. */
const recordUnpublished = (deps: D1SyncContext, now: number) =>
  write(deps, [sql`UPDATE archive_branches SET last_probe_at = ${now} WHERE branch = ${deps.branch}`]);

/** Next work items, in order. */
async function listWork({ db, branch }: D1SyncStoreDeps, limit: number): Promise<PlannedWork[]> {
  const rows = await db.all<{ position: number; item: string }>(
    sql`SELECT position, item FROM archive_work WHERE branch = ${branch} ORDER BY position LIMIT ${limit}`,
  );
  return rows.map(({ position, item }): PlannedWork => ({ position, item: JSON.parse(item) as WorkItem }));
}

/** Number of remaining work items. */
async function countWork({ db, branch }: D1SyncStoreDeps): Promise<number> {
  const [row] = await db.all<{ n: number }>(sql`SELECT count(*) AS n FROM archive_work WHERE branch = ${branch}`);
  return row?.n ?? 0;
}

/** Stores the result of a step. The contents must be in the bucket. */
const storeResult = (deps: D1SyncContext, result: StepResult) => write(deps, stepStatements(deps.branch, result));

/** Makes the version visible, in one transaction. */
async function completeVersion(deps: D1SyncContext, ordinal: number, now: number): Promise<CompletedVersion> {
  await write(deps, completionStatements(deps.branch, ordinal, now));
  const [version] = await deps.db
    .select()
    .from(archiveVersions)
    .where(and(eq(archiveVersions.branch, deps.branch), eq(archiveVersions.ordinal, ordinal)));
  if (!version) throw new Error(`version ${ordinal} of ${deps.branch} not found`);
  return version;
}

/** Records the error of a sync; the version stays in progress. */
const recordFailure = (deps: D1SyncContext, message: string, now: number) =>
  write(deps, [
    sql`UPDATE archive_branches SET status = 'error', error = ${message.slice(0, MAX_ERROR_LENGTH)}, last_probe_at = ${now}
      WHERE branch = ${deps.branch}`,
  ]);

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

/** Another worker holds the lease of the branch: the write was rejected, and this sync must stop. */
export class LeaseLostError extends Error {
  constructor(branch: string) {
    super(`${branch} is being synced by another worker`);
    this.name = 'LeaseLostError';
  }
}
