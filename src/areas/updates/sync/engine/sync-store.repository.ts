import type { ManifestEntry, StoredFile, WorkItem } from './work.domain.ts';

/** A work item at its place in the plan. */
export interface PlannedWork {
  position: number;
  item: WorkItem;
}

/** Where a branch stands. */
export interface BranchState {
  currentOrdinal: number;
  currentVersion: string | null;
  /** Digest of the manifest that the current version came from. */
  manifestDigest: string | null;
  /** The version in progress; null between syncs. */
  open: OpenVersion | null;
}

export interface OpenVersion {
  ordinal: number;
  versionTag: string;
  /** Address part of the build; null when it was never planned. */
  contentPath: string | null;
  manifestDigest: string | null;
}

/** What begins or replaces the plan of a version. */
export interface SyncPlan {
  versionTag: string;
  contentPath: string;
  manifestDigest: string;
  work: readonly WorkItem[];
}

export type RemovedFile = Pick<StoredFile, 'path' | 'archive'>;

/** What a step has done: stored in one transaction, so that a crash leaves all of it or nothing. */
export interface StepResult {
  ordinal: number;
  /** Files new, changed, or moved to another archive; which of these it is follows from the version before. */
  stored: readonly StoredFile[];
  /** Paths that are no more, each with the archive that held it (null: loose). A file that came to another is left alone. */
  removed: readonly RemovedFile[];
  /** Entries of the manifest that are wholly taken in. */
  manifestSet: readonly ManifestEntry[];
  manifestUnset: readonly string[];
  /** Work that is finished with this. */
  done: readonly number[];
}

/** A version as it was completed. */
export interface CompletedVersion {
  ordinal: number;
  versionTag: string;
  filesAdded: number;
  filesModified: number;
  filesRemoved: number;
}

/**
 * The write side of one branch. Every write is idempotent and, but for the lease, is refused with `LeaseLost` when the
 * branch is no longer held: whoever was taken over cannot write any more.
 */
export interface SyncStore {
  /** Takes the branch or keeps it, until `until` (real time in unix seconds); false while somebody else has it. */
  lease(realNow: number, until: number): Promise<boolean>;
  release(): Promise<void>;
  branch(): Promise<BranchState>;
  /** What of the manifest was taken in, by path. */
  manifest(): Promise<Map<string, ManifestEntry>>;
  /** Notes a probe that found nothing new. */
  quiet(probe: Pick<SyncPlan, 'versionTag' | 'manifestDigest'>, now: number): Promise<void>;
  /** Notes that the branch was looked at and is not published at present. */
  probed(now: number): Promise<void>;
  /** Opens a version, or goes on with the one in progress, under a plan that replaces any other; answers its ordinal. */
  begin(plan: SyncPlan, now: number): Promise<number>;
  /** The next pieces of the plan, in order. */
  work(limit: number): Promise<PlannedWork[]>;
  /** Pieces left. */
  workLeft(): Promise<number>;
  /** The newest files of a packed directory, by path. */
  filesOfArchive(archive: string): Promise<Map<string, StoredFile>>;
  /** Which of these contents are stored already. */
  knownContents(hashes: readonly string[]): Promise<Set<string>>;
  /** Stores what a step did. The bytes must be in the bucket. */
  take(result: StepResult): Promise<void>;
  /** Brings the directories of the version in line with its changes. */
  rollUp(ordinal: number): Promise<void>;
  /** Shows the version to everybody: one transaction. */
  complete(ordinal: number, now: number): Promise<CompletedVersion>;
  /** Notes why the sync stopped; the version stays in progress. */
  fail(message: string, now: number): Promise<void>;
}
