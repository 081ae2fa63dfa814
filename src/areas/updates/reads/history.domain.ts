import type { ChangeType } from '../updates.data.ts';

/** One stretch of versions in which a file had one row. */
export interface FileSpan {
  fromOrdinal: number;
  toOrdinal: number;
  /** Ordinal of the last change of the content. */
  changedOrdinal: number;
  sha256: string;
  size: number;
}

/** A change of one file. A removal has no content and size 0. */
export interface FileChange {
  ordinal: number;
  type: ChangeType;
  sha256: string | null;
  size: number;
}

/**
 * The changes of a file, newest first, from the stretches of versions it had a row in (oldest first): a stretch that
 * follows on another is a change of content unless it only says that the file moved to another archive; a stretch that
 * none follows ends in a removal, when `currentOrdinal` is past it.
 */
export function changesOf(spans: readonly FileSpan[], currentOrdinal: number): FileChange[] {
  const changes: FileChange[] = [];
  for (const [index, { fromOrdinal, toOrdinal, changedOrdinal, sha256, size }] of spans.entries()) {
    const isContinued = spans[index - 1]?.toOrdinal === fromOrdinal;
    if (changedOrdinal === fromOrdinal) changes.push({ ordinal: fromOrdinal, type: isContinued ? 'modified' : 'added', sha256, size });
    const isReplaced = spans[index + 1]?.fromOrdinal === toOrdinal;
    if (!isReplaced && toOrdinal <= currentOrdinal) changes.push({ ordinal: toOrdinal, type: 'removed', sha256: null, size: 0 });
  }
  return changes.reverse();
}

/** The content of a file as of a version; null when it was not there. */
export function contentAt(spans: readonly FileSpan[], ordinal: number): { sha256: string; size: number } | null {
  return spans.find(({ fromOrdinal, toOrdinal }) => fromOrdinal <= ordinal && toOrdinal > ordinal) ?? null;
}
