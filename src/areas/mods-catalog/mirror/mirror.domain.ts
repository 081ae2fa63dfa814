import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { foldCase } from '../../../platform/kit/values/fold.ts';
import { cutText } from '../../../platform/kit/values/visible-text.ts';
import { type ArtifactFormat, FORMATS, MOD_LIMITS, RELEASE_LIMITS } from '../records/catalog.data.ts';
import { normalizedTags } from '../records/mod.domain.ts';

/** The newest main file of a mod in the community catalog. */
interface CommunityFile {
  fileId: string;
  format: ArtifactFormat;
  version: string;
  changes: string;
  /** Null if unknown. */
  publishedAt: UnixSeconds | null;
}

/** A mod of the community catalog, reduced to the mirrored fields. */
export interface CommunityMod {
  sourceId: string;
  title: string;
  description: string;
  /** Account of the uploader; empty if unknown. */
  username: string;
  tags: string[];
  imageUrl: string | null;
  downloads: number;
  likes: number;
  /** Time of the oldest file; null if unknown. */
  createdAt: UnixSeconds | null;
  file: CommunityFile;
}

type Fields = Readonly<Record<string, unknown>>;

/** Parses an entry of the list; null if it has no id, no title or no supported file. */
export function parseCommunityMod(entry: unknown): CommunityMod | null {
  if (!isFields(entry)) return null;
  const sourceId = textOf(entry.id);
  const title = cutText(oneLine(textOf(entry.name)), MOD_LIMITS.title);
  const files = listOf(entry.downloads).flatMap((download) => fileOf(download) ?? []);
  const file = files.reduce<CommunityFile | null>((best, one) => (best && Number(best.fileId) > Number(one.fileId) ? best : one), null);
  if (sourceId === '' || title === '' || !file) return null;
  const dates = files.flatMap(({ publishedAt }) => publishedAt ?? []);
  return {
    sourceId,
    title,
    file,
    description: cutText(textOf(entry.description), MOD_LIMITS.description),
    username: cutText(oneLine(isFields(entry.author) ? textOf(entry.author.Username) : ''), MOD_LIMITS.author),
    tags: normalizedTags([entry.type, entry.subtype].map((tag) => cutText(foldCase(oneLine(textOf(tag))), MOD_LIMITS.tag))),
    imageUrl: textOf(entry.image) || null,
    downloads: countOf(entry.totaldownloads),
    likes: countOf(entry.likes),
    createdAt: dates.length === 0 ? null : Math.min(...dates),
  };
}

/** Parses a file; null unless it is a main file in a supported format. */
function fileOf(download: unknown): CommunityFile | null {
  if (!isFields(download) || !isZero(download.extra)) return null;
  const fileId = textOf(download.fileid);
  const format = FORMATS.find((known) => known === foldCase(textOf(download.format)));
  if (!/^\d{1,15}$/.test(fileId) || !format) return null;
  const date = countOf(download.date);
  return {
    fileId,
    format,
    version: cutText(oneLine(textOf(download.version)), RELEASE_LIMITS.tag),
    changes: cutText(textOf(download.changes), RELEASE_LIMITS.changelog),
    publishedAt: date === 0 ? null : date,
  };
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

/** Items of an array or values of an object: the community catalog uses both for lists. */
function listOf(value: unknown): unknown[] {
  return isFields(value) ? Object.values(value) : [];
}

/** Text of a string or number: the community catalog uses both for numbers. Without U+0000, at which the functions of the database end a text. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value.replaceAll('\0', '').trim().toWellFormed() : typeof value === 'number' ? String(value) : '';
}

const MAX_COUNT = 1_000_000_000_000;

function countOf(value: unknown): number {
  const count = Math.floor(Number(textOf(value)));
  return Number.isFinite(count) ? Math.min(Math.max(count, 0), MAX_COUNT) : 0;
}

function isZero(value: unknown): boolean {
  return value === undefined || value === null || value === false || value === '' || Number(value) === 0;
}

function oneLine(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ').trim();
}

const CODES = Object.fromEntries([...'[]{},:"\\'].map((mark) => [mark, mark.charCodeAt(0)]));
const { '[': OPEN_LIST, ']': CLOSE_LIST, '{': OPEN_MAP, '}': CLOSE_MAP, ',': COMMA, ':': COLON, '"': QUOTE, '\\': BACKSLASH } = CODES;
const SPACE = 0x20;

/** The text is not a JSON array or object. */
export class NotJson extends Error {}

/**
 * Yields the values of a JSON array or object as raw bytes, so that a list of tens of megabytes is never parsed as a whole.
 * Throws `NotJson` for a broken structure; does not check the values.
 */
export function* jsonValues(bytes: Uint8Array): Generator<Uint8Array> {
  let at = 0;
  while (at < bytes.length && (bytes[at] ?? 0) <= SPACE) at++;
  const isMap = bytes[at] === OPEN_MAP;
  if (!isMap && bytes[at] !== OPEN_LIST) throw new NotJson('must be an array or an object');
  let depth = 0;
  let start = isMap ? -1 : at + 1;
  for (; at < bytes.length; at++) {
    const code = bytes[at];
    if (code === QUOTE) at = endOfString(bytes, at);
    else if (code === OPEN_LIST || code === OPEN_MAP) depth++;
    else if (code === COLON && depth === 1 && isMap && start < 0) start = at + 1;
    else if (code === CLOSE_LIST || code === CLOSE_MAP) depth--;
    if (depth > 1 || (depth === 1 && code !== COMMA)) continue;
    if (start >= 0 && !isBlank(bytes, start, at)) yield bytes.subarray(start, at);
    if (depth === 0) return;
    start = isMap ? -1 : at + 1;
  }
  throw new NotJson('unexpected end');
}

function endOfString(bytes: Uint8Array, open: number): number {
  for (let at = open + 1; at < bytes.length; at++) {
    if (bytes[at] === BACKSLASH) at++;
    else if (bytes[at] === QUOTE) return at;
  }
  throw new NotJson('unterminated string');
}

function isBlank(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if ((bytes[at] ?? 0) > SPACE) return false;
  return true;
}
