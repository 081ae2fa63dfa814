import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';

/** Page scripts have no types, so they are imported by computed path. */
const script = (name: string) => import(/* @vite-ignore */ pathToFileURL(`${process.cwd()}/src/assets/ui/${name}`).href);
const stored = new Map<string, string>();
const storage = {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => void stored.set(key, value),
  removeItem: (key: string) => void stored.delete(key),
};
const page = { getElementById: () => null, addEventListener: () => {}, querySelectorAll: () => [], createElement: () => ({ append() {} }) };

beforeAll(() => {
  vi.stubGlobal('document', page);
});
beforeEach(() => {
  stored.clear();
  vi.stubGlobal('localStorage', storage);
});
afterAll(() => {
  vi.unstubAllGlobals();
});

it('reads followed items in their order, and none from a value that is not a list of names', async () => {
  const { readItems } = await script('followed.js');
  const names = Array.from({ length: 14 }, (_, index) => `Item ${index}`);
  for (const [value, expected] of [
    ['["Sun Sap",3,null,"Shapestone"]', ['Sun Sap', 'Shapestone']],
    [JSON.stringify(names), names.slice(0, 12)],
    ['{"a":1}', []],
    ['[', []],
  ] as const) {
    stored.set('followed-items', value);
    expect(readItems()).toEqual(expected);
  }
});

it('keeps one player, forgets it, and says when the browser blocks the storage', async () => {
  const { keepPlayer, readPlayer, readItems } = await script('followed.js');
  expect([keepPlayer('Nimbus'), readPlayer()]).toEqual([true, 'Nimbus']);
  expect([keepPlayer(null), readPlayer()]).toEqual([true, null]);
  vi.stubGlobal('localStorage', undefined);
  expect([keepPlayer('Nimbus'), readPlayer(), readItems()]).toEqual([false, null, []]);
});
