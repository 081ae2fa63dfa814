import { foldCase } from '../../../platform/kit/values/fold.ts';
import { roundTo } from '../../../platform/kit/values/numbers.ts';
import type { CodexType } from '../codex-types.data.ts';
import { nameFromStem, stemOf } from '../paths.domain.ts';

/** Maximum depth of a tree; the root has depth 0. */
export const MAX_TREE_DEPTH = 12;
export const MAX_TREE_NODES = 500;

/** An ingredient of a recipe, as stored. Paths are in lower case. */
export interface RecipeEdge {
  item: string;
  recipe: string;
  /** Amount that the recipe makes; null: 1. */
  made: number | null;
  ingredient: string;
  needed: number | null;
}

/** An entry of the codex by its lower-case path. */
export interface TreeEntry {
  pathFolded: string;
  path: string;
  type: CodexType;
  name: string;
  blueprint: string | null;
  /** Position of a recipe in the catalogue of the game; null for other entries and recipes outside it. */
  catalogueOrder: number | null;
}

/** Median unit prices by lower-case name of the item. */
type UnitPrices = ReadonlyMap<string, number>;

/** Why a node has no ingredients although a recipe exists: it is its own ingredient, or the tree reached its depth or size. */
type CutReason = 'cycle' | 'depth' | 'size';

/** A quantity of an item in the tree. Costs are null when a price is unknown. */
export interface TreeNode {
  /** Index in the list of nodes; `parent` is null for the root. */
  id: number;
  parent: number | null;
  depth: number;
  path: string;
  type: CodexType | null;
  name: string;
  blueprint: string | null;
  quantity: number;
  /** The recipe that makes the item; null without one. */
  recipe: string | null;
  /** How often the recipe is made, and what it makes in total. */
  times: number | null;
  made: number | null;
  otherRecipes: number;
  cut: CutReason | null;
  unitPrice: number | null;
  buyCost: number | null;
  /** Cost of the ingredients, each at the lower cost. */
  makeCost: number | null;
  /** The lower of both costs. */
  cost: number | null;
  choice: 'make' | 'buy' | null;
}

/** An item to obtain when every node follows its lower cost. */
export interface Material {
  path: string;
  name: string;
  quantity: number;
  unitPrice: number | null;
  cost: number | null;
}

interface Recipe {
  path: string;
  made: number;
  ingredients: { path: string; needed: number }[];
}

export interface TreeInput {
  /** Lower-case path of the item. */
  item: string;
  /** Recipe to use for the root; null: the first in the catalogue. */
  recipe: string | null;
  quantity: number;
  edges: readonly RecipeEdge[];
  entries: ReadonlyMap<string, TreeEntry>;
  prices: UnitPrices;
}

/**
 * Builds the crafting tree of an item breadth-first, so that a cut by size cuts the deepest nodes. A recipe is made a whole number of times.
 * Nodes are in depth-first order.
 */
export function buildTree(input: TreeInput): TreeNode[] {
  const recipes = recipesByItem(input.edges, input.entries);
  const nodes: TreeNode[] = [];
  const ingredientsOf = new Map<TreeNode, Recipe['ingredients']>();

  function add(path: string, quantity: number, parent: TreeNode | null): void {
    const choices = recipes.get(path) ?? [];
    const recipe = choices.find((choice) => parent === null && choice.path === input.recipe) ?? choices[0];
    const node = toNode(path, quantity, parent, nodes.length, input);
    node.otherRecipes = Math.max(choices.length - 1, 0);
    nodes.push(node);
    if (!recipe) return;
    node.recipe = input.entries.get(recipe.path)?.path ?? recipe.path;
    if (hasAncestor(nodes, node, path)) node.cut = 'cycle';
    else if (node.depth >= MAX_TREE_DEPTH) node.cut = 'depth';
    else if (!Number.isSafeInteger(quantity * 1000)) node.cut = 'size';
    else {
      node.times = Math.ceil(quantity / recipe.made);
      node.made = node.times * recipe.made;
      ingredientsOf.set(node, recipe.ingredients);
    }
  }

  add(input.item, input.quantity, null);
  for (let at = 0; at < nodes.length; at += 1) {
    const node = nodes[at];
    const ingredients = node && ingredientsOf.get(node);
    if (!node || !ingredients) continue;
    if (nodes.length + ingredients.length > MAX_TREE_NODES) {
      node.cut = 'size';
      node.times = null;
      node.made = null;
      continue;
    }
    for (const { path, needed } of ingredients) add(path, needed * (node.times ?? 0), node);
  }
  addCosts(nodes);
  return depthFirst(nodes);
}

/**
 * What to obtain when every node follows its lower cost; without prices, everything is made. `makesRoot`: the root is made in any case. By
 * quantity of first use.
 */
export function materialsOf(nodes: readonly TreeNode[], makesRoot = false): Material[] {
  const children = childrenOf(nodes);
  const materials = new Map<string, Material>();
  const visit = (node: TreeNode): void => {
    const parts = children.get(node.id) ?? [];
    if (parts.length > 0 && (node.choice !== 'buy' || (makesRoot && node.parent === null))) {
      for (const part of parts) visit(part);
      return;
    }
    const quantity = (materials.get(node.path)?.quantity ?? 0) + node.quantity;
    const cost = node.unitPrice === null ? null : roundTo(node.unitPrice * quantity, 3);
    materials.set(node.path, { path: node.path, name: node.name, quantity, unitPrice: node.unitPrice, cost });
  };
  const [root] = nodes;
  if (root) visit(root);
  return [...materials.values()];
}

/** Recipes by the item that they make: those of the catalogue first, in its order, then by path. */
function recipesByItem(edges: readonly RecipeEdge[], entries: ReadonlyMap<string, TreeEntry>): Map<string, Recipe[]> {
  const byKey = new Map<string, Recipe>();
  const byItem = new Map<string, Recipe[]>();
  for (const { item, recipe: path, made, ingredient, needed } of edges) {
    const key = `${item}\n${path}`;
    let recipe = byKey.get(key);
    if (!recipe) {
      recipe = { path, made: made !== null && made > 0 ? made : 1, ingredients: [] };
      byKey.set(key, recipe);
      byItem.set(item, [...(byItem.get(item) ?? []), recipe]);
    }
    if (needed === null || needed > 0) recipe.ingredients.push({ path: ingredient, needed: needed ?? 1 });
  }
  const orderOf = ({ path }: Recipe) => entries.get(path)?.catalogueOrder ?? Number.POSITIVE_INFINITY;
  for (const choices of byItem.values()) {
    choices.sort((one, other) => {
      const [first, second] = [orderOf(one), orderOf(other)];
      return first === second ? (one.path < other.path ? -1 : 1) : first - second;
    });
  }
  return byItem;
}

function toNode(pathFolded: string, quantity: number, parent: TreeNode | null, id: number, { entries, prices }: TreeInput): TreeNode {
  const entry = entries.get(pathFolded);
  const name = entry?.name || nameFromStem(stemOf(pathFolded)) || pathFolded;
  const unitPrice = prices.get(foldCase(name)) ?? null;
  return {
    id,
    parent: parent?.id ?? null,
    depth: parent === null ? 0 : parent.depth + 1,
    path: entry?.path ?? pathFolded,
    type: entry?.type ?? null,
    name,
    blueprint: entry?.blueprint ?? null,
    quantity,
    recipe: null,
    times: null,
    made: null,
    otherRecipes: 0,
    cut: null,
    unitPrice,
    buyCost: unitPrice === null ? null : roundTo(unitPrice * quantity, 3),
    makeCost: null,
    cost: null,
    choice: null,
  };
}

function hasAncestor(nodes: readonly TreeNode[], node: TreeNode, pathFolded: string): boolean {
  for (let at = node.parent; at !== null; ) {
    const ancestor = nodes[at];
    if (!ancestor) return false;
    if (foldCase(ancestor.path) === pathFolded) return true;
    at = ancestor.parent;
  }
  return false;
}

/** Adds costs from the leaves to the root: parents come before their ingredients. */
function addCosts(nodes: readonly TreeNode[]): void {
  const children = childrenOf(nodes);
  for (const node of nodes.toReversed()) {
    const parts = children.get(node.id) ?? [];
    const isKnown = parts.length > 0 && parts.every(({ cost }) => cost !== null);
    node.makeCost = isKnown
      ? roundTo(
          parts.reduce((sum, { cost }) => sum + (cost ?? 0), 0),
          3,
        )
      : null;
    const { makeCost, buyCost } = node;
    if (makeCost !== null && (buyCost === null || makeCost < buyCost)) node.choice = 'make';
    else if (buyCost !== null) node.choice = 'buy';
    node.cost = node.choice === 'make' ? makeCost : buyCost;
  }
}

function childrenOf(nodes: readonly TreeNode[]): Map<number, TreeNode[]> {
  const children = new Map<number, TreeNode[]>();
  for (const node of nodes) {
    if (node.parent === null) continue;
    const siblings = children.get(node.parent);
    if (siblings) siblings.push(node);
    else children.set(node.parent, [node]);
  }
  return children;
}

/** Renumbers the nodes in depth-first order. */
function depthFirst(nodes: readonly TreeNode[]): TreeNode[] {
  const children = childrenOf(nodes);
  const ordered: TreeNode[] = [];
  const visit = (node: TreeNode, parent: number | null): void => {
    const id = ordered.length;
    ordered.push({ ...node, id, parent });
    for (const child of children.get(node.id) ?? []) visit(child, id);
  };
  const [root] = nodes;
  if (root) visit(root, null);
  return ordered;
}
