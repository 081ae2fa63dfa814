import { listDirectories, splitDirectory, splitPath } from '../../src/areas/updates/paths.domain.ts';
import { NO_END_ORDINAL } from '../../src/areas/updates/updates.data.ts';
import type { ContentStore } from '../../src/platform/storage/content-store.ts';
import { insertRows } from './table-snapshot.ts';

/** Files of a version: path to content. */
export type Files = Readonly<Record<string, string>>;

export interface StoredVersion {
  tag: string;
  capturedAt: number;
  files: Files;
  /** The version is in progress, so its changes must be invisible. */
  inProgress?: boolean;
}

interface Row {
  [column: string]: string | number | null;
}

const encoder = new TextEncoder();
const sizeOf = (text: string) => encoder.encode(text).length;

/** Stores the history of a branch in the archiver's format, with a simple implementation of the tables' invariants. */
export async function storeVersions(contents: ContentStore, branch: string, versions: readonly StoredVersion[]): Promise<void> {
  const hashes = new Map<string, string>();
  for (const [index, { files, capturedAt }] of versions.entries()) {
    for (const text of Object.values(files)) {
      if (hashes.has(text)) continue;
      const { sha256 } = await contents.put(new Uint8Array(encoder.encode(text)));
      hashes.set(text, sha256);
      await insert('archive_blobs', [{ sha256, size: sizeOf(text), stored_at: capturedAt }], 'OR IGNORE');
    }
    await storeVersion(branch, index + 1, versions, hashes);
  }
  const complete = versions.filter(({ inProgress }) => !inProgress);
  const current = complete.at(-1);
  await insert('archive_branches', [
    {
      branch,
      current_version: current?.tag ?? null,
      current_ordinal: complete.length,
      last_probe_at: current?.capturedAt ?? null,
      file_count: Object.keys(current?.files ?? {}).length,
    },
  ]);
  await storeSpans(branch, versions, hashes);
}

async function storeVersion(
  branch: string,
  ordinal: number,
  versions: readonly StoredVersion[],
  hashes: Map<string, string>,
): Promise<void> {
  const version = versions[ordinal - 1];
  if (!version) return;
  const before = versions[ordinal - 2]?.files ?? {};
  const changes: Row[] = [];
  for (const path of new Set([...Object.keys(before), ...Object.keys(version.files)])) {
    const [old, recent] = [before[path], version.files[path]];
    if (old === recent) continue;
    changes.push({
      branch,
      ordinal,
      type: old === undefined ? 'added' : recent === undefined ? 'removed' : 'modified',
      path,
      content_sha256: recent === undefined ? null : (hashes.get(recent) ?? null),
      size: recent === undefined ? 0 : sizeOf(recent),
      previous_sha256: old === undefined ? null : (hashes.get(old) ?? null),
      previous_size: old === undefined ? 0 : sizeOf(old),
    });
  }
  await insert('archive_changes', changes);
  const counted = (type: string) => changes.filter((change) => change.type === type).length;
  await insert('archive_versions', [
    {
      branch,
      ordinal,
      version_tag: version.tag,
      captured_at: version.capturedAt,
      completed_at: version.inProgress ? null : version.capturedAt + 2,
      files_added: counted('added'),
      files_modified: counted('modified'),
      files_removed: counted('removed'),
    },
  ]);
}

/** Stores the contents of the versions as rows that are valid from one ordinal to another. */
async function storeSpans(branch: string, versions: readonly StoredVersion[], hashes: Map<string, string>): Promise<void> {
  const dirTrees = versions.map(({ files }, index) => directoryRows(versions, index, files));
  const paths = new Set(versions.flatMap(({ files }) => Object.keys(files)));
  const fileSpans = spansOf(versions.map(({ files }) => files));
  await insert(
    'archive_paths',
    [...paths].map((path, index) => ({ id: pathIds + index + 1, ...splitPath(path) })),
    'OR IGNORE',
  );
  pathIds += paths.size;
  await insert(
    'archive_files',
    fileSpans.map(({ key, value, from, to }) => ({
      branch,
      ...splitPath(key),
      from_ordinal: from,
      to_ordinal: to,
      changed_ordinal: from,
      content_sha256: hashes.get(value) ?? '',
      size: sizeOf(value),
      archive: key.includes('/') ? key.slice(0, key.indexOf('/')) : null,
      archive_index: key.includes('/') ? 0 : null,
    })),
  );
  await insert(
    'archive_dirs',
    spansOf(dirTrees).map(({ key, value, from, to }) => {
      const [file_count, size, last_ordinal] = JSON.parse(value) as [number, number, number];
      return { branch, ...splitDirectory(key), from_ordinal: from, to_ordinal: to, file_count, size, last_ordinal };
    }),
  );
}

let pathIds = 0;

/** Sums of each directory of a version, as text. */
function directoryRows(versions: readonly StoredVersion[], index: number, files: Files): Record<string, string> {
  const rows: Record<string, [number, number, number]> = {};
  for (const [path, text] of Object.entries(files)) {
    for (const dir of listDirectories(path)) {
      const row = rows[dir] ?? [0, 0, lastChangeBelow(dir, versions, index)];
      rows[dir] = [row[0] + 1, row[1] + sizeOf(text), row[2]];
    }
  }
  return Object.fromEntries(Object.entries(rows).map(([dir, row]) => [dir, JSON.stringify(row)]));
}

function lastChangeBelow(dir: string, versions: readonly StoredVersion[], index: number): number {
  const below = (files: Files = {}) =>
    JSON.stringify(
      Object.entries(files)
        .filter(([path]) => path.startsWith(dir))
        .sort(),
    );
  for (let at = index; at > 0; at -= 1) if (below(versions[at]?.files) !== below(versions[at - 1]?.files)) return at + 1;
  return 1;
}

/** Ranges of versions in which a key had the same value. */
function spansOf(trees: readonly Readonly<Record<string, string>>[]): { key: string; value: string; from: number; to: number }[] {
  const spans = [];
  const keys = new Set(trees.flatMap((tree) => Object.keys(tree)));
  for (const key of keys) {
    for (let from = 0; from < trees.length; ) {
      const value = trees[from]?.[key];
      let end = from + 1;
      while (end < trees.length && trees[end]?.[key] === value) end += 1;
      if (value !== undefined) spans.push({ key, value, from: from + 1, to: end === trees.length ? NO_END_ORDINAL : end + 1 });
      from = end;
    }
  }
  return spans;
}

async function insert(table: string, rows: readonly Row[], how = ''): Promise<void> {
  const [first] = rows;
  if (!first) return;
  await insertRows(table, Object.keys(first), rows, how).run();
}
