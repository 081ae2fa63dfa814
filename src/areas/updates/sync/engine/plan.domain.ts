import { compareBytes, splitPath } from '../../reads/paths.domain.ts';
import { toBatches } from './batches.domain.ts';
import type { ManifestEntry, WorkItem } from './work.domain.ts';

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
export function packedDirectory(path: string): string {
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
