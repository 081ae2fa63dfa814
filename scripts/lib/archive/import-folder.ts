import { createReadStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import { createArchiveStore } from '../../../src/areas/updates/reads/archive.store.ts';
import { createArchiveListing } from '../../../src/areas/updates/reads/archive-listing.store.ts';
import {
  type BuildSource,
  formatManifest,
  isVersionTag,
  type ManifestEntry,
  SourceFileMissingError,
} from '../../../src/areas/updates/sync/engine/build-files.domain.ts';
import { INDEX_NAME } from '../../../src/areas/updates/sync/engine/plan.domain.ts';
import type { CompletedVersion, SyncStore } from '../../../src/areas/updates/sync/engine/sync.store.ts';
import type { Branch } from '../../../src/game/branches.data.ts';
import type { Database } from '../../../src/platform/storage/database.ts';
import { UserError } from '../main.ts';
import type { ArchiveBindings } from './bindings.ts';
import { type BulkProgress, bulkSync } from './bulk-sync.ts';
import { type FolderScan, scanFolder } from './folder-scan.ts';

/** An unpacked folder of the game, to be stored as a version. */
export interface FolderImport {
  branch: Branch;
  dir: string;
  /** Tag of the version. */
  tag: string;
  /** Top-level names that the version replaces; the others keep their files. Null: all. */
  roots: readonly string[] | null;
}

export interface FolderImportDeps {
  archive: Omit<ArchiveBindings, 'dispose'>;
  store: SyncStore;
  parallel: number;
  now(): number;
  onScan(progress: { files: number; bytes: number }): void;
  onProgress(progress: BulkProgress): void;
  signal?: AbortSignal | undefined;
}

/** `known`: the archive has the version. `unchanged`: the newest version has the same files under another tag. */
export type FolderImportResult = Pick<FolderScan, 'skipped'> &
  (
    | { kind: 'known'; version: Pick<CompletedVersion, 'ordinal' | 'versionTag'> }
    | { kind: 'unchanged' }
    | { kind: 'imported'; version: CompletedVersion }
  );

/** Share of the current files that may be missing from a folder: a folder that lacks more is not the whole version. */
const MAX_MISSING_SHARE = 0.2;
const FILES_PER_QUERY = 5000;

/** Checks the tag and the roots of an import. Throws UserError. */
export function checkFolderImport({ tag, roots }: Pick<FolderImport, 'tag' | 'roots'>): void {
  if (!isVersionTag(tag))
    throw new UserError(`"${tag}" cannot be a tag: use --tag with at most 200 characters, without spaces and without / \\ ? # |.`);
  const bad = (roots ?? []).find((root) => !isVersionTag(root));
  if (bad !== undefined) throw new UserError(`--roots: "${bad}" is not the name of a folder; use names such as prefabs,languages.`);
}

/**
 * Stores an unpacked folder as a version of a branch, with the engine that syncs builds of the publisher: every file is a loose file.
 * The folder is the whole version, or the whole of its `roots`. Can be stopped at any time and repeated.
 */
export async function importFolder(folderImport: FolderImport, deps: FolderImportDeps): Promise<FolderImportResult> {
  checkFolderImport(folderImport);
  const { branch, tag, roots } = folderImport;
  const scan = await scanFolder(folderImport.dir, { roots, onProgress: deps.onScan, signal: deps.signal });
  const { skipped } = scan;
  const { db } = deps.archive;
  const { open, currentOrdinal } = await deps.store.readBranch();
  const contentPath = ['import', tag, ...(roots === null ? [] : [roots.join('+')])].join('/');
  const known = await createArchiveStore(db).findVersion(branch, { tag });
  if (known) {
    const difference = compare(scan, await readTree(db, folderImport, known.ordinal));
    if (difference.count > 0) throw knownTagError(folderImport, known.ordinal, difference);
    return { kind: 'known', version: known, skipped };
  }
  if (roots !== null && open !== null && open.contentPath !== contentPath)
    throw new UserError(
      `${open.versionTag} of ${branch} is incomplete, so the files outside of ${roots.join(', ')} are not those of a version. Complete it first: run its import again.`,
    );
  requireWholeVersion(folderImport, compare(scan, await readTree(db, folderImport, currentOrdinal)));
  const entries = [...scan.entries.values(), ...(roots === null ? [] : await readOthers(deps.store, roots))];
  const source = folderSource(scan.folder, `${tag}|content/${contentPath}|`, formatManifest(tag, entries));
  const { version } = await bulkSync({ ...deps, source, contents: deps.archive.contents });
  return version === null ? { kind: 'unchanged', skipped } : { kind: 'imported', version, skipped };
}

/** The folder as a source of one build. */
function folderSource(folder: string, pointer: string, manifest: string): BuildSource {
  return {
    readPointer: async () => pointer,
    readManifest: async () => Uint8Array.from(new TextEncoder().encode(manifest)),
    async openFile(_contentPath, { path }, signal) {
      const file = join(folder, path);
      if (!existsSync(file)) throw new SourceFileMissingError(file);
      return createReadStream(file, { signal });
    },
  };
}

/** Archived entries outside of the roots. */
async function readOthers(store: SyncStore, roots: readonly string[]): Promise<ManifestEntry[]> {
  const others = [...(await store.readManifest()).values()].filter(({ path }) => !roots.includes(rootOf(path)));
  if (others.some(({ path }) => path === INDEX_NAME))
    throw new UserError('--roots: the current version has packed files that belong to no single root; import the whole folder.');
  return others;
}

/** Hashes of the files of a version by path, of the roots only; empty for ordinal 0. */
async function readTree(db: Database, { branch, roots }: FolderImport, ordinal: number): Promise<Map<string, string>> {
  const listing = createArchiveListing(db);
  const tree = new Map<string, string>();
  for (let after: string | null = null; ordinal > 0; ) {
    const page = await listing.listFiles(branch, ordinal, after, FILES_PER_QUERY);
    for (const { path, sha256 } of page) if (roots === null || roots.includes(rootOf(path))) tree.set(path, sha256);
    const last = page.at(-1);
    if (!last || page.length < FILES_PER_QUERY) break;
    after = last.path;
  }
  return tree;
}

interface Difference {
  added: number;
  modified: number;
  removed: number;
  count: number;
  /** Number of files of the version and of those that the folder lacks, by root. */
  roots: Map<string, { files: number; missing: number }>;
}

function compare({ entries }: FolderScan, tree: ReadonlyMap<string, string>): Difference {
  const roots: Difference['roots'] = new Map();
  let modified = 0;
  let removed = 0;
  for (const [path, sha256] of tree) {
    const root = roots.get(rootOf(path)) ?? { files: 0, missing: 0 };
    roots.set(rootOf(path), root);
    const entry = entries.get(path);
    root.files += 1;
    if (!entry) root.missing += 1;
    if (!entry) removed += 1;
    else if (entry.sha1 !== sha256) modified += 1;
  }
  const added = entries.size - (tree.size - removed);
  return { added, modified, removed, count: added + modified + removed, roots };
}

/** The first segment of a path. */
function rootOf(path: string): string {
  const end = path.indexOf('/');
  return end < 0 ? path : path.slice(0, end);
}

function requireWholeVersion({ dir, branch }: FolderImport, { removed, roots }: Difference): void {
  const total = [...roots.values()].reduce((sum, { files }) => sum + files, 0);
  if (removed <= total * MAX_MISSING_SHARE) return;
  const lacking = [...roots].filter(([, { missing }]) => missing > 0).sort(([, one], [, other]) => other.missing - one.missing);
  const whole = [...roots]
    .filter(([, { files, missing }]) => missing < files)
    .map(([root]) => root)
    .sort();
  throw new UserError(
    [
      `${dir} lacks ${removed} of the ${total} files of ${branch}, so it is not a whole version. Missing:`,
      ...lacking.map(([root, { files, missing }]) => `  ${root}: ${missing} of ${files} files`),
      ...(whole.length > 0 ? [`To replace some roots and keep the others, list them: --roots ${whole.join(',')}`] : []),
    ].join('\n'),
  );
}

function knownTagError({ dir, branch, tag }: FolderImport, ordinal: number, { added, modified, removed }: Difference): UserError {
  return new UserError(
    `${tag} is version ${ordinal} of ${branch} and has other files: ${dir} has ${added} more, ${modified} other and ${removed} fewer. Use another --tag.`,
  );
}
