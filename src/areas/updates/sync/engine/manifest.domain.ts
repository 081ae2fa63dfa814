import { MalformedFileError } from './malformed.domain.ts';
import type { ManifestEntry } from './work.domain.ts';

/** Location of the newest build of a branch. */
export interface Pointer {
  versionTag: string;
  /** URL path of the build, without the leading `content/`. */
  contentPath: string;
}

/** Files of a build. */
export interface Manifest {
  versionTag: string;
  /** Entries by path. */
  entries: Map<string, ManifestEntry>;
}

const CONTENT_PREFIX = 'content/';

/** Parses `tag|content/<path>|…|message`; throws `MalformedFileError` if tag or path is missing. */
export function parsePointer(text: string): Pointer {
  const [versionTag = '', address = ''] = text.split('|').map((field) => field.trim());
  const contentPath = trimSlashes(address.startsWith(CONTENT_PREFIX) ? address.slice(CONTENT_PREFIX.length) : address);
  if (versionTag === '' || contentPath === '') throw new MalformedFileError('pointer has no version or no URL');
  // Both become parts of a URL: reject path traversal.
  if (!isPlainPath(contentPath) || !/^[^/\\?#\s]+$/.test(versionTag)) throw new MalformedFileError('pointer is malformed');
  return { versionTag, contentPath };
}

const HEADER = /^version[ \t]+(\S.*)$/;
const MAX_TAG_LENGTH = 200;
const MAX_SIZE = Number.MAX_SAFE_INTEGER;

/** Parses a manifest. Skips invalid lines; the last line of a path wins. Throws `MalformedFileError` if the header is missing. */
export function parseManifest(text: string): Manifest {
  const lines = text.split('\n');
  const versionTag = HEADER.exec(lines[0]?.trim() ?? '')?.[1];
  if (versionTag === undefined || versionTag.length > MAX_TAG_LENGTH)
    throw new MalformedFileError('manifest does not start with its version');
  const entries = new Map<string, ManifestEntry>();
  for (let index = 1; index < lines.length; index += 1) {
    const entry = parseEntry(lines[index]?.trim() ?? '');
    if (entry) entries.set(entry.path, entry);
  }
  return { versionTag, entries };
}

/** `path:sha1:size`, split at the last two colons: paths can contain colons. */
function parseEntry(line: string): ManifestEntry | null {
  const sizeAt = line.lastIndexOf(':');
  const hashAt = line.lastIndexOf(':', sizeAt - 1);
  if (sizeAt <= 0 || hashAt <= 0) return null;
  const path = line.slice(0, hashAt).replaceAll('\\', '/');
  const sha1 = line.slice(hashAt + 1, sizeAt).trim();
  const digits = line.slice(sizeAt + 1).trim();
  const size = /^\d{1,16}$/.test(digits) ? Number(digits) : Number.NaN;
  if (!isPlainPath(path) || sha1 === '' || !(size <= MAX_SIZE)) return null;
  return { path, sha1, size };
}

/** Whether a path is relative, without empty, `.` or `..` segments or NUL. */
export function isPlainPath(path: string): boolean {
  return path.split('/').every((segment) => segment !== '' && segment !== '.' && segment !== '..') && !path.includes('\0');
}

/** Percent-encodes each segment of a path. */
export function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

function trimSlashes(text: string): string {
  return text.replace(/^\/+|\/+$/g, '');
}
