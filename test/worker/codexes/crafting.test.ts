import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { DerivedEntry } from '../../../src/areas/codexes/derive/derive-entry.domain.ts';
import { type Staged, stageEntry } from '../../../src/areas/codexes/derive/staging.domain.ts';
import { createCodexWrites } from '../../../src/areas/codexes/indexer/codex-writes.store.ts';
import { PARSER_VERSION } from '../../../src/areas/codexes/parse/codex-parse.domain.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { PATHS, SMALL_CODEX } from '../../support/codex/small-codex.ts';
import { bearer, call } from '../../support/requests.ts';
import { createToken } from '../../support/tokens.ts';
import { clearMarket, NOW, openMarket } from '../market/market.ts';

const BRANCH = 'live-us';
const TREE = '/v1/codexes/recipes/tree';
const UNKNOWN = 'prefabs/item/crafting/unknown.binfab';

const PAIR = 'prefabs/recipes/recipe_pair.binfab';

/** A recipe that makes two lions and an ant. */
function pairRecipe(): DerivedEntry {
  const [recipe] = SMALL_CODEX.filter(({ entry }) => entry.path === PATHS.recipe);
  if (!recipe) throw new Error('no recipe');
  const link = (rel: 'crafts' | 'ingredient', target: string, order: number, qty: number) => {
    return { rel, source: PAIR, target, order, qty, data: {}, owner: PAIR };
  };
  const links = [link('crafts', PATHS.lion, 0, 2), link('crafts', PATHS.ant, 1, 1), link('ingredient', PATHS.ore, 0, 3)];
  return { ...recipe, entry: { ...recipe.entry, path: PAIR }, links };
}

describe('GET /v1/codexes/recipes/tree', () => {
  let market: Awaited<ReturnType<typeof openMarket>>;
  beforeAll(async () => {
    const writes = createCodexWrites(createDatabase(env.DB));
    const staged: Staged = {};
    for (const entry of [...SMALL_CODEX, pairRecipe()]) stageEntry(staged, entry, 'first', 'added');
    await writes.stageRows(BRANCH, 1, staged);
    await writes.applyBuild({ branch: BRANCH, ordinal: 1, parserVersion: PARSER_VERSION, now: NOW });
    await clearMarket();
    market = await openMarket();
    // Tracked items only are stored: `Ore` has to be one.
    await env.DB.prepare("UPDATE codex_entries SET name = 'Sun Sap' WHERE path = ?").bind(PATHS.ore).run();
    await market.insert([{ price: 7 }]);
  });

  const read = async (query: string, authorization: string | null = null) => {
    const { status, text } = await call(`${TREE}?${query}`, { authorization, now: NOW }, market.fetch);
    return { status, body: JSON.parse(text) };
  };

  it('returns the tree of an item with its materials, without prices for a client without the scope', async () => {
    const { status, body } = await read(`path=${PATHS.cat}&quantity=2`);
    expect(status).toBe(200);
    expect(
      body.nodes.map(({ path, name, quantity, recipe, times }: Record<string, unknown>) => [path, name, quantity, recipe, times]),
    ).toEqual([
      [PATHS.cat, 'Cat', 2, PATHS.recipe, 2],
      [PATHS.ore, 'Sun Sap', 10, null, null],
      [UNKNOWN, 'Unknown', 4, null, null],
    ]);
    expect(body).toMatchObject({
      branch: BRANCH,
      path: PATHS.cat,
      name: 'Cat',
      count: 3,
      cost: null,
      truncated: false,
      omitted: ['prices'],
    });
    expect(body.materials.map(({ name, quantity }: Record<string, unknown>) => [name, quantity])).toEqual([
      ['Sun Sap', 10],
      ['Unknown', 4],
    ]);
    const other = await read(`path=${PATHS.cat}&quantity=2`, bearer(await createToken({ scopes: 64 })));
    expect(other.body.omitted).toEqual(['prices']);
  });

  it('returns market prices for a token with the scope', async () => {
    const { body } = await read(`path=${PATHS.ore}&quantity=3`, bearer(await createToken()));
    expect(body).toMatchObject({ cost: 21, omitted: [] });
    expect(body.nodes[0]).toMatchObject({ unit_price: 7, buy_cost: 21, make_cost: null, choice: 'buy' });
  });

  it('accepts the path of a recipe, in any form', async () => {
    const { body } = await read('path=recipe_CAT');
    expect([body.path, body.nodes[0].recipe]).toEqual([PATHS.cat, PATHS.recipe]);
  });

  it('returns the tree of each product of a recipe with several; that of the recipe is that of the first', async () => {
    const [ofRecipe, ofSecond] = [await read('path=recipe_pair&quantity=3'), await read(`path=${PATHS.ant}`)];
    expect(ofRecipe.body.path).toBe(PATHS.lion);
    expect(ofRecipe.body.nodes).toMatchObject([
      { path: PATHS.lion, recipe: PAIR, times: 2, made: 4 },
      { path: PATHS.ore, quantity: 6 },
    ]);
    expect(ofSecond.body.nodes).toMatchObject([
      { path: PATHS.ant, recipe: PAIR },
      { path: PATHS.ore, quantity: 3 },
    ]);
  });

  it('returns 404 for a path without an entry, and 422 for an invalid quantity', async () => {
    expect((await read('path=item/nothing')).status).toBe(404);
    expect((await read(`path=${PATHS.cat}&branch=nowhere`)).status).toBe(404);
    for (const query of ['path=', `path=${PATHS.cat}&quantity=0`, `path=${PATHS.cat}&quantity=1000001`]) {
      expect((await read(query)).status).toBe(422);
    }
  });

  it('returns the nodes as CSV', async () => {
    const { text } = await call(`${TREE}?path=${PATHS.cat}&format=csv`, { now: NOW }, market.fetch);
    expect(text.split('\r\n')[0]).toContain('id,parent,depth,path,type,name');
    expect(text.trim().split('\r\n')).toHaveLength(4);
  });
});
