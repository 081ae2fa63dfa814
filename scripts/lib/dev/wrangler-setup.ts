import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { listMigrations } from '../migrations.ts';
import { DEV_VARS, inRoot, LOCAL_STATE } from '../paths.ts';
import { findServer, lockState, refuseSecondServer } from './server-lock.ts';

const BUILD_STEP = 'prepare-dev.mjs';
/** Sources of the assets, their target, and the development variables. */
const FILES = [
  ...[
    'src/assets',
    'src/areas',
    'src/game',
    'src/platform',
    'docs/guide',
    'CHANGELOG.md',
    'clients/python',
    'clients/typescript/package.json',
  ],
  ...['clients/typescript/README.md', 'clients/typescript/src', 'clients/typescript/tsconfig.json', 'scripts/lib/clients'],
  ...['scripts/lib/assets.ts', 'scripts/lib/tool-scripts.ts', 'scripts/lib/docs', 'package-lock.json', 'assets'],
].map((path) => inRoot(path));
const STAMP = inRoot('.local', 'prepared-files');
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
  await prepareChangedFiles();
  writeSampleOfCf();
  if (isStateMigrated(LOCAL_STATE)) return;
  if (isRunning) return console.log('Migrations are pending: restart wrangler dev to apply them.');
  const { openMigratedState } = await import('./local-state.ts');
  await (await openMigratedState(LOCAL_STATE)).dispose();
}

/** Writes assets and development variables if one of the files has changed: the tools that build assets take a second. */
async function prepareChangedFiles(): Promise<void> {
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === fingerprintOf([...FILES, DEV_VARS])) return;
  const { prepareFiles } = await import('./local-files.ts');
  prepareFiles();
  mkdirSync(dirname(STAMP), { recursive: true });
  writeFileSync(STAMP, fingerprintOf([...FILES, DEV_VARS]));
}

/** Hash of names, sizes and times of the files. Folders count with the files in them. */
function fingerprintOf(paths: readonly string[]): string {
  const hash = createHash('sha256');
  const add = (path: string) => {
    const stats = statSync(path, { throwIfNoEntry: false });
    hash.update(`${path} ${stats?.isFile() ? `${stats.size} ${stats.mtimeMs}` : stats !== undefined}\n`);
    if (stats?.isDirectory()) for (const name of readdirSync(path).sort()) add(join(path, name));
  };
  for (const path of paths) add(path);
  return hash.digest('hex');
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
