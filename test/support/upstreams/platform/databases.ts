import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';

/** The result of one statement, as the platform's query API returns it. */
export interface QueryResult {
  results: Record<string, unknown>[];
  success: true;
  meta: { duration: number; changes: number; last_row_id: number; rows_read: number; rows_written: number };
}

/** SQL with values for its marks. */
export interface Query {
  sql: string;
  params?: readonly SQLInputValue[];
}

/** SQLite files behind the databases of the account: one for each id, in a folder. */
export class DatabaseFiles {
  readonly #folder: string;
  readonly #open = new Map<string, DatabaseSync>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Runs statements in one transaction: all or none. Throws the error of SQLite. */
  run(id: string, queries: readonly Query[]): QueryResult[] {
    const database = this.#database(id);
    database.exec('BEGIN');
    try {
      const results = queries.flatMap((query) => runAll(database, query));
      database.exec('COMMIT');
      return results;
    } catch (error) {
      database.exec('ROLLBACK');
      throw error;
    }
  }

  /** Copies the files of databases under another name. */
  copy(from: readonly string[], nameOf: (id: string) => string): void {
    for (const id of from) if (existsSync(this.#file(id))) copyFileSync(this.#file(id), join(this.#folder, nameOf(id)));
  }

  /** Replaces the file of a database by a copy, or empties the database. */
  restore(id: string, copy: string): void {
    this.close(id);
    rmSync(this.#file(id), { force: true });
    if (existsSync(join(this.#folder, copy))) copyFileSync(join(this.#folder, copy), this.#file(id));
  }

  close(id: string): void {
    this.#open.get(id)?.close();
    this.#open.delete(id);
  }

  closeAll(): void {
    for (const id of [...this.#open.keys()]) this.close(id);
  }

  #file(id: string): string {
    return join(this.#folder, `${id}.sqlite`);
  }

  #database(id: string): DatabaseSync {
    const database = this.#open.get(id) ?? new DatabaseSync(this.#file(id));
    this.#open.set(id, database);
    return database;
  }
}

/** Runs every statement of a text. SQLite itself finds where a statement ends. */
function runAll(database: DatabaseSync, { sql, params = [] }: Query): QueryResult[] {
  const results: QueryResult[] = [];
  for (let rest = sql; rest.trim() !== ''; ) {
    const statement = database.prepare(rest);
    const text = textOf(statement);
    if (text === null) break;
    const before = totalChanges(database);
    const rows = statement.all(...params).map((row) => ({ ...row }));
    const changes = totalChanges(database) - before;
    const meta = { duration: 1, changes, last_row_id: 0, rows_read: rows.length, rows_written: changes };
    results.push({ results: rows, success: true, meta });
    rest = rest.slice(text.length);
  }
  return results;
}

const totalChanges = (database: DatabaseSync): number => Number(database.prepare('SELECT total_changes() AS n').get()?.n);

/** The text that the statement was compiled from; null when there was only a comment. */
function textOf(statement: StatementSync): string | null {
  try {
    return statement.sourceSQL;
  } catch {
    return null;
  }
}
