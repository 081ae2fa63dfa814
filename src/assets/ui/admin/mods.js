/** Claims of mods, and hidden mods: waiting for approval or taken down. */
import { call, get } from '../api.js';
import { announce, busy, button, byId, facts, fill, h, number, table, time } from '../dom.js';
import { wireForm } from '../form.js';
import '../portal.js';

const PAGE_SIZE = 50;
let mods = [];

const pathOf = ({ handle, slug }) => `/admin/mods/${encodeURIComponent(handle)}/${encodeURIComponent(slug)}`;

async function decide(mod, action, result) {
  await call('POST', `${pathOf(mod)}/${action}`);
  announce(`${mod.title}: ${result}.`);
  await Promise.all([showClaims(), showOrphans(), show()]);
}

const columns = [
  {
    title: 'Mod',
    kind: 'wide',
    value: (mod) => h('span', {}, h('b', {}, mod.title), h('br'), h('code', {}, `${mod.handle}/${mod.slug}`)),
  },
  { title: 'Author', value: ({ author }) => author },
  { title: 'Summary', kind: 'wide', value: ({ summary, description }) => summary || description.slice(0, 300) },
  {
    title: 'Actions',
    value: (mod) =>
      h(
        'div',
        { className: 'actions small' },
        button(byId('state').value === 'pending' ? 'Approve' : 'Restore', () => decide(mod, 'approve', 'visible')),
        byId('state').value === 'pending' ? button('Hide', () => openHide(`${mod.handle}/${mod.slug}`), 'danger') : '',
      ),
  },
];

async function readPage(isNewest) {
  const page = await get(`/admin/mods?state=${byId('state').value}&limit=${PAGE_SIZE}&offset=${mods.length}`);
  if (!isNewest()) return [];
  mods.push(...page.items);
  byId('more').hidden = mods.length >= page.total || page.items.length === 0;
  return [h('p', { className: 'hint' }, `${number(page.total)} mods`), table('Mods', columns, mods, 'No mods in this list.')];
}

function show() {
  mods = [];
  byId('more').hidden = true;
  return fill(byId('mods'), readPage);
}

/** Claim of the open dialog. */
let chosen = null;
const claimPath = ({ id }) => `/admin/mod-claims/${encodeURIComponent(id)}`;

async function confirmClaim(claim) {
  await call('POST', `${claimPath(claim)}/confirm`, {});
  announce(`${claim.title} now belongs to ${claim.handle}.`);
  await showClaims();
}

function openReject(claim) {
  chosen = claim;
  byId('reject-note').textContent = `${claim.title} (${claim.mod}), claimed by ${claim.handle}.`;
  byId('reject-dialog').showModal();
}

function openHide(address) {
  byId('hide-mod').value = address;
  byId('hide-dialog').showModal();
}

const claimColumns = [
  {
    title: 'Mod',
    kind: 'wide',
    value: ({ title, mod }) => h('span', {}, h('b', {}, title), h('br'), h('a', { href: `/mods/${mod}` }, h('code', {}, mod))),
  },
  { title: 'Claimed by', value: ({ handle }) => h('code', {}, handle) },
  { title: 'Evidence', kind: 'wide', value: ({ note }) => note || 'none' },
  { title: 'Since', value: (claim) => time(claim.created_at) },
  {
    title: 'Actions',
    value: (claim) =>
      h(
        'div',
        { className: 'actions small' },
        button('Confirm', () => confirmClaim(claim), 'primary'),
        button('Refuse', () => openReject(claim), 'danger'),
      ),
  },
];

const showClaims = () =>
  fill(byId('claims'), async () => table('Claims', claimColumns, (await get('/admin/mod-claims')).items, 'No open claims.'));

wireForm(byId('reject-form'), call, {
  prepare: ({ method, body }) => ({ method, path: `${claimPath(chosen)}/reject`, body }),
  async done() {
    byId('reject-form').reset();
    byId('reject-dialog').close();
    announce('Claim refused.');
    await showClaims();
  },
});

wireForm(byId('hide-form'), call, {
  prepare({ method, body: { mod, reason } }) {
    const [handle, slug, ...more] = mod.trim().split('/');
    if (!handle || !slug || more.length > 0) throw new Error('The address must be handle/slug.');
    return { method, path: `${pathOf({ handle, slug })}/take-down`, body: reason.trim() === '' ? {} : { reason } };
  },
  async done({ title }) {
    byId('hide-form').reset();
    byId('hide-dialog').close();
    announce(`${title} is hidden.`);
    await Promise.all([showClaims(), showOrphans(), show()]);
  },
});

/** Request of the open dialog. */
let asking = null;
const accessPath = ({ user_id: id }) => `/admin/publishing/access/${encodeURIComponent(id)}`;

async function approve(request) {
  await call('POST', `${accessPath(request)}/approve`, {});
  announce(`${request.email} may publish.`);
  await showAccess();
}

function openRefuse(request) {
  asking = request;
  byId('refuse-note').textContent = `${request.email} may not publish.`;
  byId('refuse-dialog').showModal();
}

const accessColumns = [
  { title: 'Account', kind: 'wide', value: ({ email, user_id: id }) => h('span', {}, email, h('br'), h('code', {}, id)) },
  { title: 'Wants to publish', kind: 'wide', value: ({ note }) => note || 'no text' },
  { title: 'Since', value: (request) => time(request.created_at) },
  {
    title: 'Actions',
    value: (request) =>
      h(
        'div',
        { className: 'actions small' },
        ...(request.state === 'approved' ? [] : [button('Approve', () => approve(request), 'primary')]),
        ...(request.state === 'rejected' ? [] : [button('Refuse', () => openRefuse(request), 'danger')]),
      ),
  },
];

const showAccess = () =>
  fill(byId('access'), async () =>
    table('Requests to publish', accessColumns, (await get(`/admin/publishing/access?state=${byId('access-state').value}`)).items, 'None.'),
  );

wireForm(byId('refuse-form'), call, {
  prepare: ({ method, body }) => ({ method, path: `${accessPath(asking)}/reject`, body }),
  async done() {
    byId('refuse-form').reset();
    byId('refuse-dialog').close();
    announce('Refused.');
    await showAccess();
  },
});
byId('access-state').addEventListener('change', showAccess);
byId('access-filter').addEventListener('submit', (event) => event.preventDefault());

const allowanceColumns = [
  { title: 'Allowance', value: ({ name }) => name },
  { title: 'Used', kind: 'number', value: ({ used }) => number(used) },
  { title: 'Maximum', kind: 'number', value: ({ max }) => number(max) },
];

wireForm(byId('allowances-form'), call, {
  prepare({ method, body: { user_id: id, ...fields } }) {
    const given = Object.entries(fields).filter(([, text]) => text.trim() !== '');
    const changes = Object.fromEntries(given.map(([name, text]) => [name, text.trim() === '-' ? null : Number(text)]));
    return { method, path: `/admin/publishing/allowances/${encodeURIComponent(id.trim())}`, body: changes };
  },
  done({ items }) {
    byId('allowances').replaceChildren(table('Allowances of the account', allowanceColumns, items));
  },
});

/** Project of the open dialog. */
let orphan = '';
function openOwner({ mod, title }) {
  orphan = mod;
  byId('owner-note').textContent = `${title} (${mod}). Its address and its files stay.`;
  byId('owner-dialog').showModal();
}

const orphanColumns = [
  { title: 'Project', kind: 'wide', value: ({ title, mod }) => h('span', {}, h('b', {}, title), h('br'), h('code', {}, mod)) },
  {
    title: 'Actions',
    value: (project) =>
      h(
        'div',
        { className: 'actions small' },
        button('Give an owner', () => openOwner(project)),
      ),
  },
];

const showOrphans = () =>
  fill(byId('orphans'), async () =>
    table('Projects without an owner', orphanColumns, (await get('/admin/mod-projects/without-owner')).items, 'None.'),
  );

wireForm(byId('owner-form'), call, {
  prepare: ({ method, body }) => ({ method, path: `/admin/mod-projects/${orphan}/owner`, body }),
  async done() {
    byId('owner-form').reset();
    byId('owner-dialog').close();
    announce('The project has an owner.');
    await showOrphans();
  },
});

wireForm(byId('file-form'), call, {
  prepare({ method, body: { sha256, owner, refused } }) {
    const handle = owner.trim();
    const changes = {
      ...(handle === '' ? {} : { owner: handle === '-' ? null : handle }),
      ...(refused === '' ? {} : { refused: refused === 'yes' }),
    };
    return { method, path: `/admin/mod-files/${encodeURIComponent(sha256.trim())}`, body: changes };
  },
  done({ owner, refused, public_handles: handles }) {
    const entries = [
      ['Refused for everyone', refused ? 'yes' : 'no'],
      ['Given to', owner ?? 'nobody'],
      ['Public mods of', handles.join(', ') || 'nobody'],
    ];
    byId('file-state').replaceChildren(h('dl', { className: 'facts' }, ...facts(entries)));
  },
});

byId('state').addEventListener('change', show);
byId('more').addEventListener('click', ({ currentTarget }) => busy(currentTarget, () => fill(byId('mods'), readPage)));
byId('filter').addEventListener('submit', (event) => event.preventDefault());
await Promise.all([showClaims(), showAccess(), showOrphans(), show()]);
