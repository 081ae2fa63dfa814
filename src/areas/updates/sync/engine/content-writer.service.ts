import { createHash } from 'node:crypto';
import pMap from 'p-map';
import { createChecksum, gameChecksum } from '../../../../game/checksum.domain.ts';
import { type ContentStore, sha256Of } from '../../../../platform/storage/content-store.ts';
import { MalformedFileError } from './build-files.domain.ts';
import type { SyncStore } from './sync.store.ts';

/** Content in memory, with the checksums of its files. */
interface Content {
  /** Used in error messages. */
  path: string;
  bytes: Uint8Array<ArrayBuffer>;
  /** Null for a loose file, which has no checksum. */
  checksums: readonly (number | null)[];
}

/** Content too large for memory; `open` can be called repeatedly. */
interface StreamedContent {
  path: string;
  size: number;
  checksum: number | null;
  open(): AsyncIterable<Uint8Array>;
}

/** Verifies contents and stores them in the bucket. */
export type ContentWriter = ReturnType<typeof createContentWriter>;

interface ContentWriterDeps {
  store: Pick<SyncStore, 'findStoredContents'>;
  contents: Pick<ContentStore, 'put' | 'putStream'>;
  /** Maximum number of concurrent writes to the bucket. */
  parallelWrites: number;
}

export function createContentWriter({ store, contents, parallelWrites }: ContentWriterDeps) {
  return {
    /** Returns the SHA-256 of each content, in order. */
    async store(batch: readonly Content[]): Promise<string[]> {
      for (const content of batch) verify(content);
      const hashes = await Promise.all(batch.map(({ bytes }) => sha256Of(bytes)));
      const unknown = new Map(hashes.map((hash, index) => [hash, batch[index]]));
      for (const stored of await store.findStoredContents([...unknown.keys()])) unknown.delete(stored);
      const put = async (content: Content | undefined) => {
        if (content) await contents.put(content.bytes);
      };
      await pMap(unknown.values(), put, { concurrency: parallelWrites });
      return hashes;
    },

    /** Reads twice: for the hash, which is the storage key, then to store. Returns the SHA-256. */
    async storeStream(content: StreamedContent): Promise<string> {
      const sha256 = await hashStream(content);
      const stored = await store.findStoredContents([sha256]);
      if (!stored.has(sha256)) await contents.putStream({ sha256, size: content.size, body: toPullStream(content.open()) });
      return sha256;
    },
  };
}

function toPullStream(chunks: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}

function verify({ path, bytes, checksums }: Content): void {
  const expected = checksums.filter((checksum) => checksum !== null);
  if (expected.length === 0) return;
  const actual = gameChecksum(bytes);
  if (expected.some((checksum) => checksum !== actual)) throw checksumError(path);
}

async function hashStream({ path, checksum, open }: StreamedContent): Promise<string> {
  const hash = createHash('sha256');
  const sum = createChecksum();
  for await (const chunk of open()) {
    hash.update(chunk);
    if (checksum !== null) sum.update(chunk);
  }
  if (checksum !== null && sum.digest() !== checksum) throw checksumError(path);
  return hash.digest('hex');
}

function checksumError(path: string): MalformedFileError {
  return new MalformedFileError(`${path} does not have the checksum of its index`);
}
