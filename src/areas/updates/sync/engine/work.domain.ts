/** An entry of the publisher's manifest. */
export interface ManifestEntry {
  path: string;
  /** Opaque; compared to detect changes. */
  sha1: string;
  size: number;
}

/** A stored packed or loose file. */
export interface StoredFile {
  path: string;
  sha256: string;
  size: number;
  /** The publisher's checksum; null for a loose file. */
  checksum: number | null;
  /** Directory of the index that lists the file, without a final slash (empty: the root); null for a loose file. */
  archive: string | null;
  archiveIndex: number | null;
}

/** An item of the plan; idempotent. */
export type WorkItem =
  /** A loose file to download. */
  | { kind: 'loose'; entry: ManifestEntry }
  /** Loose files that are no longer in the manifest. */
  | { kind: 'gone'; paths: string[] }
  /** A packed directory: its index (null if removed), its archives, and removed manifest entries. */
  | { kind: 'directory'; dir: string; index: ManifestEntry | null; archives: ManifestEntry[]; vanished: string[] };
