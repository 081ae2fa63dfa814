import { backupDecisions } from '../../scripts/lib/backup/decisions.ts';
import { secretsFrom } from '../../scripts/lib/backup/pull.ts';
import { rehearseRestore } from '../../scripts/lib/backup/rehearse.ts';
import { fingerprints, type Piece, pieceKey, type Value, writeManifest, writePiece } from '../../src/areas/backup/backup-files.store.ts';
import { backedUpTables } from '../../src/platform/kit/backup-decision.ts';
import { sha256Of } from '../../src/platform/storage/content-store.ts';
import { createSealingKeyPair } from '../../src/platform/storage/sealed-box.ts';

const MIB = 1024 * 1024;
const STARTED_AT = 1_773_111_600;
const HOUR = 3600;
const ROWS_PER_PIECE = 20_000;
/** Bytes of a row with its indexes, as measured, and the share of the listings in the database. */
const LISTING_BYTES = 648;
const BOARD_BYTES = 187;
const LISTING_SHARE = 0.8;
const BOARDS = 165;
const SECRETS = { TOKEN_KEY: 'key of the timed restore, 32 or more characters' };

interface Table {
  columns: string[];
  rows: number;
  rowOf(index: number): Value[];
}

/** Ids spread over their range, as those of the game. */
const idOf = (index: number) =>
  `${((index * 2_654_435_761) >>> 0).toString(16).padStart(8, '0')}-aaaa-1aaa-9aaa-${String(index).padStart(12, '0')}`;

/** The tables that make a database large. */
function tablesOf(bytes: number): Record<string, Table> {
  const captures = Math.ceil((bytes * (1 - LISTING_SHARE)) / BOARD_BYTES / BOARDS);
  const anchorOf = (capture: number) => STARTED_AT - capture * HOUR;
  return {
    board_captures: {
      columns: ['anchor', 'version', 'digest', 'boards', 'entries', 'player_shards', 'visible_at'],
      rows: captures,
      rowOf: (index) => [anchorOf(index), idOf(index), idOf(index), BOARDS, 0, 0, anchorOf(index)],
    },
    capture_boards: {
      columns: ['uuid', 'anchor', 'version', 'entries', 'leader_name', 'leader_score'],
      rows: captures * BOARDS,
      rowOf(index) {
        const capture = index % captures;
        return [Math.floor(index / captures), anchorOf(capture), idOf(capture), 5000, 'Nimbus', index];
      },
    },
    market_listings: {
      columns: ['id', 'name', 'stack', 'price', 'milli_each', 'created_at', 'last_seen', 'revision', 'live'],
      rows: Math.ceil((bytes * LISTING_SHARE) / LISTING_BYTES),
      rowOf: (index) => [
        idOf(index),
        `Item ${index % 300}`,
        1 + (index % 50),
        1000 + ((index * 7919) % 5000),
        (index * 104_729) % 5_000_000,
        STARTED_AT - index,
        STARTED_AT,
        1,
        0,
      ],
    },
  };
}

/** Restores a generated backup of about `mebibytes` into a local database, and prints the time. */
export async function timeRestore(mebibytes: number): Promise<void> {
  const keys = await createSealingKeyPair();
  const secrets = secretsFrom(SECRETS);
  const decisions = await backupDecisions();
  const stored = new Map<string, Uint8Array<ArrayBuffer>>();
  const generated = tablesOf(mebibytes * MIB);
  const tables: { name: string; rows: number; pieces: Piece[] }[] = [];
  for (const name of backedUpTables(decisions)) {
    const table = generated[name];
    const pieces: Piece[] = [];
    for (let start = 0; table && start < table.rows; start += ROWS_PER_PIECE) {
      const rows = Array.from({ length: Math.min(ROWS_PER_PIECE, table.rows - start) }, (_, index) => table.rowOf(start + index));
      const key = pieceKey(STARTED_AT, name, pieces.length);
      const bytes = await writePiece(keys.publicKey, key, { table: name, columns: table.columns, rows });
      stored.set(key, bytes);
      pieces.push({ key, rows: rows.length, bytes: bytes.length, sha256: await sha256Of(bytes), at: STARTED_AT });
    }
    tables.push({ name, rows: table?.rows ?? 0, pieces });
  }
  const manifest = writeManifest(
    {
      startedAt: STARTED_AT,
      finishedAt: STARTED_AT,
      publicKey: keys.publicKey,
      secrets: fingerprints(secrets),
      migration: null,
      tables,
      inPlace: [],
    },
    SECRETS.TOKEN_KEY,
  );
  const read = async (key: string) => {
    const bytes = stored.get(key);
    if (!bytes) throw new Error(`no piece ${key}`);
    return bytes;
  };
  const options = { decisions, backup: { manifest, changes: [], read }, keys, secrets };
  const { report, seconds, databaseBytes } = await rehearseRestore(options);
  const size = databaseBytes / MIB;
  const pulled = [...stored.values()].reduce((sum, { length }) => sum + length, 0) / MIB;
  console.log(
    `${report.rows} rows, ${size.toFixed(0)} MiB of database from ${pulled.toFixed(0)} MiB of backup in ${seconds.toFixed(0)} s: ${(size / seconds).toFixed(1)} MiB/s`,
  );
}
