import { describe, expect, it } from 'vitest';
import {
  buildTree,
  MAX_TREE_NODES,
  materialsOf,
  type RecipeEdge,
  type TreeEntry,
  type TreeInput,
} from '../../../../src/areas/codexes/crafting/recipe-tree.domain.ts';

/** Edges of a recipe that makes `made` of an item. */
const recipe = (item: string, made: number, parts: Record<string, number>, path = `recipe_${item}`): RecipeEdge[] =>
  Object.entries(parts).map(([ingredient, needed]) => ({ item, recipe: path, made, ingredient, needed }));

function treeOf(
  edges: RecipeEdge[],
  {
    prices = {},
    entries = [],
    ...options
  }: Partial<Omit<TreeInput, 'prices' | 'entries'>> & { prices?: Record<string, number>; entries?: TreeEntry[] } = {},
) {
  return buildTree({
    item: 'a',
    recipe: null,
    quantity: 1,
    edges,
    entries: new Map(entries.map((entry) => [entry.pathFolded, entry])),
    prices: new Map(Object.entries(prices)),
    ...options,
  });
}

describe('buildTree', () => {
  it('multiplies quantities by whole recipes', () => {
    const nodes = treeOf([...recipe('a', 4, { b: 3 }), ...recipe('b', 1, { c: 2 })], { quantity: 9 });
    expect(nodes.map(({ path, quantity, times, made, depth, parent }) => [path, quantity, times, made, depth, parent])).toEqual([
      ['a', 9, 3, 12, 0, null],
      ['b', 9, 9, 9, 1, 0],
      ['c', 18, null, null, 2, 1],
    ]);
    expect(nodes.map(({ cost }) => cost)).toEqual([null, null, null]);
  });

  it('lists ingredients after their item, depth first', () => {
    const nodes = treeOf([...recipe('a', 1, { b: 1, c: 1 }), ...recipe('b', 1, { d: 1 })]);
    expect(nodes.map(({ path, id, parent }) => [path, id, parent])).toEqual([
      ['a', 0, null],
      ['b', 1, 0],
      ['d', 2, 1],
      ['c', 3, 0],
    ]);
  });

  it('chooses the cheaper of making and buying at each node', () => {
    const edges = [...recipe('a', 1, { b: 2, c: 1 }), ...recipe('b', 1, { d: 3 })];
    const nodes = treeOf(edges, { prices: { A: 0, a: 100, b: 40, c: 5, d: 10 } });
    expect(nodes.map(({ path, buyCost, makeCost, cost, choice }) => [path, buyCost, makeCost, cost, choice])).toEqual([
      ['a', 100, 65, 65, 'make'],
      ['b', 80, 60, 60, 'make'],
      ['d', 60, null, 60, 'buy'],
      ['c', 5, null, 5, 'buy'],
    ]);
    expect(materialsOf(nodes).map(({ path, quantity, cost }) => [path, quantity, cost])).toEqual([
      ['d', 6, 60],
      ['c', 1, 5],
    ]);
  });

  it('buys at equal costs, and leaves the cost of making open when a price is unknown', () => {
    const nodes = treeOf([...recipe('a', 1, { b: 2 }), ...recipe('b', 1, { c: 1, d: 1 })], { prices: { a: 10, b: 5, c: 1 } });
    expect(nodes.map(({ makeCost, choice }) => [makeCost, choice])).toEqual([
      [10, 'buy'],
      [null, 'buy'],
      [null, 'buy'],
      [null, null],
    ]);
    expect(materialsOf(nodes)).toEqual([{ path: 'a', name: 'A', quantity: 1, unitPrice: 10, cost: 10 }]);
  });

  it('sums a material that occurs twice', () => {
    const nodes = treeOf([...recipe('a', 1, { b: 2, c: 1 }), ...recipe('c', 1, { b: 3 })]);
    expect(materialsOf(nodes).map(({ path, quantity }) => [path, quantity])).toEqual([['b', 5]]);
  });

  it('cuts a cycle at the item that needs itself', () => {
    const nodes = treeOf([...recipe('a', 1, { b: 1 }), ...recipe('b', 1, { a: 1, c: 1 })], { prices: { c: 1 } });
    expect(nodes.map(({ path, cut, times }) => [path, cut, times])).toEqual([
      ['a', null, 1],
      ['b', null, 1],
      ['a', 'cycle', null],
      ['c', null, null],
    ]);
  });

  it('cuts at depth 12', () => {
    const edges = Array.from({ length: 20 }, (_, depth) => recipe(depth === 0 ? 'a' : `i${depth}`, 1, { [`i${depth + 1}`]: 1 })).flat();
    const nodes = treeOf(edges);
    expect(nodes.at(-1)).toMatchObject({ depth: 12, cut: 'depth' });
    expect(nodes).toHaveLength(13);
  });

  it('cuts at 500 nodes, the deepest first, and keeps every level above whole', () => {
    const parts = (item: string) => Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`${item}.${index}`, 1]));
    const level1 = Object.keys(parts('a'));
    const level2 = level1.flatMap((item) => Object.keys(parts(item)));
    const edges = ['a', ...level1, ...level2].flatMap((item) => recipe(item, 1, parts(item)));
    const nodes = treeOf(edges);
    expect(nodes.length).toBeLessThanOrEqual(MAX_TREE_NODES);
    expect(nodes.filter(({ depth }) => depth === 2)).toHaveLength(400);
    expect(nodes.filter(({ cut }) => cut === 'size').length).toBeGreaterThan(0);
  });

  it('cuts where a quantity would no longer be exact', () => {
    const edges = Array.from({ length: 6 }, (_, depth) => recipe(depth === 0 ? 'a' : `i${depth}`, 1, { [`i${depth + 1}`]: 1e6 })).flat();
    const nodes = treeOf(edges, { quantity: 1e6 });
    expect(nodes.at(-1)).toMatchObject({ quantity: 1e18, cut: 'size' });
  });

  it('uses the requested recipe, otherwise the first of the catalogue', () => {
    const edges = [...recipe('a', 1, { b: 1 }, 'r1'), ...recipe('a', 1, { c: 1 }, 'r2')];
    expect(treeOf(edges)[0]).toMatchObject({ recipe: 'r1', otherRecipes: 1 });
    expect(treeOf(edges, { recipe: 'r2' })[1]?.path).toBe('c');
    const entry: TreeEntry = { pathFolded: 'r2', path: 'R2', type: 'recipe', name: 'R', blueprint: null, catalogueOrder: 3 };
    expect(treeOf(edges, { entries: [entry] })[0]?.recipe).toBe('R2');
  });

  it('is one node for an item without a recipe', () => {
    expect(treeOf([])).toHaveLength(1);
  });
});
