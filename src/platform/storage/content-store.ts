import { Buffer } from 'node:buffer';

/** SHA-256 as 64 lower-case hex digits. */
export type Sha256 = string;

/** A byte range of a stored file. */
export interface ByteRange {
  readonly offset: number;
  readonly length: number;
}

/**
 * Content-addressed files in R2: each is stored once under the hash of its content and never changes. A second write of the same
 * bytes has no effect.
 */
export interface ContentStore {
  /** Stores bytes. `created` is false when they were stored already. */
  put(bytes: Uint8Array<ArrayBuffer>): Promise<{ sha256: Sha256; created: boolean }>;
  /** Stores a stream with a known hash and length. R2 rejects bytes with a different hash. */
  putStream(file: { sha256: Sha256; size: number; body: ReadableStream<Uint8Array> }): Promise<{ created: boolean }>;
  has(sha256: Sha256): Promise<boolean>;
  /** The file or a range of it as a stream; null when it is not stored. */
  open(sha256: Sha256, range?: ByteRange): Promise<ReadableStream | null>;
  /** The file in memory, for small files; null when it is not stored. */
  bytes(sha256: Sha256): Promise<Uint8Array<ArrayBuffer> | null>;
  delete(hashes: readonly Sha256[]): Promise<void>;
}

/** Folder that the areas share. */
const SHARED_FOLDER = 'cas';
const FANOUT_DIGITS = 2;

/** Key of a file in the bucket. Two hex digits as a folder make the bucket easier to browse. */
export function contentKey(sha256: Sha256, folder = SHARED_FOLDER): string {
  return `${folder}/${sha256.slice(0, FANOUT_DIGITS)}/${sha256}`;
}

/** SHA-256 of bytes in lower-case hex. */
export async function sha256Of(bytes: BufferSource): Promise<Sha256> {
  return Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex');
}

/** `folder`: absent for the files that areas share, which are never deleted without all of them. */
export function createContentStore(bucket: R2Bucket, folder = SHARED_FOLDER): ContentStore {
  const keyOf = (sha256: Sha256) => contentKey(sha256, folder);

  /** Writes the object unless the key exists. Returns true when it was written. */
  async function putNew(sha256: Sha256, body: Uint8Array<ArrayBuffer> | ReadableStream): Promise<boolean> {
    const stored = await bucket.put(keyOf(sha256), body, { sha256, onlyIf: { etagDoesNotMatch: '*' } });
    return stored !== null;
  }

  return {
    async put(bytes) {
      const sha256 = await sha256Of(bytes);
      return { sha256, created: await putNew(sha256, bytes) };
    },

    async putStream({ sha256, size, body }) {
      // R2 requires the length of a stream in advance.
      const fixed = new FixedLengthStream(size);
      const piped = body.pipeTo(fixed.writable);
      const [created] = await Promise.all([putNew(sha256, fixed.readable), piped]);
      return { created };
    },

    has: async (sha256) => (await bucket.head(keyOf(sha256))) !== null,

    async open(sha256, range) {
      const object = await bucket.get(keyOf(sha256), range ? { range } : undefined);
      return object?.body ?? null;
    },

    async bytes(sha256) {
      const object = await bucket.get(keyOf(sha256));
      return object ? new Uint8Array(await object.arrayBuffer()) : null;
    },

    delete: (hashes) => bucket.delete(hashes.map(keyOf)),
  };
}
