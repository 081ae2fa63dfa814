import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type PulledBackup, restoreBackup } from '../../../scripts/lib/backup/restore.ts';
import { NO_END } from '../../../src/areas/backup/backup.data.ts';
import { createBackups } from '../../../src/areas/backup/backup.service.ts';
import { type BackupSecrets, type Manifest, readPiece } from '../../../src/areas/backup/backup-files.store.ts';
import { createRestoredTokens } from '../../../src/areas/backup/restored-tokens.service.ts';
import { composeApp } from '../../../src/composition.ts';
import { createChangeJournal } from '../../../src/platform/access/tokens/change-journal.ts';
import { createTokenChanges } from '../../../src/platform/access/tokens/token-changes.ts';
import { createTokenGate } from '../../../src/platform/access/tokens/token-gate.ts';
import { createTokenRegistry } from '../../../src/platform/access/tokens/token-registry.ts';
import { createOutbox } from '../../../src/platform/durable/outbox.ts';
import { backedUpTables } from '../../../src/platform/kit/backup-decision.ts';
import { backupDecisionsOf } from '../../../src/platform/kit/table-declaration.ts';
import { systemClock } from '../../../src/platform/kit/time/clock.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { createSealingKeyPair } from '../../../src/platform/storage/sealed-box.ts';
import { createMailStore } from '../../../src/platform/upstream/mail/mail.store.ts';
import { createMailer } from '../../../src/platform/upstream/mail/mailer.ts';
import { measure } from '../../support/meter.ts';
import { migrateOnce } from '../../support/migrated-database.ts';
import { createProject } from '../../support/projects.ts';
import { bearer, call } from '../../support/requests.ts';
import { memoryRunnerStorage } from '../../support/runner-storage.ts';
import { createAccount, createSuperuserToken, createToken, readToken } from '../../support/tokens.ts';
import { testApp } from '../platform/test-app.ts';

const db = createDatabase(env.DB);
const decisions = backupDecisionsOf(composeApp(env).service.tables);
const BACKED_UP = backedUpTables(decisions);
const keys = await createSealingKeyPair();
const secrets: BackupSecrets = { TOKEN_KEY: 'k'.repeat(32), SESSION_SECRET: 's'.repeat(32), WEBHOOK_SECRET: null };
/** Writes a backup of the database; `fault` fails the steps while it is set. */
function backupWorld(
  bounds?: { rows: number; length: number },
  onRead: (text: string, values: readonly unknown[]) => void = () => {},
  tables: readonly string[] = BACKED_UP,
) {
  const world = { seconds: 1_800_000_000, fault: null as Error | null };
  const storage = memoryRunnerStorage();
  const bucket = {
    ...env.BACKUPS,
    put: (...input: Parameters<R2Bucket['put']>) => (world.fault ? Promise.reject(world.fault) : env.BACKUPS.put(...input)),
  } as R2Bucket;
  const client = {
    prepare(text: string) {
      const statement = env.DB.prepare(text);
      return Object.assign(statement, {
        bind: (...values: unknown[]) => {
          onRead(text, values);
          return Object.getPrototypeOf(statement).bind.apply(statement, values) as D1PreparedStatement;
        },
      });
    },
  } as unknown as D1Database;
  const backups = createBackups({
    db: createDatabase(client),
    tables,
    bucket,
    publicKey: keys.publicKey,
    secrets,
    storage,
    nowMs: () => world.seconds * 1000,
    ...(bounds && { bounds }),
  });
  const run = async () => {
    await backups.start();
    while (backups.state().isRunning) {
      world.seconds = Math.max(world.seconds, Math.ceil((storage.alarmAt.value ?? 0) / 1000));
      await backups.alarm();
    }
    return backups.state();
  };
  return { world, backups, run };
}

const listKeys = async (prefix: string) => (await env.BACKUPS.list({ prefix })).objects.map(({ key }) => key);
const read = async (key: string) => new Uint8Array((await (await env.BACKUPS.get(key))?.arrayBuffer()) ?? new ArrayBuffer(0));

async function pulled(): Promise<PulledBackup & { parsed: Manifest }> {
  const key = (await listKeys('backups/')).filter((name) => name.endsWith('manifest.json')).at(-1) ?? '';
  const manifest = new TextDecoder().decode(await read(key));
  return { manifest, parsed: JSON.parse(manifest), changes: await listKeys('changes/'), read };
}

const rowsOf = async (database: D1Database, table: string) =>
  (await database.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).all()).results;

/** An empty, migrated database to restore into. */
async function emptyDatabase(): Promise<D1Database> {
  await migrateOnce(env.STALE_DB);
  await clear(env.STALE_DB);
  return env.STALE_DB;
}

async function clear(database: D1Database): Promise<void> {
  const tables = [...BACKED_UP, 'market_items', 'mail_outbox', 'outbox'];
  await database.batch(tables.map((table) => database.prepare(`DELETE FROM ${table}`)));
}

async function emptyStores(): Promise<void> {
  await clear(env.DB);
  const { objects } = await env.BACKUPS.list();
  if (objects.length > 0) await env.BACKUPS.delete(objects.map(({ key }) => key));
}

beforeEach(emptyStores);

async function storeListings(count: number): Promise<void> {
  await env.DB.prepare(
    `INSERT OR IGNORE INTO market_listings (id, name, stack, price, milli_each, created_at, last_seen, revision, live)
      SELECT printf('%08d', value), 'Bardium', value, value, 1000, 1, value, 1, value % 2 FROM json_each(?)`,
  )
    .bind(JSON.stringify(Array.from({ length: count }, (_, index) => index)))
    .run();
}

describe('backup', () => {
  it('has a decision for every table of the database, declared by the area or the platform', async () => {
    const { results } = await env.DB.prepare(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type <> 'shadow' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB 'd1_*' AND name NOT GLOB '_cf_*'",
    ).all<{ name: string }>();
    expect(Object.keys(decisions).sort()).toEqual(results.map(({ name }) => name).sort());
  });

  it('writes every row in bounded, encrypted pieces with a signed manifest', async () => {
    await storeListings(25);
    const state = await backupWorld({ rows: 10, length: 1_000_000 }).run();
    const { parsed } = await pulled();
    expect(parsed.tables.map(({ name }) => name)).toEqual(BACKED_UP);
    const listings = parsed.tables.find(({ name }) => name === 'market_listings');
    expect([listings?.rows, listings?.pieces.map(({ rows }) => rows)]).toEqual([25, [10, 10, 5]]);
    const ids: unknown[] = [];
    for (const { key, bytes, sha256 } of listings?.pieces ?? []) {
      const stored = await read(key);
      expect([stored.length, Buffer.from(await crypto.subtle.digest('SHA-256', stored)).toString('hex')]).toEqual([bytes, sha256]);
      expect(new TextDecoder().decode(stored)).not.toContain('Bardium');
      const piece = await readPiece(keys, key, stored);
      ids.push(...piece.rows.map((row) => row[piece.columns.indexOf('id')]));
    }
    expect(ids).toEqual(Array.from({ length: 25 }, (_, index) => String(index).padStart(8, '0')));
    expect(state.last).toEqual({ at: 1_800_000_000, bytes: expect.any(Number), tables: BACKED_UP.length, rows: expect.any(Number) });
    expect(await (await env.BACKUPS.get('latest.json'))?.json()).toEqual(state.last);
  });

  it('ends a piece at the bound of its length', async () => {
    await storeListings(6);
    await backupWorld({ rows: 100, length: 60 }).run();
    const listings = (await pulled()).parsed.tables.find(({ name }) => name === 'market_listings');
    expect(listings?.pieces.map(({ rows }) => rows)).toEqual([3, 3]);
  });

  it('reads each row once', async () => {
    const backUp = async (listings: number) => {
      await storeListings(listings);
      const { run } = backupWorld({ rows: 1000, length: 20_000 });
      let rows = 0;
      const { usage } = await measure(async () => {
        rows = (await run()).last?.rows ?? 0;
      });
      return { rows, read: usage['D1 rows read'] };
    };
    const few = await backUp(10);
    const many = await backUp(3010);
    expect(many.rows - few.rows).toBe(3000);
    const pieces = (await pulled()).parsed.tables.find(({ name }) => name === 'market_listings')?.pieces ?? [];
    expect(pieces.length).toBeGreaterThan(5);
    // Each page also reads the names of the columns.
    expect(many.read - few.read).toBeLessThanOrEqual(1.05 * 3000);
  });

  it('reads less in the step after one that exceeded the memory', async () => {
    await storeListings(40);
    const limits: number[] = [];
    const { world, run } = backupWorld({ rows: 32, length: 1_000_000 }, (text, values) => {
      if (!text.includes('FROM "market_listings"')) return;
      limits.push(Number(values.at(-1)));
      if (limits.length < 3) throw new Error('out of memory');
    });
    expect(await run()).toMatchObject({ error: null });
    expect(world.fault).toBeNull();
    expect(limits.slice(0, 4)).toEqual([32, 8, 2, 8]);
    expect((await pulled()).parsed.tables.find(({ name }) => name === 'market_listings')?.rows).toBe(40);
  });

  it('is refused without a public key, with what is missing', async () => {
    const authorization = bearer(await createSuperuserToken());
    const response = await call('/admin/jobs/backup/run', { method: 'POST', authorization }, testApp());
    expect([response.status, JSON.parse(response.text)]).toMatchObject([
      409,
      { error: { message: expect.stringContaining('not configured') } },
    ]);
  });

  it('resumes at the failed piece, and is abandoned with its error after an hour', async () => {
    await storeListings(3);
    const { world, backups, run } = backupWorld();
    world.fault = new Error('the bucket is closed');
    expect(await run()).toMatchObject({ isRunning: false, error: 'the bucket is closed', last: null });
    expect(await listKeys('backups/')).toEqual([]);
    world.fault = null;
    expect(await run()).toMatchObject({ error: null, last: { tables: BACKED_UP.length } });
    expect(backups.state().startedAt).toBeGreaterThan(1_800_000_000);
  });
});

describe('restore', () => {
  it('fills an empty database with the same rows', async () => {
    const userId = await createAccount({ row: { knownDevices: ['Firefox on "Linux"'], displayName: 'Zoë\u0000\n' } });
    await createToken({ userId, allowedIps: ['10.0.0.0/8'] });
    await storeListings(30);
    await env.DB.prepare(
      "INSERT OR REPLACE INTO capture_boards VALUES (1, 3600, 'v', 1, NULL, 'ana', 1.7976931348623157e308), (2, 3600, 'v', 1, NULL, 'bo', 0.1)",
    ).run();
    await env.DB.prepare(
      "INSERT OR REPLACE INTO board_captures (anchor, version, digest, boards, entries, player_shards, visible_at) VALUES (3600, 'v', 'd', 2, 2, 1, 1)",
    ).run();
    await backupWorld({ rows: 7, length: 1_000_000 }).run();
    const target = await emptyDatabase();
    const report = await restoreBackup({ database: target, decisions, backup: await pulled(), keys, secrets });
    expect(report).toMatchObject({ leftOut: 0, orphans: [], tokens: 1 });
    for (const table of ['api_tokens', 'market_listings', 'capture_boards', 'board_captures'])
      expect(await rowsOf(target, table)).toEqual(await rowsOf(env.DB, table));
    const versionless = (rows: Record<string, unknown>[]) => rows.map(({ token_version: _, ...row }) => row);
    expect(versionless(await rowsOf(target, 'users'))).toEqual(versionless(await rowsOf(env.DB, 'users')));
    expect(await rowsOf(target, 'market_items')).toEqual([{ name: 'Bardium', listings: 30 }]);
  });

  it('refuses other secrets, another key, a changed manifest and a database with rows', async () => {
    await createToken();
    await backupWorld().run();
    const target = await emptyDatabase();
    const backup = await pulled();
    const attempt = (change: Partial<Parameters<typeof restoreBackup>[0]>) =>
      restoreBackup({ database: target, decisions, backup, keys, secrets, ...change });
    await expect(attempt({ secrets: { ...secrets, TOKEN_KEY: 'x'.repeat(32) } })).rejects.toThrow('TOKEN_KEY must have the value');
    await expect(attempt({ secrets: { ...secrets, WEBHOOK_SECRET: 'x'.repeat(32) } })).rejects.toThrow(
      'WEBHOOK_SECRET must have the value',
    );
    await expect(attempt({ keys: await createSealingKeyPair() })).rejects.toThrow('encrypted to another key');
    const forged = backup.manifest.replace('"name":"users","rows":1', '"name":"users","rows":2');
    await expect(attempt({ backup: { ...backup, manifest: forged } })).rejects.toThrow('the manifest was changed');
    expect(await rowsOf(target, 'users')).toEqual([]);
    await attempt({});
    await expect(attempt({})).rejects.toThrow('the database is not empty. Tables with rows: users');
  });

  it('drops orphans with a count and rolls the version in progress of the archive back', async () => {
    const userId = await createAccount();
    await env.DB.batch([
      env.DB.prepare(
        "INSERT INTO api_tokens (id, user_id, name, prefix, hashed_token, scopes, ip_salt, created_at) VALUES ('t', 'nobody', '', '', 'h', 0, '', 0)",
      ),
      env.DB.prepare("INSERT INTO archive_branches (branch, current_ordinal, status) VALUES ('pts', 2, 'syncing')"),
      env.DB.prepare(
        "INSERT INTO archive_versions (branch, ordinal, version_tag, captured_at) VALUES ('pts', 2, 'a', 0), ('pts', 3, 'b', 0)",
      ),
      env.DB.prepare("INSERT INTO archive_manifest (branch, path, sha1, size) VALUES ('pts', 'p', 's', 1)"),
      env.DB.prepare(`INSERT INTO archive_files (branch, dir, name, from_ordinal, to_ordinal, changed_ordinal, content_sha256, size)
        VALUES ('pts', '', 'old', 1, 3, 1, 'x', 1), ('pts', '', 'new', 3, ${NO_END}, 3, 'y', 1), ('pts', '', 'gone', 1, 2, 1, 'z', 1)`),
    ]);
    await backupWorld().run();
    const target = await emptyDatabase();
    const report = await restoreBackup({ database: target, decisions, backup: await pulled(), keys, secrets });
    expect(report.orphans).toEqual([{ table: 'api_tokens', rows: 1 }]);
    expect((await rowsOf(target, 'users')).map(({ id }) => id)).toEqual([userId]);
    expect(await target.prepare('SELECT name, to_ordinal FROM archive_files ORDER BY name').raw()).toEqual([
      ['gone', 2],
      ['old', NO_END],
    ]);
    expect(await target.prepare('SELECT ordinal FROM archive_versions').raw()).toEqual([[2]]);
    expect(await target.prepare('SELECT is_incomplete FROM archive_manifest').raw()).toEqual([[1]]);
    expect(await target.prepare('SELECT status FROM archive_branches').raw()).toEqual([['idle']]);
  });
});

describe('change journal', () => {
  const gate = createTokenGate(env.TOKEN_GATES);
  const outbox = createOutbox(db, systemClock);
  const journal = createChangeJournal({ db, outbox, bucket: env.BACKUPS, publicKey: keys.publicKey, secret: secrets.TOKEN_KEY });
  const registry = createTokenRegistry(db, gate, createTokenChanges(db, gate, undefined, journal));
  const idOf = (secret: string) => readToken(secret).id;

  /** The tables of tokens and of the journal with their parents. All others would take most of the time of a backup and a restore. */
  const journaled = Object.fromEntries(
    Object.entries(decisions).filter(([name, { journal }]) => journal !== undefined || ['api_tokens', 'users', 'mods'].includes(name)),
  );

  /** Backs up, applies `change`, and restores into another database. */
  async function restoredAfter(change: () => Promise<unknown>) {
    await backupWorld(undefined, undefined, backedUpTables(journaled)).run();
    await env.BACKUPS.delete('latest.json');
    await change();
    const database = await emptyDatabase();
    const backup = await pulled();
    return { database, report: await restoreBackup({ database, decisions: journaled, backup, keys, secrets }) };
  }

  it('has the entry of a revocation and of a rotation before the change is confirmed', async () => {
    const [revoked, rotated] = [idOf(await createToken()), idOf(await createToken())];
    const { database, report } = await restoredAfter(async () => {
      await registry.revoke({ id: revoked }, 'owner', 5);
      const token = await registry.find(rotated);
      await registry.rotate(
        { id: rotated, hashedToken: token?.hashedToken ?? '' },
        { hashedToken: 'new', prefix: 'p', previousUntil: null },
        5,
      );
      expect(await listKeys('changes/')).toHaveLength(2);
      expect(await rowsOf(env.DB, 'outbox')).toEqual([]);
    });
    expect(report).toMatchObject({ changedTokens: 2, rejectedEntries: 0 });
    expect(await database.prepare('SELECT id, revoked, hashed_token FROM api_tokens WHERE id = ?').bind(revoked).first()).toMatchObject({
      revoked: 1,
    });
    expect(await database.prepare('SELECT hashed_token FROM api_tokens WHERE id = ?').bind(rotated).first()).toEqual({
      hashed_token: 'new',
    });
  });

  it('deletes a deleted account again, with its tokens', async () => {
    const userId = await createAccount();
    await createToken({ userId });
    const { database, report } = await restoredAfter(async () => {
      await env.DB.prepare('DELETE FROM users WHERE id = ?').bind(userId).run();
      await journal.drain(systemClock() + 1, new AbortController().signal);
    });
    expect(report).toMatchObject({ deletedAccounts: 1, orphans: [{ table: 'api_tokens', rows: 1 }] });
    expect(await rowsOf(database, 'users')).toEqual([]);
  });

  it('skips entries that the service did not write', async () => {
    const userId = await createAccount();
    const { database, report } = await restoredAfter(async () => {
      const forger = createChangeJournal({ db, outbox, bucket: env.BACKUPS, publicKey: keys.publicKey, secret: 'f'.repeat(32) });
      await env.DB.prepare("INSERT INTO outbox (kind, key, next_try_at) VALUES ('change-entries', ?, 0)").bind(`account:${userId}`).run();
      await forger.drain(systemClock(), new AbortController().signal);
    });
    expect(report).toMatchObject({ deletedAccounts: 0, rejectedEntries: 1 });
    expect(await rowsOf(database, 'users')).toHaveLength(1);
  });

  it('has one entry per token and hour, with the newest version', async () => {
    const hour = 1_800_000_000;
    let now = hour + 60;
    const parts = { db, outbox, bucket: env.BACKUPS, publicKey: keys.publicKey, secret: secrets.TOKEN_KEY, nowSeconds: () => now };
    const journal = createChangeJournal(parts);
    const { edit } = createTokenRegistry(db, gate, createTokenChanges(db, gate, undefined, journal));
    const id = idOf(await createToken());
    for (let count = 0; count < 5; count += 1) await edit({ id }, { name: `Name ${count}` }, 5);
    expect(await listKeys('changes/')).toEqual([`changes/00${hour}-token-${id}`]);
    now = hour + 3600;
    const { database, report } = await restoredAfter(async () => {
      await Promise.all(Array.from({ length: 5 }, (_, count) => edit({ id }, { name: `Later ${count}` }, 5)));
      await journal.drain(systemClock() + 3600, new AbortController().signal);
    });
    expect(await listKeys('changes/')).toEqual([`changes/00${hour}-token-${id}`, `changes/00${hour + 3600}-token-${id}`]);
    expect(report).toMatchObject({ changedTokens: 1, rejectedEntries: 0 });
    const stored = 'SELECT name, version FROM api_tokens WHERE id = ?';
    expect(await database.prepare(stored).bind(id).first()).toEqual(await env.DB.prepare(stored).bind(id).first());
  });

  /** Two entries of one row at once: the second is retried. */
  async function drain(): Promise<void> {
    for (let hours = 1; hours <= 5; hours += 1) await journal.drain(systemClock() + hours * 3600, new AbortController().signal);
  }

  /** Restores after SQL that ran after the backup. */
  async function restoredAfterSql(changes: readonly string[]): Promise<D1Database> {
    const { database } = await restoredAfter(async () => {
      for (const sql of changes) await env.DB.prepare(sql).run();
      await drain();
      expect(await rowsOf(env.DB, 'outbox')).toEqual([]);
    });
    expect(await rowsOf(database, 'outbox')).not.toContainEqual(expect.objectContaining({ kind: 'change-entries' }));
    return database;
  }

  async function prepare(): Promise<void> {
    await createProject({ userId: await createAccount({ isSuperuser: true }) });
    const rows = [
      "UPDATE users SET id = 'u', email = 'old@mail.test', password_hash = 'old'",
      "INSERT INTO users (id, email, created_at) VALUES ('other', 'other@mail.test', 1)",
      "UPDATE mods SET id = 7, visibility = 'public'",
      "UPDATE project_members SET project_id = 7, user_id = 'u'",
      "UPDATE project_handles SET user_id = 'u', handle = 'ana'",
      "INSERT INTO project_members (project_id, user_id, handle, role, created_at) VALUES (7, 'other', 'other', 'owner', 1)",
      "INSERT INTO project_keys (id, project_id, user_id, name, prefix, hashed_token, ip_salt, created_at, expires_at) VALUES ('k', 7, 'u', 'n', 'p', 'hash', 's', 1, 9999999999)",
      "INSERT INTO second_factors (user_id, sealed_secret, created_at, confirmed_at) VALUES ('u', 'old', 1, 1)",
      "INSERT INTO recovery_codes (code_hash, user_id) VALUES ('code-1', 'u'), ('code-2', 'u')",
      "INSERT INTO setting_overrides (key, value, updated_at) VALUES ('feedback_chat_webhook', '\"old\"', 1)",
      "INSERT INTO project_allowances (user_id, name, max) VALUES ('u', 'bytes', 99)",
      "INSERT INTO mod_artifact_owners (sha256, handle) VALUES ('f', 'thief')",
      `INSERT INTO webhooks (id, user_id, format, label, sealed_address, masked_address, address_key, sender, sealed_secret, events, templates, created_at)
        VALUES ('w', 'u', 'signed', 'l', 'a', 'm', 'k', 0, 'old', '[]', '{}', 1)`,
    ];
    await env.DB.batch(rows.map((sql) => env.DB.prepare(sql)));
    await drain();
  }

  type Change = [what: string, statements: string[], query: string, expected: unknown];

  /** Changes by table. */
  const CHANGES: Readonly<Record<string, readonly Change[]>> = {
    users: [
      ['a disabled account', ["UPDATE users SET is_active = 0 WHERE id = 'u'"], "SELECT is_active FROM users WHERE id = 'u'", 0],
      ['a demoted account', ["UPDATE users SET is_superuser = 0 WHERE id = 'u'"], "SELECT is_superuser FROM users WHERE id = 'u'", 0],
      [
        'a changed password',
        ["UPDATE users SET password_hash = 'new' WHERE id = 'u'"],
        "SELECT password_hash FROM users WHERE id = 'u'",
        'new',
      ],
      [
        'a changed address',
        ["UPDATE users SET email = 'new@mail.test' WHERE id = 'u'"],
        "SELECT email FROM users WHERE id = 'u'",
        'new@mail.test',
      ],
      [
        'the rights of an account whose address another one has in the backup',
        [
          "UPDATE users SET email = 'gone@mail.test' WHERE id = 'other'",
          "UPDATE users SET email = 'other@mail.test', is_active = 0 WHERE id = 'u'",
        ],
        "SELECT is_active FROM users WHERE id = 'u'",
        0,
      ],
    ],
    project_keys: [
      [
        'an ended project key',
        ["UPDATE project_keys SET ended_at = 5 WHERE id = 'k'"],
        "SELECT ended_at FROM project_keys WHERE id = 'k'",
        5,
      ],
      ['a deleted project key', ["DELETE FROM project_keys WHERE id = 'k'"], 'SELECT count(*) FROM project_keys', 0],
    ],
    second_factors: [
      ['a replaced second factor', ["UPDATE second_factors SET sealed_secret = 'new'"], 'SELECT sealed_secret FROM second_factors', 'new'],
      ['a removed second factor', ['DELETE FROM second_factors'], 'SELECT count(*) FROM second_factors', 0],
      [
        'a second factor that was added',
        ["INSERT INTO second_factors (user_id, sealed_secret, created_at, confirmed_at) VALUES ('other', 'new', 1, 1)"],
        "SELECT sealed_secret FROM second_factors WHERE user_id = 'other'",
        'new',
      ],
    ],
    recovery_codes: [
      [
        'a used recovery code',
        ["DELETE FROM recovery_codes WHERE code_hash = 'code-1'"],
        'SELECT group_concat(code_hash) FROM recovery_codes',
        'code-2',
      ],
      [
        'replaced recovery codes',
        ['DELETE FROM recovery_codes', "INSERT INTO recovery_codes (code_hash, user_id) VALUES ('code-3', 'u')"],
        'SELECT group_concat(code_hash) FROM recovery_codes',
        'code-3',
      ],
    ],
    project_members: [
      ['a removed member', ["DELETE FROM project_members WHERE user_id = 'other'"], 'SELECT count(*) FROM project_members', 1],
      [
        'a lowered role',
        ["UPDATE project_members SET role = 'editor' WHERE user_id = 'other'"],
        "SELECT role FROM project_members WHERE user_id = 'other'",
        'editor',
      ],
    ],
    project_handles: [
      [
        'a handle that was given up',
        ['UPDATE project_handles SET user_id = NULL'],
        "SELECT user_id FROM project_handles WHERE handle = 'ana'",
        null,
      ],
      [
        'a handle that was registered',
        ["INSERT INTO project_handles (handle, user_id, created_at) VALUES ('new', 'other', 1)"],
        "SELECT user_id FROM project_handles WHERE handle = 'new'",
        'other',
      ],
    ],
    project_allowances: [['a lowered allowance', ['DELETE FROM project_allowances'], 'SELECT count(*) FROM project_allowances', 0]],
    mods: [
      ['a take-down', ['UPDATE mods SET taken_down_at = 5'], 'SELECT taken_down_at FROM mods', 5],
      ['a mod that was made private', ["UPDATE mods SET visibility = 'private'"], 'SELECT is_visible FROM mods', 0],
    ],
    mod_artifact_owners: [
      [
        'an artifact that moderators moved',
        ["UPDATE mod_artifact_owners SET handle = 'ana'"],
        'SELECT handle FROM mod_artifact_owners',
        'ana',
      ],
    ],
    setting_overrides: [
      [
        'a replaced setting with a secret',
        [`UPDATE setting_overrides SET value = '"new"'`],
        'SELECT value FROM setting_overrides',
        '"new"',
      ],
      ['a setting that was reset', ['DELETE FROM setting_overrides'], 'SELECT count(*) FROM setting_overrides', 0],
    ],
    webhooks: [
      ['a rotated webhook secret', ["UPDATE webhooks SET sealed_secret = 'new'"], 'SELECT sealed_secret FROM webhooks', 'new'],
      ['a disabled webhook', ['UPDATE webhooks SET is_active = 0'], 'SELECT is_active FROM webhooks', 0],
      ['a deleted webhook', ['DELETE FROM webhooks'], 'SELECT count(*) FROM webhooks', 0],
    ],
  };
  /** The first change of each table, the second of each, and so on: an entry has the rows of one table. */
  const ROUNDS = Array.from({ length: Math.max(...Object.values(CHANGES).map(({ length }) => length)) }, (_, round) =>
    Object.values(CHANGES).flatMap((changes) => changes.slice(round, round + 1)),
  );

  describe.each(ROUNDS.map((changes, round) => ({ round: round + 1, changes })))('restore number $round', ({ changes }) => {
    let database: D1Database;

    beforeAll(async () => {
      await emptyStores();
      await prepare();
      database = await restoredAfterSql(changes.flatMap(([, statements]) => statements));
    });

    it.each(changes)('restores %s', async (_, _statements, query, expected) => {
      expect(Object.values((await database.prepare(query).first()) ?? { value: null })[0]).toBe(expected);
    });
  });

  it('has the newest state of a row that changes while its entry is written', async () => {
    await prepare();
    await env.BACKUPS.delete(await listKeys('changes/'));
    const slow = createChangeJournal({
      db,
      outbox,
      bucket: {
        head: (key: string) => env.BACKUPS.head(key),
        async put(...input: Parameters<R2Bucket['put']>) {
          // Between the read of the row and the write of its entry: another change, written by another isolate.
          await env.DB.prepare("UPDATE users SET is_active = 0 WHERE id = 'u'").run();
          await drain();
          return env.BACKUPS.put(...input);
        },
      } as unknown as R2Bucket,
      publicKey: keys.publicKey,
      secret: secrets.TOKEN_KEY,
    });
    const { database } = await restoredAfter(async () => {
      await env.DB.prepare("UPDATE users SET is_superuser = 0 WHERE id = 'u'").run();
      const queued = await env.DB.prepare('SELECT key FROM outbox').first<{ key: string }>();
      await slow.write(queued?.key ?? '', systemClock());
      await drain();
    });
    expect(await database.prepare("SELECT is_active, is_superuser FROM users WHERE id = 'u'").first()).toEqual({
      is_active: 0,
      is_superuser: 0,
    });
  });

  it('drops entries without a public key', async () => {
    const off = createChangeJournal({ db, outbox, bucket: env.BACKUPS, publicKey: '', secret: secrets.TOKEN_KEY });
    await createTokenRegistry(db, gate, createTokenChanges(db, gate, undefined, off)).revoke({ id: idOf(await createToken()) }, 'owner', 5);
    expect([await listKeys('changes/'), await rowsOf(env.DB, 'outbox')]).toEqual([[], []]);
  });

  it('confirms a change while the bucket fails, and writes the entry later', async () => {
    const id = idOf(await createToken());
    const broken = createChangeJournal({
      db,
      outbox,
      bucket: { put: () => Promise.reject(new Error('closed')) } as unknown as R2Bucket,
      publicKey: keys.publicKey,
      secret: secrets.TOKEN_KEY,
    });
    const change = await createTokenRegistry(db, gate, createTokenChanges(db, gate, undefined, broken)).revoke({ id }, 'owner', 5);
    expect(change).toEqual({ isStored: true, isConfirmed: true });
    await journal.drain(systemClock() + 3600, new AbortController().signal);
    expect(await listKeys('changes/')).toHaveLength(1);
  });
});

describe('restored tokens', () => {
  const gate = createTokenGate(env.TOKEN_GATES);
  const registry = createTokenRegistry(db, gate);
  const outbox = createOutbox(db, systemClock);
  const mailer = createMailer({
    repository: createMailStore(db),
    outbox,
    transport: null,
    isNonProduction: true,
    appName: 'Test',
    newId: () => crypto.randomUUID(),
  });
  const restored = createRestoredTokens({ db, outbox, tokens: registry, gate, mailer, appName: 'Test' });

  it('revokes a token that its gate knows in a newer version, mails the owner, and keeps the others', async () => {
    const [kept, changed] = [await createToken(), await createToken()];
    const app = testApp();
    const statusOf = async (secret: string) => (await call('/v1/token', { authorization: bearer(secret) }, app)).status;
    const [keptId, changedId] = [readToken(kept).id, readToken(changed).id];
    expect([await statusOf(kept), await statusOf(changed)]).toEqual([200, 200]);
    const before = await env.DB.prepare('SELECT * FROM api_tokens WHERE id = ?').bind(changedId).first<Record<string, unknown>>();
    await registry.edit({ id: changedId }, { name: 'renamed' }, 5);
    // The restored row is that of the backup; the gate has the change.
    await env.DB.prepare('UPDATE api_tokens SET version = ?, name = ? WHERE id = ?').bind(before?.version, before?.name, changedId).run();
    await env.DB.prepare("INSERT INTO outbox (kind, key, next_try_at) SELECT 'restored-tokens', id, 0 FROM api_tokens").run();
    await restored.drain(systemClock(), new AbortController().signal);
    expect([await statusOf(kept), await statusOf(changed)]).toEqual([200, 401]);
    expect((await rowsOf(env.DB, 'mail_outbox')).map(({ subject }) => subject)).toEqual(['Test: an API token was revoked']);
    for (const id of [keptId, changedId]) {
      const row = await env.DB.prepare('SELECT version FROM api_tokens WHERE id = ?').bind(id).first<{ version: number }>();
      expect(row?.version).toBe(await gate.heldVersion(id));
      expect(row?.version).toBeGreaterThan(1_700_000_000_000);
    }
    expect(await env.DB.prepare("SELECT count(*) AS n FROM outbox WHERE kind = 'restored-tokens'").first()).toEqual({ n: 0 });
  });

  /** A token in use, and a comparison whose question to the gate is followed by `meanwhile`. */
  async function reconcileDuring(meanwhile: (id: string) => Promise<unknown>) {
    const secret = await createToken();
    const { id } = readToken(secret);
    expect((await call('/v1/token', { authorization: bearer(secret) }, testApp())).status).toBe(200);
    await env.DB.prepare("INSERT INTO outbox (kind, key, next_try_at) VALUES ('restored-tokens', ?, 0)").bind(id).run();
    let isDone = false;
    const interrupted = {
      async heldVersion(tokenId: string) {
        const isFirst = !isDone;
        isDone = true;
        const held = await gate.heldVersion(tokenId);
        if (isFirst) await meanwhile(tokenId);
        return isFirst ? held : gate.heldVersion(tokenId);
      },
    };
    const restored = createRestoredTokens({ db, outbox, tokens: registry, gate: interrupted, mailer, appName: 'Test' });
    await restored.drain(systemClock(), new AbortController().signal);
    return registry.find(id);
  }

  it('keep a name that their owner changes meanwhile', async () => {
    const token = await reconcileDuring((id) => registry.edit({ id }, { name: 'renamed' }, 5));
    expect(token).toMatchObject({ name: 'renamed', revoked: false });
  });

  it('are not revoked because their owner changes them between the questions to the database and to the gate', async () => {
    const { id } = readToken(await createToken());
    const rotating = {
      find: async (tokenId: string) => {
        const found = await registry.find(tokenId);
        if (found) await registry.edit(found, { name: 'changed after the restore' }, 5);
        return found;
      },
      touch: registry.touch,
      revokeUnchanged: registry.revokeUnchanged,
    };
    await env.DB.prepare("INSERT INTO outbox (kind, key, next_try_at) VALUES ('restored-tokens', ?, 0)").bind(id).run();
    const restored = createRestoredTokens({ db, outbox, tokens: rotating, gate, mailer, appName: 'Test' });
    await restored.drain(systemClock(), new AbortController().signal);
    expect(await registry.find(id)).toMatchObject({ name: 'changed after the restore', revoked: false });
  });

  it('are neither revoked nor mailed about when their owner changes them just before the revocation', async () => {
    const { id } = readToken(await createToken());
    await registry.edit({ id }, { name: 'newer' }, 5);
    await env.DB.prepare('UPDATE api_tokens SET version = 1 WHERE id = ?').bind(id).run();
    await env.DB.prepare("INSERT INTO outbox (kind, key, next_try_at) VALUES ('restored-tokens', ?, 0)").bind(id).run();
    const overtaken: Pick<typeof registry, 'find' | 'touch' | 'revokeUnchanged'> = {
      ...registry,
      async revokeUnchanged(...input) {
        await registry.edit({ id }, { name: 'changed after the restore' }, 5);
        return registry.revokeUnchanged(...input);
      },
    };
    const before = (await rowsOf(env.DB, 'mail_outbox')).length;
    const restored = createRestoredTokens({ db, outbox, tokens: overtaken, gate, mailer, appName: 'Test' });
    await restored.drain(systemClock(), new AbortController().signal);
    expect(await registry.find(id)).toMatchObject({ name: 'changed after the restore', revoked: false });
    expect(await rowsOf(env.DB, 'mail_outbox')).toHaveLength(before);
    expect(await env.DB.prepare("SELECT tries FROM outbox WHERE kind = 'restored-tokens'").first()).toEqual({ tries: 1 });
    await restored.drain(systemClock() + 600, new AbortController().signal);
    expect(await env.DB.prepare("SELECT count(*) AS n FROM outbox WHERE kind = 'restored-tokens'").first()).toEqual({ n: 0 });
  });
});
