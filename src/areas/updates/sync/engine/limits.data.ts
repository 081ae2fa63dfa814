/** How much a sync does at once. */
export interface SyncLimits {
  /** Contents up to this size go through memory; larger ones are streamed, for which they are read twice. */
  maxInMemoryBytes: number;
  /** Files and bytes per step and archive; the next step continues with the same archive. */
  stepFiles: number;
  stepBytes: number;
  /** No further archive is begun in a step that has downloaded so many bytes of archives. */
  stepDownloadBytes: number;
  /** Files and bytes that are stored together, in one transaction. */
  batchFiles: number;
  batchBytes: number;
  /** Loose files in one step. */
  looseFiles: number;
  /** Downloads of loose files, and writes to the bucket, at once. */
  parallelDownloads: number;
  parallelWrites: number;
}

const KIB = 1024;
const MIB = 1024 * KIB;

/** Inside the service: an invocation has 128 MB of memory, six connections, and a thousand calls of other services. */
export const SERVICE_LIMITS: SyncLimits = {
  maxInMemoryBytes: 8 * MIB,
  stepFiles: 700,
  stepBytes: 64 * MIB,
  stepDownloadBytes: 96 * MIB,
  batchFiles: 200,
  batchBytes: 2 * MIB,
  looseFiles: 20,
  parallelDownloads: 2,
  parallelWrites: 6,
};

/** For the first load from a machine of one's own. */
export const BULK_LIMITS: SyncLimits = {
  maxInMemoryBytes: 256 * MIB,
  stepFiles: Number.MAX_SAFE_INTEGER,
  stepBytes: Number.MAX_SAFE_INTEGER,
  stepDownloadBytes: Number.MAX_SAFE_INTEGER,
  batchFiles: 500,
  batchBytes: 32 * MIB,
  looseFiles: 50,
  parallelDownloads: 6,
  parallelWrites: 16,
};

/** Largest index file; one of 100,000 files has some 6 MB. */
export const MAX_INDEX_BYTES = 32 * MIB;
/** Largest manifest; one of 10,000 lines has about 1 MB. */
export const MAX_MANIFEST_BYTES = 16 * MIB;
/** Largest pointer. */
export const MAX_POINTER_BYTES = 16 * KIB;
