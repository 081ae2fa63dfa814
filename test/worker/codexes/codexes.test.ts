import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { createCodexesStore } from '../../../src/areas/codexes/api/codexes.store.ts';
import { SORTS } from '../../../src/areas/codexes/api/entry-filter.domain.ts';
import { createDumpWrites } from '../../../src/areas/codexes/changes/dumps.store.ts';
import { groupIntoUnits, type Staged, stageEntry, stageUnit } from '../../../src/areas/codexes/derive/staging.domain.ts';
import { createCodexEndpoints } from '../../../src/areas/codexes/index.ts';
import { createCodexWrites } from '../../../src/areas/codexes/indexer/codex-writes.store.ts';
import { writeDump } from '../../../src/areas/codexes/indexer/index-run.service.ts';
import { PARSER_VERSION } from '../../../src/areas/codexes/parse/codex-parse.domain.ts';
import { createContentStore, sha256Of } from '../../../src/platform/storage/content-store.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { PLANS, serviceWithPlan } from '../../support/codex/forced-plans.ts';
import { HOWL, LIGHT, PATHS, POUNCE, SMALL_CODEX, SPEED } from '../../support/codex/small-codex.ts';
import { recordingDatabase, scansOf } from '../../support/query-plans.ts';
import { call } from '../../support/requests.ts';
import { testApp } from '../platform/test-app.ts';

const NOW = 1_780_930_452;
const BRANCH = 'live-us';
const ENTRY_TABLES = ['codex_entries', 'codex_stats', 'codex_abilities', 'codex_links', 'codex_facets', 'codex_changes'];
const PROGRESS_TABLES = ['codex_requirements', 'codex_upgrades'];
const ALIASES = ['e', 't', 'x', 'f'];

const { database, statements } = recordingDatabase();
const app = testApp({
  deps: { endpoints: await createCodexEndpoints(createDatabase(database), createContentStore(env.ARCHIVE)) },
});

const RANK = { completionKind: 'metric', requirementKey: 'BlocksMined', label: 'Blocks Mined', difficulty: 0, status: 'decoded' } as const;
const MEMBER = { rel: 'member_of', target: 'prefabs/collections/collection_mount.binfab', qty: null, owner: null } as const;
const NODE = { systemKind: 'geode_module', systemKey: 'module_demo', requires: [] as string[], effects: {} } as const;

beforeAll(async () => {
  const writes = createCodexWrites(createDatabase(env.DB));
  const staged: Staged = {};
  for (const entry of SMALL_CODEX) stageEntry(staged, entry, 'first', 'added');
  const units = groupIntoUnits({
    links: [{ ...MEMBER, source: PATHS.cat.toLowerCase(), order: 0, data: { group: 'Felines' } }],
    requirements: [
      { ...RANK, collection: 'collections/badge/silver', badgeId: 'mining', rank: 2, rankName: 'silver', amount: 500, context: {} },
      { ...RANK, collection: 'collections/badge/bronze', badgeId: 'mining', rank: 1, rankName: 'bronze', amount: 100, context: {} },
    ],
    upgrades: [
      { ...NODE, nodeKey: 'module_demo_02', rank: 2, costs: [] },
      { ...NODE, nodeKey: 'module_demo_01', rank: 1, costs: [{ item: 'item/crafting/ore', quantity: 10 }] },
    ],
  });
  for (const unit of units) stageUnit(staged, unit, 'first');
  await writes.stageRows(BRANCH, 1, staged);
  await writes.applyBuild({ branch: BRANCH, ordinal: 1, parserVersion: PARSER_VERSION, now: NOW });
  const contents = createContentStore(env.ARCHIVE);
  const dumps = createDumpWrites(createDatabase(env.DB), contents);
  await writeDump({ writes, contents, dumps, baseUrl: '' }, { branch: BRANCH, ordinal: 1, now: NOW });
});

const get = (path: string, headers: Record<string, string> = {}) => call(`/v1/codexes/${path}`, { headers }, app);
const bodyOf = async (path: string) => {
  const { status, text } = await get(path);
  expect(status, `${path}: ${text}`).toBe(200);
  return JSON.parse(text);
};
const statusOf = async (path: string) => (await get(path)).status;
/** Short names of the listed entries, and the total. */
const found = async (path: string) => {
  const { items, total } = await bodyOf(path);
  const names = new Map<string, string>(Object.entries(PATHS).map(([name, at]) => [at, name]));
  return [items.map((item: { path: string }) => names.get(item.path)).join(' '), total];
};

describe('GET /v1/codexes/types', () => {
  it('counts the entries of each type', async () => {
    expect(await bodyOf('types')).toEqual({
      branch: BRANCH,
      items: [
        { type: 'ally', count: 1 },
        { type: 'item', count: 1 },
        { type: 'mount', count: 3 },
        { type: 'recipe', count: 1 },
      ],
      count: 4,
    });
    expect(await statusOf('types?branch=nowhere')).toBe(404);
  });
});

describe('GET /v1/codexes/{type}/entry', () => {
  it('returns every field', async () => {
    expect(await bodyOf(`mount/entry?path=${PATHS.cat}`)).toEqual({
      type: 'mount',
      path: PATHS.cat,
      name: 'Cat',
      category: 'Felines',
      description: 'It purrs.',
      tradable: true,
      mastery: 50,
      mastery_geode: 10,
      power_rank: null,
      blueprint: null,
      image_url: null,
      data: {},
      indexed_at: '2026-06-08T14:54:12.000Z',
    });
  });

  it('returns 404 for another type, branch or case, and 422 without a path', async () => {
    expect(await statusOf(`dragon/entry?path=${PATHS.cat}`)).toBe(404);
    expect(await statusOf(`mount/entry?branch=pts&path=${PATHS.cat}`)).toBe(404);
    expect(await statusOf(`mount/entry?path=${PATHS.cat.toLowerCase()}`)).toBe(404);
    expect(await statusOf('mount/entry')).toBe(422);
  });
});

describe('GET /v1/codexes/entries', () => {
  it('returns the selected fields of entries in the requested order', async () => {
    expect(await bodyOf(`entries?fields=name&paths=${PATHS.ore}&paths=prefabs/nothing.binfab&paths=${PATHS.cat}`)).toEqual({
      branch: BRANCH,
      items: [
        { type: 'item', path: PATHS.ore, name: 'Ore' },
        { type: 'mount', path: PATHS.cat, name: 'Cat' },
      ],
      missing: ['prefabs/nothing.binfab'],
      count: 2,
    });
    expect(await statusOf('entries')).toBe(422);
    expect(await statusOf(`entries?${Array(201).fill('paths=a').join('&')}`)).toBe(422);
  });
});

describe('GET /v1/codexes/search', () => {
  it.each([
    ['name', 'ant cat recipe lion ore pup'],
    ['-name', 'pup ore lion cat recipe ant'],
    ['category', 'cat lion ant ore recipe pup'],
    ['-category', 'pup recipe ore ant cat lion'],
    ['mastery', 'recipe ant pup cat lion ore'],
    ['-mastery', 'cat pup ant recipe lion ore'],
    ['mastery_geode', 'cat ant recipe lion ore pup'],
    ['-power_rank', 'lion ant cat recipe ore pup'],
    ['-indexed_at', 'ant cat recipe lion ore pup'],
    ['-stat_value', 'ant cat recipe lion ore pup'],
  ])('sorts by %s, nulls last, then by name and path', async (sort, expected) => {
    expect(await found(`search?sort=${sort}`)).toEqual([expected, 6]);
  });

  it.each([
    ['q=CAT', 'cat recipe lion', 3],
    ['q=%20cat%20', 'cat recipe lion', 3],
    ['q=%20', 'ant cat recipe lion ore pup', 6],
    ['q=%25', 'pup', 1],
    ['q=l_y', '', 0],
    ['q=l_', 'pup', 1],
    ['q=g.', 'pup', 1],
    ['q=zzz', '', 0],
    ['category=Felines', 'cat lion', 2],
    ['category=felines', '', 0],
    ['tradable=true', 'cat ore pup', 3],
    ['tradable=false', 'lion', 1],
    ['stat=movementspeed', 'cat lion pup', 3],
    ['stat=movementspeed&sort=stat_value', 'cat lion pup', 3],
    ['stat=movementspeed&sort=-stat_value', 'lion cat pup', 3],
    [`ability=${POUNCE}`, 'cat pup', 2],
    [`ability=${POUNCE}&stat=${SPEED}&tradable=true&q=it&type=mount&category=Felines`, 'cat', 1],
    ['q=cat&limit=1&offset=1', 'recipe', 3],
    ['q=cat&offset=3', '', 3],
    ['q=&type=&category=', 'ant cat recipe lion ore pup', 6],
    ['branch=pts', '', 0],
  ])('finds entries with %s', async (query, expected, total) => {
    expect(await found(`search?${query}`)).toEqual([expected.trim(), total]);
  });

  it('returns the best value of the requested stat', async () => {
    const { items } = await bodyOf('search?stat=MovementSpeed&sort=-stat_value&fields=name');
    expect(items).toEqual([
      { type: 'mount', path: PATHS.lion, name: 'Lion', stat_value: 100, stat_percent: false },
      { type: 'mount', path: PATHS.cat, name: 'Cat', stat_value: 90, stat_percent: false },
      { type: 'ally', path: PATHS.pup, name: 'Pup', stat_value: null, stat_percent: false },
    ]);
  });

  it('returns 404 or 422 for invalid parameters', async () => {
    expect(await statusOf('search?type=nothing')).toBe(404);
    expect(await statusOf('search?fields=colour')).toBe(422);
  });
});

describe('GET /v1/codexes/{type}', () => {
  it('lists the entries of a type in pages', async () => {
    expect(await found('mount')).toEqual(['ant cat lion', 3]);
    expect(await found('mount?limit=1&offset=1')).toEqual(['cat', 3]);
    expect(await found('mount?sort=-mastery')).toEqual(['cat ant lion', 3]);
    expect(await found('mount?search=king')).toEqual(['lion', 1]);
    expect(await found('dragon')).toEqual(['', 0]);
  });

  it('returns 400, 404 or 422 for invalid parameters', async () => {
    expect(await statusOf('mount?sort=color')).toBe(400);
    expect(await statusOf('mount?limit=201')).toBe(422);
    expect(await statusOf('nothing')).toBe(404);
  });
});

describe('GET /v1/codexes/{type}/categories, /stat-keys and /abilities', () => {
  it('returns values with their number of entries', async () => {
    expect((await bodyOf('mount/categories')).items).toEqual([
      { category: 'Felines', count: 2 },
      { category: 'Insects', count: 1 },
    ]);
    expect((await bodyOf('mount/stat-keys')).items).toEqual([
      { stat: LIGHT, stat_name: 'Light', count: 1 },
      { stat: SPEED, stat_name: 'Movement Speed', count: 2 },
    ]);
    expect((await bodyOf('ally/abilities')).items).toEqual([
      { ref: POUNCE, name: 'Pounce', description: `By ${POUNCE}.`, count: 1 },
      { ref: HOWL, name: 'Howl', description: `By ${HOWL}.`, count: 1 },
    ]);
    expect(await statusOf('nothing/categories')).toBe(404);
  });
});

describe('GET /v1/codexes/stats', () => {
  it.each([SPEED, 'movementspeed', 'MOVEMENTSPEED'])('lists each entry with %s once, with its best value', async (stat) => {
    const body = await bodyOf(`stats?stat=${stat}`);
    expect([body.stat, body.total]).toEqual([SPEED, 3]);
    expect(body.items.map(({ name, value }: { name: string; value: number | null }) => [name, value])).toEqual([
      ['Lion', 100],
      ['Cat', 90],
      ['Pup', null],
    ]);
  });

  it('returns an empty page for an unknown stat and 422 without `stat`', async () => {
    expect(await bodyOf('stats?stat=Nothing')).toEqual({ branch: BRANCH, stat: '$Stat_Nothing', items: [], count: 0, total: 0 });
    expect(await statusOf('stats')).toBe(422);
  });
});

describe('GET /v1/codexes/links', () => {
  it('returns outgoing relations, including targets without an entry', async () => {
    const { items, total } = await bodyOf(`links?path=recipe_cat&rel=ingredient`);
    const nothing = { type: null, name: '', category: '', blueprint: null, image_url: null };
    expect([items, total]).toEqual([
      [
        {
          rel: 'ingredient',
          path: PATHS.ore,
          type: 'item',
          name: 'Ore',
          category: 'Materials',
          blueprint: null,
          image_url: null,
          qty: 5,
          data: {},
        },
        { rel: 'ingredient', path: 'prefabs/item/crafting/unknown.binfab', ...nothing, qty: 2, data: {} },
      ],
      2,
    ]);
  });

  it('returns incoming relations for any form of a path', async () => {
    for (const path of [PATHS.ore, 'item/crafting/ore', 'ITEM\\crafting\\ORE']) {
      expect(await found(`links?direction=in&path=${encodeURIComponent(path)}`), path).toEqual(['recipe', 1]);
    }
    expect(await found(`links?direction=in&path=${PATHS.cat}`)).toEqual(['recipe', 1]);
    expect(await found('links?path=nothing')).toEqual(['', 0]);
  });

  it('returns 400 or 422 for invalid parameters', async () => {
    expect(await statusOf('links?path=a&rel=friend')).toBe(400);
    expect(await statusOf('links?path=a&direction=up')).toBe(400);
    expect(await statusOf('links')).toBe(422);
  });
});

describe('GET /v1/codexes/requirements and /v1/codexes/upgrades', () => {
  it('returns the complete ladder of a badge, by rank', async () => {
    const { items } = await bodyOf('requirements?collection=collections/badge/silver');
    expect(items.map((row: { rank_name: string; amount: number }) => [row.rank_name, row.amount])).toEqual([
      ['bronze', 100],
      ['silver', 500],
    ]);
    expect((await bodyOf('requirements?collection=collections/badge/none')).items).toEqual([]);
  });

  it('returns systems and their nodes, by rank', async () => {
    expect((await bodyOf('upgrades')).items).toEqual([{ system_kind: 'geode_module', system_key: 'module_demo', nodes: 2 }]);
    const shared = { system_kind: 'geode_module', system_key: 'module_demo', requires: [], effects: {} };
    expect((await bodyOf('upgrades/module_demo')).items).toEqual([
      { ...shared, node_key: 'module_demo_01', rank: 1, costs: [{ item: 'item/crafting/ore', quantity: 10 }] },
      { ...shared, node_key: 'module_demo_02', rank: 2, costs: [] },
    ]);
    expect(await statusOf('upgrades/nothing')).toBe(404);
  });
});

describe('GET /v1/codexes/dump', () => {
  it('exports every entry by path, with the content hash as ETag', async () => {
    const dump = await get('dump');
    const lines = dump.text.trimEnd().split('\n');
    const { cat, ant, lion, pup, ore, recipe } = PATHS;
    expect(lines.map((line) => JSON.parse(line).path)).toEqual([cat, ant, lion, pup, ore, recipe]);
    expect(dump.headers.get('ETag')).toBe(`"${await sha256Of(new Uint8Array(dump.bytes))}"`);
    expect((await get('dump', { 'If-None-Match': dump.headers.get('ETag') ?? '' })).status).toBe(304);
    expect(await statusOf('dump?branch=pts')).toBe(404);
  });

  it('names its version, also while the list of changes has a newer one and in an isolate that read the branch before', async () => {
    const ordinalOf = async (query = '') => (await get(`dump${query}`)).headers.get('Codex-Ordinal');
    expect([await ordinalOf(), await ordinalOf('?ordinal=1')]).toEqual(['1', '1']);
    const change = async (sql: string) => env.DB.prepare(sql).run();
    await change(`UPDATE codex_branches SET ordinal = 2 WHERE branch = '${BRANCH}'`);
    expect([await ordinalOf(), (await bodyOf('changes?since=1')).ordinal]).toEqual(['1', 2]);
    await change(`INSERT INTO codex_dumps (branch, ordinal, sha256, size, created_at)
      SELECT branch, 2, sha256, size, created_at FROM codex_dumps WHERE branch = '${BRANCH}'`);
    expect([await ordinalOf(), await ordinalOf('?ordinal=1')]).toEqual(['2', '1']);
    await change(`DELETE FROM codex_dumps WHERE ordinal = 2`);
    await change(`UPDATE codex_branches SET ordinal = 1 WHERE branch = '${BRANCH}'`);
  });
});

describe('codexes store', () => {
  it('uses an index on every large table', async () => {
    const services = PLANS.map((forced) => serviceWithPlan(createCodexesStore(createDatabase(database)), forced));
    const texts = [{ text: 'at' }, { text: 'cat' }];
    const filters = [
      {},
      ...texts,
      { category: 'Felines' },
      { stat: SPEED },
      { ability: POUNCE },
      { tradable: true, stat: SPEED, text: 'cat' },
    ];
    for (const type of [null, 'mount'] as const) {
      for (const filter of filters) {
        for (const sort of SORTS) {
          for (const service of services) await service.listEntries(type, { branch: BRANCH, ...filter, sort, limit: 5, offset: 0 });
        }
      }
    }
    expect(statements.size).toBeGreaterThan(100);
    expect(await scansOf(statements, [...ENTRY_TABLES, ...PROGRESS_TABLES, ...ALIASES])).toEqual([]);
  });
});

it('returns the first build of a branch immediately, without the cache delay', async () => {
  expect(await bodyOf('search?branch=pts')).toMatchObject({ items: [], total: 0 });
  const writes = createCodexWrites(createDatabase(env.DB));
  const staged: Staged = {};
  for (const entry of SMALL_CODEX) stageEntry(staged, entry, 'first', 'added');
  await writes.stageRows('pts', 1, staged);
  await writes.applyBuild({ branch: 'pts', ordinal: 1, parserVersion: PARSER_VERSION, now: NOW });
  expect(await bodyOf('search?branch=pts&limit=1')).toMatchObject({ count: 1, total: SMALL_CODEX.length });
});
