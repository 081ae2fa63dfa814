import { compareBytes } from '../../reads/paths.domain.ts';
import type { PackedFile } from './index-file.domain.ts';
import type { StoredFile } from './work.domain.ts';

/** Difference between an index and the stored directory. */
export interface DirectoryChanges {
  /** New or changed files to extract, by archive and offset. */
  wanted: Map<number, PackedFile[]>;
  /** Of unchanged content in another archive. */
  moved: StoredFile[];
  /** In no archive of the directory any more. */
  removed: string[];
}

/** Compares by checksum, the only key there is without a download; the size costs nothing to look at. */
export function compareDirectory(listed: ReadonlyMap<string, PackedFile>, stored: ReadonlyMap<string, StoredFile>): DirectoryChanges {
  const wanted = new Map<number, PackedFile[]>();
  const moved: StoredFile[] = [];
  for (const file of listed.values()) {
    const known = stored.get(file.path);
    if (!known || known.checksum !== file.checksum || known.size !== file.size) {
      const group = wanted.get(file.archiveIndex);
      if (group) group.push(file);
      else wanted.set(file.archiveIndex, [file]);
    } else if (known.archiveIndex !== file.archiveIndex) {
      moved.push({ ...known, archiveIndex: file.archiveIndex });
    }
  }
  for (const group of wanted.values()) group.sort(byOffset);
  return { wanted, moved, removed: [...stored.keys()].filter((path) => !listed.has(path)) };
}

function byOffset(one: PackedFile, other: PackedFile): number {
  return one.offset - other.offset || one.size - other.size || compareBytes(one.path, other.path);
}
