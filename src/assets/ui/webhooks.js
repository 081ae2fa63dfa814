/** Chat webhooks of the account: list, create, edit, test, switch, delete. */
import { call, get } from './api.js';
import { announce, button, byId, facts, fill, h, time } from './dom.js';
import { wireForm } from './form.js';
import './portal.js';
import { EVENT_LABELS } from './webhook-events.js';
import { openMessage } from './webhook-message.js';

/** Webhook of the open dialog. */
let chosen = null;

const pathOf = ({ id }) => `/v1/webhooks/${encodeURIComponent(id)}`;
const nameOf = ({ label, url }) => label || url;

function badgeOf({ active, disabled_reason: reason, last_error: error }) {
  if (!active) return h('span', { className: 'badge bad' }, reason ? 'switched off by the service' : 'switched off');
  return error ? h('span', { className: 'badge warn' }, 'failing') : h('span', { className: 'badge good' }, 'active');
}

function eventsOf({ events, templates }) {
  return events.map((key) => (templates[key]?.enabled ? `${EVENT_LABELS[key]} (custom message)` : EVENT_LABELS[key])).join(', ');
}

function healthOf({ last_status: status, last_error: error, last_delivered_at: deliveredAt, disabled_reason: reason }) {
  return [
    ['Last delivered', time(deliveredAt)],
    ...(error ? [['Last failure', status === null ? error : `${error} (status ${status})`]] : []),
    ...(reason ? [['Switched off', reason]] : []),
  ];
}

/** Options of a test: an event, or a plain test message. */
function trialOf(webhook) {
  const select = h(
    'select',
    { 'aria-label': `Test message for ${nameOf(webhook)}` },
    h('option', { value: '' }, 'plain test message'),
    ...Object.entries(EVENT_LABELS).map(([value, label]) => h('option', { value }, label)),
  );
  const trial = button('Send a test', async () => {
    const { ok, status, error } = await call('POST', `${pathOf(webhook)}/test${select.value ? `?event=${select.value}` : ''}`);
    announce(ok ? 'Test message posted.' : `The test failed: ${error ?? `status ${status}`}.`);
    await refresh();
  });
  return h('div', { className: 'trial' }, select, trial);
}

function cardOf(webhook) {
  const title = h('h2', {}, nameOf(webhook));
  const switchOver = button(webhook.active ? 'Switch off' : 'Switch on', async () => {
    await call('PATCH', pathOf(webhook), { active: !webhook.active });
    announce(webhook.active ? 'The webhook is switched off.' : 'The webhook is switched on.');
    await refresh();
  });
  const messages = webhook.events.map((key) => button(`Message: ${EVENT_LABELS[key]}`, () => openMessage(webhook, key, refresh)));
  return h(
    'article',
    { className: 'card' },
    h('div', { className: 'token-head' }, title, badgeOf(webhook)),
    h(
      'dl',
      { className: 'facts' },
      ...facts([
        ['Address', h('code', {}, webhook.url)],
        ['Events', eventsOf(webhook)],
        ...healthOf(webhook),
        ['Made', time(webhook.created_at)],
      ]),
    ),
    h('div', { className: 'actions small' }, ...messages),
    h(
      'div',
      { className: 'actions small' },
      trialOf(webhook),
      button('Edit', () => openEditor(webhook)),
      switchOver,
      button('Delete', () => openRemoval(webhook), 'danger'),
    ),
  );
}

const refresh = () =>
  fill(byId('webhooks'), async () => {
    const { items } = await get('/v1/webhooks');
    return items.length === 0 ? h('p', {}, 'No webhooks yet. Create one to post events to your chat.') : items.map(cardOf);
  });

const boxesOf = (prefix) => [...document.querySelectorAll(`[data-events="${prefix}"] input`)];

function pickedEvents(prefix) {
  const events = boxesOf(prefix)
    .filter(({ checked }) => checked)
    .map(({ value }) => value);
  const fault = events.length === 0 ? 'Select at least one event.' : '';
  byId(`${prefix}-events-error`).textContent = fault;
  if (fault) throw new Error(fault);
  return events;
}

function openEditor(webhook) {
  chosen = webhook;
  byId('edit-form').reset();
  byId('edit-label').value = webhook.label;
  for (const box of boxesOf('edit')) box.checked = webhook.events.includes(box.value);
  for (const place of byId('edit-form').querySelectorAll('.error')) place.textContent = '';
  byId('edit-dialog').showModal();
}

function openRemoval(webhook) {
  chosen = webhook;
  const dialog = byId('remove-dialog');
  dialog.querySelector('[data-role="webhook-name"]').textContent = nameOf(webhook);
  dialog.showModal();
}

function leave(dialogId, said) {
  byId(dialogId).close();
  announce(said);
  return refresh();
}

wireForm(byId('create-form'), call, {
  prepare: ({ method, path, body }) => ({ method, path, body: { ...body, events: pickedEvents('create') } }),
  async done() {
    byId('create-form').reset();
    await leave('create-dialog', 'Webhook created.');
  },
});

wireForm(byId('edit-form'), call, {
  prepare: ({ method, body }) => ({ method, path: pathOf(chosen), body: { ...body, events: pickedEvents('edit') } }),
  done: () => leave('edit-dialog', 'Saved.'),
});

wireForm(byId('remove-form'), call, {
  prepare: ({ method }) => ({ method, path: pathOf(chosen) }),
  done: () => leave('remove-dialog', 'The webhook is deleted.'),
});

await refresh();
