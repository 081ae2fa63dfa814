import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { listMigrations } from '../migrations.ts';
import { inRoot, LOCAL_STATE } from '../paths.ts';
import { prepareFiles } from './local-files.ts';
import { findServer, lockState, refuseSecondServer } from './server-lock.ts';

const BUILD_STEP = 'prepare-dev.mjs';
/** Age at which wrangler replaces its sample of `request.cf`, less a day. */
const SAMPLE_AGE_MS = 29 * 86_400_000;

/**
 * Prepares the checkout for `npx wrangler dev`: assets, development variables and a migrated database. Starts a runtime only if a
 * migration is pending.
 */
export async function prepareForWrangler(): Promise<void> {
  const pid = wranglerPid();
  const isRunning = pid !== null && findServer()?.pid === pid;
  if (pid === null) refuseSecondServer();
  else lockState({ pid, port: null });
  await prepareFiles({ keepsTypes: true });
  writeSampleOfCf();
  if (isStateMigrated(LOCAL_STATE)) return;
  if (isRunning) return console.log('Migrations are pending: restart wrangler dev to apply them.');
  const { openMigratedState } = await import('./local-state.ts');
  await (await openMigratedState(LOCAL_STATE)).dispose();
}

/** Id of the wrangler process that runs this build step, in most systems through a shell; null where it cannot be determined. */
function wranglerPid(): number | null {
  for (let pid = process.ppid; pid > 1; ) {
    const found = describeProcess(pid);
    if (found === null) return null;
    if (!found.command.includes(BUILD_STEP)) return pid;
    pid = found.parent;
  }
  return null;
}

/** Command line and parent of a process, from /proc or `ps`; null on other systems. */
function describeProcess(pid: number): { command: string; parent: number } | null {
  if (existsSync(`/proc/${pid}/stat`)) {
    const parent = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1];
    return { command: readFileSync(`/proc/${pid}/cmdline`, 'utf8'), parent: Number(parent) };
  }
  const output = process.platform === 'win32' ? '' : spawnSync('ps', ['-o', 'ppid=,args=', '-p', String(pid)], { encoding: 'utf8' }).stdout;
  const match = /^\s*(\d+) (.*)/.exec(output ?? '');
  return match ? { parent: Number(match[1]), command: match[2] ?? '' } : null;
}

/** Writes the sample of `request.cf` that wrangler otherwise requests from the internet, and reports as an error when offline. */
function writeSampleOfCf(): void {
  const folder = existsSync(inRoot('node_modules', '.mf')) ? inRoot('node_modules', '.mf') : inRoot('.wrangler', 'cache');
  const path = join(folder, 'cf.json');
  if (existsSync(path) && Date.now() - statSync(path).mtimeMs < SAMPLE_AGE_MS) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(
    path,
    JSON.stringify({ colo: 'DFW', country: 'US', continent: 'NA', timezone: 'America/Chicago', httpProtocol: 'HTTP/1.1' }),
  );
}

/** Whether a state folder has a database with exactly the migrations of this checkout. */
export function isStateMigrated(state: string): boolean {
  const expected = listMigrations().join();
  return databaseFiles(join(state, 'd1', 'miniflare-D1DatabaseObject')).some((file) => appliedIn(file).join() === expected);
}

function databaseFiles(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.sqlite') && name !== 'metadata.sqlite')
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

/** Names of the applied migrations of a database file, sorted; empty if it has none. */
function appliedIn(file: string): string[] {
  try {
    const database = new DatabaseSync(file, { readOnly: true });
    try {
      const rows = database.prepare('SELECT name FROM d1_migrations ORDER BY name').all() as { name: string }[];
      return rows.map(({ name }) => name);
    } finally {
      database.close();
    }
  } catch {
    return [];
  }
}
