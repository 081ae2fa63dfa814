import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inRoot } from '../../scripts/lib/paths.ts';

const LOCK = { packages: { '': {}, 'node_modules/a': { version: '1.0.0' }, 'node_modules/b': { version: '2.0.0', optional: true } } };

let root: string;

/** Creates a checkout with a mock of npm that logs its calls and installs package `a`, or aborts. */
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'install-'));
  for (const file of ['install.mjs', 'run.mjs', 'lib/modules.mjs']) cpSync(inRoot('scripts', file), join(root, 'scripts', file));
  write('package-lock.json', JSON.stringify(LOCK));
  write(
    'npm.mjs',
    `import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
    appendFileSync('calls.log', process.argv[2] + '\\n');
    rmSync('node_modules', { recursive: true, force: true });
    mkdirSync('node_modules/a', { recursive: true });
    if (process.env.BREAK) process.exit(7);
    writeFileSync('node_modules/a/package.json', '{}');`,
  );
});

afterEach(() => rmSync(root, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function run(env: Record<string, string> = {}): number | null {
  const all = { ...process.env, npm_execpath: join(root, 'npm.mjs'), npm_node_execpath: process.execPath, ...env };
  return spawnSync(process.execPath, [join(root, 'scripts', 'install.mjs')], { env: all }).status;
}

function calls(): number {
  const log = join(root, 'calls.log');
  return existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n').length : 0;
}

describe('scripts/install.mjs', () => {
  it('installs once when the lockfile has not changed', () => {
    expect(run()).toBe(0);
    expect(run()).toBe(0);
    expect(calls()).toBe(1);
    expect(readFileSync(join(root, 'calls.log'), 'utf8')).toBe('ci\n');
  });

  it('installs again when the lockfile has changed', () => {
    run();
    write('package-lock.json', JSON.stringify({ packages: { ...LOCK.packages, 'node_modules/c': { version: '1.0.0' } } }));
    run();
    expect(calls()).toBe(2);
  });

  it('exits with the code of a failed install and installs again on the next run', () => {
    expect(run({ BREAK: '1' })).toBe(7);
    expect(run()).toBe(0);
    expect(calls()).toBe(2);
  });

  it('reports how many of the packages for this platform are installed', () => {
    const other = process.platform === 'linux' ? 'darwin' : 'linux';
    write('package-lock.json', JSON.stringify({ packages: { ...LOCK.packages, 'node_modules/c': { version: '1.0.0', os: [other] } } }));
    const env = { ...process.env, npm_execpath: join(root, 'npm.mjs'), npm_node_execpath: process.execPath };
    const { stdout } = spawnSync(process.execPath, [join(root, 'scripts', 'install.mjs')], { env, encoding: 'utf8' });
    expect(stdout).toMatch(/^Installing dependencies .*\nInstalled 1 of 2 packages, \d+ s\n$/);
  });

  it('accepts packages that a developer installed by hand', () => {
    write('node_modules/a/package.json', '{}');
    write('node_modules/.package-lock.json', JSON.stringify({ packages: { 'node_modules/a': { version: '1.0.0' } } }));
    expect(run()).toBe(0);
    expect(calls()).toBe(0);
  });

  it('installs again when a developer installed another version by hand', () => {
    write('node_modules/a/package.json', '{}');
    write('node_modules/.package-lock.json', JSON.stringify({ packages: { 'node_modules/a': { version: '1.0.1' } } }));
    expect(run()).toBe(0);
    expect(calls()).toBe(1);
  });
});

describe('scripts/run.mjs', () => {
  const runScript = (folder: string, ...args: string[]) => {
    const { status, stderr } = spawnSync(process.execPath, [join(folder, 'scripts', 'run.mjs'), ...args], { encoding: 'utf8' });
    return { status, lines: stderr.trim().split('\n') };
  };

  it('reports in one line that the dependencies are missing', () => {
    expect(runScript(root, 'check')).toEqual({
      status: 1,
      lines: ['The dependencies are missing or outdated: run npm start or npm ci first.'],
    });
  });

  it('reports in one line that the lockfile has changed since the install', () => {
    run();
    write('package-lock.json', JSON.stringify({ packages: { ...LOCK.packages, 'node_modules/c': { version: '1.0.0' } } }));
    expect(runScript(root).status).toBe(1);
  });

  it('lists the variants of a script when the variant is unknown', () => {
    const { status, lines } = runScript(inRoot(), 'bench', 'nothing');
    expect([status, lines[0]]).toEqual([1, 'Unknown variant "nothing".']);
    expect(lines[1]).toMatch(/^Usage: npm run bench -- http\|events\|.* \(without a variant: http\)$/);
  });

  it('lists the variants when a script without a default gets none', () => {
    expect(runScript(inRoot(), 'archive')).toEqual({ status: 1, lines: ['Usage: npm run archive -- sync|import [arguments]'] });
  });

  it('passes the arguments after the variant to the script', () => {
    const { status, lines } = runScript(inRoot(), 'archive', 'sync', '--branch', 'nowhere');
    expect([status, lines[0]]).toEqual([1, '--branch must be live-us or pts.']);
  });
});
