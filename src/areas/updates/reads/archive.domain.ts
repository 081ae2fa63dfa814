import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { ChangeType } from '../updates.data.ts';

/** A complete version of a branch. */
export interface Version {
  branch: string;
  ordinal: number;
  versionTag: string;
  capturedAt: UnixSeconds;
  completedAt: UnixSeconds | null;
  filesAdded: number;
  filesModified: number;
  filesRemoved: number;
  bytesAdded: number;
}

/** Range of versions in which a file has one row. */
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
 * Changes of a file, newest first, from its spans (oldest first). A span adjacent to the previous one is a change of content,
 * unless the file only moved to another archive. A span without an adjacent next one ends in a removal if it ends at or
 * before `currentOrdinal`.
 */
export function deriveChanges(spans: readonly FileSpan[], currentOrdinal: number): FileChange[] {
  const changes: FileChange[] = [];
  for (const [index, { fromOrdinal, toOrdinal, changedOrdinal, sha256, size }] of spans.entries()) {
    const isContinued = spans[index - 1]?.toOrdinal === fromOrdinal;
    if (changedOrdinal === fromOrdinal) changes.push({ ordinal: fromOrdinal, type: isContinued ? 'modified' : 'added', sha256, size });
    const isReplaced = spans[index + 1]?.fromOrdinal === toOrdinal;
    if (!isReplaced && toOrdinal <= currentOrdinal) changes.push({ ordinal: toOrdinal, type: 'removed', sha256: null, size: 0 });
  }
  return changes.reverse();
}

/** Content of a file in a version; null if absent. */
export function findContent(spans: readonly FileSpan[], ordinal: number): { sha256: string; size: number } | null {
  return spans.find(({ fromOrdinal, toOrdinal }) => fromOrdinal <= ordinal && toOrdinal > ordinal) ?? null;
}
