/** Tokens of the account: list, create, edit, rotate, revoke. */
import { allowlistEditor } from './allowlist.js';
import { call, get } from './api.js';
import { sparkline } from './charts.js';
import { announce, button, byId, fill, h, number, openDialog, table, time } from './dom.js';
import { showProblem, wireForm } from './form.js';
import { account } from './portal.js';

/** Token of the open dialog. */
let chosen = null;

const isPast = (iso) => iso !== null && new Date(iso) < new Date();

function badgeOf({ revoked, expires_at: expiresAt }) {
  if (revoked) return h('span', { className: 'badge bad' }, 'revoked');
  if (isPast(expiresAt)) return h('span', { className: 'badge warn' }, 'expired');
  return h('span', { className: 'badge good' }, 'active');
}

const hasOverlap = ({ revoked, previous_secret_until: until }) => !revoked && until !== null && !isPast(until);

function openFor(token, dialogId) {
  chosen = token;
  openDialog(dialogId, token.name);
}

function openEditor(token) {
  byId('edit-name').value = token.name;
  byId('replace-allowlist').checked = false;
  byId('edit-allowlist').hidden = true;
  editEditor.clear();
  const count = token.allowed_ip_count;
  byId('edit-allowlist-state').textContent = count === 0 ? 'The token works from any address.' : `Allowed addresses: ${count}.`;
  openFor(token, 'edit-dialog');
}

/** Days of the small charts. */
const SPARK_DAYS = 14;

function actionsOf(token) {
  const usage = h('a', { className: 'button', href: `/portal/usage?token=${encodeURIComponent(token.id)}` }, 'Usage');
  const changes = token.revoked
    ? []
    : [
        button('Edit', () => openEditor(token)),
        button('Rotate', () => openFor(token, 'rotate-dialog')),
        button('Revoke', () => openFor(token, 'revoke-dialog'), 'danger'),
      ];
  return h('div', { className: 'actions small' }, usage, ...changes);
}

function nameOf(token) {
  const notes = [
    ...(hasOverlap(token) ? [h('p', { className: 'hint' }, 'old secret until ', time(token.previous_secret_until))] : []),
    ...(token.revoked ? [h('p', { className: 'hint' }, time(token.revoked_at), `: ${token.revoke_reason ?? 'no reason'}`)] : []),
  ];
  const title = h('div', { className: 'token-head' }, h('h2', {}, token.name), badgeOf(token));
  return h('div', {}, title, h('code', {}, `${token.prefix}…`), ...notes);
}

function accessOf({ scopes, scope_names: names, allowed_ip_count: count }) {
  const addresses = count === 0 ? 'any address' : count === 1 ? '1 address' : `${count} addresses`;
  const shown =
    scopes === 0 ? 'all access' : names.length > 2 ? `${names.slice(0, 2).join(', ')} and ${names.length - 2} more` : names.join(', ');
  return h('span', { title: scopes === 0 ? '' : names.join(', ') }, `${shown}; `, h('span', { className: 'one-line' }, addresses));
}

/** The expiry; highlighted in the last two weeks. */
function expiryOf({ expires_at: at, revoked }) {
  const isSoon = !revoked && at !== null && Date.parse(at) - Date.now() < 14 * 86_400_000;
  return isSoon ? h('span', { className: 'badge warn' }, time(at)) : time(at);
}

const requestsOf = (daysOf) => (token) =>
  h('div', {}, sparkline(SPARK_DAYS, daysOf(token.id)), h('p', { className: 'hint' }, `${number(token.request_count)} in total`));

const columnsOf = (daysOf) => [
  { title: 'Token', kind: 'wide', value: nameOf },
  { title: 'Access', value: accessOf },
  { title: `Requests, ${SPARK_DAYS} days`, value: requestsOf(daysOf) },
  { title: 'Last use', value: (token) => time(token.last_used_at) },
  { title: 'Expires', value: expiryOf },
  { title: 'Change', value: actionsOf },
];

const refresh = () =>
  fill(byId('tokens'), async () => {
    const [tokens, usage] = await Promise.all([get('/tokens'), get(`/tokens/activity/by-token?days=${SPARK_DAYS}`)]);
    const days = new Map(usage.items.map((item) => [item.token_id, item.by_day]));
    const sorted = [...tokens].sort((a, b) => Number(a.revoked) - Number(b.revoked));
    if (sorted.length > 0)
      return table(
        'Tokens',
        columnsOf((id) => days.get(id) ?? []),
        sorted,
      );
    const create = h('button', { type: 'button', className: 'primary', 'data-opens': 'create-dialog' }, 'Create your first token');
    return [
      h('p', {}, 'No tokens yet. A token gives you higher rate limits and access to the endpoints that require one.'),
      h('div', { className: 'actions' }, create),
    ];
  });

/** Shows a secret. Closing the dialog removes the secret from the page. */
function showSecret(token) {
  byId('secret').textContent = token.token;
  byId('secret-command').textContent = `curl -H 'Authorization: Bearer ${token.token}' ${location.origin}/v1/token`;
  byId('secret-pending').hidden = token.pending !== true;
  byId('secret-dialog').showModal();
}

byId('secret-dialog').addEventListener('close', () => {
  byId('secret').textContent = '';
  byId('secret-command').textContent = '';
});

const createEditor = allowlistEditor(document.querySelector('[data-allowlist="create"]'));
const editEditor = allowlistEditor(document.querySelector('[data-allowlist="edit"]'));

function readEntries(editor) {
  const entries = editor.read();
  if (entries === null) throw new Error('Check the allowed addresses.');
  return entries;
}

/** Bit mask of the selected scopes; 0 for all access. */
function selectedScopes() {
  if (byId('scope-all').checked) return 0;
  const mask = [...document.querySelectorAll('#scopes input:checked')].reduce((sum, { value }) => sum + Number(value), 0);
  if (mask === 0) throw new Error('Select at least one scope, or all access.');
  return mask;
}

byId('scope-all').addEventListener('change', ({ target }) => {
  byId('scopes').hidden = target.checked;
});

byId('replace-allowlist').addEventListener('change', ({ target }) => {
  byId('edit-allowlist').hidden = !target.checked;
});

function closeDialog(dialogId, message) {
  byId(dialogId).close();
  announce(message);
  return refresh();
}

const withId = (path) => path.replace('{id}', encodeURIComponent(chosen.id));

wireForm(byId('create-form'), call, {
  prepare: ({ method, path, body: { name, expires, code } }) => ({
    method,
    path,
    body: {
      name,
      scopes: selectedScopes(),
      allowed_ips: readEntries(createEditor),
      expires_in_days: expires === '' ? null : Number(expires),
      ...(code === undefined ? {} : { code }),
    },
  }),
  async done(token) {
    byId('create-form').reset();
    byId('scopes').hidden = false;
    createEditor.clear();
    byId('create-dialog').close();
    showSecret(token);
    await refresh();
  },
});

wireForm(byId('edit-form'), call, {
  prepare: ({ method, path, body }) => ({
    method,
    path: withId(path),
    body: { ...body, ...(byId('replace-allowlist').checked ? { allowed_ips: readEntries(editEditor) } : {}) },
  }),
  done: () => closeDialog('edit-dialog', 'Saved.'),
});

wireForm(byId('rotate-form'), call, {
  prepare: ({ method, path, body }) => ({ method, path: withId(path), body }),
  async done(token) {
    byId('rotate-form').reset();
    byId('rotate-dialog').close();
    showSecret(token);
    await refresh();
  },
});

wireForm(byId('revoke-form'), call, {
  prepare: ({ method, path, body }) => ({ method, path: withId(path), body }),
  async done() {
    byId('revoke-form').reset();
    await closeDialog('revoke-dialog', 'Token revoked.');
  },
});

/** Suggested reasons of a revocation. The form works without them. */
async function suggestReasons() {
  const { revoke_reasons: reasons } = await get('/config');
  byId('reasons').append(
    ...reasons.map((reason) =>
      button(reason, () => {
        byId('reason').value = reason;
      }),
    ),
  );
}

await Promise.all([refresh(), suggestReasons().catch(() => {})]);
const { is_verified: isVerified } = await account;
if (!isVerified) showProblem(byId('create-form'), new Error('Verify your email address before you create a token.'));
