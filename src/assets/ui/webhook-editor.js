/** What the pages of chat and signed webhooks share: the badge of a webhook, and the editor of its events and conditions. */
import { call } from './api.js';
import { announce, busy, button, byId, h, sentence, time } from './dom.js';

const PATH = '/v1/webhooks/conditions/try';

const toInput = ({ event, match, values, limit }) => ({ event, match, values, limit });

const tryAll = async (conditions) => (await call('POST', PATH, { conditions: conditions.map(toInput) })).items;

function resultOf({ would_post: wouldPost, reason, event_at: at }) {
  if (wouldPost === null) return [sentence(reason)];
  return [`${wouldPost ? 'Would post' : 'Would not post'}: ${reason} (`, time(at), ').'];
}

export const nameOf = ({ label, url }) => label || url;

export function badgeOf({ active, disabled_reason: reason, last_error: error }) {
  if (!active) return h('span', { className: 'badge bad' }, reason ? 'switched off by the service' : 'switched off');
  return error ? h('span', { className: 'badge warn' }, 'failing') : h('span', { className: 'badge good' }, 'active');
}

/** `refresh` reads the list again. */
export function switchButton({ active }, path, refresh) {
  return button(active ? 'Switch off' : 'Switch on', async () => {
    await call('PATCH', path, { active: !active });
    announce(active ? 'Webhook switched off.' : 'Webhook switched on.');
    await refresh();
  });
}

export const eventBoxes = (prefix) => [...document.querySelectorAll(`[data-events="${prefix}"] input[name="event"]`)];

/** The choice of events in a dialog, with its conditions. `missing`: error without an event. */
export function webhookEditor(prefix, missing) {
  const conditions = conditionEditor(prefix);
  return {
    clear: () => conditions.set([]),
    show(webhook) {
      for (const box of eventBoxes(prefix)) box.checked = webhook.events.includes(box.value);
      conditions.set(webhook.conditions);
    },
    /** The selected events and the conditions. Throws without an event. */
    async selection() {
      await conditions.commit();
      const checked = eventBoxes(prefix)
        .filter((box) => box.checked)
        .map(({ value }) => value);
      const events = [...new Set([...checked, ...conditions.events()])];
      const error = events.length === 0 ? missing : '';
      byId(`${prefix}-events-error`).textContent = error;
      if (error) throw new Error(error);
      return { events, conditions: conditions.get() };
    },
  };
}

/**
 * The conditions in a dialog: a list of sentences, and a form that adds one and tries it against the last event. Ticking off an event removes
 * its conditions.
 */
function conditionEditor(prefix) {
  const part = document.querySelector(`[data-conditions="${prefix}"]`);
  const find = (role) => part.querySelector(`[data-role="${role}"]`);
  const [kind, list, add, test] = ['kind', 'list', 'add', 'try'].map(find);
  const error = byId(`${prefix}-conditions-error`);
  const boxes = eventBoxes(prefix);
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
    return h('li', { className: 'condition' }, h('div', {}, h('b', {}, condition.sentence), result), remove);
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

/** The facts of a webhook: its conditions, if it has any. */
export function conditionFacts({ conditions }) {
  const sentences = conditions.map((condition) => h('li', {}, condition.sentence));
  return sentences.length === 0 ? [] : [['Conditions', h('ul', { className: 'sentences' }, ...sentences)]];
}
