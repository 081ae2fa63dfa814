/** Limits of a step of a sync. */
export interface SyncLimits {
  /** Larger contents are streamed, which reads them twice. */
  maxInMemoryBytes: number;
  /** Maximum files and bytes per step and archive; the next step continues with the same archive. */
  stepFiles: number;
  stepBytes: number;
  /** A step starts no further archive after downloading this many bytes of archives. */
  stepDownloadBytes: number;
  /** Maximum files and bytes per transaction. */
  batchFiles: number;
  batchBytes: number;
  /** Maximum loose files per step. */
  looseFiles: number;
  /** Concurrent downloads of loose files, and concurrent writes to the bucket. */
  parallelDownloads: number;
  parallelWrites: number;
}

const KIB = 1024;
const MIB = 1024 * KIB;

/** Inside the service: a Workers invocation has 128 MB of memory, 6 connections and 1,000 subrequests. */
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

/** Limits of the initial import, which runs locally. */
export const BULK_LIMITS: SyncLimits = {
  maxInMemoryBytes: 256 * MIB,
  stepFiles: Number.MAX_SAFE_INTEGER,
  stepBytes: Number.MAX_SAFE_INTEGER,
  stepDownloadBytes: Number.MAX_SAFE_INTEGER,
  batchFiles: 500,
  batchBytes: 32 * MIB,
  looseFiles: 500,
  parallelDownloads: 6,
  parallelWrites: 16,
};

/** An index of 100,000 files has about 6 MB. */
export const MAX_INDEX_BYTES = 32 * MIB;
/** A manifest of 10,000 lines has about 1 MB. */
export const MAX_MANIFEST_BYTES = 16 * MIB;
export const MAX_POINTER_BYTES = 16 * KIB;
