import { h, number } from '../../../../assets/ui/dom.js';
import { STAT_FACTORS, STAT_TABLES, type StatSource, type StatTableKey } from '../../../stats/stat-tables.data.ts';
import { actionButton, type Control, card, numberField, segmented, show, statRow, tickField } from '../frame/controls.browser.ts';
import { startTool, type Tool } from '../frame/tool.browser.ts';
import { STAT_KEYS, type StatsState, type StatsView, statsFields, viewStat, withAll, withAmount } from './stats-tool.domain.ts';

/** A slider without a known step moves by this amount. */
const DEFAULT_STEP = 1;

/** The amount of a source; a share of the sum in percent. */
function amountText(source: StatSource, amount: number): string {
  if (STAT_FACTORS.has(source.name)) return `${number(amount * 100)} %`;
  return source.percentage ? `${number(amount)} %` : number(amount);
}

const amountsByName = ({ sources, amounts }: StatsView) =>
  Object.fromEntries(sources.map(({ name }, position) => [name, amounts[position] ?? 0]));
const missingOf = ({ missing }: StatsView) => missing.map(({ source, gain }) => ({ name: source.name, gain }));

/** The control of a source: a box to tick, or a field with a slider for any amount. */
function sourceControl(source: StatSource, position: number, tool: Tool<StatsState>): Control<number> {
  const { name, value, step, type, permanent } = source;
  if (type === 'slider') {
    const field = numberField({
      label: name,
      min: 0,
      max: value,
      step: step ?? DEFAULT_STEP,
      hasRange: true,
      hint: `Up to ${number(value)}`,
      change: (amount) => tool.set(withAmount(tool.state, position, amount), `source-${position}`),
    });
    return field as Control<number>;
  }
  const text = `${name}${permanent === false ? ', temporary' : ''}`;
  const label = h('span', { className: 'tick-label' }, h('span', {}, text), h('span', { className: 'hint' }, amountText(source, value)));
  const tick = tickField(label, (isTicked) => tool.set(withAmount(tool.state, position, isTicked ? value : 0)));
  return { element: tick.element, show: (amount) => tick.show(amount >= value) };
}

function drawHeadline(place: HTMLElement, { label, total, max, share }: StatsView): void {
  show(
    place,
    h('p', { className: 'hint' }, label),
    h('p', { className: 'headline-figure' }, number(total)),
    h('ul', { className: 'stat-rows' }, statRow({ name: `${Math.floor(share * 1000) / 10} % of the maximum`, value: number(max), share })),
  );
}

function drawResult(place: HTMLElement, { label, missing }: StatsView, tool: Tool<StatsState>): void {
  const best = missing[0]?.gain ?? 0;
  show(
    place,
    card(
      missing.length === 0 ? 'Nothing is missing' : 'Missing, most valuable first',
      missing.length === 0
        ? h('p', {}, `You have every source of ${label}.`)
        : h(
            'ul',
            { className: 'stat-rows' },
            ...missing.map(({ position, source, gain }) => {
              const button = actionButton('I have it', () => tool.set(withAmount(tool.state, position, source.value)), {
                key: `have-${position}`,
                className: 'inline',
              });
              button.setAttribute('aria-label', `I have it: ${source.name}`);
              return statRow({ name: source.name, value: `+${number(gain)}`, share: best === 0 ? 0 : gain / best, action: button });
            }),
          ),
    ),
  );
}

startTool<StatsState>({
  name: 'stats',
  fields: statsFields,
  build(tool) {
    const choice = segmented({
      label: 'Stat',
      options: STAT_KEYS.map((key) => ({ value: key, label: STAT_TABLES[key].label })),
      change: (stat) => tool.set({ stat }),
    });
    const list = h('section', { className: 'card', 'aria-label': 'What you have' });
    const headline = h('section', { className: 'card headline-card', 'aria-label': 'Sum' });
    const result = h('div', { className: 'tool-result' });
    let shownStat: StatTableKey | null = null;
    let controls: Control<number>[] = [];
    return {
      top: [choice.element, headline],
      inputs: [list],
      results: [result],
      update(state) {
        const view = viewStat(state);
        choice.show(state.stat);
        if (shownStat !== state.stat) {
          shownStat = state.stat;
          controls = view.sources.map((source, position) => sourceControl(source, position, tool));
          list.replaceChildren(
            h('h2', {}, 'What you have'),
            h(
              'div',
              { className: 'actions small' },
              actionButton('Tick everything', () => tool.set(withAll(tool.state, true))),
              actionButton('Tick nothing', () => tool.set(withAll(tool.state, false))),
            ),
            ...controls.map(({ element }) => element),
          );
        }
        for (const [position, control] of controls.entries()) control.show(view.amounts[position] ?? 0);
        drawHeadline(headline, view);
        drawResult(result, view, tool);
        return {
          summary: `${view.label}: ${number(view.total)} of ${number(view.max)}.`,
          request: { method: 'GET', path: `/v1/stats/${state.stat}`, needsToken: true },
          json: { stat: state.stat, total: view.total, max: view.max, amounts: amountsByName(view), missing: missingOf(view) },
        };
      },
    };
  },
});
