import type { D1Database, D1PreparedStatement } from '@cloudflare/workers-types';
import { REPAIRS } from '../../../src/areas/backup/backup.data.ts';
import {
  type BackupSecrets,
  differingSecrets,
  type Manifest,
  type PieceRows,
  readManifest,
  readPiece,
  readUnverifiedManifest,
  SHAPE_SQL,
  shapeOf,
  type TableShape,
  type Value,
} from '../../../src/areas/backup/backup-files.store.ts';
import { RESTORED_TOKENS } from '../../../src/areas/backup/restored-tokens.service.ts';
import { CHANGE_ENTRIES } from '../../../src/platform/access/tokens/change-journal.sql.ts';
import { type ChangeEntry, keyCondition } from '../../../src/platform/access/tokens/change-journal.ts';
import { backedUpTables, type TableDecision, type TableDecisions } from '../../../src/platform/kit/backup-decision.ts';
import { sha256Of } from '../../../src/platform/storage/content-store.ts';
import { readSignedRecord, type SealingKeyPair, unseal } from '../../../src/platform/storage/sealed-box.ts';
import { UserError } from '../main.ts';
import { reasonOf, runStep, type Step } from '../steps.ts';

/** D1 allows 100 bound parameters per statement and 2 MB per value. */
const MAX_PARAMETERS = 100;
const MAX_JSON_LENGTH = 500_000;
const MAX_ROW_LENGTH = 1_000_000;
const STATEMENTS_PER_BATCH = 40;
/** Bound of the rows of a piece, and of a step over whole tables. A slow machine needs a minute. */
const STEP_TIMEOUT_MS = 900_000;

/**
 * Table that a database has while its restore is not complete: the backup (`startedAt`), each stored piece, and the rows that were left out.
 * The last batch of a restore drops it.
 */
const PROGRESS_TABLE = 'restore_progress';
const STARTED_AT = 'startedAt';
const LEFT_OUT = 'leftOut';

const UNWRITTEN = 'Not restored: nothing was written.';
const UNREADABLE = `${UNWRITTEN} Run npm run backup -- pull again: it copies what is missing or damaged.`;
const PARTLY =
  'The database has a part of the backup: do not deploy the service on it. Run the command again: it continues, and skips the files that are stored.';
/** The platform may have run the last batch before its response was lost. */
const OR_FINISHED = 'If it then says that the database is not empty, this step was done and the restore is complete.';

/** A pulled backup with the entries of the change journal since its start, in order. */
export interface PulledBackup {
  manifest: string;
  changes: readonly string[];
  read(key: string): Promise<Uint8Array<ArrayBuffer>>;
}

export interface RestoreOptions {
  database: D1Database;
  /** What a backup does with the tables of the database. */
  decisions: TableDecisions;
  backup: PulledBackup;
  keys: SealingKeyPair;
  /** Values of the secrets; their fingerprints must be those of the backup. */
  secrets: BackupSecrets;
  onTable?(name: string, rows: number): void;
  /** What stands after a failure, once rows are written; default: that the command continues. */
  standing?: string;
}

export interface RestoreReport {
  manifest: Manifest;
  rows: number;
  /** Rows that contradict others, because the tables were read one after the other. */
  leftOut: number;
  /** Deleted rows without a parent, by table. */
  orphans: { table: string; rows: number }[];
  /** Entries of the journal that were applied. */
  changedTokens: number;
  deletedAccounts: number;
  changedRows: number;
  /** Entries that the service did not write, or that are damaged: they were skipped. */
  rejectedEntries: number;
  /** Tokens that the service compares with their gates. */
  tokens: number;
  /** Files that an interrupted restore had stored. */
  continued: number;
}

/**
 * Fills an empty, migrated database from a backup, or continues an interrupted restore of the same backup. Throws UserError: with nothing
 * written when the backup or the database is unfit; otherwise the database has the table `restore_progress` until a restore is complete.
 */
export async function restoreBackup(options: RestoreOptions): Promise<RestoreReport> {
  const { database, decisions, backup, keys, secrets } = options;
  const { standing = PARTLY } = options;
  const read = (name: string) => ({ name, standing: UNWRITTEN, timeoutMs: STEP_TIMEOUT_MS });
  const write = (name: string) => ({ name, standing, timeoutMs: STEP_TIMEOUT_MS });
  const manifest = verifiedManifest(backup.manifest, keys, secrets);
  const tables = backedUpTables(decisions);
  const shapes = await runStep(read('Reading the tables of the database'), () => fittingShapes(database, manifest));
  const found = await runStep(read('Reading the state of the database'), () => readProgress(database, manifest));
  if (found === null) await runStep(read('Reading the database'), () => requireEmpty(database, tables));
  await requireFiles(manifest, backup);
  const done = found ?? (await runStep(write('The start of the restore'), () => beginProgress(database, manifest)));
  const continued = manifest.tables.flatMap(({ pieces }) => pieces).filter(({ key }) => done.has(key)).length;
  const rows = await restorePieces(options, manifest, done, write);
  const leftOut =
    done.get(LEFT_OUT) ??
    (await runStep(write('Counting the restored rows'), async () => {
      const count = rows - (await countRows(database, tables));
      await noteProgress(database, LEFT_OUT, count);
      return count;
    }));
  const changes = await runStep(write('Applying the changes since the backup'), () =>
    applyChanges(database, decisions, backup, keys, secrets, shapes),
  );
  const orphans = await runStep(write('Deleting rows without a parent'), () => deleteOrphans(database, tables, decisions));
  for (const sql of REPAIRS) await runStep(write('Repairing the restored rows'), () => database.prepare(sql).run());
  const tokens = await runStep({ ...write('The last step'), standing: `${standing} ${OR_FINISHED}` }, () => finish(database));
  return { manifest, rows, leftOut, orphans, ...changes, tokens, continued };
}

/** Stores the pieces that are not stored yet. Returns the rows of all. */
async function restorePieces(
  { database, backup, keys, onTable }: RestoreOptions,
  { tables }: Manifest,
  done: ReadonlyMap<string, number>,
  write: (name: string) => Step,
): Promise<number> {
  let total = 0;
  for (const { name, pieces } of tables) {
    let rows = 0;
    for (const { key } of pieces) {
      rows +=
        done.get(key) ??
        (await runStep(write(`Restoring ${key}`), async () => {
          const piece = await readPiece(keys, key, await backup.read(key));
          await insertRows(database, piece);
          await noteProgress(database, key, piece.rows.length);
          return piece.rows.length;
        }));
    }
    onTable?.(name, rows);
    total += rows;
  }
  return total;
}

/** Every file of the backup must be there and whole before the first row is written. */
async function requireFiles({ tables }: Manifest, backup: PulledBackup): Promise<void> {
  for (const { key, sha256 } of tables.flatMap(({ pieces }) => pieces)) {
    const bytes = await runStep({ name: `Reading ${key}`, standing: UNREADABLE }, () => backup.read(key));
    if ((await sha256Of(bytes)) !== sha256) throw new UserError(`${key} is damaged: its hash is not that of the manifest.\n${UNREADABLE}`);
  }
  for (const key of backup.changes) await runStep({ name: `Reading ${key}`, standing: UNREADABLE }, () => backup.read(key));
}

/** What an interrupted restore of the backup has stored; null when there was none. */
async function readProgress(database: D1Database, { startedAt }: Manifest): Promise<Map<string, number> | null> {
  const table = await database.prepare('SELECT name FROM sqlite_master WHERE name = ?').bind(PROGRESS_TABLE).first();
  if (table === null) return null;
  const { results } = await database.prepare(`SELECT name, value FROM ${PROGRESS_TABLE}`).all<{ name: string; value: number }>();
  const progress = new Map(results.map(({ name, value }) => [name, value]));
  const other = progress.get(STARTED_AT);
  if (other !== undefined && other !== startedAt)
    throw new UserError(
      `Not restored: the database has a part of the backup of ${new Date(other * 1000).toISOString()}. Restore that backup, or use another new, migrated database.`,
    );
  return progress;
}

async function beginProgress(database: D1Database, { startedAt }: Manifest): Promise<Map<string, number>> {
  await database.batch([
    database.prepare(`CREATE TABLE ${PROGRESS_TABLE} (name TEXT PRIMARY KEY, value INTEGER NOT NULL)`),
    progressStatement(database, STARTED_AT, startedAt),
  ]);
  return new Map();
}

async function noteProgress(database: D1Database, name: string, value: number): Promise<void> {
  await progressStatement(database, name, value).run();
}

function progressStatement(database: D1Database, name: string, value: number): D1PreparedStatement {
  return database.prepare(`INSERT OR REPLACE INTO ${PROGRESS_TABLE} (name, value) VALUES (?, ?)`).bind(name, value);
}

/** Makes the service compare every token with its gate. Returns their number. */
async function finish(database: D1Database): Promise<number> {
  const queued = `INSERT INTO outbox (kind, key, next_try_at) SELECT '${RESTORED_TOKENS}', id, unixepoch() FROM api_tokens WHERE true ON CONFLICT DO NOTHING`;
  const tokens = await database.prepare('SELECT count(*) AS n FROM api_tokens').first<{ n: number }>();
  await database.batch([
    // Of the triggers on the restored rows.
    database.prepare(`DELETE FROM outbox WHERE kind = '${CHANGE_ENTRIES}'`),
    database.prepare(queued),
    database.prepare(`DROP TABLE ${PROGRESS_TABLE}`),
  ]);
  return tokens?.n ?? 0;
}

function verifiedManifest(text: string, keys: SealingKeyPair, secrets: BackupSecrets): Manifest {
  const unverified = parsedManifest(text);
  const differing = differingSecrets(unverified, secrets);
  if (differing.length > 0)
    throw new UserError(
      `Not restored: ${differing.join(', ')} must have the value of the time of the backup. Without it the restored data is useless.`,
    );
  if (unverified.publicKey !== keys.publicKey) throw new UserError('Not restored: the backup is encrypted to another key.');
  const manifest = readManifest(text, secrets.TOKEN_KEY ?? '');
  if (manifest === null) throw new UserError('Not restored: the manifest was changed, or another service wrote it.');
  return manifest;
}

function parsedManifest(text: string): Manifest {
  try {
    return readUnverifiedManifest(text);
  } catch (error) {
    throw new UserError(`Not restored: the manifest of the backup cannot be read: ${reasonOf(error)}`);
  }
}

/** Shapes of the tables; the database must have every table and column of the backup. */
async function fittingShapes(database: D1Database, { tables, migration }: Manifest): Promise<Map<string, TableShape>> {
  const shapes = new Map<string, TableShape>();
  for (const { name } of tables) {
    const { results } = await database.prepare(SHAPE_SQL).bind(name).all<{ name: string; pk: number }>();
    shapes.set(name, shapeOf(results));
  }
  const missing = tables.filter(({ name, rows }) => rows > 0 && shapes.get(name)?.columns.length === 0).map(({ name }) => name);
  if (missing.length > 0)
    throw new UserError(
      `Not restored: the database has no table ${missing.join(', ')}. Apply the migrations first; the backup is of ${migration ?? 'none'}.`,
    );
  return shapes;
}

async function requireEmpty(database: D1Database, tables: readonly string[]): Promise<void> {
  const filled: string[] = [];
  for (const name of tables) if (await database.prepare(`SELECT 1 FROM "${name}" LIMIT 1`).first()) filled.push(name);
  if (filled.length > 0) throw new UserError(`Not restored: the database is not empty. Tables with rows: ${filled.join(', ')}.`);
}

async function countRows(database: D1Database, tables: readonly string[]): Promise<number> {
  const counts = await database.batch<{ n: number }>(tables.map((name) => database.prepare(`SELECT count(*) AS n FROM "${name}"`)));
  return counts.reduce((sum, { results }) => sum + (results[0]?.n ?? 0), 0);
}

/** True for a value that SQLite reads from JSON without any loss: of a fraction, 15 digits are exact. */
function isExactInJson(value: Value): boolean {
  if (typeof value === 'number')
    return Number.isSafeInteger(value) || (/^-?\d+\.\d+$/.test(`${value}`) && Number(value.toPrecision(15)) === value);
  return value === null || !value.includes('\u0000');
}

async function insertRows(database: D1Database, { table, columns, rows }: PieceRows): Promise<void> {
  const names = columns.map((name) => `"${name}"`).join(', ');
  const into = `INSERT OR IGNORE INTO "${table}" (${names})`;
  const fromJson = `${into} SELECT ${columns.map((_, index) => `value->>${index}`).join(', ')} FROM json_each(?)`;
  let statements: D1PreparedStatement[] = [];
  let texts: string[] = [];
  let length = 0;
  let bound: Value[][] = [];
  const rowsPerStatement = Math.max(1, Math.floor(MAX_PARAMETERS / columns.length));

  const closeJson = () => {
    if (texts.length > 0) statements.push(database.prepare(fromJson).bind(`[${texts.join(',')}]`));
    texts = [];
    length = 0;
  };
  const closeBound = () => {
    const marks = bound.map((row) => `(${row.map(() => '?').join(', ')})`).join(', ');
    if (bound.length > 0) statements.push(database.prepare(`${into} VALUES ${marks}`).bind(...bound.flat()));
    bound = [];
  };
  const flush = async () => {
    closeJson();
    closeBound();
    if (statements.length > 0) await database.batch(statements);
    statements = [];
  };

  for (const row of rows) {
    const text = JSON.stringify(row);
    if (text.length <= MAX_ROW_LENGTH && row.every(isExactInJson)) {
      texts.push(text);
      length += text.length;
      // A statement of this size is a batch of its own.
      if (length >= MAX_JSON_LENGTH) await flush();
    } else {
      bound.push(row);
      if (bound.length >= rowsPerStatement) closeBound();
      if (statements.length >= STATEMENTS_PER_BATCH || text.length > MAX_ROW_LENGTH) await flush();
    }
  }
  await flush();
}

async function applyChanges(
  database: D1Database,
  decisions: TableDecisions,
  { changes, read }: PulledBackup,
  keys: SealingKeyPair,
  secrets: BackupSecrets,
  shapes: ReadonlyMap<string, TableShape>,
): Promise<Pick<RestoreReport, 'changedTokens' | 'deletedAccounts' | 'changedRows' | 'rejectedEntries'>> {
  const counts = { changedTokens: 0, deletedAccounts: 0, changedRows: 0, rejectedEntries: 0 };
  const columns = shapes.get('api_tokens')?.columns ?? [];
  for (const key of changes) {
    const entry = await entryOf(key, await read(key), keys, secrets.TOKEN_KEY ?? '');
    if (entry === null) counts.rejectedEntries += 1;
    else if (entry.kind === 'row') {
      const statements = rowStatements(database, entry, decisions[entry.table], shapes.get(entry.table)?.columns ?? []);
      const results = statements.length === 0 ? [] : await database.batch(statements);
      if (results.some(({ meta }) => meta.changes > 0)) counts.changedRows += 1;
    } else if (entry.kind === 'account')
      counts.deletedAccounts += await changesOf(database.prepare('DELETE FROM users WHERE id = ?').bind(entry.id));
    else if (entry.row === null)
      counts.changedTokens += await changesOf(database.prepare('DELETE FROM api_tokens WHERE id = ?').bind(entry.id));
    else counts.changedTokens += await changesOf(upsertToken(database, entry.row, columns));
  }
  return counts;
}

async function entryOf(key: string, box: Uint8Array<ArrayBuffer>, keys: SealingKeyPair, tokenKey: string): Promise<ChangeEntry | null> {
  try {
    return readSignedRecord<ChangeEntry>(tokenKey, new TextDecoder().decode(await unseal(keys, key, box)));
  } catch {
    return null;
  }
}

/** Stores a token unless the database has the same or a newer version. */
function upsertToken(database: D1Database, row: Record<string, unknown>, columns: readonly string[]): D1PreparedStatement {
  const known = columns.filter((name) => Object.hasOwn(row, name));
  const names = known.map((name) => `"${name}"`).join(', ');
  const updates = known.map((name) => `"${name}" = excluded."${name}"`).join(', ');
  return database
    .prepare(
      `INSERT INTO api_tokens (${names}) VALUES (${known.map(() => '?').join(', ')})
        ON CONFLICT (id) DO UPDATE SET ${updates} WHERE excluded.version > api_tokens.version`,
    )
    .bind(...known.map((name) => row[name]));
}

/** Statements that give the rows with a key the state of the journal. None for a table that is no longer journaled. */
function rowStatements(
  database: D1Database,
  { table, key, rows }: ChangeEntry & { kind: 'row' },
  decision: TableDecision | undefined,
  columns: readonly string[],
): D1PreparedStatement[] {
  const { journal } = decision ?? {};
  if (!journal) return [];
  const where = `WHERE ${keyCondition(key)}`;
  const ofKey = Object.values(key);
  const deletion = database.prepare(`DELETE FROM "${table}" ${where}`).bind(...ofKey);
  if (rows.length === 0) return [deletion];
  if (journal.restores === 'changes') {
    // One column each: an address that another account has meanwhile must not keep the others from being restored.
    return journal.columns
      .filter((name) => columns.includes(name))
      .map((name) => database.prepare(`UPDATE OR IGNORE "${table}" SET "${name}" = ? ${where}`).bind(rows[0]?.[name] ?? null, ...ofKey));
  }
  const insertions = rows.map((row) => {
    const known = columns.filter((name) => Object.hasOwn(row, name));
    const names = known.map((name) => `"${name}"`).join(', ');
    return database
      .prepare(`INSERT OR IGNORE INTO "${table}" (${names}) VALUES (${known.map(() => '?').join(', ')})`)
      .bind(...known.map((name) => row[name] ?? null));
  });
  return [deletion, ...insertions];
}

/** 1 when the statement changed a row. Triggers may add to the number that the database counts. */
async function changesOf(statement: D1PreparedStatement): Promise<number> {
  return (await statement.run()).meta.changes > 0 ? 1 : 0;
}

/** Parents first, so that the children of a deleted row are orphans too. */
async function deleteOrphans(
  database: D1Database,
  tables: readonly string[],
  decisions: TableDecisions,
): Promise<RestoreReport['orphans']> {
  const deleted: RestoreReport['orphans'] = [];
  for (const table of tables) {
    const reference = decisions[table]?.reference;
    if (!reference) continue;
    const { columns, parent, parentColumns } = reference;
    const where = `(${columns}) NOT IN (SELECT ${parentColumns} FROM ${parent})`;
    const found = await database.prepare(`SELECT count(*) AS n FROM ${table} WHERE ${where}`).first<{ n: number }>();
    if (!found?.n) continue;
    await database.prepare(`DELETE FROM ${table} WHERE ${where}`).run();
    deleted.push({ table, rows: found.n });
  }
  return deleted;
}
