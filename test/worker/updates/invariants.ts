import { env } from 'cloudflare:workers';
import { listDirectories } from '../../../src/areas/updates/paths.domain.ts';
import type { ChangeType } from '../../../src/areas/updates/updates.data.ts';

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

/** Rows of a branch that hold from a version to before another one. */
interface Span {
  branch: string;
  from_ordinal: number;
  to_ordinal: number;
}

/** The rows of an archive of which its invariants speak. */
interface Archive {
  files: (ArchiveFileRow & Span)[];
  dirs: (ArchiveDirRow & Span)[];
  changes: (ArchiveChangeRow & Pick<Span, 'branch'>)[];
}

/** The results of statements, read in one batch. */
async function readAll(statements: readonly string[]): Promise<unknown[][]> {
  const results = await env.DB.batch(statements.map((statement) => env.DB.prepare(statement)));
  return results.map(({ results: found }) => found);
}

/** Violations of the invariants of `updates.tables.ts` in an archive without a sync in progress; empty if there are none. */
export async function findViolations(): Promise<string[]> {
  const [versions, files, dirs, changes, dangling, orphans, work, unsearchable] = (await readAll([
    'SELECT * FROM archive_versions ORDER BY branch, ordinal',
    'SELECT * FROM archive_files',
    'SELECT * FROM archive_dirs',
    'SELECT * FROM archive_changes',
    'SELECT dir || name AS path FROM archive_files WHERE content_sha256 NOT IN (SELECT sha256 FROM archive_blobs)',
    'SELECT sha256 FROM archive_blobs WHERE sha256 NOT IN (SELECT content_sha256 FROM archive_files)',
    'SELECT * FROM archive_work',
    `SELECT dir || name AS path FROM archive_files f WHERE NOT EXISTS (SELECT 1 FROM archive_paths p WHERE p.dir = f.dir AND p.name = f.name)`,
  ])) as [
    VersionRow[],
    Archive['files'],
    Archive['dirs'],
    Archive['changes'],
    { path: string }[],
    { sha256: string }[],
    unknown[],
    { path: string }[],
  ];
  return [
    ...versions.flatMap((version) => problemsOfVersion(version, { files, dirs, changes })),
    ...dangling.map(({ path }) => `${path} has no content`),
    ...orphans.map(({ sha256 }) => `${sha256} belongs to no file`),
    ...work.map(() => 'there is work left'),
    ...unsearchable.map(({ path }) => `${path} cannot be searched for`),
  ];
}

function problemsOfVersion(version: VersionRow, archive: Archive): string[] {
  const { branch, ordinal } = version;
  const before = filesAt(archive, branch, ordinal - 1);
  const after = filesAt(archive, branch, ordinal);
  const changes = archive.changes.filter((change) => change.branch === branch && change.ordinal === ordinal);
  const dirsAt = (at: number) => archive.dirs.filter((dir) => holdsAt(dir, branch, at));
  const name = `${branch} ${ordinal}`;
  const counted = (type: string) => changes.filter((change) => change.type === type).length;
  const stated = [version.files_added, version.files_modified, version.files_removed, version.file_count];
  const actual = [counted('added'), counted('modified'), counted('removed'), after.size];
  return [
    ...(version.completed_at === null ? [`${name} is not complete`] : []),
    ...(JSON.stringify(stated) === JSON.stringify(actual) ? [] : [`${name} counts ${stated} instead of ${actual}`]),
    ...sameLines(`${name} changes`, changes.map(changeLine), expectedChanges(before, after)),
    ...sameLines(`${name} directories`, dirsAt(ordinal).map(dirLine), expectedDirs(after, changes, dirsAt(ordinal - 1))),
  ];
}

const holdsAt = (span: Span, branch: string, ordinal: number) =>
  span.branch === branch && span.from_ordinal <= ordinal && span.to_ordinal > ordinal;

function filesAt({ files }: Archive, branch: string, ordinal: number): Map<string, ArchiveFileRow> {
  const found = files.filter((file) => holdsAt(file, branch, ordinal));
  const byPath = new Map(found.map((row) => [row.dir + row.name, row]));
  if (byPath.size !== found.length) throw new Error(`a path has two rows at ${ordinal}`);
  return byPath;
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
