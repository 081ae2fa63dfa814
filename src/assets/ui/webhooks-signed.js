/** Signed webhooks of the account: list, create, edit, rotate, test, delete, and their deliveries. */
import { call, get } from './api.js';
import { announce, button, byId, facts, fill, h, openDialog, time } from './dom.js';
import { wireForm } from './form.js';
import './portal.js';
import { badgeOf, conditionFacts, eventBoxes, nameOf, switchButton, webhookEditor } from './webhook-editor.js';

const PATH = '/v1/webhooks/signed';
const MAX_DELIVERIES = 50;
const SECONDS_PER_HOUR = 3600;
const STATES = { pending: 'warn', delivered: 'good', failed: 'bad' };

/** Webhook of the open dialog. */
let chosen = null;

const NO_EVENT = 'Select at least one event type or add a condition.';
const editors = { create: webhookEditor('create', NO_EVENT), edit: webhookEditor('edit', NO_EVENT) };

const pathOf = ({ id }, end = '') => `${PATH}/${encodeURIComponent(id)}${end}`;
const deliveryPath = (webhook, { message_id: id }, end = '') => pathOf(webhook, `/deliveries/${encodeURIComponent(id)}${end}`);

function healthOf({ last_error: error, last_delivered_at: deliveredAt, disabled_reason: reason, previous_secret_until: until }) {
  return [
    ['Last delivered', time(deliveredAt)],
    ...(error ? [['Last error', error]] : []),
    ...(reason ? [['Switched off', reason]] : []),
    ...(until ? [['Old secret until', time(until)]] : []),
  ];
}

function cardOf(webhook) {
  return h(
    'article',
    { className: 'card' },
    h('div', { className: 'token-head' }, h('h2', {}, nameOf(webhook)), badgeOf(webhook)),
    h(
      'dl',
      { className: 'facts' },
      ...facts([
        ['URL', h('code', {}, webhook.url)],
        ['Event types', eventBoxes('edit').every(({ value }) => webhook.events.includes(value)) ? 'all' : webhook.events.join(', ')],
        ...conditionFacts(webhook),
        ...healthOf(webhook),
        ['Created', time(webhook.created_at)],
      ]),
    ),
    h(
      'div',
      { className: 'actions small' },
      button('Deliveries', () => openDeliveries(webhook)),
      webhook.active ? button('Send test event', () => sendTest(webhook)) : null,
      button('Edit', () => openEditor(webhook)),
      button('Rotate secret', () => openFor(webhook, 'rotate-dialog')),
      switchButton(webhook, pathOf(webhook), refresh),
      button('Delete', () => openFor(webhook, 'remove-dialog'), 'danger'),
    ),
  );
}

const refresh = () =>
  fill(byId('webhooks'), async () => {
    const { items } = await get(PATH);
    return items.length === 0 ? h('p', {}, 'No signed webhooks yet.') : items.map(cardOf);
  });

function openFor(webhook, dialogId) {
  chosen = webhook;
  openDialog(dialogId, nameOf(webhook));
}

for (const picker of document.querySelectorAll('[data-events]')) {
  const all = picker.querySelector('[data-role="all"]');
  const boxes = eventBoxes(picker.dataset.events);
  picker.addEventListener('change', ({ target }) => {
    if (target === all) for (const box of boxes) box.checked = all.checked;
    all.checked = boxes.every(({ checked }) => checked);
  });
}

function openEditor(webhook) {
  byId('edit-form').reset();
  byId('edit-label').value = webhook.label;
  editors.edit.show(webhook);
  document.querySelector('[data-events="edit"] [data-role="all"]').checked = eventBoxes('edit').every(({ checked }) => checked);
  openFor(webhook, 'edit-dialog');
}

async function sendTest(webhook) {
  await call('POST', pathOf(webhook, '/test'));
  announce('Test event queued.');
  await openDeliveries(webhook);
}

const resultOf = ({ status, error }) => error ?? `HTTP ${status}`;

function summaryOf({ created_at: createdAt, attempt_count: count, last_attempt: last, next_attempt_at: next }) {
  const attempts = count === 1 ? '1 attempt' : `${count} attempts`;
  return h(
    'p',
    { className: 'hint' },
    time(createdAt),
    `, ${attempts}${last ? `, last result: ${resultOf(last)}` : ''}`,
    ...(next ? [', next attempt: ', time(next)] : []),
  );
}

function deliveryCard(delivery) {
  const details = h('div', { 'aria-live': 'polite' });
  return h(
    'article',
    { className: 'card' },
    h(
      'div',
      { className: 'token-head' },
      h('h3', {}, h('code', {}, delivery.type)),
      h('span', { className: `badge ${STATES[delivery.state]}` }, delivery.state),
    ),
    summaryOf(delivery),
    h(
      'div',
      { className: 'actions small' },
      button('Details', () => showDetails(delivery, details)),
      button('Replay', () => replay(delivery)),
    ),
    details,
  );
}

const loadDeliveries = () =>
  fill(byId('deliveries'), async () => {
    const { items } = await get(pathOf(chosen, `/deliveries?limit=${MAX_DELIVERIES}`));
    return items.length === 0 ? h('p', {}, 'No deliveries yet.') : items.map(deliveryCard);
  });

async function openDeliveries(webhook) {
  byId('deliveries').replaceChildren();
  openFor(webhook, 'deliveries-dialog');
  await loadDeliveries();
}

async function replay(delivery) {
  await call('POST', deliveryPath(chosen, delivery, '/replay'));
  announce('Delivery queued.');
  await loadDeliveries();
}

function attemptItem(attempt) {
  const { at, duration_ms: duration, response } = attempt;
  return h('li', {}, time(at), `: ${resultOf(attempt)}, ${duration} ms`, response ? h('pre', {}, response) : null);
}

async function showDetails(delivery, container) {
  const { message_id: id, attempts, body } = await get(deliveryPath(chosen, delivery));
  container.replaceChildren(
    h('h4', {}, 'Message ', h('code', {}, id)),
    h('pre', {}, body),
    h('h4', {}, 'Attempts'),
    attempts.length === 0 ? h('p', {}, 'No attempts yet.') : h('ol', {}, ...attempts.map(attemptItem)),
  );
}

/** Shows a secret. Closing the dialog removes the secret from the page. */
function showSecret(secret) {
  byId('secret').textContent = secret;
  byId('secret-dialog').showModal();
}

byId('secret-dialog').addEventListener('close', () => {
  byId('secret').textContent = '';
});

byId('reload-deliveries').addEventListener('click', loadDeliveries);
byId('deliveries-dialog').addEventListener('close', refresh);

function closeDialog(dialogId, message) {
  byId(dialogId).close();
  announce(message);
  return refresh();
}

wireForm(byId('create-form'), call, {
  prepare: async ({ method, path, body }) => ({ method, path, body: { ...body, ...(await editors.create.selection()) } }),
  async done({ secret }) {
    byId('create-form').reset();
    editors.create.clear();
    await closeDialog('create-dialog', 'Webhook created.');
    showSecret(secret);
  },
});

wireForm(byId('edit-form'), call, {
  prepare: async ({ method, body }) => ({ method, path: pathOf(chosen), body: { ...body, ...(await editors.edit.selection()) } }),
  done: () => closeDialog('edit-dialog', 'Saved.'),
});

wireForm(byId('rotate-form'), call, {
  prepare: ({ method, body }) => ({
    method,
    path: pathOf(chosen, '/rotate'),
    body: { overlap_seconds: body.overlap_hours * SECONDS_PER_HOUR },
  }),
  async done({ secret }) {
    byId('rotate-form').reset();
    await closeDialog('rotate-dialog', 'Secret rotated.');
    showSecret(secret);
  },
});

wireForm(byId('remove-form'), call, {
  prepare: ({ method }) => ({ method, path: pathOf(chosen) }),
  done: () => closeDialog('remove-dialog', 'Webhook deleted.'),
});

await refresh();
// The example appears with the list above it, which avoids a layout shift.
byId('example').hidden = false;
