import type { BuildSource } from './build-source.ts';
import { ofStatedLength } from './exact-bytes.ts';
import type { PackedFile } from './index-file.domain.ts';
import { inflated } from './inflate.ts';
import type { Keeper } from './keeper.ts';
import type { SyncLimits } from './limits.data.ts';
import { cutSlices, rangeOf, type Slice } from './slices.ts';
import type { ManifestEntry, StoredFile } from './work.domain.ts';

export interface ArchiveFilesDeps {
  source: BuildSource;
  keeper: Keeper;
  limits: SyncLimits;
}

/** An archive of a build, and what is wanted of it, sorted by offset. */
export interface ArchiveJob {
  contentPath: string;
  /** Directory of the index, without a final slash. */
  dir: string;
  entry: ManifestEntry;
  files: readonly PackedFile[];
  /** Takes files whose contents are in the bucket. */
  onStored(files: readonly StoredFile[]): Promise<void>;
}

/**
 * Cuts wanted files out of one archive and stores them, batch by batch. The archive is inflated as it arrives and never held.
 * How many files were taken: fewer than wanted when the limits of a step were reached.
 */
export async function keepArchiveFiles(deps: ArchiveFilesDeps, job: ArchiveJob): Promise<number> {
  const { limits } = deps;
  const empty = job.files.filter(({ size }) => size === 0);
  const large = job.files.filter(({ size }) => size > limits.maxInMemoryBytes);
  const small = withinStep(
    job.files.filter(({ size }) => size > 0 && size <= limits.maxInMemoryBytes),
    limits,
  );
  const batch = createBatch(deps, job);
  if (empty.length > 0) await batch.add({ files: empty, bytes: new Uint8Array(0) });
  if (small.length > 0) {
    await whileOpen(deps, job, async (archive) => {
      for await (const slice of cutSlices(archive, small, limits.batchBytes + limits.maxInMemoryBytes)) await batch.add(slice);
    });
  }
  await batch.flush();
  // One large file a step: each takes a download or two of the whole archive.
  const first = small.length === 0 ? large[0] : undefined;
  if (first) await keepLarge(deps, job, first);
  return batch.taken() + (first ? 1 : 0);
}

/** As many files as a step takes, at least one. */
function withinStep(files: readonly PackedFile[], { stepFiles, stepBytes }: SyncLimits): PackedFile[] {
  let bytes = 0;
  return files.slice(0, stepFiles).filter(({ size }, index) => {
    bytes += size;
    return index === 0 || bytes <= stepBytes;
  });
}

/** Opens the archive while it is read and cancels the rest of the download. */
async function whileOpen(
  deps: ArchiveFilesDeps,
  job: ArchiveJob,
  use: (archive: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<void> {
  const abort = new AbortController();
  try {
    await use(inflated(ofStatedLength(job.entry, await deps.source.open(job.contentPath, job.entry, abort.signal))));
  } finally {
    abort.abort();
  }
}

function createBatch({ keeper, limits }: ArchiveFilesDeps, job: ArchiveJob) {
  let slices: Slice[] = [];
  let bytes = 0;
  let files = 0;
  let taken = 0;

  async function flush(): Promise<void> {
    if (slices.length === 0) return;
    const contents = slices.map((slice) => ({
      path: slice.files[0]?.path ?? '',
      bytes: slice.bytes,
      checksums: slice.files.map(({ checksum }) => checksum),
    }));
    const hashes = await keeper.keep(contents);
    const stored = slices.flatMap((slice, index) => slice.files.map((file) => storedFile(job, file, hashes[index] ?? '')));
    await job.onStored(stored);
    taken += stored.length;
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
    taken: () => taken,
  };
}

async function keepLarge(deps: ArchiveFilesDeps, job: ArchiveJob, file: PackedFile): Promise<void> {
  const open = async function* () {
    const abort = new AbortController();
    try {
      const archive = await deps.source.open(job.contentPath, job.entry, abort.signal);
      yield* rangeOf(inflated(ofStatedLength(job.entry, archive)), file);
    } finally {
      abort.abort();
    }
  };
  const sha256 = await deps.keeper.keepStream({ path: file.path, size: file.size, checksum: file.checksum, open });
  await job.onStored([storedFile(job, file, sha256)]);
}

function storedFile({ dir }: ArchiveJob, { path, size, checksum, archiveIndex }: PackedFile, sha256: string): StoredFile {
  return { path, sha256, size, checksum, archive: dir, archiveIndex };
}
