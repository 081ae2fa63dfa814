/** Hidden mods: waiting for approval or taken down. */
import { call, get } from '../api.js';
import { announce, busy, button, byId, fill, h, number, table } from '../dom.js';
import '../portal.js';

const PAGE_SIZE = 50;
let mods = [];

const pathOf = ({ handle, slug }) => `/admin/mods/${encodeURIComponent(handle)}/${encodeURIComponent(slug)}`;

async function decide(mod, action, result) {
  await call('POST', `${pathOf(mod)}/${action}`);
  announce(`${mod.title}: ${result}.`);
  await show();
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
        button('Approve', () => decide(mod, 'approve', 'approved')),
        byId('state').value === 'pending' ? button('Take down', () => decide(mod, 'take-down', 'taken down'), 'danger') : '',
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

byId('state').addEventListener('change', show);
byId('more').addEventListener('click', ({ currentTarget }) => busy(currentTarget, () => fill(byId('mods'), readPage)));
byId('filter').addEventListener('submit', (event) => event.preventDefault());
await show();
