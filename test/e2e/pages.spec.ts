import { expect } from '@playwright/test';
import { problemsOn } from './gallery.ts';
import { OPEN_PAGES, SEEDED_PAGES } from './pages.ts';
import { measurePages, reportSpeed } from './speed.ts';
import { test } from './world.ts';

/** Workers take one test after the other, so that both end at about the same time. */
const TESTS = 6;
const PAGES = [...OPEN_PAGES, ...SEEDED_PAGES];
/** Every nth page of the list, so that each test has pages of all kinds. */
const SHARES = Array.from({ length: TESTS }, (_, share) => PAGES.filter((_path, place) => place % TESTS === share));

for (const [index, paths] of SHARES.entries()) {
  test(`public pages pass in both themes and sizes, ${index + 1} of ${TESTS}`, async ({ world }) => {
    const visitor = await world.visitor();
    const problems = await problemsOn(world, visitor, paths);
    await visitor.context.close();
    expect([...problems, ...visitor.faults]).toEqual([]);
  });

  test(`public pages are light and fast on a phone, ${index + 1} of ${TESTS}`, async ({ world }) => {
    expect(reportSpeed(await measurePages(world.browser, world.url, paths))).toEqual([]);
  });
}
