import { h, svg } from '../../../../assets/ui/dom.js';
import { encodeStarChart, readStarChart, toggleNode } from '../../../gems/builds/star-chart.domain.ts';
import { actionButton, type Control, segmented } from '../frame/controls.browser.ts';
import { CHART_BRANCHES, type ChartBranch, type ChartMove, neighbourOf, nodeText, type PlacedNode } from './star-chart-layout.domain.ts';

/** Distances of the drawing, in units of its view box. */
const COLUMN = 40;
const ROW = 34;
const RADIUS = 11;
const MARGIN = 18;

const MOVES: Readonly<Record<string, ChartMove>> = { ArrowLeft: 'in', ArrowRight: 'out', ArrowUp: 'up', ArrowDown: 'down' };
const xOf = ({ column }: PlacedNode) => MARGIN + column * COLUMN;
const yOf = ({ row }: PlacedNode) => MARGIN + row * ROW;

/** The star chart as a drawing to select nodes in, one branch at a time. Arrow keys move between the nodes. */
export function starChartControl(change: (code: string) => void): Control<string> {
  const drawing = h('div', { className: 'star-chart' });
  const readout = h('p', { className: 'star-readout', role: 'status' });
  const sums = h('ul', { className: 'star-sums' });
  let branch: ChartBranch | undefined = CHART_BRANCHES[0];
  let selected: readonly number[] = [];
  /** The node that the keyboard reaches first. */
  let current = branch?.nodes[0]?.id ?? 0;
  let places: ReadonlyMap<number, SVGGElement> = new Map();
  let edges: ReadonlyMap<number, SVGLineElement> = new Map();

  const choice = segmented({
    label: 'Branch',
    options: CHART_BRANCHES.map((each) => ({ value: each.root, label: each.label })),
    change(root) {
      branch = CHART_BRANCHES.find((each) => each.root === root);
      current = branch?.nodes[0]?.id ?? 0;
      draw();
      mark();
    },
  });

  const tell = ({ id, node }: PlacedNode) => {
    readout.textContent = `${node.name}: ${nodeText(node)}. ${selected.includes(id) ? 'Selected.' : 'Not selected.'}`;
  };

  function toggle(placed: PlacedNode): void {
    current = placed.id;
    change(encodeStarChart(toggleNode(selected, placed.id)));
    tell(placed);
  }

  function move(placed: PlacedNode, event: KeyboardEvent): void {
    const direction = MOVES[event.key];
    if (event.key === ' ' || event.key === 'Enter') toggle(placed);
    else if (direction && branch) {
      current = neighbourOf(branch, placed.id, direction);
      mark();
      places.get(current)?.focus();
    } else return;
    event.preventDefault();
  }

  function draw(): void {
    if (!branch) return;
    const drawn = drawBranch(branch, { toggle, move, tell });
    ({ places, edges } = drawn);
    drawing.replaceChildren(drawn.picture);
  }

  function mark(): void {
    for (const [id, group] of places) {
      group.setAttribute('aria-checked', String(selected.includes(id)));
      group.setAttribute('tabindex', id === current ? '0' : '-1');
    }
    for (const [id, line] of edges) line.classList.toggle('selected', selected.includes(id));
  }

  draw();
  readout.textContent = 'Point at a node to see what it gives. Selecting one selects all before it.';
  return {
    element: h(
      'div',
      { className: 'star-control' },
      choice.element,
      drawing,
      readout,
      h('h3', {}, 'What the chart gives'),
      sums,
      h(
        'div',
        { className: 'actions small' },
        actionButton('Select nothing', () => change(''), { className: 'quiet' }),
      ),
    ),
    show(code) {
      const chart = readStarChart(code);
      selected = chart.selected;
      choice.show(branch?.root ?? '');
      mark();
      sums.replaceChildren(...sumRows(chart.sums));
    },
  };
}

/** What a node does. */
interface NodeActions {
  toggle(placed: PlacedNode): void;
  move(placed: PlacedNode, event: KeyboardEvent): void;
  tell(placed: PlacedNode): void;
}

/** The drawing of a branch: nodes, and the line to the parent of each, by id. */
function drawBranch({ nodes, columns, rows, label }: ChartBranch, { toggle, move, tell }: NodeActions) {
  const places = new Map<number, SVGGElement>();
  const edges = new Map<number, SVGLineElement>();
  const [width, height] = [2 * MARGIN + (columns - 1) * COLUMN, 2 * MARGIN + (rows - 1) * ROW];
  const byId = new Map(nodes.map((placed) => [placed.id, placed]));
  for (const placed of nodes) {
    const parent = placed.parent === null ? undefined : byId.get(placed.parent);
    if (parent) edges.set(placed.id, svg('line', { x1: xOf(parent), y1: yOf(parent), x2: xOf(placed), y2: yOf(placed) }));
    const name = `${placed.node.name}: ${nodeText(placed.node)}`;
    const circle = svg('circle', { cx: xOf(placed), cy: yOf(placed), r: RADIUS });
    const group = svg('g', { role: 'checkbox', 'aria-label': name, class: classOf(placed) }, svg('title', {}, name), circle);
    group.addEventListener('click', () => toggle(placed));
    group.addEventListener('keydown', (event) => move(placed, event));
    group.addEventListener('focus', () => tell(placed));
    group.addEventListener('pointerenter', () => tell(placed));
    places.set(placed.id, group);
  }
  const picture = svg(
    'svg',
    { viewBox: `0 0 ${width} ${height}`, width, height, role: 'group', 'aria-label': `Star chart, ${label}` },
    // The lines first, because later elements cover them.
    ...edges.values(),
    ...places.values(),
  );
  return { picture, places, edges };
}

/** A row for each stat that the selected nodes give. */
function sumRows(sums: ReturnType<typeof readStarChart>['sums']): HTMLElement[] {
  if (sums.size === 0) return [h('li', {}, 'Nothing is selected.')];
  return [...sums].map(([stat, { flat, scaling }]) => {
    const parts = [...(flat === 0 ? [] : [`+${flat}`]), ...(scaling === 0 ? [] : [`+${scaling} %`])];
    return h('li', {}, h('span', { className: 'line-name' }, stat), h('b', {}, parts.join(' and ')));
  });
}

/** Class of a node: nodes with an effect other than stats are drawn larger. */
const classOf = ({ node }: PlacedNode) => (node.ability === undefined ? 'star' : 'star major');
