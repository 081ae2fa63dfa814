import { Buffer } from 'node:buffer';

/** SHA-256 as 64 lower-case hex digits. */
export type Sha256 = string;

/** A part of a stored file, in bytes. */
export interface ByteRange {
  readonly offset: number;
  readonly length: number;
}

/**
 * Files stored once each under the hash of their content, in R2. Stored files never change, so the key of a file proves its
 * content and a second write of the same bytes has no effect.
 */
export interface ContentStore {
  /** Stores bytes; `created` is false when they were there already. */
  put(bytes: Uint8Array<ArrayBuffer>): Promise<{ sha256: Sha256; created: boolean }>;
  /** Stores a stream whose hash and length are known; the bucket refuses bytes with another hash. */
  putStream(file: { sha256: Sha256; size: number; body: ReadableStream<Uint8Array> }): Promise<{ created: boolean }>;
  has(sha256: Sha256): Promise<boolean>;
  /** The bytes as a stream, whole or in part; null when they are not stored. */
  open(sha256: Sha256, range?: ByteRange): Promise<ReadableStream | null>;
  /** The whole file in memory: for small ones. */
  bytes(sha256: Sha256): Promise<Uint8Array<ArrayBuffer> | null>;
  delete(hashes: readonly Sha256[]): Promise<void>;
}

const FOLDER = 'cas';
const FANOUT_DIGITS = 2;

/** Key of a file in the bucket; two hex digits fan the keys out for people who browse it. */
export function contentKey(sha256: Sha256): string {
  return `${FOLDER}/${sha256.slice(0, FANOUT_DIGITS)}/${sha256}`;
}

/** SHA-256 of bytes in lower-case hex. */
export async function sha256Of(bytes: BufferSource): Promise<Sha256> {
  return Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex');
}

export function createContentStore(bucket: R2Bucket): ContentStore {
  /** A single write that has no effect when the key exists: it then returns null. */
  async function putNew(sha256: Sha256, body: Uint8Array<ArrayBuffer> | ReadableStream): Promise<boolean> {
    const stored = await bucket.put(contentKey(sha256), body, { sha256, onlyIf: { etagDoesNotMatch: '*' } });
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

    has: async (sha256) => (await bucket.head(contentKey(sha256))) !== null,

    async open(sha256, range) {
      const object = await bucket.get(contentKey(sha256), range ? { range } : undefined);
      return object?.body ?? null;
    },

    async bytes(sha256) {
      const object = await bucket.get(contentKey(sha256));
      return object ? new Uint8Array(await object.arrayBuffer()) : null;
    },

    delete: (hashes) => bucket.delete(hashes.map(contentKey)),
  };
}
