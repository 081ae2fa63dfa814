import type { BuildSource } from './build-source.ts';
import type { ContentWriter } from './content-writer.ts';
import { checkLength } from './exact-bytes.ts';
import type { PackedFile } from './index-file.domain.ts';
import { inflateStream } from './inflate.ts';
import type { SyncLimits } from './limits.data.ts';
import { extractSlices, type Slice, streamFile } from './slices.ts';
import type { ManifestEntry, StoredFile } from './work.domain.ts';

export interface ArchiveFilesDeps {
  source: BuildSource;
  writer: ContentWriter;
  limits: SyncLimits;
}

/** An archive of a build and the files to extract, sorted by offset. */
export interface ArchiveJob {
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
export async function storeArchiveFiles(deps: ArchiveFilesDeps, job: ArchiveJob): Promise<number> {
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
