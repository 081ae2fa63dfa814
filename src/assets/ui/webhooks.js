/** Chat webhooks of the account: list, create, edit, test, switch, delete. */
import { call, get } from './api.js';
import { announce, button, byId, facts, fill, h, time } from './dom.js';
import { messageView } from './embed.js';
import { wireForm } from './form.js';
import './portal.js';
import { conditionEditor, sentencesOf } from './webhook-conditions.js';
import { EVENT_LABELS } from './webhook-events.js';
import { openMessage } from './webhook-message.js';

/** Webhook of the open dialog. */
let chosen = null;

const editors = { create: conditionEditor('create'), edit: conditionEditor('edit') };

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

/** Select and button that send a test message: that of an event, or a plain one. */
function testControls(webhook) {
  const select = h(
    'select',
    { 'aria-label': `Test message for ${nameOf(webhook)}` },
    h('option', { value: '' }, 'plain test message'),
    ...Object.entries(EVENT_LABELS).map(([value, label]) => h('option', { value }, label)),
  );
  const send = button('Send a test', async () => {
    const { ok, status, error } = await call('POST', `${pathOf(webhook)}/test${select.value ? `?event=${select.value}` : ''}`);
    announce(ok ? 'Test message posted.' : `The test failed: ${error ?? `status ${status}`}.`);
    await refresh();
  });
  return h('div', { className: 'test-controls' }, select, send);
}

function cardOf(webhook) {
  const title = h('h2', {}, nameOf(webhook));
  const toggle = button(webhook.active ? 'Switch off' : 'Switch on', async () => {
    await call('PATCH', pathOf(webhook), { active: !webhook.active });
    announce(webhook.active ? 'Webhook switched off.' : 'Webhook switched on.');
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
        ['URL', h('code', {}, webhook.url)],
        ['Events', eventsOf(webhook)],
        ...(webhook.conditions.length > 0 ? [['Conditions', sentencesOf(webhook)]] : []),
        ...healthOf(webhook),
        ['Created', time(webhook.created_at)],
      ]),
    ),
    h('div', { className: 'actions small' }, ...messages),
    h(
      'div',
      { className: 'actions small' },
      testControls(webhook),
      button('Edit', () => openEditor(webhook)),
      toggle,
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

/** The selected events and the conditions. */
async function selection(prefix) {
  const editor = editors[prefix];
  await editor.commit();
  const checked = boxesOf(prefix)
    .filter((box) => box.checked)
    .map(({ value }) => value);
  const events = [...new Set([...checked, ...editor.events()])];
  const error = events.length === 0 ? 'Select at least one event or add a condition.' : '';
  byId(`${prefix}-events-error`).textContent = error;
  if (error) throw new Error(error);
  return { events, conditions: editor.get() };
}

function openEditor(webhook) {
  chosen = webhook;
  byId('edit-form').reset();
  byId('edit-label').value = webhook.label;
  for (const box of boxesOf('edit')) box.checked = webhook.events.includes(box.value);
  editors.edit.set(webhook.conditions);
  for (const error of byId('edit-form').querySelectorAll('.error')) error.textContent = '';
  byId('edit-dialog').showModal();
}

function openRemoval(webhook) {
  chosen = webhook;
  const dialog = byId('remove-dialog');
  dialog.querySelector('[data-role="webhook-name"]').textContent = nameOf(webhook);
  dialog.showModal();
}

function closeDialog(dialogId, message) {
  byId(dialogId).close();
  announce(message);
  return refresh();
}

wireForm(byId('create-form'), call, {
  prepare: async ({ method, path, body }) => ({ method, path, body: { ...body, ...(await selection('create')) } }),
  async done() {
    byId('create-form').reset();
    editors.create.set([]);
    await closeDialog('create-dialog', 'Webhook created.');
  },
});

wireForm(byId('edit-form'), call, {
  prepare: async ({ method, body }) => ({ method, path: pathOf(chosen), body: { ...body, ...(await selection('edit')) } }),
  done: () => closeDialog('edit-dialog', 'Saved.'),
});

wireForm(byId('remove-form'), call, {
  prepare: ({ method }) => ({ method, path: pathOf(chosen) }),
  done: () => closeDialog('remove-dialog', 'Webhook deleted.'),
});

/** Shows the default message of an event. The page works without it. */
async function showExample() {
  const event = 'mod_release';
  const { meta } = await get('/v1/webhooks/events');
  const template = meta.find(({ key }) => key === event).default_template;
  const message = await call('POST', '/v1/webhooks/preview', { event, template });
  byId('example-message').replaceChildren(...(await messageView(message, () => null)));
  byId('example').hidden = false;
}

await Promise.all([refresh(), showExample().catch(() => {})]);
