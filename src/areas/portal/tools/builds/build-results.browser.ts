import { h, number, table } from '../../../../assets/ui/dom.js';
import type { BuildRow } from '../../../gems/builds/builds-calculate.domain.ts';
import type { BuildChange } from '../../../gems/builds/builds-changes.domain.ts';
import { listLayoutGems } from '../../../gems/builds/builds-gems.domain.ts';
import type { HealthResponse, HealthRow } from '../../../gems/builds/builds-health.domain.ts';
import { actionButton, card, figures, statRow } from '../frame/controls.browser.ts';
import {
  asOther,
  type BuildState,
  type BuildsResult,
  type BuildsState,
  bestHealthRow,
  damageTypeOf,
  figureNames,
  otherBuild,
  stateChangeOf,
} from './builds-tool.domain.ts';
import { layoutChart } from './layout-chart.browser.ts';
import { layoutTable, rankedTable } from './layout-table.browser.ts';

interface Cards {
  /** Above both columns. */
  top: HTMLElement[];
  main: HTMLElement[];
  below: HTMLElement[];
}

/** What the results need beside the state: `isWhole`: all rows of the table are shown. */
export interface ResultContext {
  state: BuildsState;
  set(changes: Partial<BuildsState>): void;
  isWhole: boolean;
  showWhole(): void;
}

const decimals = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 });

/** The cards of a result: beside the inputs, and below both in the full width. */
export function resultCards({ layouts, other, changes, health }: BuildsResult, context: ResultContext): Cards {
  if (health) return healthCards(health, context);
  const rows = layouts?.results ?? [];
  const [best] = rows;
  if (!best) return { top: [], main: [card('No layout', h('p', {}, 'No layout fits.'))], below: [] };
  const { state, set } = context;
  const chosen = rows.find(({ rank }) => rank === state.row) ?? best;
  const names = figureNames(state.type);
  const label = `Best ${names.coefficient.toLowerCase()}${state.light > 0 && state.type === 'Farm' ? ` near ${number(state.light)} Light` : ''}`;
  return {
    top: [
      headline(label, best.coefficient, [
        [names.base_dmg, number(Math.round(best.base_dmg))],
        [names.crit_dmg, decimals.format(best.crit_dmg)],
        ['Light', number(Math.round(best.light))],
        ['Layout', best.layout],
      ]),
    ],
    main: [
      card(`Gems of layout ${chosen.layout}`, gemList(chosen, state)),
      ...(state.type === 'Health' ? [] : [changeCard(changes, best.coefficient, context)]),
      comparison(best, other?.results[0] ?? null, context),
    ],
    below: [
      card(
        'All layouts',
        layoutChart(rows, state.type, chosen.rank, (rank) => set({ row: rank })),
        ...layoutTable({ rows, ...context }),
      ),
    ],
  };
}

function headline(label: string, value: number, entries: readonly (readonly [string, string])[]): HTMLElement {
  return h(
    'section',
    { className: 'card headline-card', 'aria-label': label },
    h('p', { className: 'hint' }, label),
    h('p', { className: 'headline-figure' }, decimals.format(value)),
    figures(entries),
  );
}

/** The best layouts of two builds side by side. */
function comparison(best: BuildRow, otherBest: BuildRow | null, { state, set }: ResultContext): HTMLElement {
  const other = otherBuild(state);
  const keep = actionButton(other ? 'Replace it by this build' : 'Keep as second build', () => set({ other: asOther(state) }), {
    key: 'keep',
  });
  if (!other || !otherBest)
    return card(
      'Compare',
      h('p', {}, 'Keep this build, change something, and see both side by side.'),
      h('div', { className: 'actions' }, keep),
    );
  const names = figureNames(state.type);
  const lines: readonly (readonly [string, string, string, string])[] = [
    ['Class', state.class, other.class, ''],
    ['Subclass', state.sub, other.sub, ''],
    ...(['coefficient', 'total_dmg', 'base_dmg', 'crit_dmg', 'light'] as const).map(
      (key) =>
        [
          key === 'light' ? 'Light' : names[key],
          decimals.format(best[key]),
          decimals.format(otherBest[key]),
          signed(best[key] - otherBest[key]),
        ] as const,
    ),
    ['Layout', best.layout, otherBest.layout, ''],
  ];
  return card(
    'Compare',
    table(
      'Two builds',
      [
        { title: 'Best layout', value: ([name]) => name },
        { title: 'This build', value: ([, own]) => own, kind: 'number' },
        { title: 'Second build', value: ([, , second]) => second, kind: 'number' },
        { title: 'Difference', value: ([, , , difference]) => difference, kind: 'number' },
      ],
      lines,
    ),
    h(
      'div',
      { className: 'actions' },
      keep,
      actionButton('Swap', () => set({ ...other, other: asOther(state as BuildState) }), { key: 'swap' }),
      actionButton('Remove', () => set({ other: '' }), { key: 'remove', className: 'quiet' }),
    ),
  );
}

const signed = (value: number) => `${value > 0 ? '+' : ''}${decimals.format(value)}`;

function changeCard(changes: readonly BuildChange[], before: number, { set }: ResultContext): HTMLElement {
  if (changes.length === 0)
    return card('What would raise it most', h('p', {}, 'No single change of this list raises the best coefficient.'));
  const most = changes[0]?.gain ?? 1;
  return card(
    'What would raise it most',
    h(
      'ul',
      { className: 'stat-rows' },
      ...changes.map(({ label, gain, change }, index) => {
        const apply = actionButton('Apply', () => set(stateChangeOf(change)), { key: `apply-${index}`, className: 'inline' });
        apply.setAttribute('aria-label', `Apply: ${label}`);
        return statRow({ name: label, value: `+${decimals.format((100 * gain) / before)} %`, share: gain / most, action: apply });
      }),
    ),
  );
}

/** The gems of a layout: what to put on each. */
function gemList({ boosts }: BuildRow, state: BuildsState): HTMLElement {
  const gems = listLayoutGems(boosts, state.type, damageTypeOf(state.class));
  return h(
    'ul',
    { className: 'gem-list' },
    ...gems.map(({ kind, isCosmic, lines, count }) =>
      h(
        'li',
        {},
        h('b', {}, `${count} × ${isCosmic ? 'Cosmic' : 'elemental'} ${kind}`),
        h(
          'ul',
          {},
          ...lines.map(({ stat, boosts: ofStat, value }) =>
            h(
              'li',
              {},
              h('span', { className: 'line-name' }, stat),
              h('span', {}, `${ofStat} ${ofStat === 1 ? 'boost' : 'boosts'}`),
              h('b', { className: 'line-value' }, decimals.format(value)),
            ),
          ),
          ...(isCosmic
            ? []
            : [
                h(
                  'li',
                  {},
                  h('span', { className: 'line-name' }, 'Any third stat'),
                  h('span', {}, 'no boost'),
                  h('b', { className: 'line-value' }, 'free'),
                ),
              ]),
        ),
      ),
    ),
  );
}

function healthCards(health: HealthResponse, { state, set, isWhole, showWhole }: ResultContext): Cards {
  const best = bestHealthRow(health);
  if (!best) return { top: [], main: [card('No choice', h('p', {}, 'No choice of third lines reaches 100 % Critical Hit.'))], below: [] };
  const chosen = health.results.find(({ rank }) => rank === state.row) ?? best;
  return {
    top: [
      headline('Most health with 100 % Critical Hit', best.health, [
        ['Critical Hit', `${decimals.format(best.critical_hit)} %`],
        ['Maximum Health', decimals.format(best.maximum_health)],
        ['Maximum Health %', decimals.format(best.maximum_health_per)],
        ['Third lines', best.layout],
      ]),
    ],
    main: [card(`Third lines of choice ${chosen.layout}`, thirdLines(chosen))],
    below: [
      card(
        'All choices',
        h('p', { className: 'hint' }, `Without third lines: ${decimals.format(health.base.critical_hit)} % Critical Hit.`),
        ...rankedTable<HealthRow>({
          label: 'Third lines',
          columns: [
            { key: 'rank', title: 'Rank', value: ({ rank }) => (rank === 1 ? '1, best' : String(rank)) },
            {
              key: 'layout',
              title: 'Third lines',
              value: ({ layout, rank }) =>
                actionButton(layout, () => set({ row: rank }), { key: `row-${rank}`, className: 'quiet row-button' }),
            },
            { key: 'health', title: 'Health', value: (row) => decimals.format(row.health), isNumber: true },
            { key: 'critical', title: 'Critical Hit', value: (row) => `${decimals.format(row.critical_hit)} %`, isNumber: true },
            { key: 'maximum', title: 'Maximum Health', value: (row) => decimals.format(row.maximum_health), isNumber: true },
            { key: 'percent', title: 'Maximum Health %', value: (row) => decimals.format(row.maximum_health_per), isNumber: true },
          ],
          rows: health.results,
          isBest: ({ rank }) => rank === 1,
          isChosen: ({ rank }) => rank === state.row,
          isWhole,
          showWhole,
        }),
      ),
    ],
  };
}

const THIRD_LINES = [
  ['critical_hit', 'Critical Hit'],
  ['maximum_health', 'Maximum Health'],
  ['maximum_health_per', 'Maximum Health %'],
] as const;

function thirdLines({ empowered, lesser }: HealthRow): HTMLElement {
  const kinds = [
    ['Empowered', empowered],
    ['Lesser', lesser],
  ] as const;
  return h(
    'ul',
    { className: 'gem-list' },
    ...kinds.flatMap(([kind, counts]) =>
      THIRD_LINES.filter(([stat]) => counts[stat] > 0).map(([stat, label]) =>
        h(
          'li',
          {},
          h('b', {}, `${counts[stat]} × elemental ${kind}`),
          h('ul', {}, h('li', {}, h('span', { className: 'line-name' }, 'Third line'), h('b', {}, label))),
        ),
      ),
    ),
  );
}
