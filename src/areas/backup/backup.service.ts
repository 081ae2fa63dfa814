import type { RetryPolicy } from '../../platform/durable/retry-policy.domain.ts';
import { type NextStep, type RunnerStorage, StepRunner } from '../../platform/durable/step-runner.ts';
import { bind } from '../../platform/kit/bind.ts';
import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import { sha256Of } from '../../platform/storage/content-store.ts';
import type { Database } from '../../platform/storage/database.ts';
import { STORES } from './backup.data.ts';
import {
  type BackupSecrets,
  type BackupSummary,
  fingerprints,
  LATEST_KEY,
  type Manifest,
  manifestKey,
  type Piece,
  pageSql,
  pieceKey,
  rowLength,
  SHAPE_SQL,
  shapeOf,
  splitRows,
  summaryOf,
  type TableShape,
  type Value,
  writeManifest,
  writePiece,
} from './backup-files.store.ts';

/** Bounds of one piece: rows, and characters before compression. */
const MAX_PIECE_ROWS = 20_000;
const MAX_PIECE_LENGTH = 4_000_000;
/** Rows of the first page of a table, and how much more a page may have than the one before. */
const FIRST_ROWS = 500;
const GROW = 4;
/** A page whose step was interrupted is this much smaller in the next attempt. */
const SHRINK = 4;

/** About an hour in total. */
const POLICY: RetryPolicy = { tries: 9, firstPauseSeconds: 5, factor: 4, longestPauseSeconds: 600 };
export const STATE = 'state';
export const PIECES = 'pieces:';
/** Rows of a page that is being read. */
const ATTEMPT = 'attempt';
const MAX_ERROR_LENGTH = 500;

/** Reads at most `limit` rows of `table` after the key `after` into pieces from `part` on; `finish` writes the manifest. */
export type BackupNote = { startedAt: UnixSeconds } & (
  | { step: 'table'; table: string; part: number; after: Value[]; limit: number }
  | { step: 'finish' }
);

interface BackupParts {
  db: Database;
  /** Tables of every backup, in order. */
  tables: readonly string[];
  bucket: R2Bucket;
  /** The operator's public key. */
  publicKey: string;
  secrets: BackupSecrets;
  /** Bounds of a piece: rows, and characters before compression. */
  bounds?: { rows: number; length: number };
}

/** State of the newest backup. */
export interface BackupState {
  /** Start of the newest backup, complete or not; null before the first. */
  startedAt: UnixSeconds | null;
  isRunning: boolean;
  /** Why the newest backup was abandoned; null for one that is complete or running. */
  error: string | null;
  /** The newest complete backup. */
  last: BackupSummary | null;
}

/** The stored part of the state. */
export type StoredBackupState = Omit<BackupState, 'isRunning'>;

export type Backups = ReturnType<typeof createBackups>;

/** What the steps of a backup use. `nowMs`: real time. */
interface BackupDeps extends Required<BackupParts> {
  storage: RunnerStorage;
  nowMs(): number;
}

interface BackupContext extends BackupDeps {
  runner: StepRunner<BackupNote>;
}

/** `nowMs`: real time. */
export function createBackups({
  bounds = { rows: MAX_PIECE_ROWS, length: MAX_PIECE_LENGTH },
  ...parts
}: BackupParts & { storage: RunnerStorage; nowMs(): number }) {
  const deps: BackupDeps = { ...parts, bounds };
  const runner = new StepRunner<BackupNote>(parts.storage, {
    name: 'backup',
    policy: POLICY,
    steps: { table: (note) => writeTable(deps, note), finish: (note) => finish(deps, note) },
    async onExhausted({ startedAt }, error) {
      const text = error instanceof Error ? error.message : String(error);
      store(deps, { ...storedState(deps), startedAt, error: text.slice(0, MAX_ERROR_LENGTH) });
    },
    nowMs: parts.nowMs,
  });
  const context: BackupContext = { ...deps, runner };
  return { ...bind(context, { start, state }), alarm: (): Promise<void> => runner.alarm() };
}

/** Starts a backup, unless one is running: that one continues. */
async function start(deps: BackupContext): Promise<void> {
  const { tables, storage, runner } = deps;
  if (runner.note()) return runner.resume(true);
  for (const table of tables) storage.kv.delete(PIECES + table);
  storage.kv.delete(ATTEMPT);
  const startedAt = nowSeconds(deps);
  store(deps, { ...storedState(deps), startedAt, error: null });
  await runner.begin(tableAt(deps, startedAt, 0));
}

const state = (deps: BackupContext): BackupState => ({ ...storedState(deps), isRunning: deps.runner.note() !== null });

const nowSeconds = ({ nowMs }: BackupDeps): UnixSeconds => Math.floor(nowMs() / 1000);

const storedState = ({ storage }: BackupDeps): StoredBackupState =>
  storage.kv.get<StoredBackupState>(STATE) ?? { startedAt: null, error: null, last: null };

function store({ storage }: BackupDeps, { startedAt, error, last }: StoredBackupState): void {
  storage.kv.put(STATE, { startedAt, error, last });
}

const piecesOf = ({ storage: { kv } }: BackupDeps, table: string): Piece[] => kv.get<Piece[]>(PIECES + table) ?? [];

function tableAt({ tables, bounds }: BackupDeps, startedAt: UnixSeconds, index: number): BackupNote {
  const table = tables[index];
  return table === undefined
    ? { step: 'finish', startedAt }
    : { step: 'table', startedAt, table, part: 0, after: [], limit: Math.min(FIRST_ROWS, bounds.rows) };
}

async function newestMigration({ db }: BackupDeps): Promise<string | null> {
  const row = await db.$client.prepare('SELECT name FROM d1_migrations ORDER BY id DESC LIMIT 1').first<{ name: string }>();
  return row?.name ?? null;
}

/** Reads a page of at most `limit` rows. The limit is stored first, so a page that exceeds the memory is smaller in the next attempt. */
async function readPage(
  { db, storage: { kv } }: BackupDeps,
  { table, after, limit }: Extract<BackupNote, { step: 'table' }>,
  shape: TableShape,
) {
  const tried = kv.get<number>(ATTEMPT);
  const tries = Math.max(1, tried === undefined ? limit : Math.floor(Math.min(limit, tried) / SHRINK));
  kv.put(ATTEMPT, tries);
  const statement = db.$client.prepare(pageSql(table, shape, after.length === 0));
  const rows = await statement.bind(...after, tries).raw<Value[]>();
  kv.delete(ATTEMPT);
  return { rows, isLast: rows.length < tries, limit: tries };
}

/** Rows of the next page: as many as fill a piece with rows like these, and few more than before, because rows may grow. */
function nextLimit({ bounds }: BackupDeps, rows: readonly Value[][], limit: number): number {
  const length = rows.reduce((sum, row) => sum + rowLength(row), 0);
  const fitting = Math.floor((bounds.length * rows.length) / Math.max(1, length));
  return Math.max(1, Math.min(bounds.rows, limit * GROW, fitting));
}

async function writeTable(deps: BackupDeps, note: BackupNote): Promise<NextStep<BackupNote>> {
  if (note.step !== 'table') return null;
  const { db, tables, bucket, publicKey, bounds, storage } = deps;
  const { startedAt, table } = note;
  const described = await db.$client.prepare(SHAPE_SQL).bind(table).all<{ name: string; pk: number }>();
  const shape = shapeOf(described.results);
  const { rows, isLast, limit } = await readPage(deps, note, shape);
  const at = nowSeconds(deps);
  let { part } = note;
  for (const own of splitRows(rows, bounds.length)) {
    const key = pieceKey(startedAt, table, part);
    const bytes = await writePiece(publicKey, key, { table, columns: shape.columns, rows: own });
    const sha256 = await sha256Of(bytes);
    await bucket.put(key, bytes, { sha256 });
    // A repeated step replaces its pieces.
    storage.kv.put(PIECES + table, [...piecesOf(deps, table).slice(0, part), { key, rows: own.length, bytes: bytes.length, sha256, at }]);
    part += 1;
  }
  const last = rows.at(-1);
  if (isLast || !last) return { note: tableAt(deps, startedAt, tables.indexOf(table) + 1) };
  const after = shape.key.map((name) => last[shape.columns.indexOf(name)] ?? null);
  return { note: { step: 'table', startedAt, table, part, after, limit: nextLimit(deps, rows, limit) } };
}

async function finish(deps: BackupDeps, { startedAt }: BackupNote): Promise<null> {
  const { tables, bucket, publicKey, secrets } = deps;
  const written = tables.map((name) => {
    const pieces = piecesOf(deps, name);
    return { name, rows: pieces.reduce((sum, { rows }) => sum + rows, 0), pieces };
  });
  const inPlace = Object.entries(STORES)
    .filter(([, { decision }]) => decision === 'in place')
    .map(([store, { reason }]) => ({ store, reason }));
  const manifest: Omit<Manifest, 'format'> = {
    startedAt,
    finishedAt: nowSeconds(deps),
    publicKey,
    secrets: fingerprints(secrets),
    migration: await newestMigration(deps),
    tables: written,
    inPlace,
  };
  const summary = summaryOf(manifest);
  await bucket.put(manifestKey(startedAt), writeManifest(manifest, secrets.TOKEN_KEY ?? ''));
  // After the manifest: a step that fails between them leaves the former backup as the latest.
  await bucket.put(LATEST_KEY, JSON.stringify(summary));
  store(deps, { startedAt, error: null, last: summary });
  return null;
}
