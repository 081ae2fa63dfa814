import type { UnixSeconds } from '../../../platform/time/clock.ts';
import { folded, normalizedTags } from '../catalog/mod.domain.ts';
import { type ArtifactFormat, FORMATS, MOD_LIMITS, RELEASE_LIMITS } from '../catalog.data.ts';

/** The file of a mod that is mirrored. */
export interface CommunityFile {
  fileId: string;
  format: ArtifactFormat;
  version: string;
  changes: string;
  /** Null when the catalog does not say. */
  publishedAt: UnixSeconds | null;
}

/** A mod as the community catalog lists it, cut to what is kept. */
export interface CommunityMod {
  sourceId: string;
  title: string;
  description: string;
  /** Account that uploaded it; empty when it is not said. */
  username: string;
  tags: string[];
  imageUrl: string | null;
  downloads: number;
  likes: number;
  /** When its first file appeared. */
  createdAt: UnixSeconds | null;
  file: CommunityFile;
}

type Fields = Readonly<Record<string, unknown>>;

/** Reads an entry of the list; null for one without a name or a file that can be taken. */
export function parseCommunityMod(entry: unknown): CommunityMod | null {
  if (!isFields(entry)) return null;
  const sourceId = textOf(entry.id);
  const title = cut(oneLine(textOf(entry.name)), MOD_LIMITS.title);
  const files = listOf(entry.downloads).flatMap((download) => fileOf(download) ?? []);
  const file = files.reduce<CommunityFile | null>((best, one) => (best && Number(best.fileId) > Number(one.fileId) ? best : one), null);
  if (sourceId === '' || title === '' || !file) return null;
  const dates = files.flatMap(({ publishedAt }) => publishedAt ?? []);
  return {
    ...{ sourceId, title, file },
    description: cut(textOf(entry.description), MOD_LIMITS.description),
    username: cut(oneLine(isFields(entry.author) ? textOf(entry.author.Username) : ''), MOD_LIMITS.author),
    tags: normalizedTags([entry.type, entry.subtype].map((tag) => cut(folded(oneLine(textOf(tag))), MOD_LIMITS.tag))),
    imageUrl: textOf(entry.image) || null,
    downloads: countOf(entry.totaldownloads),
    likes: countOf(entry.likes),
    createdAt: dates.length === 0 ? null : Math.min(...dates),
  };
}

/** A main file in a format that is known. */
function fileOf(download: unknown): CommunityFile | null {
  if (!isFields(download) || !isZero(download.extra)) return null;
  const fileId = textOf(download.fileid);
  const format = FORMATS.find((known) => known === folded(textOf(download.format)));
  if (!/^\d{1,15}$/.test(fileId) || !format) return null;
  const date = countOf(download.date);
  return {
    ...{ fileId, format },
    version: cut(oneLine(textOf(download.version)), RELEASE_LIMITS.tag),
    changes: cut(textOf(download.changes), RELEASE_LIMITS.changelog),
    publishedAt: date === 0 ? null : date,
  };
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

/** The catalog writes lists as lists or as maps. */
function listOf(value: unknown): unknown[] {
  return isFields(value) ? Object.values(value) : [];
}

/** Numbers come as numbers or as text. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim().toWellFormed() : typeof value === 'number' ? String(value) : '';
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

/** Cuts without leaving half a character. */
function cut(text: string, length: number): string {
  return text.length <= length
    ? text
    : text
        .slice(0, length)
        .toWellFormed()
        .replace(/\ufffd$/, '');
}
