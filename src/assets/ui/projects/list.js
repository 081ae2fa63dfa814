/** Projects and claims of the account. */
import { call, callOpen, get } from '../api.js';
import { announce, button, byId, debounced, facts, fill, h, number, table, time } from '../dom.js';
import { showProblem, wireForm } from '../form.js';
import { account } from '../portal.js';

const CODE_DAYS = 7;
const DAY_MS = 86_400_000;
const STATES = { pending: ['waiting', 'warn'], confirmed: ['confirmed', 'good'], rejected: ['refused', 'bad'] };
const CHECKS = {
  confirmed: 'The code was found. The mod is yours.',
  code_not_found: 'The description in the catalog does not contain the code yet. Save it there and look again in a few minutes.',
  code_expired: 'The code has expired. A moderator decides.',
  catalog_unavailable: 'The catalog does not respond. Try again later.',
};

const pageOf = (path) => `/portal/projects/${path.split('/').map(encodeURIComponent).join('/')}`;

const columns = [
  {
    title: 'Mod',
    kind: 'wide',
    value: ({ title, handle, slug }) =>
      h('span', {}, h('a', { href: pageOf(`${handle}/${slug}`) }, h('b', {}, title)), h('br'), h('code', {}, `${handle}/${slug}`)),
  },
  {
    title: 'Visibility',
    value: ({ visibility }) => h('span', { className: `badge ${visibility === 'public' ? 'good' : ''}` }, visibility),
  },
  { title: 'Your role', value: ({ role }) => role },
  {
    title: 'Actions',
    value: ({ handle, slug }) =>
      h('div', { className: 'actions small' }, h('a', { className: 'button', href: pageOf(`${handle}/${slug}`) }, 'Manage')),
  },
];

const ALLOWANCES = {
  bytes: 'Stored texts, files and images',
  uploads: 'Uploads today (UTC)',
  projects: 'New projects today (UTC)',
  drafts: 'Open drafts',
  scheduled: 'Scheduled releases',
  keys: 'Project keys',
  invitations: 'Open invitations',
  announcements: 'Announced releases today (UTC)',
};
const MEGABYTE = 1_000_000;
const amount = (name, value) => (name === 'bytes' ? `${number(Math.ceil((10 * value) / MEGABYTE) / 10)} MB` : number(value));

const allowanceColumns = [
  { title: 'Allowance', kind: 'wide', value: ({ name }) => ALLOWANCES[name] ?? name },
  { title: 'Used', kind: 'number', value: ({ name, used }) => amount(name, used) },
  { title: 'Left', kind: 'number', value: ({ name, left }) => amount(name, left) },
];

const showAllowances = () =>
  fill(byId('allowances'), async () => table('Your allowances', allowanceColumns, (await get('/v1/publishing/allowances')).items));

const showProjects = () =>
  fill(byId('projects'), async () => {
    const { handles, items } = await get('/projects');
    if (byId('create-handle').value === '') byId('create-handle').value = handles[0] ?? '';
    if (byId('claim-handle').value === '') byId('claim-handle').value = handles[0] ?? '';
    return items.length === 0
      ? h('p', {}, 'No mods yet. Claim a mod of the catalog that is yours, or start a new project.')
      : table('Your mods', columns, items);
  });

const ACCESS = {
  pending: 'You have asked. A moderator decides, and you get an email.',
  rejected: 'Your request was refused.',
};

async function showAccess() {
  const { mode, state, reason, is_allowed: isAllowed } = await get('/publishing-access');
  byId('access-section').hidden = isAllowed;
  byId('access-form').hidden = mode !== 'approved' || state !== null;
  const asks = 'Accounts ask once before they publish. Your invitations, and what you have published, stay as they are.';
  const text = mode === 'closed' ? 'Publishing is closed at present.' : (ACCESS[state] ?? asks);
  byId('access-state').textContent = reason ? `${text} ${reason}` : text;
}

wireForm(byId('access-form'), call, {
  async done() {
    announce('Asked. You get an email.');
    await showAccess();
  },
});

const invitationColumns = [
  {
    title: 'Mod',
    kind: 'wide',
    value: ({ title, mod }) => h('span', {}, ...(title ? [h('b', {}, title), h('br')] : []), h('code', {}, mod)),
  },
  { title: 'Invited by', value: ({ invited_by: inviter }) => h('code', {}, inviter) },
  { title: 'Role', value: ({ role }) => role },
  { title: 'Until', value: ({ expires_at: until }) => time(until) },
  {
    title: 'Actions',
    value: (invitation) =>
      h(
        'div',
        { className: 'actions small' },
        button('Accept', () => decide(invitation, 'accept'), 'primary'),
        button('Decline', () => decide(invitation, 'decline'), 'danger'),
      ),
  },
];

async function decide({ id, mod }, decision) {
  await call('POST', `/mod-invitations/${encodeURIComponent(id)}/${decision}`, {});
  announce(decision === 'accept' ? `You are a member of ${mod}.` : 'Declined.');
  await Promise.all([showProjects(), showInvitations()]);
}

const showInvitations = () =>
  fill(byId('invitations'), async () => {
    const { items } = await get('/mod-invitations');
    byId('invitations-section').hidden = items.length === 0;
    return table('Your invitations', invitationColumns, items, 'No invitations.');
  });

/** How to confirm an open claim with its code. */
function instructions(claim) {
  const codeId = `code-${claim.id}`;
  const until = new Date(Date.parse(claim.created_at) + CODE_DAYS * DAY_MS).toISOString();
  const look = async () => {
    const { check } = await call('POST', `/mod-claims/${encodeURIComponent(claim.id)}/verify`, {});
    announce(CHECKS[check]);
    if (check === 'confirmed') await Promise.all([showProjects(), showClaims()]);
  };
  return [
    h(
      'ol',
      {},
      h('li', {}, 'Open the page of your mod in the catalog that it was published in, and edit its description.'),
      h(
        'li',
        {},
        'Add this code on a line of its own, and save:',
        h(
          'div',
          { className: 'secret' },
          h('code', { id: codeId }, claim.code),
          h('button', { type: 'button', 'data-copy': codeId }, 'Copy'),
        ),
      ),
      h('li', {}, 'Come back and look for the code. Afterwards you may delete it from the description.'),
    ),
    h('p', { className: 'hint' }, 'The code works until ', time(until), '. Without it a moderator decides, and you get an email.'),
    h('div', { className: 'actions' }, button('Look for the code', look, 'primary')),
  ];
}

function claimCard(claim) {
  const [label, kind] = STATES[claim.state];
  const isOpen = claim.state === 'pending';
  const details = facts([
    ['Mod', h('code', {}, claim.mod)],
    ['Your handle', h('code', {}, claim.handle)],
    ['Claimed', time(claim.created_at)],
    ...(isOpen ? [] : [['Decided', h('span', {}, time(claim.decided_at), ', mailed to you')]]),
    ...(claim.reason ? [['Reason', claim.reason]] : []),
  ]);
  return h(
    'article',
    { className: 'card' },
    h('div', { className: 'token-head' }, h('h3', {}, claim.title), h('span', { className: `badge ${kind}` }, label)),
    h('dl', { className: 'facts' }, ...details),
    ...(isOpen && claim.code ? instructions(claim) : []),
    ...(isOpen && !claim.code ? [h('p', { className: 'hint' }, 'A moderator decides. You get an email.')] : []),
    ...(claim.state === 'confirmed'
      ? [h('p', { className: 'links' }, h('a', { className: 'button', href: pageOf(claim.mod) }, 'Manage the mod'))]
      : []),
  );
}

const showClaims = async () => {
  await fill(byId('claims'), async () => {
    const { items } = await get('/mod-claims');
    byId('claims-section').hidden = items.length === 0;
    return items.toReversed().map(claimCard);
  });
};

function choose({ handle, slug, is_stray: isStray }) {
  byId('claim-mod').value = `${handle}/${slug}`;
  byId('found').replaceChildren();
  byId('claim-handle-part').hidden = !isStray;
  byId(isStray ? 'claim-handle' : 'claim-note').focus();
}

function searchMods() {
  const query = byId('search').value.trim();
  if (query === '') return byId('found').replaceChildren();
  return fill(byId('found'), async () => {
    const { items } = await callOpen('GET', `/v1/mods?${new URLSearchParams({ q: query, limit: 8 })}`);
    const found = items.filter((mod) => !mod.uploaded_on_behalf);
    if (found.length === 0) return h('p', { className: 'hint' }, 'No mod found.');
    return h(
      'ul',
      { className: 'picks' },
      ...found.map((mod) =>
        h(
          'li',
          {},
          button(`${mod.title} by ${mod.author} (${mod.handle}/${mod.slug})`, () => choose(mod)),
        ),
      ),
    );
  });
}

byId('search').addEventListener('input', debounced(searchMods));
byId('search-form').addEventListener('submit', (event) => {
  event.preventDefault();
  void searchMods();
});
byId('claim-mod').addEventListener('input', ({ target }) => {
  byId('claim-handle-part').hidden = !target.value.trim().toLowerCase().startsWith('stray/');
});

wireForm(byId('create-form'), call, { done: ({ handle, slug }) => location.assign(pageOf(`${handle}/${slug}`)) });

wireForm(byId('claim-form'), call, {
  prepare({ method, path, body: { handle, ...body } }) {
    return { method, path, body: byId('claim-handle-part').hidden || handle === undefined ? body : { ...body, handle } };
  },
  async done() {
    byId('claim-form').reset();
    byId('claim-handle-part').hidden = true;
    byId('search').value = '';
    byId('found').replaceChildren();
    byId('claim-dialog').close();
    announce('Claimed. See what to do next under Claims.');
    await showClaims();
    byId('claims-title').scrollIntoView();
  },
});

await Promise.all([showAccess(), showProjects(), showInvitations(), showClaims(), showAllowances()]);
const { is_verified: isVerified } = await account;
if (!isVerified) {
  const problem = new Error('Verify your email address first.');
  for (const id of ['create-form', 'claim-form']) showProblem(byId(id), problem);
}
