import { structuredPatch } from 'diff';
import { imageTypeOf } from '../../platform/http/bodies/image-type.ts';
import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import { namedValues } from '../../platform/kit/values/named-values.ts';
import type { ChangeType } from './updates.data.ts';

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

/** Kind of a file for previews. */
export const FILE_KINDS = namedValues('ArchiveFileKind', 'Kind of file content.', [
  'text',
  'image',
  'dds',
  'blueprint',
  'swf',
  'bnk',
  'pkfx',
  'binary',
  'too_large',
  'missing',
]);
export type FileKind = (typeof FILE_KINDS)[number];

/** Number of leading bytes needed to detect the kind. */
export const KIND_BYTES = 16;

const SIGNATURES: readonly { kind: FileKind; starts: readonly string[] }[] = [
  { kind: 'image', starts: ['BM'] },
  { kind: 'dds', starts: ['DDS '] },
  { kind: 'swf', starts: ['FWS', 'CWS', 'ZWS'] },
  { kind: 'bnk', starts: ['BKHD'] },
];

const EXTENSIONS: Readonly<Record<string, FileKind>> = { blueprint: 'blueprint', pkfx: 'pkfx', swf: 'swf', bnk: 'bnk', dds: 'dds' };

/** Kind by magic bytes or file extension; null if the file has to be decoded as text first. */
export function detectKind(path: string, head: Uint8Array): FileKind | null {
  const start = String.fromCharCode(...head);
  const byContent = SIGNATURES.find(({ starts }) => starts.some((signature) => start.startsWith(signature)));
  if (byContent) return byContent.kind;
  if (imageTypeOf(head)) return 'image';
  return EXTENSIONS[path.slice(path.lastIndexOf('.') + 1).toLowerCase()] ?? null;
}

/** C0 and C1 control characters except tab and line feed. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters.
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;

/** Decodes bytes for comparison: UTF-8, otherwise Latin-1; control characters become `\xNN`. */
export function comparableText(bytes: Uint8Array): string {
  return decodeText(bytes).replaceAll(CONTROL, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

/** Decodes UTF-8; null if the bytes are not UTF-8 or contain NUL. */
export function cleanText(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}

function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // Each byte is a code point. `TextDecoder('latin1')` decodes windows-1252 instead.
    let text = '';
    for (let start = 0; start < bytes.length; start += DECODE_CHUNK) {
      text += String.fromCharCode(...bytes.subarray(start, start + DECODE_CHUNK));
    }
    return text;
  }
}

const DECODE_CHUNK = 8192;

/** A line of a hunk with its line numbers. */
interface DiffLine {
  kind: 'equal' | 'add' | 'remove';
  left: number | null;
  right: number | null;
  text: string;
}

/** Changed lines with equal lines around them; line numbers start at 1. */
export interface Hunk {
  leftStart: number;
  rightStart: number;
  lines: DiffLine[];
}

/** Equal lines around a change. Hunks with at most twice as many equal lines between them are merged. */
const CONTEXT_LINES = 3;
/** Maximum number of differences: bounds the CPU time. */
const MAX_EDITS = 1000;
const BACKSLASH_MARK = '\\';

/** Line difference of two texts; null if they have more than `MAX_EDITS` differences. */
export function diffLines(left: string, right: string): Hunk[] | null {
  const patch = structuredPatch('', '', left, right, '', '', { context: CONTEXT_LINES, maxEditLength: MAX_EDITS });
  return patch === undefined ? null : patch.hunks.map(toHunk);
}

function toHunk({ oldStart, newStart, lines }: { oldStart: number; newStart: number; lines: string[] }): Hunk {
  let left = oldStart;
  let right = newStart;
  const numbered: DiffLine[] = [];
  for (const line of lines) {
    const text = line.slice(1);
    const mark = line.charAt(0);
    // `\ No newline at end of file`
    if (mark === BACKSLASH_MARK) continue;
    if (mark === '+') numbered.push({ kind: 'add', left: null, right: right++, text });
    else if (mark === '-') numbered.push({ kind: 'remove', left: left++, right: null, text });
    else numbered.push({ kind: 'equal', left: left++, right: right++, text });
  }
  return { leftStart: oldStart, rightStart: newStart, lines: numbered };
}
