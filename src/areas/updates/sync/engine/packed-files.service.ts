import { constants, createInflate } from 'node:zlib';
import {
  type BuildSource,
  checkLength,
  MalformedFileError,
  type ManifestEntry,
  type PackedFile,
  parseIndexFile,
  readAll,
} from './build-files.domain.ts';
import type { ContentWriter } from './content-writer.service.ts';
import { MAX_INDEX_BYTES, type SyncLimits } from './limits.data.ts';
import { archiveName, compareDirectory, indexPath, type StoredFile, toBatches, type WorkItem } from './plan.domain.ts';
import type { SyncStore } from './sync.store.ts';
import type { StepResult } from './sync-statements.store.ts';

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

interface ArchiveFilesDeps {
  source: BuildSource;
  writer: ContentWriter;
  limits: SyncLimits;
}

/** An archive of a build and the files to extract, sorted by offset. */
interface ArchiveJob {
  contentPath: string;
  /** Directory of the index, without a final slash. */
  dir: string;
  entry: ManifestEntry;
  files: readonly PackedFile[];
  /** Called when the contents of the files are in the bucket. */
  onStored(files: readonly StoredFile[]): Promise<void>;
}

/**
 * Extracts files from one archive and stores them in batches. The archive is inflated as a stream, never buffered as a whole.
 * Returns the number of stored files: fewer than requested if a limit of the step was reached.
 */
async function storeArchiveFiles(deps: ArchiveFilesDeps, job: ArchiveJob): Promise<number> {
  const { limits } = deps;
  const empty = job.files.filter(({ size }) => size === 0);
  const large = job.files.filter(({ size }) => size > limits.maxInMemoryBytes);
  const small = limitToStep(
    job.files.filter(({ size }) => size > 0 && size <= limits.maxInMemoryBytes),
    limits,
  );
  const batch = createBatch(deps, job);
  if (empty.length > 0) await batch.add({ files: empty, bytes: new Uint8Array(0) });
  if (small.length > 0) {
    await withArchive(deps, job, async (archive) => {
      for await (const slice of extractSlices(archive, small, limits.batchBytes + limits.maxInMemoryBytes)) await batch.add(slice);
    });
  }
  await batch.flush();
  // One large file per step: each needs one or two downloads of the archive.
  const first = small.length === 0 ? large[0] : undefined;
  if (first) await storeLargeFile(deps, job, first);
  return batch.storedCount() + (first ? 1 : 0);
}

/** Files within the limits of a step, at least one. */
function limitToStep(files: readonly PackedFile[], { stepFiles, stepBytes }: SyncLimits): PackedFile[] {
  let bytes = 0;
  return files.slice(0, stepFiles).filter(({ size }, index) => {
    bytes += size;
    return index === 0 || bytes <= stepBytes;
  });
}

/** Opens the archive and cancels the rest of the download after `use`. */
async function withArchive(
  deps: ArchiveFilesDeps,
  job: ArchiveJob,
  read: (archive: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<void> {
  const abort = new AbortController();
  try {
    await read(inflateStream(checkLength(job.entry, await deps.source.openFile(job.contentPath, job.entry, abort.signal))));
  } finally {
    abort.abort();
  }
}

function createBatch({ writer, limits }: ArchiveFilesDeps, job: ArchiveJob) {
  let slices: Slice[] = [];
  let bytes = 0;
  let files = 0;
  let storedCount = 0;

  async function flush(): Promise<void> {
    if (slices.length === 0) return;
    const contents = slices.map((slice) => ({
      path: slice.files[0]?.path ?? '',
      bytes: slice.bytes,
      checksums: slice.files.map(({ checksum }) => checksum),
    }));
    const hashes = await writer.store(contents);
    const stored = slices.flatMap((slice, index) => slice.files.map((file) => toStoredFile(job, file, hashes[index] ?? '')));
    await job.onStored(stored);
    storedCount += stored.length;
    slices = [];
    bytes = 0;
    files = 0;
  }

  return {
    async add(slice: Slice): Promise<void> {
      slices.push(slice);
      bytes += slice.bytes.length;
      files += slice.files.length;
      if (files >= limits.batchFiles || bytes >= limits.batchBytes) await flush();
    },
    flush,
    storedCount: () => storedCount,
  };
}

async function storeLargeFile(deps: ArchiveFilesDeps, job: ArchiveJob, file: PackedFile): Promise<void> {
  const open = async function* () {
    const abort = new AbortController();
    try {
      const archive = await deps.source.openFile(job.contentPath, job.entry, abort.signal);
      yield* streamFile(inflateStream(checkLength(job.entry, archive)), file);
    } finally {
      abort.abort();
    }
  };
  const sha256 = await deps.writer.storeStream({ path: file.path, size: file.size, checksum: file.checksum, open });
  await job.onStored([toStoredFile(job, file, sha256)]);
}

function toStoredFile({ dir }: ArchiveJob, { path, size, checksum, archiveIndex }: PackedFile, sha256: string): StoredFile {
  return { path, sha256, size, checksum, archive: dir, archiveIndex };
}

/** Bytes of a range of an archive, with the files at that range. */
interface Slice {
  files: PackedFile[];
  bytes: Uint8Array<ArrayBuffer>;
}

/** A slice with bytes missing. */
interface OpenSlice extends Slice {
  offset: number;
  end: number;
}

/**
 * Extracts files from a stream of an inflated archive. `files` are sorted by offset; ranges may overlap or repeat. Open slices
 * have at most `maxOpenBytes` in total: files that exceed the limit are skipped, for a later step; the first always fits.
 * Stops after the last range.
 */
export async function* extractSlices(
  archive: AsyncIterable<Uint8Array>,
  files: readonly PackedFile[],
  maxOpenBytes: number,
): AsyncGenerator<Slice> {
  const ranges = groupByRange(files);
  let next = 0;
  let open: OpenSlice[] = [];
  let openBytes = 0;
  let position = 0;
  for await (const chunk of archive) {
    const end = position + chunk.length;
    for (let range = ranges[next]; range && range.offset < end; next += 1, range = ranges[next]) {
      if (open.length > 0 && openBytes + range.size > maxOpenBytes) continue;
      open.push({ files: range.files, offset: range.offset, end: range.offset + range.size, bytes: new Uint8Array(range.size) });
      openBytes += range.size;
    }
    const unfinished: OpenSlice[] = [];
    for (const slice of open) {
      copyOverlap(slice, chunk, position);
      if (slice.end > end) unfinished.push(slice);
      else {
        openBytes -= slice.bytes.length;
        yield { files: slice.files, bytes: slice.bytes };
      }
    }
    open = unfinished;
    position = end;
    if (open.length === 0 && next >= ranges.length) return;
  }
  const missing = open[0]?.files[0] ?? ranges[next]?.files[0];
  if (missing) throw new MalformedFileError(`${missing.path} is beyond the end of its archive (${position} bytes)`);
}

interface FileRange {
  offset: number;
  size: number;
  files: PackedFile[];
}

function groupByRange(files: readonly PackedFile[]): FileRange[] {
  const ranges: FileRange[] = [];
  for (const file of files) {
    const last = ranges.at(-1);
    if (last && last.offset === file.offset && last.size === file.size) last.files.push(file);
    else ranges.push({ offset: file.offset, size: file.size, files: [file] });
  }
  return ranges;
}

function copyOverlap(slice: OpenSlice, chunk: Uint8Array, position: number): void {
  const from = Math.max(slice.offset, position);
  const to = Math.min(slice.end, position + chunk.length);
  if (to > from) slice.bytes.set(chunk.subarray(from - position, to - position), from - slice.offset);
}

/** Streams the bytes of one file; throws `MalformedFileError` if the archive is shorter. */
export async function* streamFile(archive: AsyncIterable<Uint8Array>, file: PackedFile): AsyncGenerator<Uint8Array> {
  const end = file.offset + file.size;
  let position = 0;
  for await (const chunk of archive) {
    const from = Math.max(file.offset, position);
    const to = Math.min(end, position + chunk.length);
    if (to > from) yield chunk.subarray(from - position, to - position);
    position += chunk.length;
    if (position >= end) return;
  }
  throw new MalformedFileError(`${file.path} is beyond the end of its archive (${position} bytes)`);
}

const OUTPUT_BYTES = 65_536;

/**
 * Inflates a zlib stream with backpressure, at most one chunk ahead of the reader. Accepts a stream without a final block;
 * ignores bytes after the final block; throws for any other format. If the reader stops early, the input is cancelled.
 */
export async function* inflateStream(input: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const inflate = createInflate({ chunkSize: OUTPUT_BYTES, finishFlush: constants.Z_SYNC_FLUSH });
  const fed = writeInput(inflate, input);
  // An input error ends the loop below with the same error.
  fed.catch((error: unknown) => inflate.destroy(error instanceof Error ? error : new Error(String(error))));
  try {
    for await (const chunk of inflate) yield chunk as Uint8Array;
    inflate.destroy();
    await fed;
  } finally {
    inflate.destroy();
  }
}

/** Writes the input with backpressure and stops when the reader cancels. */
async function writeInput(inflate: ReturnType<typeof createInflate>, input: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const chunk of input) {
    if (inflate.destroyed) return;
    if (!inflate.write(chunk)) await waitForDrain(inflate);
    if (inflate.destroyed) return;
  }
  inflate.end();
}

function waitForDrain(inflate: ReturnType<typeof createInflate>): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      inflate.off('drain', done).off('close', done).off('end', done);
      resolve();
    };
    inflate.once('drain', done).once('close', done).once('end', done);
    if (inflate.destroyed) done();
  });
}
