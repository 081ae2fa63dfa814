import { Malformed } from './malformed.domain.ts';
import type { ManifestEntry } from './work.domain.ts';

/** Where the newest build of a branch is. */
export interface Pointer {
  versionTag: string;
  /** Address part of the build, without the leading `content/`. */
  contentPath: string;
}

/** The list of files of a build. */
export interface Manifest {
  versionTag: string;
  /** By path. */
  entries: Map<string, ManifestEntry>;
}

const CONTENT = 'content/';

/** Reads `tag|content/<path>|…|message`; throws `Malformed` when tag or path is missing. */
export function parsePointer(text: string): Pointer {
  const [versionTag = '', address = ''] = text.split('|').map((field) => field.trim());
  const contentPath = trimSlashes(address.startsWith(CONTENT) ? address.slice(CONTENT.length) : address);
  if (versionTag === '' || contentPath === '') throw new Malformed('pointer has no version or no URL');
  // Both become parts of an address: neither may lead out of it.
  if (!isPlainPath(contentPath) || !/^[^/\\?#\s]+$/.test(versionTag)) throw new Malformed('pointer is malformed');
  return { versionTag, contentPath };
}

const HEADER = /^version[ \t]+(\S.*)$/;
const MAX_TAG_LENGTH = 200;
const MAX_SIZE = Number.MAX_SAFE_INTEGER;

/** Reads a manifest. Lines that are no entries are skipped, of two lines for a path the last counts; throws `Malformed` without a header. */
export function parseManifest(text: string): Manifest {
  const lines = text.split('\n');
  const versionTag = HEADER.exec(lines[0]?.trim() ?? '')?.[1];
  if (versionTag === undefined || versionTag.length > MAX_TAG_LENGTH) throw new Malformed('manifest does not start with its version');
  const entries = new Map<string, ManifestEntry>();
  for (let index = 1; index < lines.length; index += 1) {
    const entry = entryOf(lines[index]?.trim() ?? '');
    if (entry) entries.set(entry.path, entry);
  }
  return { versionTag, entries };
}

/** `path:sha1:size`, split at the last two colons: a path may have some of its own. */
function entryOf(line: string): ManifestEntry | null {
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

/** A relative path whose segments are names: what can be asked for below an address, and shown in a tree. */
export function isPlainPath(path: string): boolean {
  return path.split('/').every((segment) => segment !== '' && segment !== '.' && segment !== '..') && !path.includes('\0');
}

/** The path as a part of an address: each segment percent-encoded. */
export function encodedPath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

function trimSlashes(text: string): string {
  return text.replace(/^\/+|\/+$/g, '');
}
