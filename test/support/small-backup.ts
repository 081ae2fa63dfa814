import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { backupDecisions } from '../../scripts/lib/backup/decisions.ts';
import { secretsFrom } from '../../scripts/lib/backup/pull.ts';
import {
  fingerprints,
  manifestKey,
  type Piece,
  pieceKey,
  type Value,
  writeManifest,
  writePiece,
} from '../../src/areas/backup/backup-files.store.ts';
import { backedUpTables } from '../../src/platform/kit/backup-decision.ts';
import { systemClock } from '../../src/platform/kit/time/clock.ts';
import { sha256Of } from '../../src/platform/storage/content-store.ts';
import { createSealingKeyPair, type SealingKeyPair } from '../../src/platform/storage/sealed-box.ts';

const ROWS_PER_PIECE = 2000;

export interface SmallBackup {
  keys: SealingKeyPair;
  /** `NAME=value` lines of the secrets. */
  secretsFile: string;
  keyFile: string;
  /** Folder as of `pull`, and the keys of its pieces. */
  folder: string;
  pieces: string[];
  manifest: string;
}

/** Writes a pulled backup of an hour ago with market listings, its key and its secrets below a folder. */
export async function writeSmallBackup(root: string, listings: number): Promise<SmallBackup> {
  const keys = await createSealingKeyPair();
  const vars = { TOKEN_KEY: 'key of a small backup, 32 or more characters' };
  const secrets = secretsFrom(vars);
  const startedAt = systemClock() - 3600;
  const folder = join(root, 'pulled');
  const save = (key: string, content: string | Uint8Array) => {
    mkdirSync(dirname(join(folder, key)), { recursive: true });
    writeFileSync(join(folder, key), content);
  };
  const columns = ['id', 'name', 'stack', 'price', 'milli_each', 'created_at', 'last_seen', 'revision', 'live'];
  const rowOf = (index: number): Value[] => [String(index).padStart(12, '0'), `Item ${index % 50}`, 1, 1000, 1000, 1, 2, 1, 0];
  const tables: { name: string; rows: number; pieces: Piece[] }[] = [];
  for (const name of backedUpTables(await backupDecisions())) {
    const pieces: Piece[] = [];
    const count = name === 'market_listings' ? listings : 0;
    for (let start = 0; start < count; start += ROWS_PER_PIECE) {
      const rows = Array.from({ length: Math.min(ROWS_PER_PIECE, count - start) }, (_, index) => rowOf(start + index));
      const key = pieceKey(startedAt, name, pieces.length);
      const bytes = await writePiece(keys.publicKey, key, { table: name, columns, rows });
      save(key, bytes);
      pieces.push({ key, rows: rows.length, bytes: bytes.length, sha256: await sha256Of(bytes), at: startedAt });
    }
    tables.push({ name, rows: count, pieces });
  }
  const { publicKey } = keys;
  const parts = { startedAt, finishedAt: startedAt, publicKey, secrets: fingerprints(secrets), migration: null, tables, inPlace: [] };
  save(manifestKey(startedAt), writeManifest(parts, vars.TOKEN_KEY));
  const [secretsFile, keyFile] = [join(root, 'secrets.env'), join(root, 'key.json')];
  writeFileSync(secretsFile, `TOKEN_KEY="${vars.TOKEN_KEY}"\nSESSION_SECRET=\nWEBHOOK_SECRET=\n`);
  writeFileSync(keyFile, JSON.stringify(keys));
  const pieces = tables.flatMap((table) => table.pieces.map(({ key }) => join(folder, key)));
  return { keys, secretsFile, keyFile, folder, pieces, manifest: join(folder, manifestKey(startedAt)) };
}
