import { type ArchiveFilesDeps, storeArchiveFiles } from './archive-files.service.ts';
import { MalformedFileError, type PackedFile, parseIndexFile } from './build-files.domain.ts';
import { checkLength, readAll } from './build-source.domain.ts';
import { MAX_INDEX_BYTES } from './limits.data.ts';
import { archiveName, compareDirectory, indexPath, type ManifestEntry, type StoredFile, toBatches, type WorkItem } from './plan.domain.ts';
import type { StepResult, SyncStore } from './sync.store.ts';

type DirectoryItem = Extract<WorkItem, { kind: 'directory' }>;

interface DirectoryDeps extends ArchiveFilesDeps {
  store: Pick<SyncStore, 'listArchiveFiles' | 'storeResult'>;
}

interface DirectoryJob {
  contentPath: string;
  ordinal: number;
  position: number;
  item: DirectoryItem;
}

/** Maximum number of files per transaction. */
const FILES_PER_TRANSACTION = 500;

/**
 * Runs one step of a packed directory: extracts new and changed files within the limits of a step. When none remain, stores moved
 * and removed files and marks the directory as done. Files stored by earlier steps are skipped, because the step compares with
 * the store. Returns whether the directory is done.
 */
export async function stepDirectory(deps: DirectoryDeps, job: DirectoryJob): Promise<boolean> {
  const { item } = job;
  const listed = item.index === null ? new Map<string, PackedFile>() : await readIndex(deps, job, item.index);
  const stored = await deps.store.listArchiveFiles(item.dir);
  const { toExtract, moved, removed } = compareDirectory(listed, stored);
  if (!(await extractArchives(deps, job, toExtract))) return false;
  const gone = removed.map((path) => ({ path, archive: item.dir }));
  for (const batch of toBatches(moved, FILES_PER_TRANSACTION)) await deps.store.storeResult({ ...partOf(job), stored: batch });
  for (const batch of toBatches(gone, FILES_PER_TRANSACTION)) await deps.store.storeResult({ ...partOf(job), removed: batch });
  const [manifestSet, manifestUnset] =
    item.index === null ? [item.archives, [...item.vanished, indexPath(item.dir)]] : [[item.index, ...item.archives], item.vanished];
  await deps.store.storeResult({ ...partOf(job), incompleteIndex: null, manifestSet, manifestUnset, done: [job.position] });
  return true;
}

/** A result that leaves the directory incomplete: if the build is taken back, the next plan includes the directory. */
function partOf({ ordinal, item }: DirectoryJob): StepResult {
  return { ordinal, stored: [], removed: [], incompleteIndex: indexPath(item.dir), manifestSet: [], manifestUnset: [], done: [] };
}

async function readIndex(
  { source }: DirectoryDeps,
  { contentPath, item }: DirectoryJob,
  entry: ManifestEntry,
): Promise<Map<string, PackedFile>> {
  if (entry.size > MAX_INDEX_BYTES) throw new MalformedFileError(`${entry.path} is too large for an index`);
  const abort = new AbortController();
  try {
    const bytes = await readAll(checkLength(entry, await source.openFile(contentPath, entry, abort.signal)));
    return parseIndex(entry.path, item.dir, bytes);
  } finally {
    abort.abort();
  }
}

/** Parses an index; errors name the file. */
function parseIndex(path: string, dir: string, bytes: Uint8Array): Map<string, PackedFile> {
  try {
    return parseIndexFile(dir, bytes);
  } catch (error) {
    throw error instanceof MalformedFileError ? new MalformedFileError(`${path}: ${error.message}`) : error;
  }
}

/** Extracts files from archives within the limits of a step. Returns whether all were extracted. */
async function extractArchives(
  deps: DirectoryDeps,
  job: DirectoryJob,
  toExtract: ReadonlyMap<number, readonly PackedFile[]>,
): Promise<boolean> {
  const remaining = { ...deps.limits };
  let isFirst = true;
  for (const [archiveIndex, files] of [...toExtract].sort(([one], [other]) => one - other)) {
    const entry = findArchiveEntry(job.item, archiveIndex, files);
    if (!isFirst && (entry.size > remaining.stepDownloadBytes || remaining.stepFiles <= 0 || remaining.stepBytes <= 0)) return false;
    isFirst = false;
    const storedCount = await extractArchive({ ...deps, limits: remaining }, job, entry, files);
    if (storedCount < files.length) return false;
    remaining.stepDownloadBytes -= entry.size;
    remaining.stepFiles -= storedCount;
    remaining.stepBytes -= files.reduce((sum, { size }) => sum + size, 0);
  }
  return true;
}

function extractArchive(deps: DirectoryDeps, job: DirectoryJob, entry: ManifestEntry, files: readonly PackedFile[]): Promise<number> {
  const { contentPath, item } = job;
  const onStored = async (stored: readonly StoredFile[]) => {
    for (const batch of toBatches(stored, FILES_PER_TRANSACTION)) await deps.store.storeResult({ ...partOf(job), stored: batch });
  };
  return storeArchiveFiles(deps, { contentPath, dir: item.dir, entry, files, onStored });
}

/** The manifest's entry of an archive. */
function findArchiveEntry({ dir, archives }: DirectoryItem, archiveIndex: number, files: readonly PackedFile[]): ManifestEntry {
  const path = dir === '' ? archiveName(archiveIndex) : `${dir}/${archiveName(archiveIndex)}`;
  const entry = archives.find((candidate) => candidate.path === path);
  if (entry) return entry;
  // Empty files need no archive.
  if (files.some(({ size }) => size > 0)) throw new MalformedFileError(`${path} is listed in the index but not in the manifest`);
  return { path, sha1: '', size: 0 };
}
