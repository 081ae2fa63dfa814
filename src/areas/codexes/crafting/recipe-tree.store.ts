import { sql } from 'drizzle-orm';
import type { PublicReads } from '../../../platform/storage/database.ts';
import { runInOneTransaction } from '../../../platform/storage/database.ts';
import { linkPath } from '../paths.domain.ts';
import type { RecipeEdge, TreeEntry } from './recipe-tree.domain.ts';

/** Bounds of one read: a tree has at most 500 nodes, but alternative recipes are read too. */
const MAX_ITEMS = 2000;
const MAX_EDGES = 8000;

/** The recipes below an item. */
interface RecipeGraph {
  /** Lower-case path of the item; that of the product if a recipe was requested. */
  item: string;
  /** Lower-case path of the requested recipe; null if an item was requested. */
  recipe: string | null;
  edges: RecipeEdge[];
  /** Entries of the items and recipes, by lower-case path. */
  entries: Map<string, TreeEntry>;
}

/** Reads of recipes. */
export function createRecipeTreeStore(reads: PublicReads) {
  return {
    /** The recipes of an item, of its ingredients and so on, in one batch. `reference`: any form of the path of an item or a recipe. */
    async readGraph(branch: string, reference: string): Promise<RecipeGraph> {
      const root = linkPath(reference);
      const reached = sql`WITH RECURSIVE reached (path) AS (
          SELECT ${root} UNION ALL SELECT target FROM codex_links WHERE branch = ${branch} AND source = ${root} AND rel = 'crafts'
          UNION SELECT part.target FROM reached
            CROSS JOIN codex_links made ON made.branch = ${branch} AND made.target = reached.path AND made.rel = 'crafts'
            CROSS JOIN codex_links part ON part.branch = ${branch} AND part.source = made.source AND part.rel = 'ingredient'
          LIMIT ${MAX_ITEMS}),
        recipes AS (SELECT made.source AS path, made.target AS item, made.qty AS made, made.position AS place FROM reached
          CROSS JOIN codex_links made ON made.branch = ${branch} AND made.target = reached.path AND made.rel = 'crafts')`;
      const [edges, entries] = (await runInOneTransaction(reads, [
        sql`${reached} SELECT recipes.item, recipes.path AS recipe, recipes.made, part.target AS ingredient, part.qty AS needed
          FROM recipes CROSS JOIN codex_links part ON part.branch = ${branch} AND part.source = recipes.path AND part.rel = 'ingredient'
          ORDER BY recipes.place, recipes.item, recipes.path, part.position LIMIT ${MAX_EDGES}`,
        sql`${reached} SELECT e.path_folded AS pathFolded, min(e.path) AS path, e.type, e.name, e.blueprint,
            e.data->>'$.recipe.catalogue_order' AS catalogueOrder
          FROM (SELECT path FROM reached UNION SELECT path FROM recipes) wanted
          CROSS JOIN codex_entries e ON e.branch = ${branch} AND e.path_folded = wanted.path
          GROUP BY e.path_folded`,
      ])) as unknown as [RecipeEdge[], TreeEntry[]];
      // Of several products, the first.
      const product = edges.find(({ recipe }) => recipe === root)?.item;
      return {
        item: product ?? root,
        recipe: product === undefined ? null : root,
        edges,
        entries: new Map(entries.map((entry) => [entry.pathFolded, entry])),
      };
    },
  };
}

export type RecipeTreeStore = ReturnType<typeof createRecipeTreeStore>;
