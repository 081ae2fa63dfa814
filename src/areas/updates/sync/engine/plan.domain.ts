import { compareBytes, splitPath } from '../../reads/paths.domain.ts';
import type { ManifestEntry, WorkItem } from './work.domain.ts';

const INDEX_NAME = 'index.tfi';
const PACKED = /\.(?:tfi|tfa)$/;
/** Paths in one item of vanished files. */
const GONE_PER_ITEM = 500;

/** Whether a file of the manifest belongs to a packed directory and is itself no file of the game. */
export function isPacked(path: string): boolean {
  return PACKED.test(path);
}

/** The name of an archive in its directory. */
export function archiveName(archiveIndex: number): string {
  return `archive${archiveIndex}.tfa`;
}

/** Directory of a packed entry, without a final slash; empty for the root. */
export function packedDirectory(path: string): string {
  return splitPath(path).dir.slice(0, -1);
}

/**
 * Compares a manifest with what was taken in. Vanished loose files come first, then new and changed ones, then packed
 * directories: a file that moved into a directory is so removed before it is found there. Empty when nothing differs.
 */
export function planWork(manifest: ReadonlyMap<string, ManifestEntry>, known: ReadonlyMap<string, ManifestEntry>): WorkItem[] {
  const changed = [...manifest.values()].filter((entry) => known.get(entry.path)?.sha1 !== entry.sha1);
  const vanished = [...known.keys()].filter((path) => !manifest.has(path));
  const loose = changed.filter(({ path }) => !isPacked(path)).sort((one, other) => compareBytes(one.path, other.path));
  const gone = vanished.filter((path) => !isPacked(path)).sort(compareBytes);
  return [
    ...inGroups(gone, GONE_PER_ITEM).map((paths): WorkItem => ({ kind: 'gone', paths })),
    ...loose.map((entry): WorkItem => ({ kind: 'loose', entry })),
    ...planDirectories(manifest, [...changed.map(({ path }) => path), ...vanished].filter(isPacked), vanished.filter(isPacked)),
  ];
}

/** An item for each directory of which an index or an archive is new, changed or gone. */
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

function inGroups<Item>(items: readonly Item[], size: number): Item[][] {
  const groups: Item[][] = [];
  for (let start = 0; start < items.length; start += size) groups.push(items.slice(start, start + size));
  return groups;
}
