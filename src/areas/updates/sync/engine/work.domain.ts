/** An entry of the publisher's manifest. */
export interface ManifestEntry {
  path: string;
  /** Opaque: says only whether the entry changed. */
  sha1: string;
  size: number;
}

/** A packed or loose file as the archive holds it. */
export interface StoredFile {
  path: string;
  sha256: string;
  size: number;
  /** The publisher's checksum; null of a loose file. */
  checksum: number | null;
  /** Directory of the index that lists it, without a final slash (empty: the root); null of a loose file. */
  archive: string | null;
  archiveIndex: number | null;
}

/** A piece of the plan. Each can be done again without harm. */
export type WorkItem =
  /** A loose file to download. */
  | { kind: 'loose'; entry: ManifestEntry }
  /** Loose files that the manifest has no more. */
  | { kind: 'gone'; paths: string[] }
  /** A packed directory: its index (null when it has none any more), its archives, and entries that vanished from it. */
  | { kind: 'directory'; dir: string; index: ManifestEntry | null; archives: ManifestEntry[]; vanished: string[] };
