import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findChromium, installChromium } from '../../e2e/find-chromium.ts';

let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'chromium-'));
});

afterEach(() => rmSync(home, { recursive: true }));

function program(path: string, mode = 0o755): string {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '');
  chmodSync(file, mode);
  return file;
}

describe('findChromium', () => {
  it('prefers the browser of a variable to one on the PATH', () => {
    const named = program('named/chrome');
    const onPath = program('bin/chromium');
    expect(findChromium({ env: { CHROME_BIN: named, PATH: dirname(onPath) }, home })).toBe(named);
    expect(findChromium({ env: { CHROME_BIN: join(home, 'none'), PATH: `:/nowhere:${dirname(onPath)}` }, home })).toBe(onPath);
  });

  it('returns the newest browser of the cache', () => {
    program('.cache/ms-playwright/chromium-999/chrome-linux/chrome');
    const newest = program('.cache/ms-playwright/chromium-1200/chrome-linux/chrome');
    program('.cache/ms-playwright/firefox-1300/chrome-linux/chrome');
    const found = findChromium({ env: {}, home });
    // A browser installed at a usual path takes precedence.
    expect(found === newest || !found?.startsWith(home)).toBe(true);
    expect(findChromium({ env: { CHROMIUM_PATH: program('text', 0o644) }, home })).toBe(found);
  });
});

describe('installChromium', () => {
  it('downloads every package before it unpacks one', async () => {
    const calls: string[] = [];
    const why = await installChromium(async (command, args, milliseconds) => {
      expect(milliseconds).toBeLessThanOrEqual(120_000);
      calls.push([command, ...args.filter((arg) => /^(?:update|install|--.*download.*|chromium)$/.test(arg))].join(' '));
      return true;
    }, true);
    expect(why).toBeNull();
    expect(calls).toEqual(['apt-get update', 'apt-get install --download-only chromium', 'apt-get install --no-download chromium']);
  });

  it('stops at the first failure and returns its reason', async () => {
    const failing = (word: string) => installChromium(async (_command, args) => !args.includes(word), true);
    expect(await failing('update')).toContain('update failed');
    expect(await failing('--download-only')).toContain('download failed');
    expect(await failing('--no-download')).toContain('install failed');
    expect(await installChromium(async () => true, false)).toContain('only root');
  });
});
