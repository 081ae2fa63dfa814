import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../scripts/lib/paths.ts';
import { resetSecondFactor } from '../../scripts/lib/token/second-factor-reset.ts';
import { insertAccountSql } from '../../scripts/lib/token/token-sql.ts';

const NOW = 1_773_156_600;
const ACTOR = "o'brien@laptop";

/** The command on a database with two accounts that have a second factor. */
function world() {
  const database = new DatabaseSync(':memory:');
  const migrations = join(ROOT, 'migrations');
  for (const name of readdirSync(migrations)
    .filter((file) => file.endsWith('.sql'))
    .sort()) {
    database.exec(readFileSync(join(migrations, name), 'utf8'));
  }
  const [owner, bystander] = ['owner@example.org', 'bystander@example.org'].map((email) => {
    const account = insertAccountSql({ email, displayName: '', isSuperuser: true }, NOW);
    database.exec(account.sql);
    database
      .prepare('INSERT INTO second_factors (user_id, sealed_secret, created_at, confirmed_at) VALUES (?, ?, 1, 1)')
      .run(account.id, 'x');
    database.prepare('INSERT INTO recovery_codes (code_hash, user_id) VALUES (?, ?)').run(account.id, account.id);
    return account.id;
  });
  const targets: boolean[] = [];
  const reset = (...args: string[]) =>
    resetSecondFactor(args, {
      async select(sql, { isRemote }) {
        targets.push(isRemote);
        return database.prepare(sql).all() as { id: string }[];
      },
      async run(sql, { isRemote }) {
        targets.push(isRemote);
        database.exec(sql);
      },
      actor: ACTOR,
      now: NOW,
    });
  const rows = (sql: string) =>
    database
      .prepare(sql)
      .all()
      .map((row) => ({ ...row }));
  return { reset, rows, targets, owner, bystander };
}

describe('npm run second-factor -- reset', () => {
  it('removes the second factor of one account and records who did it', async () => {
    const { reset, rows, targets, owner, bystander } = world();
    expect(await reset('--email', ' Owner@Example.org ')).toContain(`Recorded as a reset by ${ACTOR}.`);
    expect(rows('SELECT user_id FROM second_factors')).toEqual([{ user_id: bystander }]);
    expect(rows('SELECT user_id FROM recovery_codes')).toEqual([{ user_id: bystander }]);
    expect(rows('SELECT user_id, kind, actor, at FROM second_factor_events')).toEqual([
      { user_id: owner, kind: 'reset_by_operator', actor: ACTOR, at: NOW },
    ]);
    expect(rows('SELECT token_version FROM users ORDER BY email DESC')).toEqual([{ token_version: 1 }, { token_version: 0 }]);
    expect(targets).toEqual([false, false]);
  });

  it('changes nothing for an unknown address', async () => {
    const { reset, rows, targets } = world();
    await expect(reset('--email', 'nobody@example.org', '--remote')).rejects.toThrow('No account has the address nobody@example.org.');
    expect(rows('SELECT kind FROM second_factor_events')).toEqual([]);
    expect(rows('SELECT user_id FROM second_factors')).toHaveLength(2);
    expect(targets).toEqual([true]);
  });

  it.each([[[]], [['--email']], [['--email', ' ']], [['owner@example.org']], [['--email', 'owner@example.org', '--all']]])(
    'prints its usage and asks no database for %j',
    async (args) => {
      const { reset, targets } = world();
      await expect(reset(...args)).rejects.toThrow(/^Usage: npm run second-factor -- reset --email/);
      expect(targets).toEqual([]);
    },
  );

  it('exits with 1 after its usage', () => {
    const { status, stderr } = spawnSync(process.execPath, [join(ROOT, 'scripts/run.mjs'), 'second-factor', 'reset'], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([1, expect.stringContaining('Usage: npm run second-factor -- reset')]);
  });
});
