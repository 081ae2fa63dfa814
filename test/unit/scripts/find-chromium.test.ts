import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findChromium, installChromium } from '../../../scripts/lib/find-chromium.ts';

let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'chromium-'));
});

afterEach(() => rmSync(home, { recursive: true }));

function program(path: string, mode = 0o755): string {
  const whole = join(home, path);
  mkdirSync(dirname(whole), { recursive: true });
  writeFileSync(whole, '');
  chmodSync(whole, mode);
  return whole;
}

describe('findChromium', () => {
  it('prefers the browser that a variable names to one on the path', () => {
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
    // A machine with a browser in its usual place has that.
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
    expect(await failing('--download-only')).toContain('could not be fetched');
    expect(await failing('--no-download')).toContain('install failed');
    expect(await installChromium(async () => true, false)).toContain('only root');
  });
});
