import { type Content, copyText, h, number } from '../../../../assets/ui/dom.js';

/** A control of a tool. `show` sets its value without an event. */
export interface Control<Value> {
  element: HTMLElement;
  show(value: Value): void;
}

export interface Option<Value> {
  value: Value;
  label: string;
  /** Options with the same group stand together. */
  group?: string;
}

let serial = 0;

function newId(): string {
  serial += 1;
  return `control-${serial}`;
}

interface NumberOptions {
  label: string;
  min: number;
  max: number;
  /** Default: 1. */
  step?: number;
  /** Adds a slider. */
  hasRange?: boolean;
  /** A short explanation below the field. */
  hint?: string;
  change(value: number): void;
}

export interface NumberControl extends Control<number | null> {
  /** Changes the bounds, for example with another tier. */
  limit(min: number, max: number, step?: number): void;
}

/** A field for a number, with an error text while the number is out of bounds. Only valid numbers are reported. */
export function numberField({ label, min, max, step = 1, hasRange = false, hint, change }: NumberOptions): NumberControl {
  const id = newId();
  const input = h('input', { id, type: 'number', inputMode: step < 1 ? 'decimal' : 'numeric', autocomplete: 'off' });
  const range = hasRange ? h('input', { type: 'range', 'aria-label': `${label}, slider`, tabIndex: -1 }) : null;
  const error = h('p', { id: `${id}-error`, className: 'error' });
  input.setAttribute('aria-describedby', error.id);
  const bounds = { min, max };

  function limit(nextMin: number, nextMax: number, nextStep = step): void {
    Object.assign(bounds, { min: nextMin, max: nextMax });
    for (const field of [input, range]) if (field) Object.assign(field, { min: nextMin, max: nextMax, step: nextStep });
  }

  function problemOf(): string {
    const value = input.valueAsNumber;
    if (Number.isNaN(value)) return 'Enter a number.';
    if (value < bounds.min || value > bounds.max) return `Enter a number from ${number(bounds.min)} to ${number(bounds.max)}.`;
    return step >= 1 && !Number.isInteger(value) ? 'Enter a whole number.' : '';
  }

  function check(): boolean {
    const problem = problemOf();
    error.textContent = problem;
    if (problem === '') input.removeAttribute('aria-invalid');
    else input.setAttribute('aria-invalid', 'true');
    return problem === '';
  }

  limit(min, max);
  input.addEventListener('input', () => {
    if (!check()) return;
    if (range) range.value = input.value;
    change(input.valueAsNumber);
  });
  range?.addEventListener('input', () => {
    input.value = range.value;
    check();
    change(range.valueAsNumber);
  });
  return {
    element: h(
      'div',
      { className: 'field number-field' },
      h('label', { for: id }, label),
      h('div', { className: 'number-inputs' }, input, range),
      hint === undefined ? null : h('p', { className: 'hint' }, hint),
      error,
    ),
    limit,
    show(value) {
      // The text that a person types, such as "1.", stays as it is while it means the value.
      if (document.activeElement !== input || input.valueAsNumber !== value) input.value = value === null ? '' : String(value);
      if (range) range.value = input.value;
      if (value !== null) check();
      else error.textContent = '';
    },
  };
}

interface ChoiceOptions<Value> {
  label: string;
  options: readonly Option<Value>[];
  change(value: Value): void;
}

export interface ChoiceControl<Value> extends Control<Value> {
  /** Replaces the options. */
  offer(options: readonly Option<Value>[]): void;
}

/** A list of options to choose one from. */
export function selectField<Value>({ label, options, change }: ChoiceOptions<Value>): ChoiceControl<Value> {
  const id = newId();
  const select = h('select', { id });
  let offered: readonly Option<Value>[] = [];

  function offer(next: readonly Option<Value>[]): void {
    if (isSameOffer(offered, next)) return;
    offered = next;
    const items = next.map((option, index) => ({ option, element: h('option', { value: String(index) }, option.label) }));
    const groups = new Map<string, HTMLElement>();
    select.replaceChildren();
    for (const { option, element } of items) {
      if (option.group === undefined) select.append(element);
      else {
        const group = groups.get(option.group) ?? h('optgroup', { label: option.group });
        groups.set(option.group, group);
        group.append(element);
        select.append(group);
      }
    }
  }

  offer(options);
  select.addEventListener('change', () => {
    const chosen = offered[Number(select.value)];
    if (chosen) change(chosen.value);
  });
  return {
    element: h('div', { className: 'field' }, h('label', { for: id }, label), select),
    offer,
    show(value) {
      const index = offered.findIndex((option) => option.value === value);
      select.value = index < 0 ? '' : String(index);
    },
  };
}

const isSameOffer = <Value>(one: readonly Option<Value>[], other: readonly Option<Value>[]) =>
  one.length === other.length && one.every(({ value, label }, index) => other[index]?.value === value && other[index]?.label === label);

/** A long list of options: the browser offers those that contain the typed text. */
export function searchField<Value>({ label, options, change }: ChoiceOptions<Value>): ChoiceControl<Value> {
  const id = newId();
  const list = h('datalist', { id: `${id}-list` });
  const error = h('p', { id: `${id}-error`, className: 'error' });
  const input = h('input', { id, type: 'text', autocomplete: 'off', spellcheck: false, 'aria-describedby': error.id });
  input.setAttribute('list', list.id);
  let offered: readonly Option<Value>[] = [];
  let shown = '';

  function offer(next: readonly Option<Value>[]): void {
    offered = next;
    list.replaceChildren(...next.map((option) => h('option', { value: option.label })));
  }

  const find = () => offered.find((option) => option.label.toLowerCase() === input.value.trim().toLowerCase());
  offer(options);
  input.addEventListener('input', () => {
    const found = find();
    if (!found) return;
    error.textContent = '';
    input.removeAttribute('aria-invalid');
    if (found.label !== shown) change(found.value);
  });
  input.addEventListener('change', () => {
    if (find()) return;
    error.textContent = 'Choose an entry of the list.';
    input.setAttribute('aria-invalid', 'true');
  });
  // The list contains only what matches the text, so it starts empty for a new search.
  input.addEventListener('focus', () => input.select());
  return {
    element: h('div', { className: 'field' }, h('label', { for: id }, label), input, list, error),
    offer,
    show(value) {
      shown = offered.find((option) => option.value === value)?.label ?? '';
      if (document.activeElement === input && shown !== '' && find()?.label === shown) return;
      input.value = shown;
      error.textContent = '';
      input.removeAttribute('aria-invalid');
    },
  };
}

/** A few options side by side, of which one is chosen. */
export function segmented<Value>({ label, options, change }: ChoiceOptions<Value>): ChoiceControl<Value> {
  const name = newId();
  const row = h('div', { className: 'segments' });
  let inputs: HTMLInputElement[] = [];
  let offered: readonly Option<Value>[] = [];

  function offer(next: readonly Option<Value>[]): void {
    if (isSameOffer(offered, next)) return;
    offered = next;
    inputs = next.map(({ value }) => h('input', { type: 'radio', name, className: 'visually-hidden', onchange: () => change(value) }));
    row.replaceChildren(...next.map((option, index) => h('label', {}, inputs[index], h('span', {}, option.label))));
  }

  offer(options);
  return {
    element: h('fieldset', { className: 'field segmented' }, h('legend', {}, label), row),
    offer,
    show(value) {
      for (const [index, input] of inputs.entries()) input.checked = offered[index]?.value === value;
    },
  };
}

/** A box to tick. */
export function tickField(label: Content, change: (isTicked: boolean) => void): Control<boolean> {
  const input = h('input', { type: 'checkbox', onchange: () => change(input.checked) });
  return {
    element: h('label', { className: 'choice' }, input, h('span', {}, label)),
    show(value) {
      input.checked = value;
    },
  };
}

interface StatRowOptions {
  name: Content;
  value: string;
  /** Position between the lowest and the highest possible value, from 0 to 1; null without a range. */
  share: number | null;
  /** Texts at the ends of the bar. */
  ends?: readonly [string, string];
  /** Says what the bar shows, for screen readers. */
  note?: string;
  /** A button beside the value. */
  action?: HTMLElement;
  /** Buttons below the bar. */
  actions?: readonly HTMLElement[];
}

/** A stat with its value and a bar of its possible range. */
export function statRow({ name, value, share, ends, note, action, actions = [] }: StatRowOptions): HTMLElement {
  const fill = h('span', { className: 'stat-fill' });
  fill.style.width = `${100 * Math.min(1, Math.max(0, share ?? 0))}%`;
  return h(
    'li',
    { className: 'stat-row' },
    h('div', { className: 'stat-head' }, h('span', {}, name), h('b', {}, value), action),
    share === null ? null : h('div', { className: 'stat-bar', 'aria-hidden': 'true' }, fill),
    ends === undefined
      ? null
      : h(
          'div',
          { className: 'stat-ends hint' },
          h('span', {}, ends[0]),
          note === undefined ? null : h('span', {}, note),
          h('span', {}, ends[1]),
        ),
    actions.length === 0 ? null : h('div', { className: 'actions small' }, ...actions),
  );
}

/** Whether inputs and results stand side by side. */
export const isWide = () => matchMedia('(min-width: 56rem)').matches;

/** A card with a part of the result. */
export function card(title: string, ...content: Content[]): HTMLElement {
  return h('section', { className: 'card', 'aria-label': title }, h('h2', {}, title), ...content);
}

/** Large figures side by side. */
export function figures(entries: readonly (readonly [label: string, value: string])[]): HTMLElement {
  return h(
    'div',
    { className: 'tool-figures' },
    ...entries.map(([label, value]) => h('p', {}, h('span', { className: 'hint' }, label), h('b', {}, value))),
  );
}

interface ActionOptions {
  /** Keeps the focus on the button when the result is drawn again. */
  key?: string;
  isDisabled?: boolean;
  className?: string;
}

export function actionButton(
  label: string,
  act: () => void,
  { key, isDisabled = false, className = '' }: ActionOptions = {},
): HTMLButtonElement {
  return h('button', { type: 'button', className, 'data-key': key, disabled: isDisabled, onclick: act }, label);
}

/** A button that copies a text. */
export function copyButton(label: string, text: () => string, options: ActionOptions = {}): HTMLButtonElement {
  return actionButton(label, () => void copyText(text()), options);
}

/** Replaces the content of an element. The focus returns to the button with the same key, or to the element. */
export function show(place: HTMLElement, ...content: Content[]): void {
  const focused = document.activeElement;
  const hadFocus = focused !== null && place.contains(focused);
  const key = hadFocus ? focused.closest<HTMLElement>('[data-key]')?.dataset.key : undefined;
  place.replaceChildren(...content.filter((part) => part !== null && part !== undefined));
  if (!hadFocus) return;
  const next = key === undefined ? null : place.querySelector<HTMLButtonElement>(`[data-key="${CSS.escape(key)}"]`);
  if (next && !next.disabled) next.focus();
  else {
    place.tabIndex = -1;
    place.focus({ preventScroll: true });
  }
}
