import { type Content, h, number } from '../../../../assets/ui/dom.js';
import type { BuildRow } from '../../../gems/builds/builds-calculate.domain.ts';
import { actionButton } from '../frame/controls.browser.ts';
import { type BuildsState, figureNames, type SortKey, sortRows } from './builds-tool.domain.ts';

/** Rows that the table shows until a person asks for all: fewer on phones, where each row is a card. */
const FIRST_ROWS = matchMedia('(max-width: 40rem)').matches ? 6 : 25;

const decimals = new Intl.NumberFormat(undefined, { maximumFractionDigits: 8 });

interface SortedColumn<Row> {
  key: string;
  title: string;
  value(row: Row): Content;
  isNumber?: boolean;
  /** The table can be sorted by it. */
  sort?: () => void;
  isSorted?: boolean;
}

interface RankedTableOptions<Row> {
  label: string;
  columns: readonly SortedColumn<Row>[];
  rows: readonly Row[];
  isBest(row: Row): boolean;
  isChosen(row: Row): boolean;
  /** Shows all rows, not only the first. */
  isWhole: boolean;
  showWhole(): void;
}

/** A table with headings to sort by, the best row marked, and a row that is chosen. */
export function rankedTable<Row>({ label, columns, rows, isBest, isChosen, isWhole, showWhole }: RankedTableOptions<Row>): HTMLElement[] {
  const shown = isWhole ? rows : rows.slice(0, FIRST_ROWS);
  const head = columns.map(({ key, title, isNumber, sort, isSorted = false }) =>
    h(
      'th',
      {
        scope: 'col',
        className: isNumber ? 'number' : '',
        'aria-sort': sort && isSorted ? (key === 'rank' ? 'ascending' : 'descending') : undefined,
      },
      sort ? actionButton(title, sort, { key: `sort-${key}`, className: 'sort' }) : title,
    ),
  );
  const body = shown.map((row) =>
    h(
      'tr',
      { className: [isBest(row) ? 'best' : '', isChosen(row) ? 'chosen' : ''].join(' ').trim() },
      ...columns.map(({ title, value, isNumber }) =>
        h('td', { className: isNumber ? 'number' : '', 'data-label': title }, h('div', {}, value(row))),
      ),
    ),
  );
  const table = h(
    'div',
    { className: 'scroll', tabIndex: 0, role: 'region', 'aria-label': label },
    h('table', { className: 'stack ranked' }, h('thead', {}, h('tr', {}, ...head)), h('tbody', {}, ...body)),
  );
  return shown.length === rows.length
    ? [table]
    : [table, actionButton(`Show all ${number(rows.length)}`, showWhole, { key: 'show-whole' })];
}

interface LayoutTableOptions {
  rows: readonly BuildRow[];
  state: BuildsState;
  set(changes: Partial<BuildsState>): void;
  isWhole: boolean;
  showWhole(): void;
}

/** The layouts of a build. */
export function layoutTable({ rows, state, set, isWhole, showWhole }: LayoutTableOptions): HTMLElement[] {
  const names = figureNames(state.type);
  const figure = (key: Exclude<SortKey, 'rank'>, title: string): SortedColumn<BuildRow> => ({
    key,
    title,
    value: (row) => decimals.format(row[key]),
    isNumber: true,
    sort: () => set({ sort: key }),
    isSorted: state.sort === key,
  });
  return rankedTable({
    label: 'Layouts',
    columns: [
      {
        key: 'rank',
        title: 'Rank',
        value: ({ rank }) => (rank === 1 ? '1, best' : String(rank)),
        sort: () => set({ sort: 'rank' }),
        isSorted: state.sort === 'rank',
      },
      { key: 'layout', title: 'Layout', value: (row) => layoutButton(row, state, set) },
      figure('coefficient', names.coefficient),
      figure('total_dmg', names.total_dmg),
      figure('base_dmg', names.base_dmg),
      figure('crit_dmg', names.crit_dmg),
      figure('light', 'Light'),
    ],
    rows: sortRows(rows, state.sort),
    isBest: ({ rank }) => rank === 1,
    isChosen: ({ rank }) => rank === state.row,
    isWhole,
    showWhole,
  });
}

function layoutButton({ rank, layout }: BuildRow, state: BuildsState, set: LayoutTableOptions['set']): HTMLElement {
  const button = actionButton(layout, () => set({ row: rank }), { key: `row-${rank}`, className: 'quiet row-button' });
  button.setAttribute('aria-pressed', String(state.row === rank));
  button.setAttribute('aria-label', `Layout ${layout}: show its gems`);
  return button;
}
