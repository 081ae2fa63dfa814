import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { createCodexEndpoints } from '../../../src/areas/codexes/index.ts';
import { MAX_LANGUAGES } from '../../../src/areas/codexes/languages.domain.ts';
import { createContentStore } from '../../../src/platform/storage/content-store.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { codexFiles } from '../../support/codex/codex-files.ts';
import { type Translate, withLanguages } from '../../support/codex/languages.ts';
import { indexBranch, storeBranch } from '../../support/codex/stored-branch.ts';
import { encodeLanguageTable } from '../../support/codex/tables.ts';
import { call } from '../../support/requests.ts';
import { testApp } from '../platform/test-app.ts';

const NOW = 1_780_930_452;
const TIMEOUT_MS = 120_000;
const CAT = 'prefabs/collections/mount/cat.binfab';
const endpoints = await createCodexEndpoints(createDatabase(env.DB), createContentStore(env.ARCHIVE));

const worded =
  (word: string): Translate =>
  (text) =>
    `${word} ${text}`;
/** Four folders besides English; Polish has no descriptions and only the names of mounts. */
const LANGUAGES: Record<string, Translate> = {
  de: worded('Größe'),
  fr: worded('Étoile'),
  pl: (text, key) => (/_mount_.*_name$/.test(key) ? `Łódź ${text}` : null),
  pt_BR: worded('Coração'),
};
const english = codexFiles({ seed: 11, entries: 72, version: 1 });
const translated = withLanguages(english, LANGUAGES);

interface Entry {
  path: string;
  type: string;
  name: string;
  description: string;
}

async function send(path: string) {
  const { status, text, headers } = await call(`/v1/codexes/${path}`, {}, testApp({ deps: { endpoints } }));
  return { status, text, language: headers.get('Content-Language') };
}

async function read<Body>(path: string): Promise<Body & { language: string | null }> {
  const { status, text, language } = await send(path);
  expect([path, status]).toEqual([path, 200]);
  return { ...JSON.parse(text), language };
}

const listAll = (path: string) => read<{ items: Entry[]; total: number }>(path);
const entryOf = (path: string, lang: string) => read<Entry>(`mount/entry?path=${path}&lang=${lang}`);

async function countRows(table: string): Promise<number> {
  const row = await env.DB.prepare(`SELECT count(*) AS n FROM ${table}`).first<{ n: number }>();
  return row?.n ?? 0;
}

/** Rows of the translations of a branch, with the path instead of the id. */
async function translationsOf(branch: string) {
  const { results } = await env.DB.prepare(
    `SELECT l.lang, e.path, t.name, t.description, t.name_folded, t.description_folded FROM codex_languages l
      JOIN codex_entries e ON e.branch = l.branch JOIN codex_translations t ON t.id = e.id + l.slot * ${2 ** 36}
      WHERE l.branch = ? ORDER BY l.lang, e.path`,
  )
    .bind(branch)
    .all();
  return results;
}

beforeAll(async () => {
  await storeBranch('live-us', 1, english);
  await indexBranch('live-us', NOW);
}, TIMEOUT_MS);

describe('languages of the codexes', () => {
  const paths = [
    'mount?limit=3',
    'search?q=golden',
    `mount/entry?path=${CAT}`,
    `links?path=${CAT}`,
    'stats?stat=Light',
    `entries?paths=${CAT}`,
  ];
  const before = new Map<string, string>();

  it('has English only without further folders', { timeout: TIMEOUT_MS }, async () => {
    const { items } = await read<{ items: { total: number }[] }>('languages');
    expect(items).toEqual([{ code: 'en', name: 'English', own_name: 'English', translated: items[0]?.total, total: items[0]?.total }]);
    expect(items[0]?.total).toBe(await countRows('codex_entries'));
    expect(await countRows('codex_translations')).toBe(0);
    for (const path of paths) {
      const { text, language } = await send(path);
      expect([path, language]).toEqual([path, null]);
      before.set(path, text);
    }
  });

  it('lists the languages of an archive with the number of translated entries', { timeout: TIMEOUT_MS }, async () => {
    await storeBranch('live-us', 2, translated);
    await indexBranch('live-us', NOW + 1);
    const { items } = await read<{ items: { code: string; name: string; own_name: string; translated: number; total: number }[] }>(
      'languages',
    );
    const { total } = await listAll('mount?limit=1');
    expect(items.map(({ code, own_name: name }) => [code, name])).toEqual([
      ['en', 'English'],
      ['de', 'Deutsch'],
      ['fr', 'français'],
      ['pl', 'polski'],
      ['pt-br', 'português (Brasil)'],
    ]);
    const polish = items.find(({ code }) => code === 'pl');
    const german = items.find(({ code }) => code === 'de');
    expect(polish?.translated).toBeGreaterThan(total / 2);
    expect(polish?.translated).toBeLessThan(german?.translated ?? 0);
  });

  it('leaves responses without lang unchanged', async () => {
    for (const path of paths) expect(await send(path)).toEqual({ status: 200, text: before.get(path), language: null });
    expect((await send('mount?limit=3&lang=en')).text).toBe(before.get('mount?limit=3'));
    expect((await send('mount?limit=3&lang=en')).language).toBe('en');
  });

  it('returns names and descriptions in the language', async () => {
    const cat = await entryOf(CAT, 'en');
    expect(await entryOf(CAT, 'fr')).toMatchObject({
      name: `Étoile ${cat.name}`,
      description: `Étoile ${cat.description}`,
      language: 'fr',
    });
    expect(await entryOf(CAT, 'PT_br')).toMatchObject({ name: `Coração ${cat.name}`, language: 'pt-br' });
    const { items, language } = await listAll(`entries?paths=${CAT}&lang=de`);
    expect([items[0]?.name, language]).toEqual([`Größe ${cat.name}`, 'de']);
  });

  it('falls back to English per field, and names both languages', async () => {
    const cat = await entryOf(CAT, 'en');
    expect(await entryOf(CAT, 'pl')).toMatchObject({ name: `Łódź ${cat.name}`, description: cat.description, language: 'pl, en' });
    const [all, items] = await Promise.all([listAll('item?limit=200'), listAll('item?limit=200&lang=pl')]);
    expect([items.items, items.total, items.language]).toEqual([all.items, all.total, 'en']);
  });

  it('translates the name of a recipe like that of its product', async () => {
    const [recipes, translatedRecipes] = await Promise.all([listAll('recipe?limit=200'), listAll('recipe?limit=200&lang=de')]);
    const renamed = translatedRecipes.items.filter(({ name }, index) => name !== recipes.items[index]?.name);
    expect(renamed.length).toBeGreaterThan(0);
    for (const { name } of renamed) expect(name).toMatch(/^Größe /);
  });

  it('searches in the texts of the language and in the English texts of what is not translated', async () => {
    const [mounts, everything] = await Promise.all([listAll('mount?limit=200'), listAll('search?limit=1')]);
    const inPolish = await listAll('search?q=łódź&limit=200&lang=pl');
    expect(inPolish.items.every(({ name }) => name.startsWith('Łódź'))).toBe(true);
    const ofTypes = await Promise.all(
      ['mount', 'dragon', 'recipe'].map(async (type) => (await listAll(`${type}?search=%C5%82%C3%B3&lang=pl`)).total),
    );
    expect(inPolish.total).toBe(ofTypes.reduce((sum, total) => sum + total, 0));
    expect(inPolish.total).toBeGreaterThan(mounts.total / 2);
    expect((await listAll('search?q=łódź&lang=fr')).total).toBe(0);
    expect((await listAll('search?q=łódź')).total).toBe(0);
    const golden = await listAll('search?q=golden&limit=200');
    expect((await listAll('search?q=golden&limit=200&lang=pl')).total).toBe(golden.total);
    expect((await listAll('search?lang=pl&limit=1')).total).toBe(everything.total);
  });

  it('translates the targets of links and the sources of a stat', async () => {
    const { items: recipes } = await listAll('recipe?limit=1');
    const [links, sources] = await Promise.all([`links?path=${recipes[0]?.path}`, 'stats?stat=Light'].map(listAll));
    for (const list of [links, sources]) expect(list?.items.length).toBeGreaterThan(0);
    const [french, holders] = await Promise.all([listAll(`links?path=${recipes[0]?.path}&lang=fr`), listAll('stats?stat=Light&lang=fr')]);
    expect(french.items.filter(({ name }, index) => name === `Étoile ${links?.items[index]?.name}`).length).toBeGreaterThan(0);
    expect(holders.items.filter(({ name }, index) => name === `Étoile ${sources?.items[index]?.name}`).length).toBeGreaterThan(0);
    expect([french.language, holders.language]).toEqual([expect.stringContaining('fr'), expect.stringContaining('fr')]);
    expect(holders.items[0]).not.toHaveProperty('has_translation');
  });

  it('returns 422 with the allowed values for an unknown language', async () => {
    for (const path of paths) {
      const { status, text } = await send(`${path}${path.includes('?') ? '&' : '?'}lang=xx`);
      expect([path, status]).toEqual([path, 422]);
      expect(JSON.parse(text).error.details).toEqual([
        expect.objectContaining({ loc: ['query', 'lang'], allowed: ['en', 'de', 'fr', 'pl', 'pt-br'] }),
      ]);
    }
    expect((await send('mount?branch=pts&lang=de')).status).toBe(422);
  });

  it('stores the same translations after a kill at every step as without', { timeout: TIMEOUT_MS }, async () => {
    const object = env.CODEX_INDEX.getByName('pts');
    await storeBranch('pts', 1, withLanguages(english, { fr: LANGUAGES.pl ?? worded(''), it: worded('Più') }));
    await indexBranch('pts', NOW);
    await storeBranch('pts', 2, translated);
    await object.start('pts', NOW + 1);
    while (await runDurableObjectAlarm(object)) {
      const noted = await runInDurableObject(object, (_, { storage }) => storage.kv.get('progress'));
      await runDurableObjectAlarm(object);
      await runInDurableObject(object, async (_, { storage }) => {
        if (noted === undefined) return;
        storage.kv.put('progress', noted);
        await storage.setAlarm(NOW * 1000);
      });
    }
    expect(await translationsOf('pts')).toEqual(await translationsOf('live-us'));
    const languages = async (branch: string) => (await read<{ items: object[] }>(`languages?branch=${branch}`)).items;
    expect(await languages('pts')).toEqual(await languages('live-us'));
  });

  it('forgets the languages that a version no longer has', { timeout: TIMEOUT_MS }, async () => {
    const rows = await countRows('codex_translations');
    await storeBranch('pts', 3, withLanguages(english, { fr: worded('Étoile') }));
    await indexBranch('pts', NOW + 2);
    expect((await read<{ items: { code: string }[] }>('languages?branch=pts')).items.map(({ code }) => code)).toEqual(['en', 'fr']);
    expect((await translationsOf('pts')).length).toBeGreaterThan(0);
    expect(await countRows('codex_translations')).toBe((await translationsOf('pts')).length + (await translationsOf('live-us')).length);
    expect(await countRows('codex_translations')).toBeLessThan(rows);
    expect((await send('search?q=gr%C3%B6%C3%9Fe&branch=pts&lang=de')).status).toBe(422);
  });

  it('indexes at most 15 languages besides English', { timeout: TIMEOUT_MS }, async () => {
    const codes = Array.from({ length: MAX_LANGUAGES + 2 }, (_, index) => `q${String.fromCharCode(97 + index)}`);
    const table = encodeLanguageTable([['$a_name', 'A']]);
    await storeBranch('pts', 4, new Map([...english, ...codes.map((code) => [`languages/${code}/a.binfab`, table] as const)]));
    await indexBranch('pts', NOW + 3);
    const { items } = await read<{ items: { code: string }[] }>('languages?branch=pts');
    expect(items.map(({ code }) => code)).toEqual(['en', ...codes.slice(0, MAX_LANGUAGES)]);
    const { results } = await env.DB.prepare("SELECT path, problem FROM codex_failures WHERE path LIKE 'languages/%'").all();
    expect(results.map(({ path }) => path)).toEqual(codes.slice(MAX_LANGUAGES).map((code) => `languages/${code}`));
  });
});
