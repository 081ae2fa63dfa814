import { createHash } from 'node:crypto';
import pMap from 'p-map';
import { type ContentStore, sha256Of } from '../../../../platform/storage/content-store.ts';
import { createChecksum, gameChecksum } from '../../../../platform/values/checksum.ts';
import { Malformed } from './malformed.domain.ts';
import type { SyncStore } from './sync-store.repository.ts';

/** A content in memory, with the checksums that its files state. */
export interface Content {
  /** For messages. */
  path: string;
  bytes: Uint8Array<ArrayBuffer>;
  /** Null: nobody states one. */
  checksums: readonly (number | null)[];
}

/** A content too large for memory: can be read as often as needed. */
export interface StreamedContent {
  path: string;
  size: number;
  checksum: number | null;
  open(): AsyncIterable<Uint8Array>;
}

/** Verifies contents and sees to it that they are in the bucket. */
export interface Keeper {
  /** Hashes of the contents, in their order. */
  keep(contents: readonly Content[]): Promise<string[]>;
  /** Reads twice: once for the hash, without which nothing can be stored, and once to store. */
  keepStream(content: StreamedContent): Promise<string>;
}

export interface KeeperDeps {
  store: Pick<SyncStore, 'knownContents'>;
  contents: Pick<ContentStore, 'put' | 'putStream'>;
  /** Writes to the bucket at once. */
  parallelWrites: number;
}

export function createKeeper({ store, contents, parallelWrites }: KeeperDeps): Keeper {
  return {
    async keep(batch) {
      for (const content of batch) verify(content);
      const hashes = await Promise.all(batch.map(({ bytes }) => sha256Of(bytes)));
      const unknown = new Map(hashes.map((hash, index) => [hash, batch[index]]));
      for (const known of await store.knownContents([...unknown.keys()])) unknown.delete(known);
      const put = async (content: Content | undefined) => {
        if (content) await contents.put(content.bytes);
      };
      await pMap(unknown.values(), put, { concurrency: parallelWrites });
      return hashes;
    },

    async keepStream(content) {
      const sha256 = await hashOf(content);
      const known = await store.knownContents([sha256]);
      if (!known.has(sha256)) await contents.putStream({ sha256, size: content.size, body: streamOf(content.open()) });
      return sha256;
    },
  };
}

/** Converts an iterator to a pull stream. */
function streamOf(chunks: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
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
  const stated = checksums.filter((checksum) => checksum !== null);
  if (stated.length === 0) return;
  const actual = gameChecksum(bytes);
  if (stated.some((checksum) => checksum !== actual)) throw wrongChecksum(path);
}

async function hashOf({ path, checksum, open }: StreamedContent): Promise<string> {
  const hash = createHash('sha256');
  const sum = createChecksum();
  for await (const chunk of open()) {
    hash.update(chunk);
    if (checksum !== null) sum.update(chunk);
  }
  if (checksum !== null && sum.digest() !== checksum) throw wrongChecksum(path);
  return hash.digest('hex');
}

function wrongChecksum(path: string): Malformed {
  return new Malformed(`${path} does not have the checksum of its index`);
}
