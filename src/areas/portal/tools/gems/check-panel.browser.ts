import { h, number } from '../../../../assets/ui/dom.js';
import { type RollStatId, STATS, TIERS, TYPES } from '../../../gems/gem.data.ts';
import { countBoosts } from '../../../gems/gem-figures.domain.ts';
import { TIER_IDS, TYPE_IDS } from '../../../gems/gem-input.domain.ts';
import { actionButton, card, figures, numberField, segmented, selectField, show, statRow } from '../frame/controls.browser.ts';
import type { Shown, Tool } from '../frame/tool.browser.ts';
import { splitLabel, splitsOf } from './boost-splits.domain.ts';
import { type CheckView, checkBody, checkChoices, checkedGem, evaluationOf, viewCheck } from './gem-check.domain.ts';
import { checkInputOf, type GemsState } from './gems-tool.domain.ts';
import { percentText, valueText, waysCard } from './parts.browser.ts';

const TYPE_FIELDS = ['s1', 's2', 's3'] as const;
const VALUE_FIELDS = ['v1', 'v2', 'v3'] as const;
const PERCENT_FIELDS = ['p1', 'p2', 'p3'] as const;

/** The evaluator: what a person reads off a gem, and how good it is. */
export function createCheckPanel(tool: Tool<GemsState>) {
  const controls = createControls(tool);
  const parts: Parts = {
    tool,
    ...controls,
    headline: h('section', { className: 'card headline-card', 'aria-label': 'Quality' }),
    result: h('div', { className: 'tool-result' }),
  };
  return {
    headline: parts.headline,
    inputs: [createInputs(controls)],
    results: [parts.result],
    update: (state: GemsState): Shown => update(parts, state),
  };
}

/** The elements that an update fills. */
interface Parts extends ReturnType<typeof createControls> {
  tool: Tool<GemsState>;
  headline: HTMLElement;
  result: HTMLElement;
}

function createControls(tool: Tool<GemsState>) {
  const by = segmented<GemsState['by']>({
    label: 'I know',
    options: [
      { value: 'stats', label: 'its values' },
      { value: 'percent', label: 'its percentages' },
      { value: 'rank', label: 'its Power Rank' },
    ],
    change: (value) => tool.set({ by: value }),
  });
  const tier = segmented({
    label: 'Tier',
    options: TIER_IDS.map((id) => ({ value: id, label: TIERS[id].name })),
    change: (id) => tool.set({ tier: id }),
  });
  const type = segmented({
    label: 'Type',
    options: TYPE_IDS.map((id) => ({ value: id, label: TYPES[id] })),
    change: (id) => tool.set({ type: id }),
  });
  const level = numberField({ label: 'Level', min: 1, max: 1, hasRange: true, change: (value) => tool.set({ level: value }, 'level') });
  const rank = numberField({ label: 'Power Rank', min: 0, max: 100_000, change: (value) => tool.set({ rank: value }, 'rank') });
  const rows = TYPE_FIELDS.map((typeField, index) => createStatControls(tool, typeField, index));
  const split = selectField<string>({
    label: 'Boosts of the three stats',
    options: [],
    change: (text) => {
      const chosen = splitsOf(countBoosts(tool.state.level)).find((candidate) => splitLabel(candidate) === text);
      if (chosen) tool.set({ boosts: chosen });
    },
  });
  const stats = h('div', {}, ...rows.map(({ element }) => element));
  return { by, tier, type, level, rank, rows, split, stats };
}

function createStatControls(tool: Tool<GemsState>, typeField: (typeof TYPE_FIELDS)[number], index: number) {
  const valueField = VALUE_FIELDS[index] ?? 'v1';
  const stat = selectField<RollStatId>({ label: `Stat ${index + 1}`, options: [], change: (id) => tool.set({ [typeField]: id }) });
  const value = numberField({
    label: `Value ${index + 1}`,
    min: 0,
    max: 1e9,
    step: 0.01,
    change: (amount) => tool.set({ [valueField]: amount }, valueField),
  });
  const percentField = PERCENT_FIELDS[index] ?? 'p1';
  const percent = numberField({
    label: `Percent ${index + 1}`,
    min: 0,
    max: 100,
    step: 0.1,
    change: (share) => tool.set({ [percentField]: share }, percentField),
  });
  const element = h('div', { className: 'stat-entry' }, stat.element, value.element, percent.element);
  return { typeField, valueField, percentField, stat, value, percent, element };
}

function createInputs({ by, tier, type, level, split, stats, rank }: ReturnType<typeof createControls>): HTMLElement {
  return h(
    'section',
    { className: 'card', 'aria-label': 'Your gem' },
    by.element,
    tier.element,
    type.element,
    level.element,
    split.element,
    stats,
    rank.element,
  );
}

function update(parts: Parts, state: GemsState): Shown {
  const { tool, by, tier, type, level, rank, stats, split, rows, headline, result } = parts;
  const input = checkInputOf(state);
  by.show(state.by);
  tier.show(state.tier);
  type.show(state.type);
  level.limit(1, TIERS[state.tier].maxLevel);
  level.show(state.level);
  rank.show(state.rank);
  stats.hidden = state.by === 'rank';
  split.element.hidden = state.by !== 'percent';
  split.offer(splitsOf(countBoosts(state.level)).map((candidate) => ({ value: splitLabel(candidate), label: splitLabel(candidate) })));
  split.show(splitLabel(state.boosts));
  rank.element.hidden = state.by !== 'rank';
  for (const [index, row] of rows.entries()) {
    // A link may have stats that no gem has together.
    const choices = new Set([...checkChoices(input.types, index), state[row.typeField]]);
    row.stat.offer([...choices].map((id) => ({ value: id, label: STATS[id] })));
    row.stat.show(state[row.typeField]);
    row.value.show(state[row.valueField]);
    row.value.element.hidden = state.by !== 'stats';
    row.percent.show(state[row.percentField]);
    row.percent.element.hidden = state.by !== 'percent';
  }
  try {
    const view = viewCheck(input);
    drawHeadline(headline, view);
    draw(result, view, state, tool);
    return {
      summary: `Quality ${percentText(view.quality)}, Power Rank ${number(view.powerRank)}.${view.issues.length === 0 ? '' : ` ${view.issues.join(' ')}`}`,
      request: {
        method: 'POST',
        path: state.by === 'rank' ? '/v1/gems/evaluate-simple' : '/v1/gems/evaluate',
        body: checkBody(input),
        needsToken: true,
      },
      json: evaluationOf(input),
    };
  } catch (error) {
    show(headline);
    show(result);
    throw error;
  }
}

function drawHeadline(place: HTMLElement, { quality, powerRank, boosts, band, issues }: CheckView): void {
  show(
    place,
    h('p', { className: 'hint' }, 'Quality'),
    h('p', { className: 'headline-figure' }, percentText(quality)),
    figures([
      [band === null ? 'Power Rank, calculated' : 'Power Rank', number(powerRank)],
      ['Boosts', String(boosts)],
    ]),
    ...issues.map((issue) => h('p', { className: 'error' }, issue)),
  );
}

function draw(place: HTMLElement, view: CheckView, state: GemsState, tool: Tool<GemsState>): void {
  const { quality, powerRank, band } = view;
  const types = checkInputOf(state).types;
  const build = actionButton('Open it in the simulator', () =>
    tool.set({ mode: 'build', gem: checkedGem(checkInputOf(state)), spent: {} }),
  );
  show(
    place,
    band === null
      ? card(
          'Between minimum and maximum',
          h(
            'ul',
            { className: 'stat-rows' },
            ...view.stats.map((stat, index) => {
              const type = types[index] ?? 1;
              return statRow({
                name: `${stat.name}${stat.boosts === 0 ? '' : `, ${stat.boosts} ${stat.boosts === 1 ? 'boost' : 'boosts'}`}`,
                value: valueText(type, stat.value),
                share: stat.progress,
                ends: [valueText(type, stat.min), valueText(type, stat.max)],
                note: percentText(stat.progress),
              });
            }),
          ),
          h('div', { className: 'actions' }, build),
        )
      : card(
          'Between minimum and maximum',
          h(
            'ul',
            { className: 'stat-rows' },
            statRow({
              name: 'Power Rank',
              value: number(powerRank),
              share: quality,
              ends: [number(band.min), number(band.max)],
              note: percentText(quality),
            }),
          ),
        ),
    waysCard(view.ways),
  );
}
