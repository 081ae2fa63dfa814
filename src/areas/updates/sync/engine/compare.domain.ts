import { compareBytes } from '../../reads/paths.domain.ts';
import type { PackedFile } from './index-file.domain.ts';
import type { StoredFile } from './work.domain.ts';

/** Difference between an index and the stored directory. */
export interface DirectoryChanges {
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
