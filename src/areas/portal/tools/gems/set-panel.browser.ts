import { facts, h, number } from '../../../../assets/ui/dom.js';
import { GEM_SLOTS, type SetGem } from '../../../gems/builds/gem-set.domain.ts';
import { ELEMENTS, type RollStatId, STATS, TIERS } from '../../../gems/gem.data.ts';
import { POSITIONS, type StatPosition } from '../../../gems/gem.domain.ts';
import { countBoosts } from '../../../gems/gem-figures.domain.ts';
import { ELEMENT_IDS, TIER_IDS } from '../../../gems/gem-input.domain.ts';
import { characterInputs } from '../builds/build-inputs.browser.ts';
import { linkOf, readBuild } from '../builds/builds-tool.domain.ts';
import { actionButton, card, figures, isWide, numberField, segmented, selectField, show } from '../frame/controls.browser.ts';
import type { Shown, Tool } from '../frame/tool.browser.ts';
import { splitLabel, splitsOf } from './boost-splits.domain.ts';
import { percentOf, setStatChoices } from './gem-set-link.domain.ts';
import {
  atLevel,
  atTier,
  copiedToType,
  mapStats,
  perfected,
  type SetView,
  setJson,
  slotName,
  viewSet,
  withBoosts,
  withDamage,
} from './gem-set-tool.domain.ts';
import type { GemsState } from './gems-tool.domain.ts';
import { percentText, valueText } from './parts.browser.ts';

const decimals = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

/** All gems of a character: their sums, and what they make of it. */
export function createSetPanel(tool: Tool<GemsState>) {
  const parts = createParts(tool);
  return {
    headline: parts.headline,
    inputs: [parts.gemCard, parts.characterCard],
    results: [parts.result],
    update: (state: GemsState): Shown => update(parts, state),
  };
}

/** The elements that an update fills. */
type Parts = ReturnType<typeof createParts>;

function createParts(tool: Tool<GemsState>) {
  const controls = createGemControls(tool);
  return {
    tool,
    ...createCharacter(tool),
    ...controls,
    gemCard: createGemCard(tool, controls),
    headline: h('section', { className: 'card headline-card', 'aria-label': 'All gems' }),
    result: h('div', { className: 'tool-result' }),
  };
}

const gemAt = (tool: Tool<GemsState>, place: number): SetGem => tool.state.set[place] ?? (tool.state.set[0] as SetGem);

const editAll = (tool: Tool<GemsState>, change: (gem: SetGem) => SetGem) => tool.set({ set: tool.state.set.map(change) });

function edit(tool: Tool<GemsState>, change: (gem: SetGem) => SetGem, source?: string): void {
  const { set, slot } = tool.state;
  tool.set({ set: set.with(slot, change(gemAt(tool, slot))) }, source && `${source}-${slot}`);
}

function createCharacter(tool: Tool<GemsState>) {
  const character = characterInputs((changes, source) => {
    tool.set({ character: linkOf({ ...readBuild(tool.state.character), ...changes }) }, source);
  });
  const characterCard = h(
    'details',
    { className: 'card', open: isWide() },
    h('summary', {}, 'Your character'),
    character.character,
    ...character.choices,
    character.options,
    character.code,
  );
  return { character, characterCard };
}

/** The controls of the chosen gem. */
function createGemControls(tool: Tool<GemsState>) {
  const place = selectField<number>({
    label: 'Gem',
    options: GEM_SLOTS.map((_, index) => ({ value: index, label: slotName(index) })),
    change: (slot) => tool.set({ slot }),
  });
  const tier = segmented({
    label: 'Tier',
    options: TIER_IDS.map((id) => ({ value: id, label: TIERS[id].name })),
    change: (id) => edit(tool, (gem) => atTier(gem, id)),
  });
  const level = numberField({
    label: 'Level',
    min: 1,
    max: 1,
    hasRange: true,
    change: (value) => edit(tool, (gem) => atLevel(gem, value), 'level'),
  });
  const split = selectField<string>({
    label: 'Boosts of the three stats',
    options: [],
    change: (text) => {
      const chosen = splitsOf(countBoosts(gemAt(tool, tool.state.slot).level)).find((candidate) => splitLabel(candidate) === text);
      if (chosen) edit(tool, (gem) => withBoosts(gem, chosen));
    },
  });
  return { place, tier, level, split, rows: POSITIONS.map((position) => createStatControls(tool, position)) };
}

function createStatControls(tool: Tool<GemsState>, position: StatPosition) {
  const change = (part: Partial<SetGem['stats'][number]>, source?: string) =>
    edit(tool, (gem) => mapStats(gem, (stat, index) => (index === position ? { ...stat, ...part } : stat)), source);
  const stat = selectField<RollStatId>({ label: `Stat ${position + 1}`, options: [], change: (type) => change({ type }) });
  const percent = numberField({
    label: `Percent ${position + 1}`,
    min: 0,
    max: 100,
    step: 0.1,
    change: (value) => change({ progress: value / 100 }, `percent-${position}`),
  });
  return { position, stat, percent, element: h('div', { className: 'stat-entry' }, stat.element, percent.element) };
}

function createGemCard(tool: Tool<GemsState>, { place, tier, level, split, rows }: ReturnType<typeof createGemControls>): HTMLElement {
  return h(
    'section',
    { className: 'card', 'aria-label': 'Gem' },
    place.element,
    tier.element,
    level.element,
    split.element,
    ...rows.map(({ element }) => element),
    h(
      'div',
      { className: 'actions small' },
      actionButton('Copy to all of this type', () => tool.set({ set: copiedToType(tool.state.set, tool.state.slot) })),
      actionButton('Perfect this gem', () => edit(tool, perfected)),
      actionButton('Perfect all gems', () => editAll(tool, perfected)),
    ),
  );
}

function update(parts: Parts, state: GemsState): Shown {
  const { tool, character, place, tier, level, split, rows, headline, result } = parts;
  const view = viewSet(state);
  const gem = gemAt(tool, state.slot);
  character.show(view.build);
  place.show(state.slot);
  tier.show(gem.tier);
  level.limit(1, TIERS[gem.tier].maxLevel);
  level.show(gem.level);
  split.offer(splitsOf(countBoosts(gem.level)).map((candidate) => ({ value: splitLabel(candidate), label: splitLabel(candidate) })));
  split.show(splitLabel(gem.stats.map(({ boosts }) => boosts)));
  for (const { position, stat, percent } of rows) {
    stat.offer(setStatChoices(gem, position).map((id) => ({ value: id, label: STATS[id] })));
    stat.show(gem.stats[position].type);
    percent.show(percentOf(gem.stats[position].progress));
  }
  show(
    headline,
    h('p', { className: 'hint' }, `Coefficient of ${view.build.class}`),
    h('p', { className: 'headline-figure' }, number(Math.floor(view.figures.coefficient))),
    figures([
      ['Power Rank of gems', number(view.sum.powerRank)],
      ['Quality', percentText(view.sum.quality)],
      ['Light', decimals.format(view.figures.light)],
    ]),
  );
  show(result, ...resultCards(parts, view, state));
  return {
    summary: `Coefficient ${number(Math.floor(view.figures.coefficient))}, Power Rank of gems ${number(view.sum.powerRank)}.`,
    request: null,
    json: setJson(view),
  };
}

function resultCards(parts: Parts, view: SetView, state: GemsState): HTMLElement[] {
  const { damageType, unused, stats, gems, build } = view;
  return [
    ...(unused === 0
      ? []
      : [
          card(
            'Damage that your class does not use',
            h(
              'p',
              {},
              `${number(unused)} of ${number(gems.length)} gems have the other damage: ${build.class} deals ${damageType} Damage.`,
            ),
            h(
              'div',
              { className: 'actions' },
              actionButton(`Change it to ${damageType} Damage`, () => editAll(parts.tool, (gem) => withDamage(gem, damageType)), {
                key: 'damage',
              }),
            ),
          ),
        ]),
    card(
      'Stats of all gems',
      h('p', { className: 'hint' }, 'With the bonus of a full set, 10 %.'),
      h('dl', { className: 'facts amounts' }, ...facts(stats.map(({ name, type, value }) => [name, valueText(type, value)] as const))),
    ),
    card(
      'The gems',
      ...ELEMENT_IDS.map((element) =>
        h(
          'div',
          { className: 'set-element' },
          h('h3', {}, ELEMENTS[element].name),
          h(
            'ul',
            { className: 'copy-list' },
            ...gems.flatMap((entry, index) => (entry.gem.element === element ? [gemRow(parts, entry, index, state)] : [])),
          ),
        ),
      ),
    ),
    card(
      'The best boosts',
      h('p', {}, 'The build optimizer compares every way to place the boosts of perfect gems on this character.'),
      h(
        'div',
        { className: 'actions' },
        h('a', { className: 'button', href: `/tools/builds#${linkOf(build)}` }, 'Open the build optimizer'),
      ),
    ),
  ];
}

function gemRow(
  { tool, gemCard }: Parts,
  { gem, name, powerRank, quality, values }: SetView['gems'][number],
  index: number,
  state: GemsState,
): HTMLElement {
  const open = () => {
    tool.set({ slot: index });
    // On a phone the controls are far above the list.
    if (!isWide()) gemCard.querySelector('select')?.focus();
  };
  const button = actionButton('Edit', open, { key: `gem-${index}` });
  button.setAttribute('aria-label', `Edit: ${name}`);
  button.setAttribute('aria-pressed', String(state.slot === index));
  const stats = gem.stats.map((stat, at) => h('span', {}, `${STATS[stat.type]} ${valueText(stat.type, values[at] ?? 0)}`));
  return h(
    'li',
    { className: state.slot === index ? 'chosen' : '' },
    h(
      'span',
      {},
      h('b', {}, `${name.replace(/^.*, /, '')}, ${TIERS[gem.tier].name} ${gem.level}`),
      h('span', { className: 'hint set-stats' }, ...stats),
    ),
    h('span', { className: 'when' }, `Power Rank ${number(powerRank)}`, h('span', { className: 'hint' }, percentText(quality))),
    button,
  );
}
