import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { memoryStorage, pageScript } from '../../support/page-scripts.ts';

const { storage, stored } = memoryStorage();
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
  const { readItems } = await pageScript('ui/followed.js');
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
  const { keepPlayer, readPlayer, readItems } = await pageScript('ui/followed.js');
  expect([keepPlayer('Nimbus'), readPlayer()]).toEqual([true, 'Nimbus']);
  expect([keepPlayer(null), readPlayer()]).toEqual([true, null]);
  vi.stubGlobal('localStorage', undefined);
  expect([keepPlayer('Nimbus'), readPlayer(), readItems()]).toEqual([false, null, []]);
});
