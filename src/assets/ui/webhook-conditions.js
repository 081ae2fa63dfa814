/** Conditions of a webhook: a list of sentences, and a form that adds one and tries it against the last event. */
import { call } from './api.js';
import { busy, byId, h, sentence, time } from './dom.js';

const PATH = '/v1/webhooks/conditions/try';

const toInput = ({ event, match, values, limit }) => ({ event, match, values, limit });

const tryAll = async (conditions) => (await call('POST', PATH, { conditions: conditions.map(toInput) })).items;

function resultOf({ would_post: wouldPost, reason, event_at: at }) {
  if (wouldPost === null) return [sentence(reason)];
  return [`${wouldPost ? 'Would post' : 'Would not post'}: ${reason} (`, time(at), ').'];
}

/** The editor in a dialog. Ticking off an event removes its conditions. */
export function conditionEditor(prefix) {
  const part = document.querySelector(`[data-conditions="${prefix}"]`);
  const find = (role) => part.querySelector(`[data-role="${role}"]`);
  const [kind, list, add, test] = ['kind', 'list', 'add', 'try'].map(find);
  const error = byId(`${prefix}-conditions-error`);
  const boxes = [...document.querySelectorAll(`[data-events="${prefix}"] input[name="event"]`)];
  let conditions = [];

  const chosen = () => [...part.querySelectorAll('[data-kind]')].find(({ dataset }) => dataset.kind === kind.value);

  function show() {
    list.replaceChildren(...conditions.map(itemOf));
    test.hidden = conditions.length === 0;
  }

  function itemOf(condition) {
    const remove = h('button', { type: 'button', 'aria-label': `Remove: ${condition.sentence}` }, 'Remove');
    remove.addEventListener('click', () => {
      conditions = conditions.filter((other) => other !== condition);
      show();
      kind.focus();
    });
    const result = condition.tried ? h('p', { className: 'hint' }, ...resultOf(condition.tried)) : null;
    return h('li', {}, h('div', {}, h('b', {}, condition.sentence), result), remove);
  }

  function reset() {
    kind.value = '';
    error.textContent = '';
    showForm();
  }

  function showForm() {
    for (const form of part.querySelectorAll('[data-kind]')) {
      form.hidden = form.dataset.kind !== kind.value;
      // A hidden field with an invalid number would keep the browser from sending the form.
      for (const input of form.querySelectorAll('input')) input.disabled = form.hidden;
    }
    add.hidden = kind.value === '';
    const suggestions = chosen()?.querySelector('datalist:empty');
    if (suggestions) loadSuggestions(suggestions);
  }

  /** The condition in the form. */
  function entered() {
    const form = chosen();
    const [event, match] = kind.value.split(' ');
    const text = form.querySelector('[data-role="text"]')?.value.trim() ?? '';
    const ticked = [...form.querySelectorAll('[data-role="value"]:checked')].map(({ value }) => value);
    const limit = form.querySelector('[data-role="limit"]')?.value ?? '';
    return { event, match, values: text ? [text] : ticked, limit: limit === '' ? null : Number(limit) };
  }

  async function addEntered() {
    error.textContent = '';
    const condition = entered();
    if (condition.values.length === 0) {
      error.textContent = 'Choose or enter a value.';
      return;
    }
    try {
      const [tried] = await tryAll([condition]);
      conditions.push({ ...condition, sentence: tried.sentence, tried });
    } catch (problem) {
      error.textContent = sentence(problem.problems?.[0]?.msg ?? problem.message);
      return;
    }
    for (const box of boxes) if (box.value === condition.event) box.checked = true;
    for (const input of chosen().querySelectorAll('[data-role="text"], [data-role="limit"]')) input.value = '';
    reset();
    show();
  }

  kind.addEventListener('change', showForm);
  add.addEventListener('click', () => busy(add, addEntered));
  // Enter in a field of the condition adds it instead of sending the form around it.
  part.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.target.tagName !== 'INPUT' || event.target.type === 'checkbox') return;
    event.preventDefault();
    add.click();
  });
  test.addEventListener('click', () =>
    busy(test, async () => {
      const tried = await tryAll(conditions);
      conditions = conditions.map((condition, at) => ({ ...condition, tried: tried[at] }));
      show();
    }),
  );
  document.querySelector(`[data-events="${prefix}"]`).addEventListener('change', () => {
    const isOff = (event) => boxes.some((box) => box.value === event && !box.checked);
    conditions = conditions.filter(({ event }) => !isOff(event));
    show();
  });

  return {
    set(given) {
      conditions = given.map((condition) => ({ ...condition }));
      reset();
      show();
    },
    get: () => conditions.map(toInput),
    /** Events that the conditions need. */
    events: () => conditions.map(({ event }) => event),
    /** Adds a condition that is entered but not added yet. Throws if it is invalid. */
    async commit() {
      if (kind.value !== '') await addEntered();
      if (error.textContent) throw new Error(error.textContent);
    },
  };
}

async function loadSuggestions(list) {
  const response = await fetch(list.dataset.source).catch(() => null);
  if (!response?.ok) return;
  const { items } = await response.json();
  list.replaceChildren(...items.map((item) => h('option', { value: item })));
}

/** The conditions of a webhook as a list; null without one. */
export function sentencesOf({ conditions }) {
  return conditions.length === 0
    ? null
    : h('ul', { className: 'sentences' }, ...conditions.map((condition) => h('li', {}, condition.sentence)));
}
