import { z } from '@hono/zod-openapi';
import { modelImageUrl } from '../../../game/model-image.ts';
import type { Caller } from '../../../platform/access/policy/admission.ts';
import type { Ports } from '../../../platform/area/area.ts';
import { enumOf, integer, integerOrNull, namedEnum, numberOrNull, string } from '../../../platform/http/bodies/body-schemas.ts';
import { defineRoute, type Endpoint } from '../../../platform/http/pipeline/define-route.ts';
import { integerWithDefault } from '../../../platform/http/pipeline/query-schemas.ts';
import { json } from '../../../platform/http/replies/reply.ts';
import { listTable } from '../../../platform/http/tables/table.ts';
import { notFound } from '../../../platform/kit/errors/api-error.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { Settings } from '../../../platform/settings/settings.data.ts';
import { shared } from '../api/entries.routes.ts';
import { textOrNull } from '../api/entry-data.schemas.ts';
import { branch } from '../api/queries.schemas.ts';
import { CODEX_TYPES } from '../codex-types.data.ts';
import { buildTree, MAX_TREE_DEPTH, MAX_TREE_NODES, materialsOf, type TreeNode } from './recipe-tree.domain.ts';
import type { RecipeTreeStore } from './recipe-tree.store.ts';

const MAX_QUANTITY = 1_000_000;
const PATH = 'prefabs/collections/mount/cat.binfab';
const RECIPE = 'prefabs/recipes/recipe_cat.binfab';
const MATERIAL = 'prefabs/item/crafting/ore.binfab';
const PRICES = 'prices';
const quantity = integer('Quantity of the item.', 5);

export const TreeQuery = z.object({
  branch,
  path: z.string().min(1).max(1024).openapi({ description: 'Item or recipe; accepts any form of a path.', example: PATH }),
  quantity: integerWithDefault({
    min: 1,
    max: MAX_QUANTITY,
    default: 1,
    example: 1,
    description: `Quantity of the item to make, 1 to ${MAX_QUANTITY}.`,
  }),
});

const NodeBody = z
  .object({
    id: integer('Position in `nodes`, from 0.', 1),
    parent: integerOrNull('`id` of the node that needs this item; null for the root.', 0),
    depth: integer('Distance from the root.', 1),
    path: string('Path of the item.', MATERIAL),
    type: enumOf(CODEX_TYPES).nullable().openapi({ description: 'Type of codex; null if the item is not an entry.', example: 'item' }),
    name: string('Name of the item.', 'Ore'),
    image_url: z
      .string()
      .nullable()
      .openapi({ description: 'URL of an image of the model, 256 x 256 pixels; null without a model.', example: null }),
    quantity,
    recipe: textOrNull('Path of the recipe that makes the item; null without one.', RECIPE),
    times: integerOrNull('How often to make the recipe; null without ingredients in the tree.', 1),
    made: integerOrNull('What the recipe then makes: at least `quantity`.', 1),
    other_recipes: integer('Number of other recipes for the item.', 0),
    cut: namedEnum('CraftingCut', 'Why the ingredients of an item are not in the tree.', ['cycle', 'depth', 'size'])
      .nullable()
      .openapi({
        description: `Why a recipe has no ingredients here: \`cycle\` (the item needs itself), \`depth\` (more than ${MAX_TREE_DEPTH} levels) or \`size\` (more than ${MAX_TREE_NODES} nodes); null if nothing is missing.`,
        example: null,
      }),
    unit_price: numberOrNull('Median unit price of the active market listings; null if unknown.', 160),
    buy_cost: numberOrNull('Cost of buying the quantity, 3 decimals; null if the price is unknown.', 800),
    make_cost: numberOrNull('Cost of the ingredients, each at its lower cost; null if one is unknown.', null),
    cost: numberOrNull('The lower cost; null if both are unknown.', 800),
    choice: namedEnum('CraftingChoice', 'The cheaper way to get an item.', ['make', 'buy'])
      .nullable()
      .openapi({ description: 'The cheaper way; null if both costs are unknown.', example: 'buy' }),
  })
  .openapi('CraftingNode', { description: 'A quantity of an item in a crafting tree.' });

const MaterialBody = z
  .object({
    path: string('Path of the item.', MATERIAL),
    name: string('Name of the item.', 'Ore'),
    quantity,
    unit_price: numberOrNull('Median unit price; null if unknown.', 160),
    cost: numberOrNull('Cost of the quantity; null if unknown.', 800),
  })
  .openapi('CraftingMaterial', { description: 'An item to obtain.' });

export const TreeBody = z
  .object({
    branch: string('Branch.', 'live-us'),
    path: string('Path of the item.', PATH),
    name: string('Name of the item.', 'Cat'),
    quantity,
    cost: numberOrNull('Lowest known cost of the whole quantity; null if unknown.', 800),
    nodes: z.array(NodeBody).openapi({ description: 'The tree, depth first: each item is followed by its ingredients.' }),
    materials: z.array(MaterialBody).openapi({
      description: 'What to obtain when each item is made or bought, whichever costs less; without prices, what everything is made of.',
    }),
    count: integer('Number of nodes.', 3),
    truncated: z
      .boolean()
      .openapi({ description: 'Whether ingredients are missing because of the depth or size of the tree.', example: false }),
    omitted: z.array(z.string()).openapi({
      description: '`prices` if the token lacks the scope `market:read` or the market is switched off: all costs are then null.',
      example: [],
    }),
  })
  .openapi('CraftingTree', { description: 'What an item is made of, and what it costs.' });

interface CraftingDeps {
  trees: RecipeTreeStore;
  findPrices: Ports['unitPrices'];
}

/** `makesRoot`: the materials are those of making the item, even if buying it costs less. */
type TreeRequest = z.output<typeof TreeQuery> & { makesRoot?: boolean };

/** Reads a crafting tree. Throws 404 if neither an entry nor a recipe has the path. */
export function createCraftingReader({ trees, findPrices }: CraftingDeps) {
  return async (query: TreeRequest, caller: Caller | null, settings: Settings, now: UnixSeconds, baseUrl: string) => {
    const [graph, prices] = await Promise.all([trees.readGraph(query.branch, query.path), findPrices(caller, settings, now)]);
    if (!graph.entries.has(graph.item) && graph.edges.length === 0) throw notFound('no item or recipe has this path');
    const nodes = buildTree({ ...graph, quantity: query.quantity, prices: prices ?? new Map() });
    const [root] = nodes;
    const body: z.infer<typeof TreeBody> = {
      branch: query.branch,
      path: root?.path ?? graph.item,
      name: root?.name ?? '',
      quantity: query.quantity,
      cost: root?.cost ?? null,
      nodes: nodes.map((node) => toNodeBody(node, baseUrl, query.branch)),
      materials: materialsOf(nodes, query.makesRoot).map(({ unitPrice, ...material }) => ({ ...material, unit_price: unitPrice })),
      count: nodes.length,
      truncated: nodes.some(({ cut }) => cut === 'depth' || cut === 'size'),
      omitted: prices === null ? [PRICES] : [],
    };
    return body;
  };
}

export type CraftingReader = ReturnType<typeof createCraftingReader>;

function toNodeBody(node: TreeNode, baseUrl: string, branchName: string): z.infer<typeof NodeBody> {
  const { blueprint, otherRecipes, unitPrice, buyCost, makeCost, ...rest } = node;
  return {
    ...rest,
    image_url: modelImageUrl(baseUrl, blueprint, branchName),
    other_recipes: otherRecipes,
    unit_price: unitPrice,
    buy_cost: buyCost,
    make_cost: makeCost,
  };
}

/** `GET /v1/codexes/recipes/tree`. Must be registered before the routes of a type. */
export function createCraftingEndpoint(readTree: CraftingReader): Endpoint {
  return defineRoute({
    ...shared,
    path: '/v1/codexes/recipes/tree',
    dependsOnToken: true,
    operationId: 'getCraftingTree',
    summary: 'Get a crafting tree',
    description:
      'Returns what an item is made of, down to materials without a recipe, with quantities and, for tokens with the scope `market:read`, with the median market prices and the cheaper of making and buying at each step. Items with several recipes use the first of the catalogue; the path of a recipe selects it.',
    query: TreeQuery,
    errors: ['not_found'],
    ok: { description: 'The tree.', schema: TreeBody },
    table: listTable(TreeBody, 'nodes'),
  }).handle(async ({ query, caller, settings, now, baseUrl }) => json(await readTree(query, caller, settings, now, baseUrl)));
}
