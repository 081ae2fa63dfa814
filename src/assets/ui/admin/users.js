/** Accounts and their tokens, for administrators. */
import { call, get } from '../api.js';
import { usageCharts } from '../charts.js';
import { announce, button, byId, debounced, email, facts, fill, h, number, table, time } from '../dom.js';
import { wireForm } from '../form.js';
import '../portal.js';

const PAGE_SIZE = 50;
let offset = 0;

const columns = [
  { title: 'Account', kind: 'wide', value: linkOf },
  { title: 'Name', value: (user) => user.display_name ?? '' },
  { title: 'State', value: stateOf },
  { title: 'Tokens', kind: 'number', value: (user) => number(user.token_count) },
  { title: 'Requests', kind: 'number', value: (user) => number(user.total_requests) },
  { title: '429', kind: 'number', value: (user) => number(user.rate_limited) },
  { title: 'Last used', value: (user) => time(user.last_used_at) },
];

function stateOf({ is_active: isActive, is_verified: isVerified, is_superuser: isSuperuser }) {
  return [isSuperuser ? 'superuser' : '', isVerified ? 'verified' : 'not verified', isActive ? '' : 'disabled'].filter(Boolean).join(', ');
}

const show = () =>
  fill(byId('users'), async () => {
    const query = new URLSearchParams({ days: byId('days').value, limit: PAGE_SIZE, offset });
    if (byId('q').value.trim() !== '') query.set('q', byId('q').value.trim());
    const { items, total, as_of: asOf } = await get(`/admin/users?${query}`);
    const move = (by) => {
      offset += by;
      return show();
    };
    const pages = h('div', { className: 'actions' });
    if (offset > 0) pages.append(button('Previous', () => move(-PAGE_SIZE)));
    if (offset + items.length < total) pages.append(button('Next', () => move(PAGE_SIZE)));
    const range = items.length === 0 ? '' : `${offset + 1}–${offset + items.length} of ${number(total)}`;
    return [
      h('p', { className: 'hint' }, range, range && ' · requests as of ', range && time(asOf)),
      table('Users', columns, items, 'No matching accounts. Shorten the search or select more days.'),
      pages,
    ];
  });

const tokenColumns = (userId) => [
  { title: 'Token', kind: 'wide', value: (token) => h('span', {}, token.name, ' ', h('code', {}, token.prefix)) },
  { title: 'Scopes', kind: 'wide', value: (token) => (token.scopes === 0 ? 'all access' : token.scope_names.join(', ')) },
  { title: 'Last used', value: (token) => time(token.last_used_at) },
  {
    title: 'State',
    value: (token) => (token.revoked ? `revoked: ${token.revoke_reason ?? ''}` : button('Revoke', () => revoke(token, userId), 'danger')),
  },
];

async function revoke(token, userId) {
  await call('POST', `/admin/tokens/${encodeURIComponent(token.id)}/revoke`, {});
  announce('Token revoked.');
  await load(userId);
}

async function revokeAll(userId) {
  const { revoked } = await call('DELETE', `/admin/users/${encodeURIComponent(userId)}/tokens`);
  announce(`${revoked} tokens revoked.`);
  await load(userId);
}

/** Account of the open dialog. */
let chosen = '';

const suspensionColumns = [
  { title: 'Reason', kind: 'wide', value: ({ reason }) => reason },
  { title: 'Since', value: (row) => time(row.started_at) },
  { title: 'By', value: (row) => h('code', {}, row.started_by) },
  { title: 'Ended', value: (row) => (row.ended_at === null ? 'no' : time(row.ended_at)) },
  { title: 'Why ended', kind: 'wide', value: (row) => row.end_reason ?? '' },
];

/** Suspensions of an account, with the button that starts or ends one. Superusers cannot be suspended. */
function suspensionParts(user, { items }) {
  const isSuspended = items.some((row) => row.ended_at === null);
  const opens = (id) => () => byId(id).showModal();
  const action = isSuspended
    ? button('End the suspension', opens('resume-dialog'))
    : user.is_active && !user.is_superuser
      ? button('Suspend the account', opens('suspend-dialog'), 'danger')
      : '';
  const history = items.length === 0 ? '' : table('Suspensions', suspensionColumns, items, '');
  return [h('h3', {}, 'Suspensions'), history, h('div', { className: 'actions' }, action)];
}

for (const [kind, result] of [
  ['suspend', 'Account suspended.'],
  ['resume', 'Suspension ended.'],
]) {
  wireForm(byId(`${kind}-form`), call, {
    prepare: (request) => ({ ...request, path: request.path.replace('{user}', `/admin/users/${encodeURIComponent(chosen)}`) }),
    async done() {
      byId(`${kind}-dialog`).close();
      byId(`${kind}-form`).reset();
      announce(result);
      await Promise.all([load(chosen), show()]);
    },
  });
}

const load = (id) =>
  fill(byId('user'), async () => {
    chosen = id;
    const [path, days] = [`/admin/users/${encodeURIComponent(id)}`, byId('days').value];
    const [user, tokens, activity, suspensions] = await Promise.all([
      get(path),
      get(`${path}/tokens`),
      get(`${path}/activity?days=${days}`),
      get(`${path}/suspensions`),
    ]);
    return [
      h(
        'dl',
        { className: 'facts' },
        ...facts([
          ['Email', email(user.email)],
          ['Name', user.display_name ?? 'none'],
          ['Id', h('code', {}, user.id)],
          ['State', stateOf(user)],
          ['Since', time(user.created_at)],
          ['Last sign-in', time(user.last_login_at)],
        ]),
      ),
      h('h3', {}, 'Tokens'),
      table('Tokens', tokenColumns(id), tokens, 'This account has no tokens.'),
      tokens.some(({ revoked }) => !revoked)
        ? h(
            'div',
            { className: 'actions' },
            button('Revoke all tokens', () => revokeAll(id), 'danger'),
          )
        : '',
      ...suspensionParts(user, suspensions),
      ...usageCharts(activity),
    ];
  });

/** The address of the dialog of an account. */
const addressOf = (id) => (id === null ? location.pathname : `?user=${encodeURIComponent(id)}`);

/** A link to the dialog of an account; a plain click opens it on this page. */
function linkOf(user) {
  const link = h('a', { href: addressOf(user.id) }, email(user.email));
  link.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    history.pushState(null, '', addressOf(user.id));
    openAddressed();
  });
  return link;
}

/** Opens the dialog of the address, or closes it. */
function openAddressed() {
  const dialog = byId('user-dialog');
  const id = new URLSearchParams(location.search).get('user');
  if (id === null) return dialog.close();
  byId('user').replaceChildren();
  if (!dialog.open) dialog.showModal();
  return load(id);
}

byId('user-dialog').addEventListener('close', () => {
  if (new URLSearchParams(location.search).has('user')) history.pushState(null, '', addressOf(null));
});
addEventListener('popstate', openAddressed);

const restart = () => {
  offset = 0;
  return show();
};
byId('q').addEventListener('input', debounced(restart));
byId('days').addEventListener('change', restart);
byId('filter').addEventListener('submit', (event) => event.preventDefault());
await Promise.all([show(), openAddressed()]);
