/** A file of the archive. */
export interface SourceFile {
  path: string;
  /** SHA-256 of the content. */
  sha256: string;
  /** Bytes. */
  size: number;
}

/** Source of the files of a branch, provided by the composition. */
export interface CodexSource {
  /** Ordinal of the newest complete version; 0 before the first. Versions are immutable. */
  currentOrdinal(branch: string): Promise<number>;
  /** Page of the files of a version in a fixed order, after a path (null: from the first). Fewer than `limit` files only on the last page. */
  listFiles(branch: string, ordinal: number, after: string | null, limit: number): Promise<SourceFile[]>;
  /** Reads content into memory; null if it is not stored. */
  readContent(sha256: string): Promise<Uint8Array | null>;
  /** Streams content; null if it is not stored. */
  openContent(sha256: string): Promise<ReadableStream<Uint8Array> | null>;
}
