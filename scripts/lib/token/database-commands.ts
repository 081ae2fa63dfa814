import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandError, runWrangler } from '../commands.ts';
import { remoteEnvironment } from '../config.ts';
import { UserError } from '../main.ts';

export interface DatabaseOptions {
  /** True for the deployed database, false for the local one. */
  isRemote: boolean;
}

/** Passes the SQL in a file that only its owner can read, because command lines are visible to all users of the machine. */
export async function executeFile(sql: string, options: DatabaseOptions): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'token-'));
  try {
    const file = join(folder, 'token.sql');
    writeFileSync(file, sql, { mode: 0o600 });
    await execute(['--file', file, '--yes'], options);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Runs `wrangler d1 execute` on the local or the deployed database. */
export async function execute(args: readonly string[], { isRemote }: DatabaseOptions) {
  try {
    return await runWrangler(['d1', 'execute', 'DB', ...(isRemote ? ['--remote', '--env', remoteEnvironment()] : ['--local']), ...args]);
  } catch (error) {
    if (error instanceof CommandError && error.output.includes('no such table')) {
      throw new UserError(
        isRemote ? 'The database has no tables yet: run npm run deploy first.' : 'The local database is missing: run npm run setup first.',
      );
    }
    throw error instanceof CommandError ? new UserError(error.message) : error;
  }
}
