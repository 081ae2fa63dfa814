/** Chat webhooks of the account: list, create, edit, test, switch, delete. */
import { call, get } from './api.js';
import { announce, button, byId, facts, fill, h, openDialog, time } from './dom.js';
import { messageView } from './embed.js';
import { wireForm } from './form.js';
import './portal.js';
import { badgeOf, conditionFacts, nameOf, switchButton, webhookEditor } from './webhook-editor.js';
import { openMessage } from './webhook-message.js';
import { EVENT_LABELS } from './webhook-templates.js';

/** Webhook of the open dialog. */
let chosen = null;

const NO_EVENT = 'Select at least one event or add a condition.';
const editors = { create: webhookEditor('create', NO_EVENT), edit: webhookEditor('edit', NO_EVENT) };

const pathOf = ({ id }) => `/v1/webhooks/${encodeURIComponent(id)}`;

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
        ...conditionFacts(webhook),
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
      switchButton(webhook, pathOf(webhook), refresh),
      button('Delete', () => openRemoval(webhook), 'danger'),
    ),
  );
}

const refresh = () =>
  fill(byId('webhooks'), async () => {
    const { items } = await get('/v1/webhooks');
    return items.length === 0 ? h('p', {}, 'No webhooks yet. Create one to post events to your chat.') : items.map(cardOf);
  });

function openEditor(webhook) {
  chosen = webhook;
  byId('edit-form').reset();
  byId('edit-label').value = webhook.label;
  editors.edit.show(webhook);
  openDialog('edit-dialog');
}

function openRemoval(webhook) {
  chosen = webhook;
  openDialog('remove-dialog', nameOf(webhook));
}

function closeDialog(dialogId, message) {
  byId(dialogId).close();
  announce(message);
  return refresh();
}

wireForm(byId('create-form'), call, {
  prepare: async ({ method, path, body }) => ({ method, path, body: { ...body, ...(await editors.create.selection()) } }),
  async done() {
    byId('create-form').reset();
    editors.create.clear();
    await closeDialog('create-dialog', 'Webhook created.');
  },
});

wireForm(byId('edit-form'), call, {
  prepare: async ({ method, body }) => ({ method, path: pathOf(chosen), body: { ...body, ...(await editors.edit.selection()) } }),
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
