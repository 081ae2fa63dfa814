import { type ArchiveFilesDeps, keepArchiveFiles } from './archive-files.ts';
import { compareDirectory } from './compare.domain.ts';
import { gathered, ofStatedLength } from './exact-bytes.ts';
import { type PackedFile, parseIndexFile } from './index-file.domain.ts';
import { MAX_INDEX_BYTES } from './limits.data.ts';
import { Malformed } from './malformed.domain.ts';
import { archiveName } from './plan.domain.ts';
import type { StepResult, SyncStore } from './sync-store.repository.ts';
import type { ManifestEntry, StoredFile, WorkItem } from './work.domain.ts';

export type DirectoryItem = Extract<WorkItem, { kind: 'directory' }>;

export interface DirectoryDeps extends ArchiveFilesDeps {
  store: Pick<SyncStore, 'filesOfArchive' | 'take'>;
}

export interface DirectoryJob {
  contentPath: string;
  ordinal: number;
  position: number;
  item: DirectoryItem;
}

/** Rows of one transaction. */
const ROWS_PER_TAKE = 500;

/**
 * Goes one step on with a packed directory: takes what its archives have to give, as far as the limits of a step go, and
 * then stores what moved and vanished and marks the directory as done. What was taken already is seen in the store, so
 * that each step finds only what is left. True when the directory is done.
 */
export async function stepDirectory(deps: DirectoryDeps, job: DirectoryJob): Promise<boolean> {
  const { item, ordinal } = job;
  const listed = item.index === null ? new Map<string, PackedFile>() : await readIndex(deps, job, item.index);
  const stored = await deps.store.filesOfArchive(item.dir);
  const { wanted, moved, removed } = compareDirectory(listed, stored);
  if (!(await takeWanted(deps, job, wanted))) return false;
  const gone = removed.map((path) => ({ path, archive: item.dir }));
  for (const page of pagesOf(moved)) await deps.store.take({ ...NOTHING, ordinal, stored: page });
  for (const page of pagesOf(gone)) await deps.store.take({ ...NOTHING, ordinal, removed: page });
  const manifestSet = item.index === null ? item.archives : [item.index, ...item.archives];
  await deps.store.take({ ...NOTHING, ordinal, manifestSet, manifestUnset: item.vanished, done: [job.position] });
  return true;
}

const NOTHING = { stored: [], removed: [], manifestSet: [], manifestUnset: [], done: [] } satisfies Omit<StepResult, 'ordinal'>;

async function readIndex(
  { source }: DirectoryDeps,
  { contentPath, item }: DirectoryJob,
  entry: ManifestEntry,
): Promise<Map<string, PackedFile>> {
  if (entry.size > MAX_INDEX_BYTES) throw new Malformed(`${entry.path} is too large for an index`);
  const abort = new AbortController();
  try {
    const bytes = await gathered(ofStatedLength(entry, await source.open(contentPath, entry, abort.signal)));
    return parseNamed(entry.path, item.dir, bytes);
  } finally {
    abort.abort();
  }
}

/** The index, or a fault that names the file. */
function parseNamed(path: string, dir: string, bytes: Uint8Array): Map<string, PackedFile> {
  try {
    return parseIndexFile(dir, bytes);
  } catch (error) {
    throw error instanceof Malformed ? new Malformed(`${path}: ${error.message}`) : error;
  }
}

/** Processes archives within the limits of a step; true when finished. */
async function takeWanted(deps: DirectoryDeps, job: DirectoryJob, wanted: ReadonlyMap<number, readonly PackedFile[]>): Promise<boolean> {
  const left = { ...deps.limits };
  let isFirst = true;
  for (const [archiveIndex, files] of [...wanted].sort(([one], [other]) => one - other)) {
    const entry = archiveEntry(job.item, archiveIndex, files);
    if (!isFirst && (entry.size > left.stepDownloadBytes || left.stepFiles <= 0 || left.stepBytes <= 0)) return false;
    isFirst = false;
    const taken = await takeArchive({ ...deps, limits: left }, job, entry, files);
    if (taken < files.length) return false;
    left.stepDownloadBytes -= entry.size;
    left.stepFiles -= taken;
    left.stepBytes -= files.reduce((sum, { size }) => sum + size, 0);
  }
  return true;
}

function takeArchive(deps: DirectoryDeps, job: DirectoryJob, entry: ManifestEntry, files: readonly PackedFile[]): Promise<number> {
  const { contentPath, ordinal, item } = job;
  const onStored = async (stored: readonly StoredFile[]) => {
    for (const page of pagesOf(stored)) await deps.store.take({ ...NOTHING, ordinal, stored: page });
  };
  return keepArchiveFiles(deps, { contentPath, dir: item.dir, entry, files, onStored });
}

/** The manifest's entry of an archive. */
function archiveEntry({ dir, archives }: DirectoryItem, archiveIndex: number, files: readonly PackedFile[]): ManifestEntry {
  const path = dir === '' ? archiveName(archiveIndex) : `${dir}/${archiveName(archiveIndex)}`;
  const entry = archives.find((candidate) => candidate.path === path);
  if (entry) return entry;
  // Empty files need no archive.
  if (files.some(({ size }) => size > 0)) throw new Malformed(`${path} is listed in the index but not in the manifest`);
  return { path, sha1: '', size: 0 };
}

function* pagesOf<Row>(rows: readonly Row[]): Generator<Row[]> {
  for (let start = 0; start < rows.length; start += ROWS_PER_TAKE) yield rows.slice(start, start + ROWS_PER_TAKE);
}
