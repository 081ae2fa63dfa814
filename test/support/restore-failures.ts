import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import { type PulledBackup, type RestoreOptions, restoreBackup } from '../../scripts/lib/backup/restore.ts';
import { UserError } from '../../scripts/lib/main.ts';
import { NO_END } from '../../src/areas/backup/backup.data.ts';
import { createBackups } from '../../src/areas/backup/backup.service.ts';
import { composeApp } from '../../src/composition.ts';
import { createChangeJournal } from '../../src/platform/access/tokens/change-journal.ts';
import { createTokenChanges } from '../../src/platform/access/tokens/token-changes.ts';
import { createTokenGate } from '../../src/platform/access/tokens/token-gate.ts';
import { createTokenRegistry } from '../../src/platform/access/tokens/token-registry.ts';
import { createOutbox } from '../../src/platform/durable/outbox.ts';
import { backedUpTables, type TableDecisions } from '../../src/platform/kit/backup-decision.ts';
import { backupDecisionsOf } from '../../src/platform/kit/table-declaration.ts';
import { systemClock } from '../../src/platform/kit/time/clock.ts';
import { createDatabase } from '../../src/platform/storage/database.ts';
import { createSealingKeyPair } from '../../src/platform/storage/sealed-box.ts';
import { type CallFault, failingDatabase } from './d1/failing-database.ts';
import { migrateOnce } from './migrated-database.ts';
import { memoryRunnerStorage } from './runner-storage.ts';
import { createAccount, createToken, readToken } from './tokens.ts';

const keys = await createSealingKeyPair();
const secrets = { TOKEN_KEY: 'k'.repeat(32), SESSION_SECRET: null, WEBHOOK_SECRET: null };
const decisions = backupDecisionsOf(composeApp(env).service.tables);
const TABLES = [...backedUpTables(decisions), 'market_items', 'mail_outbox', 'outbox', 'row_counts'];
/** Tables with a row in the backup, and those that a restore repairs. */
export const FILLED_TABLES = [
  'users',
  'api_tokens',
  'setting_overrides',
  'market_listings',
  'archive_branches',
  'archive_versions',
  'archive_files',
  'archive_manifest',
];
/** A restore sets these by the clock, or counts them up, each time. */
const BY_THE_CLOCK: readonly string[] = ['token_version', 'next_try_at', 'revision'];
const target = env.STALE_DB;

/** A backup, and the decisions about the tables that it has. */
interface PartialBackup extends PulledBackup {
  decisions: TableDecisions;
}

/** Stores rows, backs up `tables`, and changes some of the rows; returns the backup with the journal of the changes. */
export async function createFullBackup(tables: readonly string[] = Object.keys(decisions)): Promise<PartialBackup> {
  const included = Object.fromEntries(Object.entries(decisions).filter(([name]) => tables.includes(name)));
  await empty(env.DB);
  const { objects } = await env.BACKUPS.list();
  if (objects.length > 0) await env.BACKUPS.delete(objects.map(({ key }) => key));
  const [owner, leaver] = [await createAccount(), await createAccount()];
  const { id: revoked } = readToken(await createToken({ userId: owner }));
  await createToken({ userId: leaver });
  const rows = [
    "INSERT INTO api_tokens (id, user_id, name, prefix, hashed_token, scopes, ip_salt, created_at) VALUES ('t', 'nobody', '', '', 'h', 0, '', 0)",
    "INSERT INTO setting_overrides (key, value, updated_at) VALUES ('feedback_chat_webhook', '\"old\"', 1)",
    "INSERT INTO archive_branches (branch, current_ordinal, status) VALUES ('pts', 2, 'syncing')",
    "INSERT INTO archive_versions (branch, ordinal, version_tag, captured_at) VALUES ('pts', 2, 'a', 0), ('pts', 3, 'b', 0)",
    `INSERT INTO archive_files (branch, dir, name, from_ordinal, to_ordinal, changed_ordinal, content_sha256, size)
      VALUES ('pts', '', 'old', 1, 3, 1, 'x', 1), ('pts', '', 'new', 3, ${NO_END}, 3, 'y', 1)`,
    `INSERT INTO market_listings (id, name, stack, price, milli_each, created_at, last_seen, revision, live)
      SELECT printf('%08d', value), 'Bardium', value, value, 1000, 1, value, 1, value % 2 FROM json_each('[1,2,3,4,5,6,7,8,9]')`,
  ];
  await env.DB.batch(rows.map((sql) => env.DB.prepare(sql)));
  const db = createDatabase(env.DB);
  const journal = createChangeJournal({
    db,
    outbox: createOutbox(db, systemClock),
    bucket: env.BACKUPS,
    publicKey: keys.publicKey,
    secret: secrets.TOKEN_KEY,
  });
  const drain = () => journal.drain(systemClock() + 3600, new AbortController().signal);
  await drain();
  const storage = memoryRunnerStorage();
  let seconds = systemClock();
  const backups = createBackups({
    db,
    tables: backedUpTables(included),
    bucket: env.BACKUPS,
    publicKey: keys.publicKey,
    secrets,
    storage,
    nowMs: () => seconds * 1000,
    bounds: { rows: 4, length: 1_000_000 },
  });
  await backups.start();
  while (backups.state().isRunning) {
    seconds = Math.max(seconds, Math.ceil((storage.alarmAt.value ?? 0) / 1000));
    await backups.alarm();
  }
  await env.DB.batch(
    [
      `DELETE FROM users WHERE id = '${leaver}'`,
      `UPDATE users SET is_active = 0 WHERE id = '${owner}'`,
      'DELETE FROM setting_overrides',
    ].map((sql) => env.DB.prepare(sql)),
  );
  const gate = createTokenGate(env.TOKEN_GATES);
  await createTokenRegistry(db, gate, createTokenChanges(db, gate, undefined, journal)).revoke({ id: revoked }, 'owner', 5);
  await drain();
  const keysOf = async (prefix: string) => (await env.BACKUPS.list({ prefix })).objects.map(({ key }) => key);
  const files = new Map<string, Uint8Array<ArrayBuffer>>();
  for (const key of [...(await keysOf('backups/')), ...(await keysOf('changes/'))])
    files.set(key, new Uint8Array((await (await env.BACKUPS.get(key))?.arrayBuffer()) ?? new ArrayBuffer(0)));
  const manifest = [...files].find(([key]) => key.endsWith('manifest.json'))?.[1];
  return {
    decisions: included,
    manifest: new TextDecoder().decode(manifest),
    changes: [...files.keys()].filter((key) => key.startsWith('changes/')),
    read: async (key) => files.get(key) ?? new Uint8Array(0),
  };
}

async function empty(database: D1Database): Promise<void> {
  await database.batch([
    database.prepare('DROP TABLE IF EXISTS restore_progress'),
    ...TABLES.map((table) => database.prepare(`DELETE FROM ${table}`)),
  ]);
}

/** All rows by table, without what a restore sets by the clock. */
async function rowsOf(database: D1Database): Promise<Record<string, string[]>> {
  const results = await database.batch<Record<string, unknown>>(TABLES.map((table) => database.prepare(`SELECT * FROM ${table}`)));
  const kept = (row: Record<string, unknown>) => Object.entries(row).filter(([name]) => !BY_THE_CLOCK.includes(name));
  return Object.fromEntries(
    TABLES.map((table, index) => [table, (results[index]?.results ?? []).map((row) => JSON.stringify(kept(row))).sort()]),
  );
}

const isPartial = async () => (await target.prepare("SELECT name FROM sqlite_master WHERE name = 'restore_progress'").first()) !== null;

const restore = (backup: PartialBackup, database: unknown) =>
  restoreBackup({ database, decisions: backup.decisions, backup, keys, secrets } as unknown as RestoreOptions);

/** The text of the error of a restore that must fail: for the operator, without a stack. */
async function failureOf(backup: PartialBackup, database: unknown): Promise<string> {
  const error = await restore(backup, database).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(UserError);
  const { message } = error as UserError;
  expect(message).not.toMatch(/\n\s+at /);
  return message;
}

/** Restores the backup once, without a fault. Returns the number of calls, and the rows of the database. */
export async function wholeRestore(backup: PartialBackup): Promise<{ calls: number; rows: Record<string, string[]> }> {
  await migrateOnce(target);
  await empty(target);
  const counted = failingDatabase(target, null);
  const report = await restore(backup, counted.database);
  expect(report).toMatchObject({ changedTokens: 1, deletedAccounts: 1, rejectedEntries: 0, continued: 0 });
  expect(await isPartial()).toBe(false);
  return { calls: counted.calls(), rows: await rowsOf(target) };
}

/** Fails call number `at`, then restores again. Throws unless the text is clear and the second restore leads to the same rows. */
export async function tryFault(
  backup: PartialBackup,
  whole: { calls: number; rows: Record<string, string[]> },
  at: number,
  fault: CallFault,
) {
  await empty(target);
  const message = await failureOf(backup, failingDatabase(target, at, fault).database);
  expect(message, `call ${at}`).toMatch(/^[A-Z][^\n]+ failed: D1_ERROR: the network was lost\n/);
  if (await isPartial()) expect(message, `call ${at}`).toContain('do not deploy the service on it. Run the command again: it continues');
  else if (at < whole.calls - 1) {
    expect(message, `call ${at}`).toMatch(/nothing was written|Run the command again/);
    expect(Object.values(await rowsOf(target)).flat(), `call ${at}`).toEqual([]);
  }
  if (at === whole.calls - 1 && fault === 'lost') {
    expect(message).toContain('If it then says that the database is not empty, this step was done and the restore is complete.');
    await expect(restore(backup, target)).rejects.toThrow('the database is not empty');
  } else await restore(backup, target);
  expect(await isPartial()).toBe(false);
  expect(await rowsOf(target), `rows after a fault of call ${at}`).toEqual(whole.rows);
}

/** Fails the reading of file number `at`, or damages the file. Returns whether rows were written before. */
export async function tryFileFault(
  backup: PartialBackup,
  whole: { rows: Record<string, string[]> },
  at: number,
  fault: 'missing' | 'damaged',
) {
  await empty(target);
  let reads = 0;
  const read = async (key: string) => {
    reads += 1;
    if (reads - 1 !== at) return backup.read(key);
    if (fault === 'missing') throw new Error(`${key} does not exist`);
    return (await backup.read(key)).slice(0, -1);
  };
  const result = await restore({ ...backup, read }, target).then(
    () => null,
    (error: unknown) => error,
  );
  // A damaged entry of the journal is rejected and counted.
  if (result !== null) {
    expect(result).toBeInstanceOf(UserError);
    const message = (result as UserError).message;
    if (await isPartial()) expect(message).toContain('Run the command again: it continues');
    else {
      expect(message).toContain('nothing was written. Run npm run backup -- pull again');
      expect(Object.values(await rowsOf(target)).flat()).toEqual([]);
    }
    await restore(backup, target);
    expect(await rowsOf(target)).toEqual(whole.rows);
  }
  return { wasRead: reads > at, failed: result !== null };
}
