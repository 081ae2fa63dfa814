/** Giveaways: create, change, draw early, cancel. */
import { call, get } from '../api.js';
import { announce, button, byId, fill, h, number, table, time } from '../dom.js';
import { wireForm } from '../form.js';
import '../portal.js';

/** Giveaway and decision of the open dialog. */
let chosen = null;
let decision = null;
/** Initial values of the edit form. Only changed fields are sent. */
const initialValues = {};

/** Fields that can be changed while a giveaway is open. */
const CHANGEABLE_WHILE_OPEN = ['title', 'description', 'ends_at'];

const fieldsOf = (form) => [...form.elements].filter(({ name }) => name !== '');

function localText(iso) {
  const at = new Date(iso);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function openChange(giveaway) {
  chosen = giveaway;
  const isOpen = giveaway.status === 'open';
  byId('change-note').textContent = isOpen ? 'The giveaway is open. Prize, code and start can no longer be changed.' : '';
  for (const field of fieldsOf(byId('change-form'))) {
    const value = giveaway[field.name] ?? '';
    field.value = field.type === 'datetime-local' ? localText(value) : value;
    field.disabled = isOpen && !CHANGEABLE_WHILE_OPEN.includes(field.name);
    initialValues[field.name] = field.value;
  }
  byId('change-dialog').showModal();
}

const DECISIONS = {
  close: {
    label: 'Draw now',
    result: 'drawn',
    note: 'Ends the giveaway now and draws the winner from the current entries. This cannot be undone.',
  },
  cancel: {
    label: 'Cancel',
    result: 'cancelled',
    note: 'Cancels the giveaway without a winner and removes it from all lists. This cannot be undone.',
  },
};

function openDecision(giveaway, action) {
  chosen = giveaway;
  decision = action;
  byId('decide-dialog-title').textContent = `${DECISIONS[action].label}: ${giveaway.title}`;
  byId('decide-note').textContent = DECISIONS[action].note;
  byId('decide-form').querySelector('[type="submit"]').textContent = DECISIONS[action].label;
  byId('decide-dialog').showModal();
}

function actionsOf(giveaway) {
  const { status, id } = giveaway;
  const isRunning = status === 'scheduled' || status === 'open';
  return h(
    'div',
    { className: 'actions small' },
    isRunning ? button('Change', () => openChange(giveaway)) : '',
    status === 'open' ? button('Draw now', () => openDecision(giveaway, 'close')) : '',
    isRunning ? button('Cancel', () => openDecision(giveaway, 'cancel'), 'danger') : '',
    status === 'drawn' ? h('a', { className: 'button', href: `/v1/giveaways/${encodeURIComponent(id)}/draw` }, 'Draw record') : '',
  );
}

const columns = [
  { title: 'Giveaway', kind: 'wide', value: (giveaway) => h('span', {}, h('b', {}, giveaway.title), h('br'), giveaway.prize_name) },
  { title: 'State', value: ({ status }) => h('span', { className: `badge ${status === 'open' ? 'good' : ''}` }, status) },
  { title: 'Start, end', value: (giveaway) => h('span', {}, time(giveaway.starts_at), h('br'), time(giveaway.ends_at)) },
  { title: 'Entries', kind: 'number', value: (giveaway) => number(giveaway.entry_count) },
  { title: 'Winner', value: (giveaway) => giveaway.winner_username ?? 'none' },
  { title: 'Actions', value: actionsOf },
];

const show = () =>
  fill(byId('giveaways'), async () =>
    table('Giveaways', columns, (await get('/admin/giveaways')).items, 'No giveaways yet. Select New giveaway to create one.'),
  );

function closeDialog(dialogId, message) {
  byId(dialogId).close();
  announce(message);
  return show();
}

wireForm(byId('create-form'), call, {
  done() {
    byId('create-form').reset();
    return closeDialog('create-dialog', 'Giveaway created.');
  },
});

const withId = (path) => path.replace('{id}', encodeURIComponent(chosen.id)).replace('{action}', decision);

wireForm(byId('change-form'), call, {
  prepare({ method, path, body }) {
    const changed = fieldsOf(byId('change-form')).filter(({ name, value, disabled }) => !disabled && value !== initialValues[name]);
    return { method, path: withId(path), body: Object.fromEntries(changed.map(({ name }) => [name, body[name] ?? null])) };
  },
  done: () => closeDialog('change-dialog', 'Saved.'),
});

wireForm(byId('decide-form'), call, {
  prepare: ({ method, path }) => ({ method, path: withId(path) }),
  done: ({ title }) => closeDialog('decide-dialog', `${title}: ${DECISIONS[decision].result}.`),
});

await show();
