import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { createModelLookup } from '../../../src/areas/codexes/api/model-lookup.service.ts';
import type { CodexType } from '../../../src/areas/codexes/codex-types.data.ts';
import { type Staged, stageEntry } from '../../../src/areas/codexes/derive/staging.domain.ts';
import { createCodexWrites } from '../../../src/areas/codexes/indexer/codex-writes.store.ts';
import { PARSER_VERSION } from '../../../src/areas/codexes/parse/codex-parse.domain.ts';
import { createMarketInserts } from '../../../src/areas/market/insert.store.ts';
import { createReportsStore } from '../../../src/areas/rotations/reports/reports.store.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { derivedEntry } from '../../support/codex/small-codex.ts';
import { call, FIRST_INSTANT, ORIGIN } from '../../support/requests.ts';
import { createToken } from '../../support/tokens.ts';

const STAT = '$Stat_Light';
const WEEK_START = 1_773_140_400;
const db = createDatabase(env.DB);

/** Path, name and model of entries. */
const ENTRIES: [path: string, name: string, blueprint: string | null][] = [
  ['prefabs/item/crafting/sun_sap.binfab', 'Sun Sap', 'Item Sap & [Ann].blueprint'],
  ['prefabs/item/crafting/sun_sap_notrade.binfab', 'Sun Sap', 'variant.blueprint'],
  ['prefabs/recipes/recipe_sun_sap.binfab', 'Sun Sap', 'recipe.blueprint'],
  ['prefabs/item/plain.binfab', 'Plain', null],
  ['prefabs/item/token_a.binfab', 'Dragon', 'a.blueprint'],
  ['prefabs/item/mount/token_b.binfab', 'Dragon', 'b.blueprint'],
  ['prefabs/item/twin_a.binfab', 'Twin', 'a.blueprint'],
  ['prefabs/item/twin_c.binfab', 'twin', 'c.blueprint'],
  ['prefabs/item/same_a.binfab', 'Same', 'a.blueprint'],
  ['prefabs/item/same_b.binfab', 'Same', 'a.blueprint'],
  ['prefabs/item/x_debug.binfab', 'Debugged', 'debug.blueprint'],
  ['prefabs/item/mount/x.binfab', 'Debugged', 'body.blueprint'],
  ['prefabs/collections/mount/x.binfab', 'Steed', 'collected.blueprint'],
  ['prefabs/item/mount/rider.binfab', 'Steed', 'body.blueprint'],
  ['prefabs/recipes/recipe_only.binfab', 'Only Recipe', 'recipe.blueprint'],
  ['prefabs/collections/pet/only.binfab', 'Only Recipe', 'collected.blueprint'],
];

async function index(branch: string): Promise<void> {
  const writes = createCodexWrites(db);
  const staged: Staged = {};
  for (const [path, name, blueprint] of ENTRIES) {
    const type: CodexType = path.includes('/recipes/') ? 'recipe' : path.includes('/collections/') ? 'mount' : 'item';
    const stat = { path, order: 0, stat: STAT, statName: 'Light', value: 1, isPercent: false, slot: null, level: 0 };
    const link = { rel: 'crafts', source: path, target: ENTRIES[0]?.[0] ?? '', order: 0, qty: 1, data: {}, owner: path } as const;
    stageEntry(staged, derivedEntry({ type, path, name, tradable: true, blueprint }, { stats: [stat], links: [link] }), path, 'added');
  }
  await writes.stageRows(branch, 1, staged);
  await writes.applyBuild({ branch, ordinal: 1, parserVersion: PARSER_VERSION, now: FIRST_INSTANT });
}

const SAP_URL = `${ORIGIN}/v1/codexes/render?blueprint=Item%20Sap%20%26%20%5BAnn%5D.blueprint&dim=256`;
const SAP = ENTRIES[0]?.[0] ?? '';

beforeAll(async () => {
  await index('live-us');
  await index('pts');
});

interface Imaged {
  image_url: string | null;
  name: string;
  path: string;
}

const bodyOf = async (path: string, options: { authorization?: string; now?: number } = {}) => {
  const { status, text } = await call(path, options);
  expect(status, text).toBe(200);
  return JSON.parse(text);
};

describe('image_url of codex entries', () => {
  it('is the URL of the image of the model', async () => {
    expect((await bodyOf(`/v1/codexes/item/entry?path=${SAP}`)).image_url).toBe(SAP_URL);
    expect((await bodyOf('/v1/codexes/item/entry?path=prefabs/item/plain.binfab')).image_url).toBeNull();
  });

  it('includes a non-default branch', async () =>
    expect((await bodyOf(`/v1/codexes/item/entry?path=${SAP}&branch=pts`)).image_url).toBe(`${SAP_URL}&branch=pts`));

  it.each([
    '/v1/codexes/item?search=sap',
    '/v1/codexes/search?q=sap',
    `/v1/codexes/entries?paths=${SAP}`,
    '/v1/codexes/item?search=sap&fields=image_url',
    `/v1/codexes/stats?stat=${encodeURIComponent(STAT)}&type=item&limit=200`,
    `/v1/codexes/links?path=${SAP}`,
  ])('is in the items of %s', async (path) => {
    const { items } = (await bodyOf(path)) as { items: Imaged[] };
    expect(items.find((item) => item.path === SAP)?.image_url).toBe(SAP_URL);
  });

  it('is omitted if `fields` does not include it', async () => {
    const { items } = await bodyOf('/v1/codexes/item?search=sap&fields=name');
    expect(items[0]).toEqual({ type: 'item', path: expect.any(String), name: 'Sun Sap' });
  });
});

describe('createModelLookup', () => {
  it('finds the model of a name', async () => {
    const names = ['Sun Sap', 'SUN SAP', 'Plain', 'Dragon', 'Twin', 'Same', 'Debugged', 'Steed', 'Only Recipe', 'Unknown', ''];
    expect(Object.fromEntries(await createModelLookup(db).find(names))).toEqual({
      'Sun Sap': 'Item Sap & [Ann].blueprint',
      'SUN SAP': 'Item Sap & [Ann].blueprint',
      Dragon: 'a.blueprint',
      Same: 'a.blueprint',
      Debugged: 'debug.blueprint',
      Steed: 'body.blueprint',
      'Only Recipe': 'collected.blueprint',
    });
  });

  it('runs no query without names', async () => expect((await createModelLookup(db).find([])).size).toBe(0));
});

describe('image_url of items', () => {
  it('is in market responses', async () => {
    const listing = { id: '5f0f8e80-6a1c-11ef-9a3e-01005161a8df', type: 'Crafting', stack: 1, price: 5, milliEach: 5000 };
    const now = FIRST_INSTANT;
    await createMarketInserts(db).save([{ ...listing, name: 'Sun Sap', createdAt: now }], now);
    await createMarketInserts(db).save([{ ...listing, id: `6${listing.id.slice(1)}`, name: 'Twin', createdAt: now }], now);
    const authorization = `Bearer ${await createToken()}`;
    const read = (path: string) => bodyOf(`/v1/market/${path}`, { authorization, now });
    const { items } = (await read('listings')) as { items: Imaged[] };
    expect(Object.fromEntries(items.map(({ name, image_url }) => [name, image_url]))).toEqual({ 'Sun Sap': SAP_URL, Twin: null });
    expect((await read('items/Sun%20Sap/summary')).image_url).toBe(SAP_URL);
    expect((await read('items/Twin/summary')).image_url).toBeNull();
    expect(await read('items')).toEqual({ items: ['Sun Sap', 'Twin'], count: 2, image_urls: { 'Sun Sap': SAP_URL } });
  });

  it('is in chaos chest, history and snapshot responses', async () => {
    const captures = createReportsStore(db);
    await captures.saveChaosChest({ weekAnchorAt: WEEK_START - 604_800, name: 'Twin', capturedAt: WEEK_START - 600_000 });
    await captures.saveChaosChest({ weekAnchorAt: WEEK_START, name: 'Sun Sap', capturedAt: WEEK_START + 60 });
    const now = WEEK_START + 120;
    const chest = await bodyOf('/v1/rotations/chaos-chest', { now });
    expect(chest.item).toEqual({ name: 'Sun Sap', identifier: null, blueprint: 'Item Sap & [Ann].blueprint', image_url: SAP_URL });
    expect((await bodyOf('/v1/snapshot?include=chaos-chest', { now })).parts['chaos-chest']).toEqual(chest);
    const { items } = (await bodyOf('/v1/rotations/chaos-chest/history', { now })) as { items: Imaged[] };
    expect(items.map(({ image_url }) => image_url)).toEqual([SAP_URL, null]);
  });
});
