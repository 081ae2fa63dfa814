import { describe, expect, it } from 'vitest';
import { SEARCHED_PAGES } from '../../../src/areas/portal/page-words.data.ts';
import { EXPLORE, MENU, TOOLS } from '../../../src/platform/http/pages/menu.data.ts';

describe('SEARCHED_PAGES', () => {
  it('has every page of the menu and every tool once, each with a text and phrases', () => {
    const paths = SEARCHED_PAGES.map(({ path }) => path);
    expect(new Set(paths).size).toBe(paths.length);
    for (const [path] of [...EXPLORE, ...MENU]) expect(paths).toContain(path);
    for (const { name } of TOOLS) expect(paths).toContain(`/tools/${name}`);
    expect(SEARCHED_PAGES.filter(({ about, phrases }) => about === '' || phrases.length === 0)).toEqual([]);
  });

  it('gives each phrase to one page', () => {
    const phrases = SEARCHED_PAGES.flatMap((page) => page.phrases);
    expect(phrases.filter((phrase, index) => phrases.indexOf(phrase) !== index)).toEqual([]);
  });
});
