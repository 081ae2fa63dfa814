import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inRoot } from '../../../scripts/lib/paths.ts';

const LOCK = { packages: { '': {}, 'node_modules/a': { version: '1.0.0' }, 'node_modules/b': { version: '2.0.0', optional: true } } };

let root: string;

/** A checkout with a stand-in for npm that logs its call and installs package `a`, or breaks off half-way. */
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'install-'));
  mkdirSync(join(root, 'scripts'));
  cpSync(inRoot('scripts', 'install.mjs'), join(root, 'scripts', 'install.mjs'));
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
  it('installs once from the lockfile', () => {
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

  it('passes on the failure of an install and redoes it', () => {
    expect(run({ BREAK: '1' })).toBe(7);
    expect(run()).toBe(0);
    expect(calls()).toBe(2);
  });

  it('accepts what a developer installed by hand', () => {
    write('node_modules/a/package.json', '{}');
    write('node_modules/.package-lock.json', JSON.stringify({ packages: { 'node_modules/a': { version: '1.0.0' } } }));
    expect(run()).toBe(0);
    expect(calls()).toBe(0);
  });

  it('does not accept another version installed by hand', () => {
    write('node_modules/a/package.json', '{}');
    write('node_modules/.package-lock.json', JSON.stringify({ packages: { 'node_modules/a': { version: '1.0.1' } } }));
    expect(run()).toBe(0);
    expect(calls()).toBe(1);
  });
});
