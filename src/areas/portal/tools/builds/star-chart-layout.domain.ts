import { STAR_CHART_NODES, STAR_CHART_ROOTS, type StarChartNode } from '../../../gems/builds/star-chart.data.ts';

/** A node of the drawn chart. Coordinates count columns and rows. */
export interface PlacedNode {
  id: number;
  node: StarChartNode;
  /** Id of the node before it; null for one that starts from the root. */
  parent: number | null;
  column: number;
  row: number;
}

export interface ChartBranch {
  /** Root path. */
  root: string;
  label: string;
  nodes: readonly PlacedNode[];
  columns: number;
  rows: number;
}

const LABELS: Readonly<Record<string, string>> = { combat: 'Combat', gathering: 'Gathering', pve: 'Adventure' };
const parentPath = (path: string) => path.slice(0, path.lastIndexOf('.'));
const ID_OF_PATH = new Map(STAR_CHART_NODES.map(({ path }, id) => [path, id]));

/** The three branches of the chart as trees: columns by distance from the root, one row per outermost node. */
export const CHART_BRANCHES: readonly ChartBranch[] = Object.keys(STAR_CHART_ROOTS).map((root) => {
  const nodes: PlacedNode[] = [];
  let rows = 0;
  /** Places a subtree; returns the row of its root: the middle of its first and last child. */
  const place = (id: number, column: number): number => {
    const node = STAR_CHART_NODES[id];
    if (node === undefined) return rows;
    const children = childrenOf(node.path);
    const placed = children.map((child) => place(child, column + 1));
    const row = placed.length === 0 ? rows++ : ((placed[0] ?? 0) + (placed.at(-1) ?? 0)) / 2;
    nodes.push({ id, node, parent: ID_OF_PATH.get(parentPath(node.path)) ?? null, column, row });
    return row;
  };
  for (const id of childrenOf(root)) place(id, 0);
  nodes.sort((left, right) => left.id - right.id);
  return { root, label: LABELS[root] ?? root, nodes, columns: 1 + Math.max(...nodes.map(({ column }) => column)), rows };
});

function childrenOf(path: string): number[] {
  return STAR_CHART_NODES.flatMap((node, id) => (parentPath(node.path) === path ? [id] : []));
}

/** What a node gives, in words. */
export function nodeText({ stats = [], ability }: StarChartNode): string {
  const bonuses = stats.map(({ stat, flat, scaling }) => (scaling === 0 ? `${stat} +${flat}` : `${stat} +${scaling} %`));
  return [...bonuses, ...(ability === undefined ? [] : [ability])].join(', ');
}

export type ChartMove = 'in' | 'out' | 'up' | 'down';

/** The node that an arrow key leads to: towards the root, away from it, or to the next node of the same column above or below. */
export function neighbourOf({ nodes }: ChartBranch, id: number, move: ChartMove): number {
  const from = nodes.find((placed) => placed.id === id);
  if (!from) return nodes[0]?.id ?? id;
  if (move === 'in') return from.parent ?? id;
  if (move === 'out') return nodes.find(({ parent }) => parent === id)?.id ?? id;
  const sign = move === 'up' ? -1 : 1;
  const beyond = nodes.filter((placed) => (placed.row - from.row) * sign > 0);
  const distance = (placed: PlacedNode) => Math.abs(placed.row - from.row) + 2 * Math.abs(placed.column - from.column);
  return beyond.toSorted((left, right) => distance(left) - distance(right))[0]?.id ?? id;
}
