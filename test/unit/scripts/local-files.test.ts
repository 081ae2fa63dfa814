import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { syncAssets } from '../../../scripts/lib/assets.ts';
import { readDevFile, writeDevFile } from '../../../scripts/lib/dev/dev-file.ts';
import { ensureDevVars } from '../../../scripts/lib/dev/dev-vars.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'local-files-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

function write(path: string, text: string): string {
  const target = join(folder, path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text);
  return target;
}

describe('ensureDevVars', () => {
  it.each([
    [undefined, 'ENVIRONMENT=development\nSESSION_SECRET=*\n'],
    ['', 'ENVIRONMENT=development\nSESSION_SECRET=*\n'],
    ['A=1', 'A=1\nENVIRONMENT=development\nSESSION_SECRET=*\n'],
    ['A=1\n# note\n', 'A=1\n# note\nENVIRONMENT=development\nSESSION_SECRET=*\n'],
    ['ENVIRONMENT=development\nB=2', 'ENVIRONMENT=development\nB=2\nSESSION_SECRET=*\n'],
    ['ENVIRONMENT=production\nSESSION_SECRET=own', 'ENVIRONMENT=production\nSESSION_SECRET=own'],
  ])('turns %j into %j', (before, after) => {
    const path = join(folder, '.dev.vars');
    if (before !== undefined) writeFileSync(path, before);
    ensureDevVars(path);
    ensureDevVars(path);
    // Each checkout has its own random secret of 32 bytes.
    expect(readFileSync(path, 'utf8').replace(/(?<=SESSION_SECRET=)[\w-]{43}$/m, '*')).toBe(after);
  });
});

describe('readDevFile', () => {
  const content = { base_url: 'http://127.0.0.1:1', token: 'a', superuser_token: 'b', portal: null };

  it('returns the written content, and makes the file readable by its owner only', () => {
    const path = join(folder, '.local', 'dev.json');
    writeDevFile(path, content);
    expect(readDevFile(path)).toEqual(content);
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it.each(['', '{', '[]', 'null', '{"token":"a"}'])('returns null when the file contains %j', (text) => {
    expect(readDevFile(write('dev.json', text))).toBeNull();
  });
});

describe('syncAssets', () => {
  it('copies new and changed files and deletes files without a source', () => {
    const files = new Map([
      ['docs/a.js', write('src/a.js', 'one')],
      ['b.css', write('src/b.css', 'two')],
    ]);
    const target = join(folder, 'assets');
    write('assets/old/gone.js', 'x');
    expect(syncAssets({ target, files })).toEqual({ copied: ['docs/a.js', 'b.css'], removed: ['old/gone.js'] });
    expect(existsSync(join(target, 'old'))).toBe(false);
    expect(syncAssets({ target, files })).toEqual({ copied: [], removed: [] });
    const generated = new Map<string, string | { text: string }>([...files, ['c.json', { text: '{}' }]]);
    expect(syncAssets({ target, files: generated }).copied).toEqual(['c.json']);
    expect(syncAssets({ target, files: generated })).toEqual({ copied: [], removed: [] });
    write('src/a.js', 'ONE');
    expect(syncAssets({ target, files }).copied).toEqual(['docs/a.js']);
    expect(readFileSync(join(target, 'docs', 'a.js'), 'utf8')).toBe('ONE');
  });
});
