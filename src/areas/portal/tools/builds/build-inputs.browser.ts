import { h } from '../../../../assets/ui/dom.js';
import { CLASS_NAMES } from '../../../../game/classes.domain.ts';
import { BUILD_TYPES, MAX_CRITICAL_LINES } from '../../../gems/builds/builds-request.domain.ts';
import { encodeStarChart, readStarChart } from '../../../gems/builds/star-chart.domain.ts';
import { type Control, numberField, searchField, segmented, selectField, tickField } from '../frame/controls.browser.ts';
import { allyOptions, type BuildState, type BuildsState, foodOptions } from './builds-tool.domain.ts';
import { starChartControl } from './star-chart.browser.ts';

type Set = (changes: Partial<BuildsState>, source?: string) => void;
type SetBuild = (changes: Partial<BuildState>, source?: string) => void;

const classOptions = CLASS_NAMES.map((name) => ({ value: name, label: name }));
const MAX_LIGHT = 100_000;

/** Ticks of the build, and of the health optimizer. */
const FLAGS = [
  ['active', 'Subclass ability active'],
  ['buff', 'Buff of the ally active'],
  ['face', 'Damage line on the face'],
  ['litany', 'Litany: 1 % more Light'],
  ['battler', 'Berserk Battler: 750 more Light'],
  ['hunt', 'Boss buff of the star chart'],
] as const satisfies readonly (readonly [keyof BuildsState, string])[];
const HEALTH_FLAGS = [
  ['wch', 'Critical Hit on the weapon'],
  ['rch', 'Critical Hit on the ring'],
  ['hh', 'Health on the hat'],
  ['fh', 'Health on the face'],
] as const satisfies readonly (readonly [keyof BuildsState, string])[];

/** A code of a star chart as text, with the notice of an unknown code. */
function codeField(change: (code: string) => void): Control<string> {
  const notice = h('p', { className: 'error', id: 'chart-notice' });
  const input = h('input', {
    id: 'chart-code',
    type: 'text',
    autocomplete: 'off',
    spellcheck: false,
    maxLength: 1000,
    'aria-describedby': notice.id,
  });
  input.addEventListener('input', () => change(input.value.trim()));
  return {
    element: h('div', { className: 'field' }, h('label', { for: input.id }, 'Star chart code'), input, notice),
    show(code) {
      if (document.activeElement !== input) input.value = code;
      const isUnknown = code !== '' && readStarChart(code).selected.length === 0;
      notice.textContent = isUnknown ? 'This code selects nothing. Copy the whole code from the game or another calculator.' : '';
    },
  };
}

/** The controls of a character without its gems. */
export function characterInputs(set: SetBuild) {
  const character = searchField({ label: 'Class', options: classOptions, change: (value) => set({ class: value }) });
  const subclass = searchField({ label: 'Subclass', options: classOptions, change: (value) => set({ sub: value }) });
  const ally = selectField({ label: 'Ally', options: allyOptions(), change: (value) => set({ ally: value }) });
  const food = selectField({ label: 'Food', options: foodOptions(), change: (value) => set({ food: value }) });
  const lines = Array.from({ length: MAX_CRITICAL_LINES + 1 }, (_, count) => ({ value: count, label: String(count) }));
  const critical = segmented({
    label: 'Critical Damage lines on weapon, hat and face',
    options: lines,
    change: (value) => set({ crit: value }),
  });
  const flags = FLAGS.map(([name, label]) => ({ name, control: tickField(label, (value) => set({ [name]: value })) }));
  const code = codeField((value) => set({ chart: value }, 'chart'));
  return {
    character: character.element,
    choices: [h('div', { className: 'field-grid build-choices' }, subclass.element, ally.element, food.element), critical.element],
    options: h('fieldset', { className: 'field' }, h('legend', {}, 'Options'), ...flags.map(({ control }) => control.element)),
    code: code.element,
    show(state: BuildState) {
      character.show(state.class);
      subclass.show(state.sub);
      ally.show(state.ally);
      food.show(state.food);
      critical.show(state.crit);
      for (const { name, control } of flags) control.show(state[name]);
      code.show(state.chart);
    },
  };
}

/** The controls of a build. */
export function buildInputs(set: Set): Control<BuildsState> {
  const type = segmented({
    label: 'Purpose',
    options: BUILD_TYPES.map((value) => ({ value, label: value })),
    change: (value) => set({ type: value }),
  });
  const character = characterInputs(set);
  const light = numberField({
    label: 'Target Light',
    min: 0,
    max: MAX_LIGHT,
    hint: '0 for none. Only Farm builds can trade Light for damage.',
    change: (value) => set({ light: value }, 'light'),
  });
  const health = HEALTH_FLAGS.map(([name, label]) => ({ name, control: tickField(label, (value) => set({ [name]: value })) }));
  // The chart has hundreds of elements: it is drawn when a person opens it.
  let chart: Control<string> | null = null;
  let code = '';
  const chartPlace = h('details', { className: 'folded star-details' }, h('summary', {}, 'Draw the star chart'));
  chartPlace.addEventListener('toggle', () => {
    if (chart || !chartPlace.open) return;
    chart = starChartControl((value) => set({ chart: value }));
    chart.show(code);
    chartPlace.append(chart.element);
  });
  const precise = tickField('Eight decimals', (value) => set({ precise: value }));
  const ofLayouts = h('div', {}, ...character.choices, light.element, character.options);
  const ofHealth = h(
    'fieldset',
    { className: 'field' },
    h('legend', {}, 'Lines of the gear'),
    ...health.map(({ control }) => control.element),
  );
  return {
    element: h(
      'section',
      { className: 'card', 'aria-label': 'Build' },
      h('h2', {}, 'Build'),
      type.element,
      character.character,
      ofLayouts,
      ofHealth,
      character.code,
      chartPlace,
      precise.element,
    ),
    show(state) {
      type.element.hidden = state.mode === 'health';
      ofLayouts.hidden = state.mode === 'health';
      ofHealth.hidden = state.mode !== 'health';
      type.show(state.type);
      character.show(state);
      light.show(state.light);
      for (const { name, control } of health) control.show(state[name]);
      code = state.chart;
      chart?.show(code);
      precise.show(state.precise);
    },
  };
}

/** The code of a chart in its shortest form. */
export const shortCode = (code: string) => encodeStarChart(readStarChart(code).selected);
