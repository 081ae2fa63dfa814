import { announce, h, number, table } from '../../../../assets/ui/dom.js';
import { BOOSTERS } from '../../../gems/gem.data.ts';
import { BOOSTER_IDS } from '../../../gems/gem-input.domain.ts';
import { histogram } from '../frame/chart.browser.ts';
import { actionButton, numberField, selectField, show } from '../frame/controls.browser.ts';
import type { Tool } from '../frame/tool.browser.ts';
import { createWorkPlace } from '../frame/work.browser.ts';
import { type BuilderView, costToMaximum, levelStep, levelToStep, spentRows } from './gem-builder.domain.ts';
import { writeGem } from './gem-code.domain.ts';
import { SPREAD_RUNS, type Spread } from './gem-spread.domain.ts';
import { boosterOf, type GemsState } from './gems-tool.domain.ts';
import { costList, costText, percentText, rolls } from './parts.browser.ts';
import { type Steps, takeStep } from './steps.browser.ts';

/** The cards about levels: the next attempt, the way to the maximum, and what was done so far. */
export function createLevelCards(tool: Tool<GemsState>, steps: Steps) {
  const cards: Cards = {
    tool,
    steps,
    ...createLevelCard(tool),
    ...createMaximumCard((name) => drawSpread(cards, name)),
    history: h('section', { className: 'card' }),
    spreads: [],
    shownFor: '',
  };
  return {
    elements: [cards.levelCard, cards.history, cards.maximumCard],
    update: (state: GemsState, view: BuilderView): void => update(cards, state, view),
  };
}

/** The elements that an update fills, and what they show. */
interface Cards extends ReturnType<typeof createLevelCard>, ReturnType<typeof createMaximumCard> {
  tool: Tool<GemsState>;
  steps: Steps;
  history: HTMLElement;
  /** Result of the last simulation; empty before one. */
  spreads: readonly Spread[];
  /** Gem and booster that the simulation is about. */
  shownFor: string;
}

function createLevelCard(tool: Tool<GemsState>) {
  const booster = selectField<GemsState['booster']>({
    label: 'Booster',
    options: [{ value: 'none', label: 'None' }, ...BOOSTER_IDS.map((id) => ({ value: id, label: BOOSTERS[id].name }))],
    change: (id) => tool.set({ booster: id }),
  });
  const target = numberField({ label: 'Target level', min: 1, max: 1, change: (to) => tool.set({ to }, 'to') });
  const next = h('div');
  const jump = h('div', {});
  const levelCard = h(
    'section',
    { className: 'card' },
    h('h2', {}, 'Level up'),
    booster.element,
    next,
    h('div', { className: 'run-row' }, target.element, jump),
  );
  return { booster, target, next, jump, levelCard };
}

function createMaximumCard(choose: (name: string) => void) {
  const expected = h('div', {});
  const spread = h('div', {});
  const work = createWorkPlace(`Levelling the gem ${number(SPREAD_RUNS)} times`);
  const measure = selectField<string>({ label: 'Show', options: [], change: choose });
  measure.element.hidden = true;
  const maximumCard = h(
    'section',
    { className: 'card' },
    h('h2', {}, 'To the maximum level'),
    expected,
    work.element,
    measure.element,
    spread,
  );
  return { expected, spread, work, measure, maximumCard };
}

async function simulate(cards: Cards): Promise<void> {
  const { tool, work, measure, expected } = cards;
  const { gem } = tool.state;
  const result = await work.run<Spread[]>('/ui/tools/gems-work.js', { gem, booster: boosterOf(tool.state) });
  if (result === null) {
    // The button that was pressed is gone; another change of the gem also cancels, and keeps its focus.
    const { activeElement } = document;
    if (activeElement === document.body || work.element.contains(activeElement))
      expected.querySelector<HTMLButtonElement>('[data-key="spread"]')?.focus();
    return announce('Cancelled.');
  }
  cards.spreads = result;
  measure.offer(result.map(({ name }) => ({ value: name, label: name })));
  measure.element.hidden = false;
  drawSpread(cards, 'Attempts');
  announce('The chart is ready.');
}

function drawSpread({ spreads, spread, measure }: Cards, name: string) {
  const chosen = spreads.find((candidate) => candidate.name === name);
  if (!chosen) return show(spread);
  measure.show(name);
  const { bars, mean, p10, p50, p90 } = chosen;
  const first = bars[0]?.upTo ?? 0;
  show(
    spread,
    h(
      'p',
      {},
      `Half of all gems need at most ${number(p50)}, nine of ten at most ${number(p90)}, the luckiest tenth at most ${number(p10)}; ${number(Math.round(mean))} on average.`,
    ),
    histogram({
      title: `${name} to the maximum level, ${number(SPREAD_RUNS)} simulated gems`,
      unit: name,
      counted: 'Gems',
      bars: bars.map(({ upTo, runs }) => ({ label: `up to ${number(upTo)}`, count: runs })),
      ends: [number(first), number(bars.at(-1)?.upTo ?? 0)],
    }),
    table(
      'Spread of every material',
      [
        { title: 'Material', value: (row: Spread) => row.name },
        { title: 'Lucky (10 %)', kind: 'number' as const, value: (row: Spread) => number(row.p10) },
        { title: 'Half', kind: 'number' as const, value: (row: Spread) => number(row.p50) },
        { title: 'Unlucky (90 %)', kind: 'number' as const, value: (row: Spread) => number(row.p90) },
      ],
      spreads,
    ),
  );
}

function drawNext({ tool, steps, next }: Cards, { step, gem, maxAttempts, karmaMax }: BuilderView) {
  if (step === null) return show(next, h('p', {}, 'The gem is at its maximum level.'));
  const karma = h('progress', { max: karmaMax, value: gem.karma, 'aria-label': 'Karma' });
  show(
    next,
    h(
      'p',
      {},
      h('b', {}, percentText(step.chance)),
      ` chance of level ${step.level}`,
      step.doubleChance > 0 ? `, ${percentText(step.doubleChance)} of those gain two levels` : '',
      `. At most ${number(maxAttempts)} ${maxAttempts === 1 ? 'attempt' : 'attempts'} from an empty bar. Each costs ${costText(step.cost)}.`,
    ),
    h(
      'p',
      { className: 'karma' },
      h('span', { className: 'hint' }, `Karma ${gem.karma} of ${karmaMax}, +${step.karmaPerFail} for each failure`),
      karma,
    ),
    h(
      'div',
      { className: 'actions first' },
      actionButton(`Try level ${step.level}`, () => takeStep(steps, levelStep(tool.state.gem, boosterOf(tool.state), rolls)), {
        key: 'attempt',
        className: 'primary',
      }),
    ),
  );
}

function drawExpected(cards: Cards, state: GemsState, view: BuilderView) {
  const { expected } = cards;
  if (view.step === null) return show(expected, h('p', {}, 'The gem is there.'));
  const { exact_attempts: attempts, exact_total: total } = costToMaximum(state.gem, boosterOf(state));
  show(
    expected,
    h(
      'p',
      {},
      `Level ${state.gem.level} to ${view.maxLevel} takes `,
      h('b', {}, `${number(attempts)} attempts`),
      ' on average, from an empty karma bar.',
    ),
    costList(total),
    h(
      'div',
      { className: 'actions' },
      actionButton('Show the spread', () => void simulate(cards), { key: 'spread' }),
    ),
  );
}

function drawHistory({ tool, steps, history }: Cards, state: GemsState): void {
  const done = steps.current().toReversed();
  const spent = spentRows(state.spent);
  const undo = actionButton('Undo', steps.undo, { key: 'undo', isDisabled: done.length === 0 });
  const reset = actionButton('Set the cost to zero', () => tool.set({ spent: {} }), { key: 'zero', isDisabled: spent.length === 0 });
  show(
    history,
    h('h2', {}, 'So far'),
    h('p', {}, `Spent: ${costText(spent)}. Attempts to level up: ${number(state.gem.attempts)}.`),
    h('div', { className: 'actions small first' }, undo, reset),
    done.length === 0
      ? null
      : h(
          'ol',
          { className: 'steps', tabIndex: 0, 'aria-label': 'What was done, newest first' },
          ...done.map(({ text, cost }) => h('li', {}, text, cost.length === 0 ? null : h('span', { className: 'hint' }, costText(cost)))),
        ),
  );
}

function update(cards: Cards, state: GemsState, view: BuilderView): void {
  const { tool, steps, booster, target, jump, spread, work, measure } = cards;
  booster.show(state.booster);
  target.limit(Math.min(state.gem.level + 1, view.maxLevel), view.maxLevel);
  target.show(state.to);
  target.element.hidden = view.step === null;
  drawNext(cards, view);
  const run = actionButton(
    `Level up to ${state.to}`,
    () => takeStep(steps, levelToStep(tool.state.gem, tool.state.to, boosterOf(tool.state), rolls)),
    { key: 'run' },
  );
  show(jump, view.step === null ? null : run);
  drawExpected(cards, state, view);
  drawHistory(cards, state);
  const subject = `${writeGem(state.gem)} ${state.booster}`;
  if (subject === cards.shownFor) return;
  cards.shownFor = subject;
  work.cancel();
  cards.spreads = [];
  measure.element.hidden = true;
  show(spread);
}
