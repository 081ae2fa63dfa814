import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import { instantKey } from '../../platform/storage/dated-objects.ts';
import { fingerprintOf, readSignedRecord, type SealingKeyPair, seal, signRecord, unseal } from '../../platform/storage/sealed-box.ts';

/** Backups, by start: `backups/<start>/<table>/<part>` and `backups/<start>/manifest.json`, which is written last. */
export const BACKUPS_PREFIX = 'backups/';
/** Summary of the newest complete backup, readable without a key. */
export const LATEST_KEY = 'latest.json';
const FORMAT = 1;

/** Secrets that encrypted or signed what is in the database: a restore needs the same values. */
const SECRET_NAMES = ['TOKEN_KEY', 'SESSION_SECRET', 'WEBHOOK_SECRET'] as const;
export type BackupSecrets = Record<(typeof SECRET_NAMES)[number], string | null>;

/** One object of a backup: rows of a table as JSON lines, compressed and sealed. */
export interface Piece {
  key: string;
  rows: number;
  /** Size and SHA-256 of the stored object. */
  bytes: number;
  sha256: string;
  /** When the rows were read. */
  at: UnixSeconds;
}

export interface Manifest {
  format: number;
  startedAt: UnixSeconds;
  finishedAt: UnixSeconds;
  /** Public key that the pieces are sealed to. */
  publicKey: string;
  /** Fingerprints of the secrets; null for one that was not set. */
  secrets: BackupSecrets;
  /** Newest migration of the database. */
  migration: string | null;
  tables: { name: string; rows: number; pieces: Piece[] }[];
  /** Stores whose only copy is not in the backup, with the reason. */
  inPlace: { store: string; reason: string }[];
}

/** Summary of a complete backup. */
export interface BackupSummary {
  at: UnixSeconds;
  /** Size of its pieces. */
  bytes: number;
  tables: number;
  rows: number;
}

/** A value of SQLite as D1 returns it; the service stores no blobs. */
export type Value = string | number | null;

/** Rows of a piece in the order of its columns. */
export interface PieceRows {
  table: string;
  columns: string[];
  rows: Value[][];
}

export const folderOf = (startedAt: UnixSeconds): string => `${instantKey(BACKUPS_PREFIX, startedAt)}/`;
export const manifestKey = (startedAt: UnixSeconds): string => `${folderOf(startedAt)}manifest.json`;
const PART_DIGITS = 6;
export const pieceKey = (startedAt: UnixSeconds, table: string, part: number): string =>
  `${folderOf(startedAt)}${table}/${String(part).padStart(PART_DIGITS, '0')}`;

export function fingerprints(secrets: BackupSecrets): BackupSecrets {
  return Object.fromEntries(SECRET_NAMES.map((name) => [name, fingerprintOf(name, secrets[name])])) as BackupSecrets;
}

/** Names of the secrets that differ from those of the backup. */
export function differingSecrets(manifest: Manifest, secrets: BackupSecrets): string[] {
  const own = fingerprints(secrets);
  return SECRET_NAMES.filter((name) => own[name] !== manifest.secrets[name]);
}

export function writeManifest(manifest: Omit<Manifest, 'format'>, tokenKey: string): string {
  return signRecord(tokenKey, { format: FORMAT, ...manifest });
}

/** Null when another service wrote the manifest, or someone changed it. */
export function readManifest(text: string, tokenKey: string): Manifest | null {
  return readSignedRecord<Manifest>(tokenKey, text);
}

/** The fields of a manifest that need no secret: what to copy, and which secrets it asks for. */
export function readUnverifiedManifest(text: string): Manifest {
  const manifest = JSON.parse(text) as Manifest;
  if (manifest.format !== FORMAT) throw new Error(`the manifest has format ${manifest.format}; this version reads format ${FORMAT}`);
  return manifest;
}

export function summaryOf({ startedAt, tables }: Manifest | Omit<Manifest, 'format'>): BackupSummary {
  const pieces = tables.flatMap((table) => table.pieces);
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  return {
    at: startedAt,
    bytes: sum(pieces.map(({ bytes }) => bytes)),
    tables: tables.length,
    rows: sum(tables.map(({ rows }) => rows)),
  };
}

/** JSON lines: the table with its columns, then the values of each row. */
export async function writePiece(publicKey: string, key: string, { table, columns, rows }: PieceRows): Promise<Uint8Array<ArrayBuffer>> {
  const lines = [{ table, columns }, ...rows].map((line) => JSON.stringify(line));
  return seal(publicKey, key, await gzip(new TextEncoder().encode(`${lines.join('\n')}\n`)));
}

export async function readPiece(keys: SealingKeyPair, key: string, box: Uint8Array<ArrayBuffer>): Promise<PieceRows> {
  const text = new TextDecoder().decode(await gunzip(await unseal(keys, key, box)));
  const [head = '{}', ...lines] = text.trimEnd().split('\n');
  return { ...(JSON.parse(head) as Pick<PieceRows, 'table' | 'columns'>), rows: lines.map((line) => JSON.parse(line) as Value[]) };
}

const gzip = (bytes: Uint8Array) => piped(bytes, new CompressionStream('gzip'));
const gunzip = (bytes: Uint8Array) => piped(bytes, new DecompressionStream('gzip'));

async function piped(bytes: Uint8Array, through: CompressionStream | DecompressionStream): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Response(bytes as Uint8Array<ArrayBuffer>).body?.pipeThrough(
    through as unknown as ReadableWritablePair<Uint8Array, Uint8Array>,
  );
  return new Uint8Array(await new Response(stream as ReadableStream).arrayBuffer());
}

/** Columns of a table that hold data, and those of its primary key in order. */
export interface TableShape {
  columns: string[];
  key: string[];
}

/** Columns of a table. Generated columns are left out: SQLite computes them. */
export const SHAPE_SQL = 'SELECT name, pk FROM pragma_table_xinfo(?) WHERE hidden = 0 ORDER BY cid';

export function shapeOf(rows: readonly { name: string; pk: number }[]): TableShape {
  const key = rows.filter(({ pk }) => pk > 0).sort((one, other) => one.pk - other.pk);
  return { columns: rows.map(({ name }) => name), key: key.map(({ name }) => name) };
}

const quoted = (names: readonly string[]) => names.map((name) => `"${name}"`).join(', ');

/**
 * The rows of a table after a key, in the order of the key, at most as many as the last bound parameter says. The parameters before it are
 * the key, none for the first page. Reads each row once: a bound of the length in SQL (a window sum) would read it four times.
 */
export function pageSql(table: string, { columns, key }: TableShape, isFirst: boolean): string {
  const order = quoted(key);
  const after = isFirst ? '' : `WHERE (${order}) > (${key.map(() => '?').join(', ')})`;
  return `SELECT ${quoted(columns)} FROM "${table}" ${after} ORDER BY ${order} LIMIT ?`;
}

/** Length of the text of a row. */
export const rowLength = (row: readonly Value[]): number => row.reduce<number>((sum, value) => sum + String(value ?? '').length, 0);

/** Splits rows into pieces: none gets a further row once the text of its rows has `length` characters. */
export function splitRows(rows: readonly Value[][], length: number): Value[][][] {
  const pieces: Value[][][] = [];
  let filled = length;
  for (const row of rows) {
    if (filled >= length) {
      pieces.push([]);
      filled = 0;
    }
    pieces.at(-1)?.push(row);
    filled += rowLength(row);
  }
  return pieces;
}
