import { compareBytes, splitPath } from '../../paths.domain.ts';
import type { ManifestEntry, PackedFile } from './build-files.domain.ts';

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

/** Name of the index of a packed directory. */
export const INDEX_NAME = 'index.tfi';
const PACKED = /\.(?:tfi|tfa)$/;
/** Maximum paths in one work item of removed loose files. */
const PATHS_PER_ITEM = 500;

/** Whether a manifest entry is an index or archive of a packed directory, not a game file. */
export function isPacked(path: string): boolean {
  return PACKED.test(path);
}

/** Manifest path of the index of a packed directory. */
export function indexPath(dir: string): string {
  return dir === '' ? INDEX_NAME : `${dir}/${INDEX_NAME}`;
}

export function archiveName(archiveIndex: number): string {
  return `archive${archiveIndex}.tfa`;
}

/** Directory of a packed entry, without a final slash; empty for the root. */
function packedDirectory(path: string): string {
  return splitPath(path).dir.slice(0, -1);
}

/**
 * Work items for the differences between a manifest and the archived entries: removed loose files, then new and changed ones,
 * then packed directories. In this order, a loose file that moved into a packed directory is removed before it is added
 * there. Empty without differences.
 */
export function planWork(manifest: ReadonlyMap<string, ManifestEntry>, known: ReadonlyMap<string, ManifestEntry>): WorkItem[] {
  const changed = [...manifest.values()].filter((entry) => known.get(entry.path)?.sha1 !== entry.sha1);
  const removedPaths = [...known.keys()].filter((path) => !manifest.has(path));
  const loose = changed.filter(({ path }) => !isPacked(path)).sort((one, other) => compareBytes(one.path, other.path));
  const removed = removedPaths.filter((path) => !isPacked(path)).sort(compareBytes);
  return [
    ...toBatches(removed, PATHS_PER_ITEM).map((paths): WorkItem => ({ kind: 'gone', paths })),
    ...loose.map((entry): WorkItem => ({ kind: 'loose', entry })),
    ...planDirectories(manifest, [...changed.map(({ path }) => path), ...removedPaths].filter(isPacked), removedPaths.filter(isPacked)),
  ];
}

/** A work item for each directory whose index or archives changed. */
function planDirectories(manifest: ReadonlyMap<string, ManifestEntry>, touched: string[], vanished: string[]): WorkItem[] {
  const items = new Map<string, Extract<WorkItem, { kind: 'directory' }>>();
  for (const dir of new Set(touched.map(packedDirectory))) {
    items.set(dir, { kind: 'directory', dir, index: null, archives: [], vanished: [] });
  }
  for (const path of vanished) items.get(packedDirectory(path))?.vanished.push(path);
  for (const entry of manifest.values()) {
    if (!isPacked(entry.path)) continue;
    const item = items.get(packedDirectory(entry.path));
    if (!item) continue;
    if (splitPath(entry.path).name === INDEX_NAME) item.index = entry;
    else item.archives.push(entry);
  }
  return [...items.values()].sort((one, other) => compareBytes(one.dir, other.dir));
}

/** Difference between an index and the stored directory. */
interface DirectoryChanges {
  /** New or changed files to extract, by archive and offset. */
  toExtract: Map<number, PackedFile[]>;
  /** Files with unchanged content in another archive. */
  moved: StoredFile[];
  /** Files that are no longer in an archive of the directory. */
  removed: string[];
}

/** Compares by checksum and size, the only data known before the download. */
export function compareDirectory(listed: ReadonlyMap<string, PackedFile>, stored: ReadonlyMap<string, StoredFile>): DirectoryChanges {
  const toExtract = new Map<number, PackedFile[]>();
  const moved: StoredFile[] = [];
  for (const file of listed.values()) {
    const storedFile = stored.get(file.path);
    if (!storedFile || storedFile.checksum !== file.checksum || storedFile.size !== file.size) {
      const group = toExtract.get(file.archiveIndex);
      if (group) group.push(file);
      else toExtract.set(file.archiveIndex, [file]);
    } else if (storedFile.archiveIndex !== file.archiveIndex) {
      moved.push({ ...storedFile, archiveIndex: file.archiveIndex });
    }
  }
  for (const group of toExtract.values()) group.sort(byOffset);
  return { toExtract, moved, removed: [...stored.keys()].filter((path) => !listed.has(path)) };
}

function byOffset(one: PackedFile, other: PackedFile): number {
  return one.offset - other.offset || one.size - other.size || compareBytes(one.path, other.path);
}

/** Splits a list into batches of at most `size` items. */
export function toBatches<Item>(items: readonly Item[], size: number): Item[][] {
  const batches: Item[][] = [];
  for (let start = 0; start < items.length; start += size) batches.push(items.slice(start, start + size));
  return batches;
}
