import pMap from 'p-map';
import type { BuildSource } from './build-source.ts';
import type { ContentWriter } from './content-writer.ts';
import { checkLength, readAll } from './exact-bytes.ts';
import type { SyncLimits } from './limits.data.ts';
import type { ManifestEntry, StoredFile } from './work.domain.ts';

export interface LooseFilesDeps {
  source: BuildSource;
  writer: ContentWriter;
  limits: SyncLimits;
}

/** Downloads loose files into the bucket. */
export async function storeLooseFiles(
  { source, writer, limits }: LooseFilesDeps,
  contentPath: string,
  entries: readonly ManifestEntry[],
): Promise<StoredFile[]> {
  const stored: StoredFile[] = [];
  const abort = new AbortController();
  const storeFile = async (entry: ManifestEntry) => {
    const open = async function* () {
      yield* checkLength(entry, await source.openFile(contentPath, entry, abort.signal));
    };
    const sha256 =
      entry.size > limits.maxInMemoryBytes
        ? await writer.storeStream({ path: entry.path, size: entry.size, checksum: null, open })
        : await storeInMemory(writer, entry.path, await readAll(open()));
    stored.push({ path: entry.path, sha256, size: entry.size, checksum: null, archive: null, archiveIndex: null });
  };
  try {
    await pMap(entries, storeFile, { concurrency: limits.parallelDownloads });
  } finally {
    abort.abort();
  }
  return stored;
}

async function storeInMemory(writer: ContentWriter, path: string, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const [sha256] = await writer.store([{ path, bytes, checksums: [] }]);
  if (sha256 === undefined) throw new Error(`no hash for ${path}`);
  return sha256;
}
