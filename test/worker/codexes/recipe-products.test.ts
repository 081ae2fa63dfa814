import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { createCodexSearchSource } from '../../../src/areas/codexes/api/search-documents.store.ts';
import { createCodexEndpoints } from '../../../src/areas/codexes/index.ts';
import { createContentStore } from '../../../src/platform/storage/content-store.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { encodePrefab, encodeRecipe } from '../../support/codex/prefabs.ts';
import { indexBranch, storeBranch } from '../../support/codex/stored-branch.ts';
import { encodeLanguageTable } from '../../support/codex/tables.ts';
import { DEFAULT_SETTINGS } from '../../support/declarations.ts';
import { call } from '../../support/requests.ts';
import { testApp } from '../platform/test-app.ts';

const NOW = 1_780_930_452;
const RECIPE = 'prefabs/recipes/recipe_lamp.binfab';
const results = ['lamp', 'kettle', 'basket'].map((name) => ({ path: `item/${name}`, amount: 1 }));
const items = ['lamp', 'kettle', 'basket'].map((name): [string, Uint8Array] => [
  `prefabs/item/${name}.binfab`,
  encodePrefab({ nameKey: `$${name}_name`, descriptionKey: `$${name}_description` }),
]);
const FILES = new Map<string, Uint8Array>([
  ...items,
  [RECIPE, encodeRecipe({ ingredients: [{ path: 'item/ore', amount: 2 }], results })],
  [
    'languages/en/prefabs_item.binfab',
    encodeLanguageTable([
      ['$lamp_name', 'Brass Lamp'],
      ['$lamp_description', 'It glows.'],
      ['$kettle_name', 'Tin Kettle'],
      ['$basket_name', 'Wicker Basket'],
    ]),
  ],
  [
    'languages/de/prefabs_item.binfab',
    encodeLanguageTable([
      ['$lamp_description', 'Sie leuchtet.'],
      ['$kettle_name', 'Größter Kessel'],
    ]),
  ],
]);

const db = createDatabase(env.DB);
const endpoints = await createCodexEndpoints(db, createContentStore(env.ARCHIVE));
const source = createCodexSearchSource(db, db, { read: (_branch, language, read) => read(language ?? null) });

async function recipesNamed(word: string, lang: string): Promise<string[]> {
  const path = `/v1/codexes/recipe?search=${encodeURIComponent(word)}&lang=${lang}`;
  const { status, text } = await call(path, {}, testApp({ deps: { endpoints } }));
  expect([path, status]).toEqual([path, 200]);
  return (JSON.parse(text) as { items: { path: string }[] }).items.map((item) => item.path);
}

describe('search for a recipe with several products', () => {
  beforeAll(async () => {
    await storeBranch('live-us', 1, FILES);
    await indexBranch('live-us', NOW);
  }, 60_000);

  it.each(['Lamp', 'KETTLE', 'Wicker Basket', 'glows', 'tin'])('finds it by %s', async (word) => {
    expect(await recipesNamed(word, 'en')).toEqual([RECIPE]);
  });

  it.each(['größter kessel', 'Wicker', 'Lamp', 'leuchtet'])('finds it in another language by %s', async (word) => {
    expect(await recipesNamed(word, 'de')).toEqual([RECIPE]);
  });

  it('does not find it by a name that is translated, nor by a part of two names', async () => {
    expect(await recipesNamed('Tin Kettle', 'de')).toEqual([]);
    expect(await recipesNamed('Kettle Wicker', 'en')).toEqual([]);
  });

  it('has all names in the document of the search over all areas', async () => {
    const documents = (await source.contents?.list('', 100, DEFAULT_SETTINGS)) ?? [];
    expect(documents.find(({ key }) => key === RECIPE)).toMatchObject({ name: 'Brass Lamp', text: 'It glows.\ntin kettle\nwicker basket' });
    expect(documents.find(({ key }) => key === 'prefabs/item/kettle.binfab')?.text).toBe('');
    const [translated] = (await source.translations?.find('de', ['kessel', 'wicker'], 5)) ?? [];
    expect(translated).toMatchObject({ key: RECIPE, text: 'Sie leuchtet.\ngrößter kessel\nwicker basket' });
  });
});
