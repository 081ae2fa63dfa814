import type { ManifestEntry, StoredFile, WorkItem } from './work.domain.ts';

/** A work item with its position in the plan. */
export interface PlannedWork {
  position: number;
  item: WorkItem;
}

/** Sync state of a branch. */
export interface BranchState {
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
export interface SyncPlan {
  versionTag: string;
  contentPath: string;
  manifestDigest: string;
  work: readonly WorkItem[];
}

export type RemovedFile = Pick<StoredFile, 'path' | 'archive'>;

/** Result of a step, stored in one transaction. */
export interface StepResult {
  ordinal: number;
  /** New, changed and moved files; the store derives the kind of change from the previous version. */
  stored: readonly StoredFile[];
  /** Removed paths, each with its archive (null: loose). A path that is now in another archive is not removed. */
  removed: readonly RemovedFile[];
  /** Index of the packed directory whose files this step changes in part; null if it changes whole entries. */
  incompleteIndex: string | null;
  /** Fully archived manifest entries. */
  manifestSet: readonly ManifestEntry[];
  manifestUnset: readonly string[];
  /** Positions of completed work items. */
  done: readonly number[];
}

/** A completed version with its counts. */
export interface CompletedVersion {
  ordinal: number;
  versionTag: string;
  filesAdded: number;
  filesModified: number;
  filesRemoved: number;
}

/**
 * Sync state and writes of one branch. Writes are idempotent. All writes except those of the lease throw `LeaseLostError` if another
 * worker holds the lease.
 */
export interface SyncStore {
  /** Acquires or renews the lease until `until` (wall clock, Unix seconds); false if another worker holds it. */
  acquireLease(realNow: number, until: number): Promise<boolean>;
  releaseLease(): Promise<void>;
  readBranch(): Promise<BranchState>;
  /** Archived entries of the manifest, by path; `sha1` is empty for an entry that was archived in part. */
  readManifest(): Promise<Map<string, ManifestEntry>>;
  /** Records a probe without changes. */
  recordUnchanged(probe: Pick<SyncPlan, 'versionTag' | 'manifestDigest'>, now: number): Promise<void>;
  /** Records a probe of a branch that is not published. */
  recordUnpublished(now: number): Promise<void>;
  /** Creates a version, or replaces the plan of the one in progress. Returns the ordinal. */
  beginVersion(plan: SyncPlan, now: number): Promise<number>;
  /** Next work items, in order. */
  listWork(limit: number): Promise<PlannedWork[]>;
  /** Number of remaining work items. */
  countWork(): Promise<number>;
  /** Newest files of a packed directory, by path. */
  listArchiveFiles(archive: string): Promise<Map<string, StoredFile>>;
  /** The subset of contents that are already stored. */
  findStoredContents(hashes: readonly string[]): Promise<Set<string>>;
  /** Stores the result of a step. The contents must be in the bucket. */
  storeResult(result: StepResult): Promise<void>;
  /** Writes the directory totals of the version from its changes. */
  rollUpDirectories(ordinal: number): Promise<void>;
  /** Makes the version visible, in one transaction. */
  completeVersion(ordinal: number, now: number): Promise<CompletedVersion>;
  /** Records the error of a sync; the version stays in progress. */
  recordFailure(message: string, now: number): Promise<void>;
}
