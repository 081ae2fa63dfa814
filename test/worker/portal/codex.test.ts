import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { DerivedEntry } from '../../../src/areas/codexes/derive/derive-entry.domain.ts';
import { type Staged, stageEntry } from '../../../src/areas/codexes/derive/staging.domain.ts';
import { createCodexWrites } from '../../../src/areas/codexes/indexer/codex-writes.store.ts';
import { createTranslationWrites } from '../../../src/areas/codexes/languages/translations.store.ts';
import { PARSER_VERSION } from '../../../src/areas/codexes/parse/codex-parse.domain.ts';
import { createAnalyticsWriter } from '../../../src/areas/market/analytics.store.ts';
import { createMarketInserts } from '../../../src/areas/market/insert.store.ts';
import { gameNames, nameLanguage } from '../../../src/areas/portal/layout/reader-language.service.ts';
import { createContentStore } from '../../../src/platform/storage/content-store.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { derivedEntry, PATHS, SMALL_CODEX } from '../../support/codex/small-codex.ts';
import { call } from '../../support/requests.ts';
import { storeVersions } from '../../support/stored-versions.ts';
import { testApp } from '../platform/test-app.ts';

const HOSTILE = `"><img src=x onerror=alert(1)></script><script>alert(1)</script>'&`;
const HOSTILE_PATH = `prefabs/item/"><b>x&'.binfab`;
const BRANCH = 'live-us';
const USES = 130;
const MARKET_NOW = 1_780_930_452;
const LISTING = {
  id: '6a0f3c1e-8a52-4c7b-9a37-5d2f1e0b7c44',
  type: null,
  stack: 2,
  price: 3000,
  milliEach: 1_500_000,
};

const item = (path: string, name: string, links: DerivedEntry['links'] = []) =>
  derivedEntry(
    {
      type: 'item',
      path,
      name,
      category: HOSTILE,
      description: HOSTILE,
      mastery: 1234,
      blueprint: 'c_item.blueprint',
      data: {
        stats: [
          {
            stat: '$s',
            stat_id: 1,
            stat_name: HOSTILE,
            operation: 'Add',
            amount: 1,
            value: 12.5,
            is_percent: true,
            label: HOSTILE,
            slot: null,
            component: 1,
            level: 0,
          },
        ],
        abilities: [{ ref: 'a', hidden: false, name: HOSTILE, description: HOSTILE }],
      },
    },
    { links },
  );

/** A material used by many recipes. */
const recipes = Array.from({ length: USES }, (_, index): DerivedEntry => {
  const path = `prefabs/recipes/recipe_${String(index).padStart(3, '0')}.binfab`;
  const link = { source: path, qty: index + 1, data: {}, owner: path, rel: 'ingredient', target: PATHS.lion, order: 0 } as const;
  const entry = { ...item(path, `Recipe ${index}`).entry, type: 'recipe' as const };
  return { ...item(path, entry.name, [link]), entry };
});

beforeAll(async () => {
  const writes = createCodexWrites(createDatabase(env.DB));
  const staged: Staged = {};
  for (const entry of [...SMALL_CODEX, item(HOSTILE_PATH, HOSTILE), ...recipes]) stageEntry(staged, entry, 'first', 'added');
  await writes.stageRows(BRANCH, 1, staged);
  await writes.applyBuild({ branch: BRANCH, ordinal: 7, parserVersion: PARSER_VERSION, now: 1_780_930_452 });
  const translations = createTranslationWrites(createDatabase(env.DB));
  await translations.assignSlots(BRANCH, ['de']);
  await translations.write(BRANCH, 'de', [{ path: PATHS.cat, name: 'Katze', description: 'Sie schnurrt.' }]);
  await translations.complete(BRANCH, 'de');
  await env.DB.prepare(
    'INSERT INTO archive_versions (branch, ordinal, version_tag, captured_at, completed_at) VALUES (?, 7, ?, 1780000000, 1780000100)',
  )
    .bind(BRANCH, 'tag-7')
    .run();
});

const app = testApp();
const page = async (path: string, headers: Record<string, string> = { Accept: 'text/html' }) => call(path, { headers }, app);
const entryPath = (type: string, path: string, more = '') => `/codex/${type}/entry?path=${encodeURIComponent(path)}${more}`;

describe('codex pages', () => {
  const paths = [
    '/codex',
    '/codex?q=cat',
    '/codex/mount',
    '/codex/item?q=%22',
    entryPath('mount', PATHS.cat),
    entryPath('item', HOSTILE_PATH),
  ];

  it.each(paths)('serves %s publicly, with an ETag and a policy that allows only its own scripts', async (path) => {
    const { status, headers, text } = await page(path);
    expect(status).toBe(200);
    expect(headers.get('Content-Type')).toBe('text/html; charset=utf-8');
    expect(headers.get('Cache-Control')).toBe('public, no-cache');
    const policy = headers.get('Content-Security-Policy') ?? '';
    expect(policy).toMatch(/script-src '(none|self)';/);
    expect(policy).toContain("style-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(text).not.toMatch(/\sstyle="|\son\w+="[^"]|javascript:|<script>|<img src=x/);
    expect(text.match(/<h1/g)).toHaveLength(1);
    expect(text).not.toContain('This page needs JavaScript');
    const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(ids).toEqual([...new Set(ids)]);
    const etag = headers.get('ETag') ?? '';
    expect(etag).toMatch(/^"[\w-]+"$/);
    expect((await page(path, { 'If-None-Match': etag })).status).toBe(304);
  });

  it('lists the types with their entry counts on /codex', async () => {
    const { text } = await page('/codex');
    expect(text).toContain('<b>Mounts</b> <span class="hint type-count">3</span>');
    expect(text).toContain('<form class="row codex-search" method="get" action="/codex"');
  });

  it('finds entries of every type without JavaScript', async () => {
    const { text } = await page('/codex?q=CAT');
    expect(text).toContain('3 entries');
    expect(text).toContain(`href="${entryPath('mount', PATHS.cat).replace('%2F', '%2F')}"`);
    expect(text).toContain('Recipes');
  });

  it('shows and searches another language, keeps it in links, and offers the languages of the branch', async () => {
    const list = (await page('/codex/mount?q=katze&lang=de')).text;
    expect(list).toContain('1 entry');
    expect(list).toContain('<option value="de" lang="de" selected="">Deutsch</option>');
    expect(list).toContain(`href="${entryPath('mount', PATHS.cat, '&amp;lang=de')}">Katze</a>`);
    const entry = (await page(entryPath('mount', PATHS.cat, '&lang=de'))).text;
    expect(entry).toContain('<h1 lang="de">Katze</h1>');
    expect(entry).toContain('Sie schnurrt.');
    expect(entry).toContain(`href="${entryPath('mount', PATHS.cat, '&amp;lang=en')}">English</a>`);
    expect((await page(entryPath('mount', PATHS.cat))).text).toContain('<h1>Cat</h1>');
    expect((await page('/codex?branch=pts')).text).not.toContain('name="lang"');
    expect((await page('/codex?q=cat&lang=xx')).status).toBe(422);
  });

  it('filters and sorts a list, and shows the selected filters in the form', async () => {
    const { text } = await page('/codex/mount?category=Felines&sort=-mastery');
    expect(text).toContain('2 entries');
    expect(text.indexOf('>Cat<')).toBeLessThan(text.indexOf('>Lion<'));
    expect(text).toContain('<option value="Felines" selected="">Felines (2)</option>');
    expect(text).toContain('<option value="-mastery" selected="">');
  });

  it('links each page of a long list to the next', async () => {
    const { text } = await page('/codex/recipe');
    expect(text).toContain('Page 1 of 3');
    expect(text).toContain('href="/codex/recipe?page=2"');
    const last = await page('/codex/recipe?page=3');
    expect(last.text).toContain('href="/codex/recipe?page=2"');
    expect(last.text).not.toContain('rel="next"');
    expect((await page('/codex/recipe?page=4000')).text).toContain('131 entries');
  });

  it('escapes markup in texts of the game', async () => {
    for (const path of ['/codex/item', `/codex?q=${encodeURIComponent(HOSTILE)}`, entryPath('item', HOSTILE_PATH)]) {
      const { text } = await page(path);
      expect(text, path).toContain('&lt;img src=x onerror=alert(1)&gt;');
      expect(text, path).not.toMatch(/<img src=x|<script>alert/);
    }
  });

  it('links recipes to their materials and materials to their recipes', async () => {
    const recipe = await page(entryPath('recipe', PATHS.recipe));
    expect(recipe.text).toContain('<h2 id="out-crafts">Makes</h2>');
    expect(recipe.text).toContain('<h2 id="out-ingredient">Ingredients</h2>');
    expect(recipe.text).toContain(`<b class="qty">5 × </b><a href="${entryPath('item', PATHS.ore)}">Ore</a>`);
    expect(recipe.text).toContain('<span title="prefabs/item/crafting/unknown.binfab">Unknown</span>');
    expect((await page(entryPath('mount', PATHS.cat))).text).toContain('<h2 id="in-crafts">Made by</h2>');
    expect((await page(entryPath('item', PATHS.ore))).text).toContain('<h2 id="in-ingredient">Used in</h2>');
  });

  it('paginates a relation with many links', async () => {
    const path = entryPath('mount', PATHS.lion);
    const all = await page(path);
    expect(all.text.match(/class="qty"/g)).toHaveLength(24);
    expect(all.text).toContain('&amp;direction=in&amp;rel=ingredient">Show all</a>');
    const first = await page(`${path}&direction=in&rel=ingredient`);
    expect(first.text.match(/class="qty"/g)).toHaveLength(96);
    const second = await page(`${path}&direction=in&rel=ingredient&page=2`);
    expect(second.text.match(/class="qty"/g)).toHaveLength(USES - 96);
    expect(second.text).not.toContain('rel="next"');
  });

  it('shows the version of the latest change', async () => {
    expect((await page(entryPath('mount', PATHS.cat))).text).toContain('<dt>Added in</dt><dd>tag-7 (2026-05-28)</dd>');
  });

  it('returns a 404 error page for an unknown type or entry', async () => {
    for (const path of ['/codex/planet', '/codex?branch=none', entryPath('ally', PATHS.cat), entryPath('mount', 'prefabs/none')]) {
      const { status, text } = await page(path);
      expect(status, path).toBe(404);
      expect(text, path).toMatch(/^<!doctype html>/);
    }
    expect((await call('/codex/planet', {}, app)).text).toContain('"code":"not_found"');
  });

  it('returns 422 for parameters out of bounds', async () => {
    expect((await page('/codex/mount?page=0')).status).toBe(422);
    expect((await page('/codex/mount?page=5001')).status).toBe(422);
    expect((await page(`/codex?q=${'x'.repeat(201)}`)).status).toBe(422);
    expect((await page('/codex/mount/entry')).status).toBe(422);
    expect((await page('/codex/mount?sort=price')).status).toBe(400);
  });

  it('returns 404 when the feature is switched off', async () => {
    const off = testApp({ settings: { featureCodexesEnabled: false } });
    expect((await call('/codex', {}, off)).status).toBe(404);
  });
});

it('leads from an entry to those before and after it in the list of its type', async () => {
  const listed = [...(await page('/codex/mount')).text.matchAll(/<a href="(\/codex\/mount\/entry\?[^"]+)">/g)].map(([, href = '']) => href);
  expect(listed.length).toBeGreaterThan(2);
  const linksOf = async (href = '') =>
    [...(await page(href.replaceAll('&amp;', '&'))).text.matchAll(/rel="(prev|next)" href="([^"]+)"/g)].map(([, rel, target]) => [
      rel,
      target,
    ]);
  expect(await linksOf(listed[1])).toEqual([
    ['prev', listed[0]],
    ['next', listed[2]],
  ]);
  expect(await linksOf(listed[0])).toEqual([['next', listed[1]]]);
});

describe('the language of the reader', () => {
  const GERMAN = { Accept: 'text/html', 'Accept-Language': 'de-AT, en;q=0.5' };
  const VARY = 'Accept-Language, Cookie';

  it('is that of names and texts on pages whose address names none', async () => {
    const { headers, text } = await page(entryPath('mount', PATHS.cat), GERMAN);
    expect(text).toContain('<h1 lang="de">Katze</h1>');
    expect(text).toContain(`href="${entryPath('mount', PATHS.cat, '&amp;lang=de')}" aria-current="page">Deutsch</a>`);
    expect(text).toContain('<a href="/codex/mount">Mounts</a>');
    expect([headers.get('Vary'), headers.get('Cache-Control')]).toEqual([VARY, 'public, no-cache']);
    const list = (await page('/codex/mount', GERMAN)).text;
    expect(list).toContain(`href="${entryPath('mount', PATHS.cat)}">Katze</a>`);
    expect(list).toContain('<option value="en" lang="en">English</option>');
    expect(list).toContain('<option value="" lang="de" selected="">Deutsch</option>');
    expect((await page('/codex?q=schnurrt', GERMAN)).text).toContain('>Katze<');
    expect((await page('/codex?q=lion', GERMAN)).text).toContain('>Lion<');
  });

  it('shows English names that are searched in English to a reader of another language', async () => {
    expect((await page('/codex?q=purrs', GERMAN)).text).toContain('>Cat</a>');
    expect((await page('/codex?q=purrs&lang=de', GERMAN)).text).toContain('0 entries');
  });

  it('is kept by the cookie, which comes before that of the browser', async () => {
    const titleOf = async (headers: Record<string, string>, more = '') =>
      /<h1[^>]*>([^<]*)/.exec((await page(entryPath('mount', PATHS.cat, more), { Accept: 'text/html', ...headers })).text)?.[1];
    expect(await titleOf({})).toBe('Cat');
    expect(await titleOf({ Cookie: 'language=de' })).toBe('Katze');
    expect(await titleOf({ ...GERMAN, Cookie: 'x=y; language=en' })).toBe('Cat');
    expect(await titleOf({ ...GERMAN, Cookie: 'language=xx' })).toBe('Cat');
    expect(await titleOf({ 'Accept-Language': 'sv, de;q=0.5' })).toBe('Katze');
    expect(await titleOf(GERMAN, '&lang=en')).toBe('Cat');
  });

  it('does not decide a page whose address names a language: links keep it, and caches need one copy', async () => {
    const { headers, text } = await page(entryPath('mount', PATHS.cat, '&lang=en'), GERMAN);
    expect(headers.get('Vary')).toBeNull();
    expect(text).toContain('<a href="/codex/mount?lang=en">Mounts</a>');
  });

  it('has an ETag of its own', async () => {
    const [english, german] = [await page('/codex/mount'), await page('/codex/mount', GERMAN)];
    expect(english.headers.get('Vary')).toBe(VARY);
    expect(german.headers.get('ETag')).not.toBe(english.headers.get('ETag'));
    const again = { ...GERMAN, 'If-None-Match': english.headers.get('ETag') ?? '' };
    expect((await page('/codex/mount', again)).status).toBe(200);
  });

  it('is that of neighbours, ingredients and the crafting tree', async () => {
    expect((await page(entryPath('mount', PATHS.lion), GERMAN)).text).toMatch(/rel="prev"[^>]*>← Katze</);
    const crafting = await page(`/codex/crafting?path=${encodeURIComponent(PATHS.cat)}`, GERMAN);
    expect(crafting.text).toContain('<h1>Crafting Katze</h1>');
    expect(crafting.headers.get('Vary')).toBe(VARY);
    const asked = await page(`/codex/crafting?path=${encodeURIComponent(PATHS.cat)}&lang=de`);
    expect(asked.text).toContain('<h1>Crafting Katze</h1>');
    expect(asked.text).toContain('name="lang" value="de"');
  });

  it('is that of the names on the pages of the market, the week and the search', async () => {
    const database = createDatabase(env.DB);
    await createMarketInserts(database).save([{ ...LISTING, name: 'Cat', createdAt: MARKET_NOW - 3600 }], MARKET_NOW);
    await createAnalyticsWriter(database).refresh(MARKET_NOW);
    const at = (path: string, headers: Record<string, string> = GERMAN) => call(path, { headers, now: MARKET_NOW }, app);
    const market = await at('/market');
    expect(market.text).toContain('<a href="/market/item?name=Cat">Katze</a>');
    expect([market.headers.get('Vary'), market.headers.get('Cache-Control')]).toEqual([VARY, 'public, max-age=60']);
    expect((await at('/market', { ...GERMAN, 'Accept-Language': 'en' })).text).toContain('<a href="/market/item?name=Cat">Cat</a>');
    expect((await at('/market/item?name=Cat&days=30')).text).toContain('<h1>Katze</h1>');
    for (const path of ['/week', '/search?q=cat', '/search/names?q=cat']) expect((await at(path)).headers.get('Vary'), path).toBe(VARY);
  });

  it('is named to search engines, with each address of the page', async () => {
    const { text } = await page('/codex/mount');
    expect([...text.matchAll(/hreflang="([^"]+)" href="([^"]+)"/g)].map(([, language, href]) => [language, href])).toEqual([
      ['x-default', '/codex/mount'],
      ['en', '/codex/mount?lang=en'],
      ['de', '/codex/mount?lang=de'],
    ]);
    expect((await page('/codex/mount?lang=de')).headers.get('Link')).toMatch(/\/codex\/mount\?lang=de>; rel="canonical"/);
  });

  it('needs no read for English', async () => {
    let reads = 0;
    const listLanguages = async () => {
      reads += 1;
      return [];
    };
    const codex = { listLanguages, translatedNames: () => Promise.reject(new Error('not read')) };
    const readers: Record<string, string>[] = [
      {},
      { 'Accept-Language': 'en-GB, de;q=0.5' },
      { 'Accept-Language': 'de', Cookie: 'language=en' },
    ];
    for (const headers of readers) {
      const language = await nameLanguage(codex, new Request('https://example.com', { headers }));
      expect(language).toEqual({ lang: undefined, isReaders: true });
      expect((await gameNames(codex, language, { names: ['Cat'] })).named('Cat')).toBe('Cat');
    }
    expect(reads).toBe(0);
  });
});

describe('model images on codex pages', () => {
  const IMAGE = 'src="/v1/codexes/render?blueprint=c_item.blueprint&amp;dim=256"';

  it('appear on entry pages, and in lists as small images', async () => {
    expect((await page(entryPath('item', HOSTILE_PATH))).text).toContain(IMAGE);
    expect((await page('/codex/item')).text).toContain(IMAGE.replace('256', '96'));
  });
});

describe('the page of an item', () => {
  it('shows its price, and is where the market leads for its name', async () => {
    const database = createDatabase(env.DB);
    await createMarketInserts(database).save([{ ...LISTING, name: 'Cat', createdAt: MARKET_NOW }], MARKET_NOW);
    await createAnalyticsWriter(database).refresh(MARKET_NOW);
    const at = (path: string) => call(path, { headers: { Accept: 'text/html' }, now: MARKET_NOW }, testApp());
    const lead = await at('/market/item?name=cAT');
    expect([lead.status, lead.headers.get('Location')]).toEqual([302, `/codex/mount/entry?path=${encodeURIComponent(PATHS.cat)}`]);
    const { text } = await at(lead.headers.get('Location') ?? '');
    expect(text).toMatch(/<h2 id="price">Market price<\/h2>.*flux<\/b> a piece: the median of 1 active listing,/s);
    expect(text).toContain('<a href="/market/item?name=Cat&amp;days=30">All prices of Cat</a>');
    expect((await at('/market/item?name=Cat&days=30')).text).toContain('<h1>Cat</h1>');
    const german = await at(`${lead.headers.get('Location')}&lang=de`);
    expect(german.text).toContain('<h1 lang="de">Katze</h1>');
    expect(german.text).toContain('Market price');
  });

  it('offers a choice for a name of several entries, and the market page for one outside the codex', async () => {
    const names = ['prefabs/item/twin_a.binfab', 'prefabs/item/twin_b.binfab'];
    const staged: Staged = {};
    for (const path of names) stageEntry(staged, item(path, 'Twin [R]'), 'first', 'added');
    const writes = createCodexWrites(createDatabase(env.DB));
    await writes.stageRows(BRANCH, 8, staged);
    await writes.applyBuild({ branch: BRANCH, ordinal: 8, parserVersion: PARSER_VERSION, now: 1_780_930_452 });
    const { status, text } = await page('/market/item?name=Twin%20%5BR%5D');
    expect(status).toBe(200);
    expect(text).toContain('2 things in the game have this name');
    for (const path of names) expect(text).toContain(encodeURIComponent(path));
    expect((await page('/market/item?name=Nothing%20of%20this%20name')).status).toBe(404);
  });

  it('lists the versions that changed its file as links to pages, and has its recipe folded', async () => {
    const writes = createCodexWrites(createDatabase(env.DB));
    const staged: Staged = {};
    for (const entry of SMALL_CODEX) stageEntry(staged, entry, 'first', 'added');
    await writes.stageRows('pts', 1, staged);
    await writes.applyBuild({ branch: 'pts', ordinal: 1, parserVersion: PARSER_VERSION, now: 1_780_930_452 });
    await storeVersions(createContentStore(env.ARCHIVE), 'pts', [
      { tag: 'first', capturedAt: 1_780_000_000, files: { [PATHS.cat]: 'one' } },
      { tag: 'second', capturedAt: 1_780_090_000, files: { [PATHS.cat]: 'two' } },
    ]);
    const text = (await page(entryPath('mount', PATHS.cat, '&branch=pts'))).text.replace(/\s+/g, ' ');
    expect(text).not.toContain('/file/history');
    expect(text).toMatch(/Changed in <a href="\/updates\/pts\/2">second<\/a>.*Added in <a href="\/updates\/pts\/1">first<\/a>/);
    expect(text).toMatch(/<h2 id="recipe">Recipe<\/h2><details><summary>Cost of making one: not known<\/summary>/);
    const crafting = (await page(`/codex/crafting?path=${encodeURIComponent(PATHS.cat)}&branch=pts`)).text.replace(/\s+/g, ' ');
    expect(crafting).toContain('<h2>Shopping list</h2>');
    expect(crafting).toContain('without 2 items that have no market price');
  });
});

describe('the parameter search', () => {
  it('works as q does, on all codex pages', async () => {
    for (const path of ['/codex?', '/codex/mount?']) {
      const [one, other] = [await page(`${path}search=cat`), await page(`${path}q=cat`)];
      expect([one.status, one.text]).toEqual([200, other.text]);
    }
  });
});
