import { deflateSync, inflateSync, strFromU8, strToU8 } from 'fflate';
import { foldCase } from '../../../platform/kit/values/fold.ts';
import type { DisplayKeys } from '../derive/references.domain.ts';
import { ENGLISH, type LanguageSize, languageOfPath } from '../languages.domain.ts';
import type { FileParse } from '../parse/codex-parse.domain.ts';
import type { ListedFile } from '../parse/models.domain.ts';
import { listParts } from '../parse/parse-file.domain.ts';
import { BLUEPRINTS, PREFABS, typeOfPath } from '../paths.domain.ts';
import type { SourceFile } from './codex-source.domain.ts';

/** `LIKE` ignores the case of ASCII letters. */
const IS_LANGUAGE_FILE = "path LIKE 'languages/%'";

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
    this.#sql.exec('CREATE TABLE IF NOT EXISTS display_keys (path TEXT PRIMARY KEY, keys TEXT NOT NULL) WITHOUT ROWID');
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

  /** Content hash of a file below `blueprints/` or `prefabs/`, or of a parsed one; null if the version does not have it. */
  findHash(path: string): string | null {
    const [row] = this.#sql.exec<{ sha256: string }>('SELECT sha256 FROM files WHERE path = ?', path).toArray();
    return row?.sha256 ?? null;
  }

  /** Deletes files missing from the version. */
  deleteMissing(ordinal: number): void {
    this.#sql.exec('DELETE FROM parses WHERE path IN (SELECT path FROM files WHERE seen <> ?)', ordinal);
    this.#sql.exec('DELETE FROM files WHERE seen <> ?', ordinal);
  }

  /** Languages with tables, with their size. */
  listLanguages(): LanguageSize[] {
    const sizes = new Map<string, number>();
    for (const { path, size } of this.#sql.exec<{ path: string; size: number }>(`SELECT path, size FROM files WHERE ${IS_LANGUAGE_FILE}`)) {
      const code = languageOfPath(path);
      if (code !== null) sizes.set(code, (sizes.get(code) ?? 0) + size);
    }
    return [...sizes].map(([code, size]) => ({ code, size }));
  }

  /** Excludes the tables of languages that are not indexed from parsing, and deletes their parses. */
  skipLanguages(codes: readonly string[]): void {
    for (const path of this.#listTables((code) => codes.includes(code))) {
      this.#sql.exec('UPDATE files SET is_read = 0, parsed = NULL WHERE path = ?', path);
      this.#sql.exec('DELETE FROM parses WHERE path = ?', path);
    }
  }

  /** Texts of a language by key. Of several texts the last in path order applies. */
  readTexts(language: string): Map<string, string> {
    const texts = new Map<string, string>();
    for (const path of this.#listTables((code) => code === language)) {
      const rows = this.#sql.exec<ParseRow>('SELECT path, data FROM parses WHERE path = ? ORDER BY piece', path);
      for (const parse of joinChunks(rows)) for (const [key, text] of parse.texts ?? []) texts.set(key, text);
    }
    return texts;
  }

  /** Paths of the language tables of the languages that match, in byte order. */
  #listTables(matches: (code: string) => boolean): string[] {
    const rows = this.#sql.exec<{ path: string }>(`SELECT path FROM files WHERE ${IS_LANGUAGE_FILE} ORDER BY path`);
    return rows
      .toArray()
      .map(({ path }) => path)
      .filter((path) => matches(languageOfPath(path) ?? ENGLISH));
  }

  /** Deletes all cached parses, after a change of the parser. */
  deleteParses(): void {
    this.#sql.exec('DELETE FROM parses');
    this.#sql.exec('UPDATE files SET parsed = NULL');
  }

  listUnparsed(limit: number): SourceFile[] {
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

  /** All prefabs and models, including files that are not parsed. */
  *listContent(): Generator<ListedFile> {
    for (const file of this.#sql.exec<{ path: string; size: number }>('SELECT path, size FROM files')) {
      const lower = foldCase(file.path);
      if (lower.startsWith(BLUEPRINTS) || lower.startsWith(PREFABS)) yield file;
    }
  }

  /** All parses except texts in other languages than English, by path. */
  *listParses(): Generator<FileParse> {
    const condition = `NOT (${IS_LANGUAGE_FILE}) OR path LIKE 'languages/${ENGLISH}/%'`;
    yield* joinChunks(this.#sql.exec<ParseRow>(`SELECT path, data FROM parses WHERE ${condition} ORDER BY path, piece`));
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
    this.#sql.exec('DELETE FROM display_keys');
  }

  /** Stores the keys of the display texts of entries, for their translation. */
  storeKeys(entries: readonly { path: string; keys: DisplayKeys }[]): void {
    for (const { path, keys } of entries) {
      this.#sql.exec('INSERT OR REPLACE INTO display_keys (path, keys) VALUES (?, ?)', path, JSON.stringify(keys));
    }
  }

  /** Page of entries with the keys of their display texts, after a path, by path. */
  listKeys(after: string, limit: number): { path: string; keys: DisplayKeys }[] {
    const rows = this.#sql.exec<{ path: string; keys: string }>(
      'SELECT path, keys FROM display_keys WHERE path > ? ORDER BY path LIMIT ?',
      after,
      limit,
    );
    return rows.toArray().map(({ path, keys }) => ({ path, keys: JSON.parse(keys) }));
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
