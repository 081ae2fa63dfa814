import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandError, runWrangler } from '../commands.ts';
import { remoteEnvironment } from '../config.ts';
import { UserError } from '../main.ts';
import { runStep } from '../steps.ts';

export interface DatabaseOptions {
  /** True for the deployed database, false for the local one. */
  isRemote: boolean;
}

/** Bound of a run of wrangler: it waits for the platform without one. */
const RUN_TIMEOUT_MS = 180_000;
/** Length of an output of another shape that is shown. */
const MAX_SHOWN_LENGTH = 200;
const UNCHANGED = 'Nothing was changed. Run the command again.';

/** Rows of one statement. Throws UserError. */
export async function selectRows<Row>(what: string, sql: string, options: DatabaseOptions): Promise<Row[]> {
  return runStep({ name: `Reading ${what}`, standing: UNCHANGED }, async () => {
    const { stdout } = await execute(['--json', '--command', sql], options);
    const [result] = parsedOutput(stdout) as { results?: Row[] }[];
    if (!Array.isArray(result?.results)) throw new Error(`the output of wrangler has no rows: ${stdout.slice(0, MAX_SHOWN_LENGTH)}`);
    return result.results;
  });
}

/** The results of wrangler, which may print notices before and after them. */
function parsedOutput(stdout: string): unknown[] {
  let output: unknown;
  try {
    output = JSON.parse(/^\[.*\]$/ms.exec(stdout)?.[0] ?? '');
  } catch {
    // Not JSON: the same message as for JSON of another shape.
  }
  return Array.isArray(output) ? output : [];
}

/**
 * Passes the SQL in a file that only its owner can read, because command lines are visible to all users of the machine. Throws UserError;
 * `standing` follows the reason when the database may have run the statements.
 */
export async function executeFile(sql: string, options: DatabaseOptions & { name: string; standing: string }): Promise<void> {
  const written = await runStep({ name: `Writing the statements to ${tmpdir()}`, standing: UNCHANGED }, () => writeStatements(sql));
  try {
    await runStep(options, () => execute(['--file', written.file, '--yes'], options));
  } finally {
    rmSync(written.folder, { recursive: true, force: true });
  }
}

function writeStatements(sql: string): { folder: string; file: string } {
  const folder = mkdtempSync(join(tmpdir(), 'token-'));
  const file = join(folder, 'token.sql');
  try {
    writeFileSync(file, sql, { mode: 0o600 });
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  return { folder, file };
}

/** Runs `wrangler d1 execute` on the local or the deployed database. */
async function execute(args: readonly string[], { isRemote }: DatabaseOptions) {
  const target = isRemote ? ['--remote', '--env', remoteEnvironment()] : ['--local'];
  try {
    return await runWrangler(['d1', 'execute', 'DB', ...target, ...args], {}, RUN_TIMEOUT_MS);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    if (error.output.includes('no such table')) {
      throw new UserError(
        isRemote ? 'The database has no tables yet: run npm run deploy first.' : 'The local database is missing: run npm run setup first.',
      );
    }
    throw new Error(error.message);
  }
}
