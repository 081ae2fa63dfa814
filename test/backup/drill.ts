import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { D1Database, R2Bucket } from '@cloudflare/workers-types';
import { backupDecisions } from '../../scripts/lib/backup/decisions.ts';
import { openBackupBindings, openPulled, pullBackup, secretsFrom } from '../../scripts/lib/backup/pull.ts';
import { rehearseRestore } from '../../scripts/lib/backup/rehearse.ts';
import { restoreBackup } from '../../scripts/lib/backup/restore.ts';
import { type RunningBundle, startBundle } from '../../scripts/lib/bundle.ts';
import { withDemoWorld } from '../../scripts/lib/demo-world.ts';
import { openMigratedState } from '../../scripts/lib/dev/local-state.ts';
import { LATEST_KEY, SHAPE_SQL, shapeOf, type Value } from '../../src/areas/backup/backup-files.store.ts';
import { backedUpTables } from '../../src/platform/kit/backup-decision.ts';
import { createSealingKeyPair } from '../../src/platform/storage/sealed-box.ts';

const POLL_MS = 100;
const TIMEOUT_MS = 60_000;
const SESSION_SECRET = 'secret of the drill, 32 or more characters';
/** Columns that a restore sets, and those that the requests of the drill change after the backup. */
const OTHER_VALUES: Readonly<Record<string, readonly string[]>> = {
  users: ['token_version', 'last_login_at'],
  api_tokens: ['last_used_at', 'request_count', 'usage_sequence'],
  giveaways: ['revision'],
  archive_branches: ['status', 'last_probe_at', 'sync_content_path', 'sync_manifest_digest', 'lease_holder', 'lease_until'],
  usage_days: ['request_count', 'error_count', 'rate_limited', 'duration_ms'],
};
/** Requests whose responses must not differ: their data is backed up or rebuilt, and does not depend on the time. */
const SAME_RESPONSES = [
  '/v1/mods?limit=20',
  '/v1/mods?search=wings',
  '/v1/leaderboards',
  '/v1/leaderboards/timestamps',
  '/v1/market/items',
  '/v1/market/interest-items',
  '/v1/misc/news-history?limit=5',
  '/v1/misc/supporters',
  '/v1/giveaways/ended',
  '/v1/rotations/challenge/history',
  '/v1/updates/live-us/versions',
  '/v1/updates/live-us/tree',
  '/v1/updates/live-us/search?q=prefabs',
  '/v1/codexes/types',
];

type World = Parameters<Parameters<typeof withDemoWorld>[1]>;

/**
 * Backs up demo data on the bundle, deletes an account, restores the backup into another database, compares every row, and starts the
 * bundle on the result. Throws at the first difference.
 */
export async function drill({ reuseBuild }: { reuseBuild: boolean }): Promise<void> {
  const keys = await createSealingKeyPair();
  const vars = { SESSION_SECRET, BACKUP_PUBLIC_KEY: keys.publicKey };
  const temporary = mkdtempSync(join(tmpdir(), 'game-data-drill-'));
  const [folder, state] = [join(temporary, 'pulled'), join(temporary, 'state')];
  try {
    await withDemoWorld({ reuseBuild, vars }, async (...world: World) => {
      const [server, bundle, source] = world;
      const bucket = (await bundle.mf.getR2Bucket('BACKUPS')) as unknown as R2Bucket;
      const leaver = await addLeaver(bundle);
      await run(bundle.url, server.superuser_token, 'backup');
      await until('the backup', async () => (await bucket.head(LATEST_KEY)) !== null);
      await bundle.database.prepare('DELETE FROM users WHERE id = ?').bind(leaver.id).run();
      await run(bundle.url, server.superuser_token, 'backup-changes');
      const { manifest, copied, changes } = await pullBackup(bucket, folder);
      console.log(
        `  backup: ${manifest.tables.reduce((sum, { rows }) => sum + rows, 0)} rows in ${copied} files, ${changes} changes since`,
      );

      const secrets = secretsFrom({ ...vars, TOKEN_KEY: bundle.tokenKey });
      const decisions = await backupDecisions();
      const rehearsal = await rehearseRestore({ decisions, backup: openPulled(folder), keys, secrets });
      assert.deepEqual([rehearsal.state, rehearsal.report.leftOut, rehearsal.report.deletedAccounts], ['ok', 0, 1]);
      console.log(`  rehearsal: ${rehearsal.report.rows} rows in ${rehearsal.seconds.toFixed(1)} s`);
      await (await openMigratedState(state)).dispose();
      const target = await openBackupBindings({ isRemote: false, state });
      try {
        const report = await restoreBackup({ database: target.database, decisions, backup: openPulled(folder), keys, secrets });
        assert.equal(report.deletedAccounts, 1, 'the deleted account came back');
        assert.equal(report.leftOut + report.rejectedEntries, 0);
        // What a restore does to rows of missing accounts.
        await bundle.database.prepare('DELETE FROM api_tokens WHERE user_id = ?').bind(leaver.id).run();
        await bundle.database.prepare('UPDATE giveaway_entries SET user_id = id WHERE user_id NOT IN (SELECT id FROM users)').run();
        const tables = backedUpTables(decisions);
        const equal = await compareRows(bundle.database, target.database, tables);
        console.log(`  restore: ${equal} equal rows in ${tables.length} tables`);
      } finally {
        await target.dispose();
      }
      cpSync(join(source, 'r2'), join(state, 'r2'), { recursive: true });
      const restored = await startBundle({ reuseBuild: true, vars: { ...vars, ENVIRONMENT: 'development' }, persistTo: state });
      try {
        await smoke(bundle, restored, server, leaver.token);
      } finally {
        await restored.dispose();
      }
    });
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** An account of its own with a token. */
async function addLeaver({ database, mintToken }: RunningBundle): Promise<{ id: string; token: string }> {
  const id = 'drill-leaver';
  await database.prepare("INSERT INTO users (id, email, created_at) VALUES (?, 'leaver@example.com', 0)").bind(id).run();
  const token = await mintToken();
  const newest = 'SELECT id FROM api_tokens ORDER BY rowid DESC LIMIT 1';
  await database.prepare(`UPDATE api_tokens SET user_id = ? WHERE id = (${newest})`).bind(id).run();
  return { id, token };
}

/** Number of rows in both databases. Throws at the first table that differs. */
async function compareRows(source: D1Database, target: D1Database, tables: readonly string[]): Promise<number> {
  let compared = 0;
  for (const table of tables) {
    const { results } = await source.prepare(SHAPE_SQL).bind(table).all<{ name: string; pk: number }>();
    const { columns, key } = shapeOf(results);
    const same = columns.filter((name) => !OTHER_VALUES[table]?.includes(name));
    const quoted = (names: readonly string[]) => names.map((name) => `"${name}"`).join(', ');
    const sql = `SELECT ${quoted(same)} FROM "${table}" ORDER BY ${quoted(key)}`;
    const [expected, found] = [await source.prepare(sql).raw<Value[]>(), await target.prepare(sql).raw<Value[]>()];
    assert.deepEqual(found, expected, `table ${table} differs`);
    compared += found.length;
  }
  return compared;
}

async function smoke(
  source: RunningBundle,
  restored: RunningBundle,
  { token, superuser_token: superuser }: World[0],
  deletedToken: string,
) {
  const statusOf = async (secret: string) =>
    (await fetch(`${restored.url}/v1/token`, { headers: { Authorization: `Bearer ${secret}` } })).status;
  assert.deepEqual([await statusOf(token), await statusOf(superuser), await statusOf(deletedToken)], [200, 200, 401]);
  await run(restored.url, superuser, 'backup-changes');
  const pending = "SELECT count(*) AS n FROM outbox WHERE kind = 'restored-tokens'";
  await until('the check of restored tokens', async () => (await restored.database.prepare(pending).first<{ n: number }>())?.n === 0);
  assert.deepEqual([await statusOf(token), await statusOf(superuser)], [200, 200]);
  await run(restored.url, superuser, 'codexes-index');
  const read = async (url: string, path: string) => {
    const response = await fetch(url + path, { headers: { Authorization: `Bearer ${token}` } });
    return [response.status, (await response.text()).replaceAll(url, '')] as const;
  };
  await until(
    'the codexes',
    async () => (await read(restored.url, '/v1/codexes/types'))[1] === (await read(source.url, '/v1/codexes/types'))[1],
  );
  for (const path of SAME_RESPONSES) {
    const [expected, found] = [await read(source.url, path), await read(restored.url, path)];
    assert.equal(expected[0], 200, `${path}: ${expected[1].slice(0, 200)}`);
    assert.deepEqual(found, expected, `${path} differs`);
  }
  console.log(`  smoke test: tokens work, ${SAME_RESPONSES.length} equal responses`);
}

async function run(url: string, superuser: string, job: string): Promise<void> {
  const response = await fetch(`${url}/admin/jobs/${job}/run`, { method: 'POST', headers: { Authorization: `Bearer ${superuser}` } });
  const text = await response.text();
  assert.ok(response.ok, `job ${job}: ${response.status} ${text}`);
}

async function until(what: string, isDone: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + TIMEOUT_MS;
  while (!(await isDone())) {
    if (performance.now() > deadline) throw new Error(`${what} did not end within ${TIMEOUT_MS / 1000} s`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
