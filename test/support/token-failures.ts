import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { runNode } from '../../scripts/lib/commands.ts';
import { readWranglerConfig } from '../../scripts/lib/config.ts';
import { listMigrations } from '../../scripts/lib/migrations.ts';
import { inRoot } from '../../scripts/lib/paths.ts';
import { insertAccountSql } from '../../scripts/lib/token/token-sql.ts';
import { type PlatformFailure, startPlatform } from './upstreams/platform/platform.ts';

const OWNER = 'owner@example.org';
const NEWCOMER = 'newcomer@example.org';
const SECRET = /[a-z]+_[A-Za-z0-9]{43}_[A-Za-z0-9]{1,6}/;

/** The commands that write the deployed database, with the steps that their messages name. */
export const DATABASE_COMMANDS = {
  token: {
    script: 'token.ts',
    args: ['--name', 'n', '--scopes', 'all', '--email', NEWCOMER, '--remote'],
    steps: /^(Reading the account newcomer@example\.org|Storing the token) failed: /,
    writing: 'Storing the token',
    goOn: 'No secret is shown. If /portal/admin/users lists a token "n" of newcomer@example.org, revoke it; then run the command again.',
  },
  'second-factor': {
    script: 'second-factor-reset.ts',
    args: ['--email', OWNER, '--remote'],
    steps: /^(Reading the account|The reset) failed: /,
    writing: 'The reset',
    goOn: 'The second factor may be removed already. Run the command again: a second reset does no harm.',
  },
} as const;
export type DatabaseCommand = keyof typeof DATABASE_COMMANDS;

/** A stand-in of the platform with a migrated database and an account with a second factor. */
export async function createTokenWorld() {
  const platform = await startPlatform();
  const temporary = mkdtempSync(join(tmpdir(), 'token-failures-'));
  const [database] = readWranglerConfig('production').d1_databases;
  const uuid = database?.database_id ?? '';
  platform.account.databases.push({
    uuid,
    name: database?.database_name ?? '',
    running_in_region: 'WEUR',
    read_replication: { mode: 'auto' },
    version: 'production',
    created_at: '2026-11-01T00:00:00.000Z',
  });

  async function query(sql: string): Promise<Record<string, unknown>[]> {
    const response = await fetch(`${platform.api}/accounts/${platform.env.CLOUDFLARE_ACCOUNT_ID}/d1/database/${uuid}/query`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${platform.env.CLOUDFLARE_API_TOKEN}` },
      body: JSON.stringify({ sql, params: [] }),
    });
    const { success, errors, result } = (await response.json()) as {
      success: boolean;
      errors: unknown;
      result: { results: Record<string, unknown>[] }[];
    };
    if (!success) throw new Error(JSON.stringify(errors));
    return result.at(-1)?.results ?? [];
  }
  for (const name of listMigrations()) await query(readFileSync(inRoot('migrations', name), 'utf8'));
  const owner = insertAccountSql({ email: OWNER, displayName: '', isSuperuser: false }, 1_773_156_600);
  await query(owner.sql);
  await query(`INSERT INTO second_factors (user_id, sealed_secret, created_at, confirmed_at) VALUES ('${owner.id}', 'x', 1, 1)`);
  platform.save();

  const run = async (command: DatabaseCommand) => {
    const { script, args } = DATABASE_COMMANDS[command];
    // The level of logs hides no results.
    const env = {
      ...platform.env,
      WRANGLER_LOG: 'warn',
      TOKEN_KEY: 'key of the test, 32 or more characters',
      TMPDIR: temporary,
      CLOUDFLARE_ENV: '',
    };
    return runNode(inRoot('scripts', script), args, { env });
  };
  /** What the commands change. */
  const state = async () => ({
    accounts: (await query(`SELECT count(*) AS n FROM users WHERE email = '${NEWCOMER}'`))[0]?.n,
    tokens: (await query('SELECT count(*) AS n FROM api_tokens'))[0]?.n,
    factors: (await query('SELECT count(*) AS n FROM second_factors'))[0]?.n,
  });
  const done = { token: { accounts: 1, tokens: 1, factors: 1 }, 'second-factor': { accounts: 0, tokens: 0, factors: 0 } } as const;

  async function expectSuccess(command: DatabaseCommand, tokens: number, context: string): Promise<void> {
    platform.fail(null);
    const { code, output } = await run(command);
    expect([code, command !== 'token' || SECRET.test(output)], `${context}: ${output}`).toEqual([0, true]);
    expect(await state(), context).toEqual({ ...done[command], tokens });
  }

  return {
    platform,
    run,
    state,

    /** Requests of a command without a fault. */
    async whole(command: DatabaseCommand): Promise<string[]> {
      platform.restore();
      platform.fail(null);
      const { code, output } = await run(command);
      const requests = [...platform.requests];
      expect([code, output], output).toEqual([0, expect.any(String)]);
      expect(await state()).toEqual(done[command]);
      return requests;
    },

    /** Fails a request, checks the text and the second run. Returns whether the command failed. */
    async tryFault(command: DatabaseCommand, failure: PlatformFailure): Promise<boolean> {
      const context = `${command} ${JSON.stringify(failure)}`;
      platform.restore();
      const before = await state();
      platform.fail(failure);
      const { code, output } = await run(command);
      platform.fail(null);
      const after = await state();
      expect(
        readdirSync(temporary).filter((name) => name.startsWith('token-')),
        context,
      ).toEqual([]);
      if (code === 0) {
        expect(after, context).toEqual(done[command]);
        return false;
      }
      const { steps, writing, goOn } = DATABASE_COMMANDS[command];
      expect(output, context).toMatch(steps);
      expect(output, context).not.toMatch(/\n\s+at /);
      expect(output, context).not.toMatch(SECRET);
      if (output.startsWith(writing)) expect(output.trim().endsWith(goOn), `${context}: ${output}`).toBe(true);
      else {
        expect(output, context).toContain('Nothing was changed. Run the command again.');
        expect(after, context).toEqual(before);
      }
      // Both rows of a token or neither.
      expect([after.accounts, after.tokens], context).toEqual(after.tokens === 0 ? [0, 0] : [1, 1]);
      await expectSuccess(command, Number(after.tokens) + (command === 'token' ? 1 : 0), context);
      return true;
    },

    async stop() {
      await platform.stop();
      rmSync(temporary, { recursive: true, force: true });
    },
  };
}
