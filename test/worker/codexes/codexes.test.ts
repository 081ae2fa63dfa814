import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { createCodexesRepository } from '../../../src/areas/codexes/api/codexes.repository.ts';
import { SORTS } from '../../../src/areas/codexes/api/entry-filter.domain.ts';
import { CODEX_TYPES } from '../../../src/areas/codexes/codex-types.data.ts';
import type { CodexBuild } from '../../../src/areas/codexes/derive/codex-build.domain.ts';
import { createCodexEndpoints } from '../../../src/areas/codexes/index.ts';
import { createContentStore, sha256Of } from '../../../src/platform/storage/content-store.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { buildCodex } from '../../support/codex/build-codex.ts';
import { codexFiles } from '../../support/codex/codex-files.ts';
import { PLANS, serviceWithPlan } from '../../support/codex/forced-plans.ts';
import { indexBranch, storeBranch } from '../../support/codex/stored-branch.ts';
import { withArrayForm } from '../../support/codex/tree.ts';
import { notedDatabase, scansOf } from '../../support/query-plans.ts';
import { call } from '../../support/requests.ts';
import { testApp } from '../platform/test-app.ts';

const NOW = 1_780_930_452;
const BRANCH = 'live-us';
const ENTRIES = 150;
const PATIENCE_MILLISECONDS = 120_000;
const LARGE = [
  'codex_entries',
  'codex_stats',
  'codex_abilities',
  'codex_links',
  'codex_requirements',
  'codex_upgrades',
  'codex_facets',
  'codex_changes',
  'e',
  't',
  'x',

  'f',
];

const { database, statements } = notedDatabase();
const app = testApp({
  deps: { endpoints: createCodexEndpoints(createDatabase(database), createContentStore(env.ARCHIVE)) },
});
// The other form of arrays than that of the rebuilds.
const files = withArrayForm('plain', () => codexFiles({ seed: 7, entries: ENTRIES, version: 1 }));
let build: CodexBuild;

beforeAll(async () => {
  build = buildCodex([...files].map(([path, bytes]) => ({ path, hash: path, bytes: () => bytes })));
  await storeBranch(BRANCH, 1, files);
  await indexBranch(BRANCH, NOW);
}, PATIENCE_MILLISECONDS);

const get = (path: string, headers: Record<string, string> = {}) => call(`/v1/codexes/${path}`, { headers }, app);
const bodyOf = async (path: string) => {
  const { status, text } = await get(path);
  expect([path, status, text]).toEqual([path, 200, text]);
  return JSON.parse(text);
};
const statusOf = async (path: string) => (await get(path)).status;
const folded = (text: string) => text.toLowerCase();
const byName = <Item extends { name: string; path: string }>(one: Item, other: Item) =>
  folded(one.name) < folded(other.name) ? -1 : folded(one.name) > folded(other.name) ? 1 : one.path < other.path ? -1 : 1;

describe('types and entries', () => {
  it('counts every type as the build has it', async () => {
    const counts = new Map<string, number>();
    for (const { type } of build.entries) counts.set(type, (counts.get(type) ?? 0) + 1);
    const { items, count } = await bodyOf('types');
    expect(items).toEqual([...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([type, n]) => ({ type, count: n })));
    expect(count).toBe(CODEX_TYPES.length);
  });

  it('gives an entry as it was derived', async () => {
    const entry = build.entries.find(({ type }) => type === 'mount');
    if (!entry) throw new Error('no mount');
    const { name, category, description, tradable, mastery, blueprint, data } = entry;
    expect(await bodyOf(`mount/entry?path=${encodeURIComponent(entry.path)}`)).toEqual({
      ...{ type: 'mount', path: entry.path, name, category, description, tradable, mastery, blueprint },
      ...{ mastery_geode: entry.masteryGeode, power_rank: entry.powerRank, data },
      indexed_at: new Date(NOW * 1000).toISOString(),
    });
    expect(await statusOf(`dragon/entry?path=${encodeURIComponent(entry.path)}`)).toBe(404);
    expect(await statusOf(`mount/entry?branch=pts&path=${encodeURIComponent(entry.path)}`)).toBe(404);
    expect(await statusOf('mount/entry')).toBe(422);
  });

  it('lists a type in every order, whole and in pages', async () => {
    const recipes = build.entries.filter(({ type }) => type === 'recipe').sort(byName);
    const { items, total } = await bodyOf('recipe?limit=200');
    expect([items.map(({ path }: { path: string }) => path), total]).toEqual([
      recipes.slice(0, 200).map(({ path }) => path),
      recipes.length,
    ]);
    expect((await bodyOf('recipe?limit=2&offset=1')).items.map(({ path }: { path: string }) => path)).toEqual(
      recipes.slice(1, 3).map(({ path }) => path),
    );
    for (const sort of ['mastery', '-mastery']) {
      const values = (await bodyOf(`search?limit=200&type=item&sort=${sort}`)).items.map(
        ({ mastery }: { mastery: number | null }) => mastery,
      );
      const known = values.filter((value: number | null) => value !== null);
      const ordered = [...known].sort((a, b) => (sort === 'mastery' ? a - b : b - a));
      expect(values).toEqual([...ordered, ...Array(values.length - known.length).fill(null)]);
    }
    for (const key of ['name', 'category', 'mastery', 'mastery_geode', 'power_rank', 'indexed_at', 'stat_value']) {
      for (const sort of [key, `-${key}`]) {
        expect(await statusOf(`search?sort=${sort}`)).toBe(200);
        expect(await statusOf(`mount?sort=${sort}`)).toBe(200);
      }
    }
    expect(await statusOf('mount?sort=color')).toBe(400);
    expect(await statusOf('mount?limit=201')).toBe(422);
    expect(await statusOf('nothing')).toBe(404);
    expect(await statusOf('search?type=nothing')).toBe(404);
    expect(await statusOf('types?branch=nowhere')).toBe(404);
    expect((await bodyOf('mount?branch=pts')).total).toBe(0);
  });

  it('filters as the plainest reading does, whatever way it looks', async () => {
    const stat = build.stats[0]?.stat ?? '';
    const ability = build.abilities[0]?.ref ?? '';
    const category = build.entries.find((entry) => entry.type === 'mount')?.category ?? '';
    const withStat = new Set(build.stats.filter((row) => row.stat === stat).map(({ path }) => path));
    const withAbility = new Set(build.abilities.filter((row) => row.ref === ability).map(({ path }) => path));
    const word = (build.entries[0]?.name ?? '').slice(0, 4);
    const texts = [undefined, word, word.slice(0, 2), '%', 'zzzzz'];
    for (const text of texts) {
      for (const [extra, test] of [
        ['', () => true],
        [`&category=${encodeURIComponent(category)}`, (entry: CodexBuild['entries'][number]) => entry.category === category],
        ['&tradable=true', (entry: CodexBuild['entries'][number]) => entry.tradable === true],
        [`&stat=${encodeURIComponent(stat)}`, (entry: CodexBuild['entries'][number]) => withStat.has(entry.path)],
        [`&ability=${encodeURIComponent(ability)}`, (entry: CodexBuild['entries'][number]) => withAbility.has(entry.path)],
        ['&type=mount&tradable=false', (entry: CodexBuild['entries'][number]) => entry.type === 'mount' && entry.tradable === false],
      ] as const) {
        const expected = build.entries
          .filter(
            (entry) => test(entry) && (!text || [entry.name, entry.description].some((value) => folded(value).includes(folded(text)))),
          )
          .sort(byName)
          .map(({ path }) => path);
        const query = `search?limit=200${extra}${text === undefined ? '' : `&q=${encodeURIComponent(` ${text} `)}`}`;
        const { items, total } = await bodyOf(query);
        expect([query, total, items.map(({ path }: { path: string }) => path)]).toEqual([query, expected.length, expected.slice(0, 200)]);
      }
    }
  });

  it('gives parts of entries, many at once', async () => {
    const [one, other] = build.entries;
    const paths = [other?.path ?? '', 'prefabs/nothing.binfab', one?.path ?? ''];
    const query = `entries?fields=name&${paths.map((path) => `paths=${encodeURIComponent(path)}`).join('&')}`;
    expect(await bodyOf(query)).toEqual({
      branch: BRANCH,
      items: [other, one].map((entry) => ({ type: entry?.type, path: entry?.path, name: entry?.name })),
      missing: ['prefabs/nothing.binfab'],
      count: 2,
    });
    expect(await statusOf('entries')).toBe(422);
    expect(await statusOf('search?fields=colour')).toBe(422);
    expect(await statusOf(`entries?${Array(201).fill('paths=a').join('&')}`)).toBe(422);
  });
});

describe('what there is to ask for', () => {
  it('counts categories, stats and abilities', async () => {
    const { items: categories } = await bodyOf('mount/categories');
    expect(categories.length).toBeGreaterThan(1);
    for (const { category, count } of categories) {
      expect((await bodyOf(`mount?category=${encodeURIComponent(category)}`)).total).toBe(count);
    }
    const { items: stats } = await bodyOf('mount/stat-keys');
    for (const { stat, count } of stats) expect((await bodyOf(`mount?stat=${encodeURIComponent(stat)}`)).total).toBe(count);
    const { items: abilities } = await bodyOf('ally/abilities');
    for (const { ref, count } of abilities) expect((await bodyOf(`ally?ability=${encodeURIComponent(ref)}`)).total).toBe(count);
    expect(await statusOf('nothing/categories')).toBe(404);
  });

  it('ranks the holders of a stat, each once with its best', async () => {
    const stat = build.stats[0]?.stat ?? '';
    const best = new Map<string, number>();
    for (const row of build.stats) {
      if (row.stat === stat)
        best.set(row.path, Math.max(best.get(row.path) ?? Number.NEGATIVE_INFINITY, row.value ?? Number.NEGATIVE_INFINITY));
    }
    const { items, total } = await bodyOf(`stats?limit=200&stat=${encodeURIComponent(stat)}`);
    expect(total).toBe(best.size);
    const values = items.map(({ value }: { value: number }) => value);
    expect(values).toEqual([...values].sort((a, b) => b - a));
    for (const { path, value } of items) expect(value).toBe(best.get(path));
    expect((await bodyOf('stats?stat=$Nothing')).total).toBe(0);
    expect(await statusOf('stats')).toBe(422);
  });
});

describe('stats by name', () => {
  it('takes the name behind $Stat_ in any case and adds the best value of each entry', async () => {
    const stat = build.stats[0]?.stat ?? '';
    const bare = stat.replace('$Stat_', '');
    const holders = await bodyOf(`stats?limit=200&stat=${encodeURIComponent(stat)}`);
    for (const written of [bare, bare.toUpperCase(), stat.toLowerCase()]) {
      expect(await bodyOf(`stats?limit=200&stat=${encodeURIComponent(written)}`), written).toEqual(holders);
      const { items, total } = await bodyOf(`search?limit=200&sort=-stat_value&stat=${encodeURIComponent(written)}`);
      expect(total).toBe(holders.total);
      type Row = { path: string; stat_value: number | null; stat_percent: boolean };
      type Holder = { path: string; value: number | null; is_percent: boolean };
      expect(items.map(({ path, stat_value: value, stat_percent }: Row) => ({ path, value, is_percent: stat_percent }))).toEqual(
        holders.items.map(({ path, value, is_percent }: Holder) => ({ path, value, is_percent })),
      );
    }
    const [item] = (await bodyOf(`search?fields=name&stat=${encodeURIComponent(bare)}`)).items;
    expect(Object.keys(item).sort()).toEqual(['name', 'path', 'stat_percent', 'stat_value', 'type']);
    expect((await bodyOf('search')).items[0]).not.toHaveProperty('stat_value');
    expect((await bodyOf('stats?stat=Nothing')).stat).toBe('$Stat_Nothing');
  });

  it('sorts by name without a stat', async () => {
    for (const sort of ['stat_value', '-stat_value']) expect(await bodyOf(`mount?sort=${sort}`)).toEqual(await bodyOf('mount'));
  });

  it('takes empty filters for none', async () => {
    const whole = await bodyOf('mount');
    for (const query of ['category=', 'search=', 'stat=', 'ability=']) expect(await bodyOf(`mount?${query}`), query).toEqual(whole);
    const all = await bodyOf('search');
    for (const query of ['q=', 'type=', 'category=']) expect(await bodyOf(`search?${query}`), query).toEqual(all);
  });

  it('lists stat keys A to Z by name', async () => {
    const names = (await bodyOf('mount/stat-keys')).items.map(({ stat_name: name }: { stat_name: string }) => folded(name));
    expect(names.length).toBeGreaterThan(1);
    expect(names).toEqual([...names].sort());
  });
});

describe('relations', () => {
  it('lead out and in', async () => {
    const link = build.links.find(({ rel }) => rel === 'ingredient');
    if (!link) throw new Error('no ingredient');
    const outward = build.links.filter(({ source }) => source === link.source).length;
    expect((await bodyOf(`links?path=${encodeURIComponent(link.source)}`)).total).toBe(outward);
    const users = build.links.filter(({ rel, target }) => rel === 'ingredient' && target === link.target);
    const inward = await bodyOf(`links?direction=in&rel=ingredient&path=${encodeURIComponent(link.target)}`);
    expect([inward.total, inward.items.map(({ path }: { path: string }) => folded(path)).sort()]).toEqual([
      users.length,
      users.map(({ source }) => source).sort(),
    ]);
    expect(inward.items[0]).toMatchObject({ rel: 'ingredient', type: 'recipe' });
    const bare = link.target.replace('prefabs/', '').replace('.binfab', '').toUpperCase();
    expect((await bodyOf(`links?direction=in&rel=ingredient&path=${encodeURIComponent(bare)}`)).total).toBe(users.length);
    expect((await bodyOf('links?path=nothing')).items).toEqual([]);
    expect(await statusOf('links?path=a&rel=friend')).toBe(400);
    expect(await statusOf('links?path=a&direction=up')).toBe(400);
    expect(await statusOf('links')).toBe(422);
    for (const { rel, source } of new Map(build.links.map((row) => [row.rel, row])).values()) {
      expect((await bodyOf(`links?rel=${rel}&path=${encodeURIComponent(source)}`)).total).toBeGreaterThan(0);
    }
  });

  it('show ladders and upgrades', async () => {
    const rank = build.requirements.find(({ collection }) => collection !== '');
    const { items: ladder } = await bodyOf(`requirements?collection=${encodeURIComponent(rank?.collection ?? '')}`);
    expect(ladder.map((row: { rank: number }) => row.rank)).toEqual(
      build.requirements.filter(({ badgeId }) => badgeId === rank?.badgeId).map((row) => row.rank),
    );
    expect((await bodyOf('requirements?collection=collections/badge/none')).items).toEqual([]);
    const { items: systems } = await bodyOf('upgrades');
    expect(systems.length).toBe(new Set(build.upgrades.map(({ systemKey }) => systemKey)).size);
    for (const { system_key: key, nodes } of systems) expect((await bodyOf(`upgrades/${key}`)).count).toBe(nodes);
    expect(await statusOf('upgrades/nothing')).toBe(404);
  });
});

describe('keeping a copy', () => {
  it('dumps every entry under the hash of the bytes', async () => {
    const dump = await get('dump');
    const lines = dump.text.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).path)).toEqual(build.entries.map(({ path }) => path).sort());
    expect(dump.headers.get('ETag')).toBe(`"${await sha256Of(new Uint8Array(dump.bytes))}"`);
    expect((await get('dump', { 'If-None-Match': dump.headers.get('ETag') ?? '' })).status).toBe(304);
    expect(await statusOf('dump?branch=pts')).toBe(404);
  });

  it('goes through no large table', async () => {
    const services = PLANS.map((forced) => serviceWithPlan(createCodexesRepository(createDatabase(database)), forced));
    const stat = build.stats[0]?.stat;
    const ability = build.abilities[0]?.ref;
    for (const type of [null, 'mount'] as const) {
      for (const filter of [
        {},
        { text: 'er' },
        { text: 'the' },
        { category: 'Felines' },
        { stat },
        { ability },
        { tradable: true, stat, text: 'the' },
      ]) {
        for (const sort of SORTS) {
          for (const service of services) await service.entries(type, { branch: BRANCH, ...filter, sort, limit: 5, offset: 0 });
        }
      }
    }
    expect(statements.size).toBeGreaterThan(40);
    expect(await scansOf(statements, LARGE)).toEqual([]);
  });
});
