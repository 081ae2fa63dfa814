import pMap from 'p-map';
import type { BuildSource } from './build-source.ts';
import { gathered, ofStatedLength } from './exact-bytes.ts';
import type { Keeper } from './keeper.ts';
import type { SyncLimits } from './limits.data.ts';
import type { ManifestEntry, StoredFile } from './work.domain.ts';

export interface LooseFilesDeps {
  source: BuildSource;
  keeper: Keeper;
  limits: SyncLimits;
}

/** Downloads loose files into the bucket. */
export async function keepLooseFiles(
  { source, keeper, limits }: LooseFilesDeps,
  contentPath: string,
  entries: readonly ManifestEntry[],
): Promise<StoredFile[]> {
  const stored: StoredFile[] = [];
  const abort = new AbortController();
  const keepOne = async (entry: ManifestEntry) => {
    const open = async function* () {
      yield* ofStatedLength(entry, await source.open(contentPath, entry, abort.signal));
    };
    const sha256 =
      entry.size > limits.maxInMemoryBytes
        ? await keeper.keepStream({ path: entry.path, size: entry.size, checksum: null, open })
        : await keepWhole(keeper, entry.path, await gathered(open()));
    stored.push({ path: entry.path, sha256, size: entry.size, checksum: null, archive: null, archiveIndex: null });
  };
  try {
    await pMap(entries, keepOne, { concurrency: limits.parallelDownloads });
  } finally {
    abort.abort();
  }
  return stored;
}

async function keepWhole(keeper: Keeper, path: string, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const [sha256] = await keeper.keep([{ path, bytes, checksums: [] }]);
  if (sha256 === undefined) throw new Error(`${path} got no hash`);
  return sha256;
}
