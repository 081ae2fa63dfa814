import { deflateSync, inflateSync, strFromU8, strToU8 } from 'fflate';
import type { FileParse } from '../parse/codex-parse.domain.ts';
import { listParts } from '../parse/parse-file.domain.ts';
import { BLUEPRINTS, foldCase, PREFABS, typeOfPath } from '../paths.domain.ts';
import type { SourceFile } from './codex-source.ts';

/** A file to be parsed. */
export type UnparsedFile = SourceFile;

/** Maximum size of a chunk of a stored parse, in bytes. */
const MAX_CHUNK_BYTES = 1_000_000;

/**
 * State of a build in the storage of the index object: files of the branch with their content hashes, and cached parses.
 */
export class IndexStorage {
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
    this.#sql.exec(`CREATE TABLE IF NOT EXISTS files (path TEXT PRIMARY KEY, sha256 TEXT NOT NULL, size INTEGER NOT NULL,
      is_read INTEGER NOT NULL, parsed TEXT, is_entry INTEGER NOT NULL DEFAULT 0, seen INTEGER NOT NULL) WITHOUT ROWID`);
    this.#sql.exec('CREATE INDEX IF NOT EXISTS files_unparsed ON files (path) WHERE is_read AND parsed IS NOT sha256');
    this.#sql.exec(`CREATE TABLE IF NOT EXISTS parses (path TEXT, piece INTEGER, is_candidate INTEGER NOT NULL, data BLOB NOT NULL,
      PRIMARY KEY (path, piece)) WITHOUT ROWID`);
  }

  /** Records files of a version; ignores files that no codex uses. */
  recordFiles(files: readonly SourceFile[], ordinal: number): void {
    for (const { path, sha256, size } of files) {
      const isRead = listParts(path).length > 0;
      if (!isRead && !/^(?:blueprints|prefabs)\//i.test(path)) continue;
      this.#sql.exec(
        `INSERT INTO files (path, sha256, size, is_read, seen) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (path) DO UPDATE SET sha256 = excluded.sha256, size = excluded.size, is_read = excluded.is_read, seen = excluded.seen`,
        ...[path, sha256, size, Number(isRead), ordinal],
      );
    }
  }

  /** Deletes files missing from the version. */
  deleteMissing(ordinal: number): void {
    this.#sql.exec('DELETE FROM parses WHERE path IN (SELECT path FROM files WHERE seen <> ?)', ordinal);
    this.#sql.exec('DELETE FROM files WHERE seen <> ?', ordinal);
  }

  /** Deletes all cached parses, after a change of the parser. */
  deleteParses(): void {
    this.#sql.exec('DELETE FROM parses');
    this.#sql.exec('UPDATE files SET parsed = NULL');
  }

  listUnparsed(limit: number): UnparsedFile[] {
    const rows = this.#sql.exec<{ path: string; sha256: string; size: number }>(
      'SELECT path, sha256, size FROM files WHERE is_read AND parsed IS NOT sha256 ORDER BY path LIMIT ?',
      limit,
    );
    return rows.toArray();
  }

  /** Caches the parse of a content. */
  storeParse(path: string, sha256: string, parse: FileParse): void {
    const bytes = deflateSync(strToU8(JSON.stringify(parse)), { level: 1 });
    const isCandidate = Number(parse.prefab !== undefined && typeOfPath(path) !== null);
    this.#sql.exec('DELETE FROM parses WHERE path = ?', path);
    for (let piece = 0; piece * MAX_CHUNK_BYTES < bytes.length; piece += 1) {
      const data = bytes.slice(piece * MAX_CHUNK_BYTES, (piece + 1) * MAX_CHUNK_BYTES);
      this.#sql.exec('INSERT INTO parses (path, piece, is_candidate, data) VALUES (?, ?, ?, ?)', path, piece, isCandidate, data);
    }
    this.#sql.exec('UPDATE files SET parsed = ? WHERE path = ?', sha256, path);
  }

  /** Paths of all prefabs and models, including files that are not parsed. */
  *listPaths(): Generator<string> {
    for (const { path } of this.#sql.exec<{ path: string }>('SELECT path FROM files')) {
      const lower = foldCase(path);
      if (lower.startsWith(BLUEPRINTS) || lower.startsWith(PREFABS)) yield path;
    }
  }

  /** All parses, by path. */
  *listParses(): Generator<FileParse> {
    yield* joinChunks(this.#sql.exec<ParseRow>('SELECT path, data FROM parses ORDER BY path, piece'));
  }

  /** Page of parses of prefabs that are entries, after a path, by path. */
  listEntryParses(after: string, limit: number): FileParse[] {
    // Prefabs are small: their parse is one chunk.
    return [
      ...joinChunks(
        this.#sql.exec<ParseRow>(
          'SELECT path, data FROM parses WHERE path > ? AND is_candidate AND piece = 0 ORDER BY path LIMIT ?',
          after,
          limit,
        ),
      ),
    ];
  }

  clearEntries(): void {
    this.#sql.exec('UPDATE files SET is_entry = 0 WHERE is_entry');
  }

  markEntries(paths: readonly string[]): void {
    for (const path of paths) this.#sql.exec('UPDATE files SET is_entry = 1 WHERE path = ?', path);
  }

  isEntry(path: string): boolean {
    return this.#sql.exec('SELECT 1 FROM files WHERE path = ? AND is_entry', path).toArray().length > 0;
  }
}

type ParseRow = { path: string; data: ArrayBuffer };

/** Joins the chunks of each parse. */
function* joinChunks(rows: Iterable<ParseRow>): Generator<FileParse> {
  let path: string | null = null;
  let chunks: Uint8Array[] = [];
  for (const row of rows) {
    if (path !== null && row.path !== path) {
      yield readParse(chunks);
      chunks = [];
    }
    path = row.path;
    chunks.push(new Uint8Array(row.data));
  }
  if (path !== null) yield readParse(chunks);
}

function readParse(chunks: readonly Uint8Array[]): FileParse {
  return JSON.parse(strFromU8(inflateSync(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks))));
}
