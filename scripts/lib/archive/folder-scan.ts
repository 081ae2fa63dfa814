import { createHash } from 'node:crypto';
import { type Dirent, existsSync } from 'node:fs';
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import pMap from 'p-map';
import { isGamePath, type ManifestEntry } from '../../../src/areas/updates/sync/engine/build-files.domain.ts';
import { isPacked } from '../../../src/areas/updates/sync/engine/plan.domain.ts';
import { UserError } from '../main.ts';

/** Why a name in the folder is not a file of the version. */
export type SkipReason = 'symbolic link' | 'not a file' | 'unsupported name';

/** The files of an unpacked folder of the game. */
export interface FolderScan {
  /** The folder without symbolic links. */
  folder: string;
  /** Files by path. `sha1` is the SHA-256 of the content: the engine only compares it. */
  entries: ReadonlyMap<string, ManifestEntry>;
  skipped: readonly { path: string; reason: SkipReason }[];
}

interface ScanOptions {
  /** Top-level names to read; null: all. */
  roots: readonly string[] | null;
  onProgress(progress: { files: number; bytes: number }): void;
  signal?: AbortSignal | undefined;
}

const PARALLEL_READS = 8;
const PACKED_SHOWN = 3;

/** Lists and hashes the files of a folder. Follows no symbolic links, so nothing outside the folder is read. */
export async function scanFolder(dir: string, { roots, onProgress, signal }: ScanOptions): Promise<FolderScan> {
  const folder = await realpath(dir).catch(() => null);
  if (folder === null || !(await stat(folder)).isDirectory()) throw new UserError(`${dir}: folder not found.`);
  const missing = (roots ?? []).filter((root) => !existsSync(join(folder, root)));
  if (missing.length > 0) throw new UserError(`--roots: ${missing.join(', ')} not found in ${dir}.`);
  const skipped: { path: string; reason: SkipReason }[] = [];
  const paths = await listFiles(folder, '', (name) => roots === null || roots.includes(name), skipped);
  const packed = paths.filter(isPacked);
  if (packed.length > 0) throw packedError(dir, packed);
  if (paths.length === 0) throw new UserError(`${dir} has no files.`);
  const progress = { files: 0, bytes: 0 };
  const entries = new Map<string, ManifestEntry>(paths.map((path) => [path, { path, sha1: '', size: 0 }]));
  const hash = async (path: string) => {
    signal?.throwIfAborted();
    const bytes = await readFile(join(folder, path));
    entries.set(path, { path, sha1: createHash('sha256').update(bytes).digest('hex'), size: bytes.length });
    progress.files += 1;
    progress.bytes += bytes.length;
    onProgress(progress);
  };
  await pMap(paths, hash, { concurrency: PARALLEL_READS });
  return { folder, entries, skipped };
}

/** Paths of the files below a directory, in the order of their names. */
async function listFiles(
  folder: string,
  dir: string,
  isIncluded: (name: string) => boolean,
  skipped: { path: string; reason: SkipReason }[],
): Promise<string[]> {
  const paths: string[] = [];
  const children = await readdir(join(folder, dir), { withFileTypes: true });
  for (const child of children.sort((one, other) => (one.name < other.name ? -1 : 1))) {
    const path = dir === '' ? child.name : `${dir}/${child.name}`;
    if (!isIncluded(child.name)) continue;
    const reason = skipReason(path, child);
    if (reason !== null) skipped.push({ path, reason });
    else if (child.isDirectory()) paths.push(...(await listFiles(folder, path, () => true, skipped)));
    else paths.push(path);
  }
  return paths;
}

function skipReason(path: string, child: Dirent): SkipReason | null {
  if (child.isSymbolicLink()) return 'symbolic link';
  if (!child.isDirectory() && !child.isFile()) return 'not a file';
  return isGamePath(path) ? null : 'unsupported name';
}

function packedError(dir: string, packed: readonly string[]): UserError {
  const more = packed.length > PACKED_SHOWN ? ` and ${packed.length - PACKED_SHOWN} more` : '';
  return new UserError(
    `${dir} has packed archives: ${packed.slice(0, PACKED_SHOWN).join(', ')}${more}. Unpack the files and remove the archives first.`,
  );
}
