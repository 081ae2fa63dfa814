import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { DerivedEntry } from '../../../src/areas/codexes/derive/derive-entry.domain.ts';
import { createCodexWrites } from '../../../src/areas/codexes/indexer/codex-writes.store.ts';
import { type Staged, stageEntry } from '../../../src/areas/codexes/indexer/staging.domain.ts';
import { createTranslationWrites } from '../../../src/areas/codexes/languages/translations.store.ts';
import { PARSER_VERSION } from '../../../src/areas/codexes/parse/codex-parse.domain.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { PATHS, SMALL_CODEX } from '../../support/codex/small-codex.ts';
import { call } from '../../support/requests.ts';
import { testApp } from '../platform/test-app.ts';

const HOSTILE = `"><img src=x onerror=alert(1)></script><script>alert(1)</script>'&`;
const HOSTILE_PATH = `prefabs/item/"><b>x&'.binfab`;
const BRANCH = 'live-us';
const USES = 130;

const item = (path: string, name: string, links: DerivedEntry['links'] = []): DerivedEntry => ({
  entry: {
    type: 'item',
    path,
    name,
    category: HOSTILE,
    description: HOSTILE,
    tradable: null,
    mastery: 1234,
    masteryGeode: null,
    powerRank: null,
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
  stats: [],
  abilities: [],
  links,
});

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
    expect(entry).toContain('<h1>Katze</h1>');
    expect(entry).toContain('Sie schnurrt.');
    expect(entry).toContain(`href="${entryPath('mount', PATHS.cat)}">English</a>`);
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

describe('model images on codex pages', () => {
  const IMAGE = 'src="/v1/codexes/render?blueprint=c_item.blueprint&amp;dim=256"';

  it('appear on entry pages, and in lists as small images', async () => {
    expect((await page(entryPath('item', HOSTILE_PATH))).text).toContain(IMAGE);
    expect((await page('/codex/item')).text).toContain(IMAGE.replace('256', '96'));
  });
});
