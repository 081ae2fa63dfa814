import { listDirectories } from '../../../src/areas/updates/paths.domain.ts';
import type { ChangeType } from '../../../src/areas/updates/updates.data.ts';
import { rows } from './world.ts';

interface VersionRow {
  branch: string;
  ordinal: number;
  completed_at: number | null;
  files_added: number;
  files_modified: number;
  files_removed: number;
  file_count: number;
}

interface ArchiveFileRow {
  dir: string;
  name: string;
  from_ordinal: number;
  changed_ordinal: number;
  content_sha256: string;
  size: number;
}

interface ArchiveDirRow {
  parent: string;
  name: string;
  file_count: number;
  size: number;
  last_ordinal: number;
}

interface ArchiveChangeRow {
  ordinal: number;
  type: ChangeType;
  path: string;
  content_sha256: string | null;
  size: number;
  previous_sha256: string | null;
  previous_size: number;
}

/** Violations of the invariants of `updates.tables.ts` in an archive without a sync in progress; empty if there are none. */
export async function findViolations(): Promise<string[]> {
  const versions = await rows<VersionRow>('SELECT * FROM archive_versions ORDER BY branch, ordinal');
  const found: string[] = [];
  for (const version of versions) found.push(...(await problemsOfVersion(version)));
  const dangling = await rows<{ path: string }>(
    'SELECT dir || name AS path FROM archive_files WHERE content_sha256 NOT IN (SELECT sha256 FROM archive_blobs)',
  );
  const orphans = await rows<{ sha256: string }>(
    'SELECT sha256 FROM archive_blobs WHERE sha256 NOT IN (SELECT content_sha256 FROM archive_files)',
  );
  const work = await rows('SELECT * FROM archive_work');
  const unsearchable = await rows<{ path: string }>(
    `SELECT dir || name AS path FROM archive_files f WHERE NOT EXISTS (SELECT 1 FROM archive_paths p WHERE p.dir = f.dir AND p.name = f.name)`,
  );
  return [
    ...found,
    ...dangling.map(({ path }) => `${path} has no content`),
    ...orphans.map(({ sha256 }) => `${sha256} belongs to no file`),
    ...work.map(() => 'there is work left'),
    ...unsearchable.map(({ path }) => `${path} cannot be searched for`),
  ];
}

async function problemsOfVersion(version: VersionRow): Promise<string[]> {
  const { branch, ordinal } = version;
  const before = await filesAt(branch, ordinal - 1);
  const after = await filesAt(branch, ordinal);
  const changes = await rows<ArchiveChangeRow>('SELECT * FROM archive_changes WHERE branch = ? AND ordinal = ?', branch, ordinal);
  const name = `${branch} ${ordinal}`;
  const counted = (type: string) => changes.filter((change) => change.type === type).length;
  const stated = [version.files_added, version.files_modified, version.files_removed, version.file_count];
  const actual = [counted('added'), counted('modified'), counted('removed'), after.size];
  return [
    ...(version.completed_at === null ? [`${name} is not complete`] : []),
    ...(JSON.stringify(stated) === JSON.stringify(actual) ? [] : [`${name} counts ${stated} instead of ${actual}`]),
    ...sameLines(`${name} changes`, changes.map(changeLine), expectedChanges(before, after)),
    ...sameLines(
      `${name} directories`,
      (await dirsAt(branch, ordinal)).map(dirLine),
      expectedDirs(after, changes, await dirsAt(branch, ordinal - 1)),
    ),
  ];
}

async function filesAt(branch: string, ordinal: number): Promise<Map<string, ArchiveFileRow>> {
  const found = await rows<ArchiveFileRow>(
    'SELECT * FROM archive_files WHERE branch = ? AND from_ordinal <= ? AND to_ordinal > ?',
    branch,
    ordinal,
    ordinal,
  );
  const files = new Map(found.map((row) => [row.dir + row.name, row]));
  if (files.size !== found.length) throw new Error(`a path has two rows at ${ordinal}`);
  return files;
}

function dirsAt(branch: string, ordinal: number): Promise<ArchiveDirRow[]> {
  return rows('SELECT * FROM archive_dirs WHERE branch = ? AND from_ordinal <= ? AND to_ordinal > ?', branch, ordinal, ordinal);
}

function changeLine(change: ArchiveChangeRow): string {
  const { type, path, content_sha256: sha, size, previous_sha256: previous, previous_size: previousSize } = change;
  return [type, path, sha, size, previous, previousSize].join(' ');
}

function expectedChanges(before: ReadonlyMap<string, ArchiveFileRow>, after: ReadonlyMap<string, ArchiveFileRow>): string[] {
  const lines: string[] = [];
  for (const path of new Set([...before.keys(), ...after.keys()])) {
    const old = before.get(path);
    const now = after.get(path);
    if (old?.content_sha256 === now?.content_sha256) continue;
    const type = !old ? 'added' : !now ? 'removed' : 'modified';
    lines.push([type, path, now?.content_sha256 ?? null, now?.size ?? 0, old?.content_sha256 ?? null, old?.size ?? 0].join(' '));
    if (now && now.changed_ordinal !== now.from_ordinal) lines.push(`${path} does not know when it changed`);
  }
  return lines;
}

function dirLine({ parent, name, file_count: files, size, last_ordinal: last }: ArchiveDirRow): string {
  return `${parent}${name}/ ${files} ${size} ${last}`;
}

function expectedDirs(
  files: ReadonlyMap<string, ArchiveFileRow>,
  changes: readonly ArchiveChangeRow[],
  before: readonly ArchiveDirRow[],
): string[] {
  const last = new Map(before.map((row) => [`${row.parent}${row.name}/`, row.last_ordinal]));
  for (const { path, ordinal } of changes) for (const dir of listDirectories(path)) last.set(dir, ordinal);
  const sums = new Map<string, { files: number; size: number }>();
  for (const [path, { size }] of files) {
    for (const dir of listDirectories(path)) {
      const sum = sums.get(dir) ?? { files: 0, size: 0 };
      sums.set(dir, { files: sum.files + 1, size: sum.size + size });
    }
  }
  return [...sums].map(([dir, sum]) => `${dir} ${sum.files} ${sum.size} ${last.get(dir)}`);
}

function sameLines(what: string, actual: readonly string[], expected: readonly string[]): string[] {
  const missing = expected.filter((line) => !actual.includes(line)).map((line) => `${what}: lacks ${line}`);
  const surplus = actual.filter((line) => !expected.includes(line)).map((line) => `${what}: has ${line}`);
  return [...missing, ...surplus];
}
