/** A file of the archive. */
export interface SourceFile {
  path: string;
  /** Of the content. */
  sha256: string;
  /** Bytes. */
  size: number;
}

/** Source of the files of a branch, provided by the composition. */
export interface CodexSource {
  /** The newest complete version; 0 before the first. Versions are immutable. */
  currentOrdinal(branch: string): Promise<number>;
  /** Files of a version in a fixed order, from behind a path on (null: from the first); fewer than `limit` at the end alone. */
  files(branch: string, ordinal: number, after: string | null, limit: number): Promise<SourceFile[]>;
  /** Content of a small file; null when it is not stored. */
  bytes(sha256: string): Promise<Uint8Array | null>;
  /** Content of a large file. */
  open(sha256: string): Promise<ReadableStream<Uint8Array> | null>;
}
