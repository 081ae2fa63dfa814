import { h, number } from '../../../../assets/ui/dom.js';
import { ELEMENTS, EMPOWERED, LESSER, RESTRICTIONS, type RollStatId, STATS, TIERS, TYPES } from '../../../gems/gem.data.ts';
import { POSITIONS, type StatPosition } from '../../../gems/gem.domain.ts';
import { ELEMENT_IDS, RESTRICTION_IDS, TIER_IDS, TYPE_IDS } from '../../../gems/gem-input.domain.ts';
import { actionButton, figures, isWide, numberField, segmented, selectField, show, statRow } from '../frame/controls.browser.ts';
import type { Shown, Tool } from '../frame/tool.browser.ts';
import { splitLabel } from './boost-splits.domain.ts';
import {
  abilityChoices,
  augmentStep,
  type BuilderView,
  boostSplits,
  evaluateBuilt,
  flareStep,
  rollGem,
  type Step,
  sparkStep,
  statChoices,
  viewBuilder,
  withKind,
  withLevel,
  withRoll,
  withSplit,
  withStatType,
} from './gem-builder.domain.ts';
import { boosterOf, type GemsState } from './gems-tool.domain.ts';
import { createLevelCards } from './level-cards.browser.ts';
import { focusChoice, percentText, rolls, valueText, waysCard } from './parts.browser.ts';
import { createSteps, type Steps, takeStep } from './steps.browser.ts';

/** The simulator: controls of the gem, its stats, and what a person can do with it. */
export function createBuildPanel(tool: Tool<GemsState>) {
  const parts = createParts({ tool, steps: createSteps(tool) });
  return {
    inputs: [parts.gemCard, parts.statsCard],
    headline: parts.headline,
    results: [parts.changes, ...parts.levels.elements, parts.perfect],
    update: (state: GemsState): Shown => update(parts, state),
  };
}

/** The tool, and the steps that every change of its gem is. */
interface Editor {
  tool: Tool<GemsState>;
  steps: Steps;
}

/** The elements that an update fills. */
type Parts = ReturnType<typeof createParts>;

function createParts(editor: Editor) {
  const { tool, steps } = editor;
  const controls = createControls(editor);
  const focus = focusChoice((id) => tool.set({ focus: id }));
  const statPlace = h('ul', { className: 'stat-rows' });
  return {
    ...editor,
    ...controls,
    gemCard: createGemCard(editor, controls),
    statsCard: createStatsCard(controls),
    headline: h('section', { className: 'card headline-card', 'aria-label': 'The gem' }),
    focus,
    statPlace,
    changes: h('section', { className: 'card' }, h('h2', {}, 'Focus, spark, flare'), focus.element, statPlace),
    levels: createLevelCards(tool, steps),
    perfect: h('div', { className: 'tool-result' }),
  };
}

const edit = ({ steps }: Editor, text: string, gem: Step['gem'], source?: string) => steps.apply({ gem, text, cost: [] }, source);

const changeKind = (editor: Editor, text: string, change: Parameters<typeof withKind>[1]) =>
  edit(editor, text, withKind(editor.tool.state.gem, change, rolls));

/** The controls of the gem and of its stats. */
function createControls(editor: Editor) {
  const { tool } = editor;
  const tier = segmented({
    label: 'Tier',
    options: TIER_IDS.map((id) => ({ value: id, label: TIERS[id].name })),
    change: (id) => changeKind(editor, `Tier: ${TIERS[id].name}`, { tier: id }),
  });
  const type = segmented({
    label: 'Type',
    options: TYPE_IDS.map((id) => ({ value: id, label: TYPES[id] })),
    change: (id) => changeKind(editor, `Type: ${TYPES[id]}`, { type: id }),
  });
  const element = segmented({
    label: 'Element',
    options: ELEMENT_IDS.map((id) => ({ value: id, label: ELEMENTS[id].name })),
    change: (id) => changeKind(editor, `Element: ${ELEMENTS[id].name}`, { element: id }),
  });
  const restriction = segmented({
    label: 'Restriction',
    options: RESTRICTION_IDS.map((id) => ({ value: id, label: RESTRICTIONS[id].name })),
    change: (id) => changeKind(editor, `Restriction: ${RESTRICTIONS[id].name}`, { restriction: id }),
  });
  const ability = selectField({
    label: 'Ability',
    options: abilityChoices(tool.state.gem.element).map(({ id, name }) => ({ value: id, label: name })),
    change: (id) => changeKind(editor, 'Another ability', { ability: id }),
  });
  const level = numberField({
    label: 'Level',
    min: 1,
    max: TIERS[tool.state.gem.tier].maxLevel,
    hasRange: true,
    change: (value) => edit(editor, `Level set to ${value}`, withLevel(tool.state.gem, value, rolls), 'level'),
  });
  const split = selectField<string>({
    label: 'Boosts of the three stats',
    options: [],
    change: (text) => {
      const chosen = boostSplits(tool.state.gem).find((candidate) => splitLabel(candidate) === text);
      if (chosen) edit(editor, `Boosts: ${text}`, withSplit(tool.state.gem, chosen));
    },
  });
  const rows = POSITIONS.map((position) => createStatControls(editor, position));
  return { tier, type, element, restriction, ability, level, split, rows };
}

function createStatControls(editor: Editor, position: StatPosition) {
  const { tool } = editor;
  const stat = selectField<RollStatId>({
    label: `Stat ${position + 1}`,
    options: [],
    change: (id) => edit(editor, `Stat ${position + 1}: ${STATS[id]}`, withStatType(tool.state.gem, position, id)),
  });
  const roll = numberField({
    label: `Roll of stat ${position + 1}, in percent`,
    min: 0,
    max: 100,
    step: 0.1,
    hasRange: true,
    change: (percent) =>
      edit(editor, `Roll of stat ${position + 1}: ${percent} %`, withRoll(tool.state.gem, position, percent / 100), `roll-${position}`),
  });
  return { stat, roll, element: h('div', { className: 'stat-controls' }, stat.element, roll.element) };
}

function createGemCard(
  { tool, steps }: Editor,
  { tier, type, element, restriction, ability, level }: ReturnType<typeof createControls>,
): HTMLElement {
  const roll = actionButton('Roll a new gem', () => steps.apply(rollGem(tool.state.gem, rolls)), { className: 'primary' });
  return h(
    'section',
    { className: 'card', 'aria-label': 'Gem' },
    h('div', { className: 'actions first' }, roll),
    tier.element,
    type.element,
    element.element,
    restriction.element,
    ability.element,
    level.element,
  );
}

// On a phone the stats are folded, so that the result is near.
function createStatsCard({ split, rows }: ReturnType<typeof createControls>): HTMLElement {
  return h(
    'details',
    { className: 'card', open: isWide() },
    h('summary', {}, 'Set boosts, stats and rolls'),
    split.element,
    ...rows.map((row) => row.element),
  );
}

function update(parts: Parts, state: GemsState): Shown {
  const { tier, type, element, restriction, ability, level, split, rows, headline, focus, levels, perfect } = parts;
  const view = viewBuilder(state.gem, boosterOf(state));
  const { gem } = view;
  tier.show(gem.tier);
  type.show(gem.type);
  element.show(gem.element);
  restriction.element.hidden = gem.type !== LESSER;
  restriction.show(gem.restriction ?? RESTRICTION_IDS[0] ?? 1);
  ability.element.hidden = gem.type !== EMPOWERED;
  ability.offer(abilityChoices(gem.element).map(({ id, name }) => ({ value: id, label: name })));
  if (gem.ability !== null) ability.show(gem.ability);
  level.limit(1, view.maxLevel);
  level.show(gem.level);
  split.offer(boostSplits(state.gem).map((candidate) => ({ value: splitLabel(candidate), label: splitLabel(candidate) })));
  split.show(splitLabel(view.stats.map(({ boosts }) => boosts)));
  for (const [index, row] of rows.entries()) {
    const stat = view.stats[index];
    if (!stat) continue;
    row.stat.offer(statChoices(state.gem, stat.position).map((id) => ({ value: id, label: STATS[id] })));
    row.stat.show(stat.type);
    row.roll.show(Math.round(stat.progress * 1000) / 10);
  }
  drawHeadline(headline, view);
  focus.show(state.focus);
  drawStats(parts, view);
  levels.update(state, view);
  const evaluation = evaluateBuilt(state.gem);
  show(perfect, waysCard(Object.values(evaluation.focus_totals)));
  return {
    summary: `${view.name}, level ${gem.level}: quality ${percentText(gem.quality)}, Power Rank ${number(gem.power_rank)}.`,
    request: { method: 'POST', path: '/v1/gems/evaluate', body: { gem: state.gem }, needsToken: true },
    json: evaluation,
  };
}

function drawStats({ tool, steps, statPlace }: Parts, view: BuilderView): void {
  const { gem, focus: focusId } = tool.state;
  show(
    statPlace,
    ...view.stats.map((stat) => {
      const { position, name, boosts } = stat;
      const button = (label: string, act: () => Step, isDisabled: boolean) => {
        const element = actionButton(label, () => takeStep(steps, act()), { key: `${label}-${position}`, isDisabled });
        element.setAttribute('aria-label', `${label}: ${name}`);
        return element;
      };
      return statRow({
        name: `${name}${boosts === 0 ? '' : `, ${boosts} ${boosts === 1 ? 'boost' : 'boosts'}`}${stat.locked ? ', locked' : ''}`,
        value: valueText(stat.type, stat.value),
        share: stat.progress,
        ends: [valueText(stat.type, stat.min), valueText(stat.type, stat.max)],
        note: percentText(stat.progress),
        actions: [
          button('Focus', () => augmentStep(gem, position, focusId), stat.isMaxed),
          button('Spark', () => sparkStep(gem, position, rolls), !stat.canSpark),
          button('Flare', () => flareStep(gem, position, rolls), boosts === 0),
        ],
      });
    }),
  );
}

function drawHeadline(place: HTMLElement, { name, gem, maxLevel }: BuilderView): void {
  show(
    place,
    h('p', { className: 'headline-name' }, name),
    figures([
      ['Quality', percentText(gem.quality)],
      ['Power Rank', number(gem.power_rank)],
      ['Level', `${gem.level} / ${maxLevel}`],
    ]),
  );
}
