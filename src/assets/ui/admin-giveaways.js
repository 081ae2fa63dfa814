/** Giveaways: making them, drawing early, calling them off. */
import { call, get } from './api.js';
import { announce, button, byId, fill, h, number, table, time } from './dom.js';
import { wireForm } from './form.js';
import './portal.js';

async function decide({ id, title }, what, said) {
  await call('POST', `/admin/giveaways/${encodeURIComponent(id)}/${what}`);
  announce(`${title}: ${said}.`);
  await show();
}

function actionsOf(giveaway) {
  const canCancel = giveaway.status === 'scheduled' || giveaway.status === 'open';
  return h(
    'div',
    { className: 'actions small' },
    giveaway.status === 'open' ? button('Draw now', () => decide(giveaway, 'close', 'drawn')) : '',
    canCancel ? button('Cancel', () => decide(giveaway, 'cancel', 'cancelled'), 'danger') : '',
  );
}

const columns = [
  { title: 'Giveaway', kind: 'wide', value: (giveaway) => h('span', {}, h('b', {}, giveaway.title), h('br'), giveaway.prize_name) },
  { title: 'State', value: ({ status }) => h('span', { className: `badge ${status === 'open' ? 'good' : ''}` }, status) },
  { title: 'Starts', value: (giveaway) => time(giveaway.starts_at) },
  { title: 'Ends', value: (giveaway) => time(giveaway.ends_at) },
  { title: 'Entries', kind: 'number', value: (giveaway) => number(giveaway.entry_count) },
  { title: 'Winner', value: (giveaway) => giveaway.winner_username ?? '' },
  { title: 'Decide', value: actionsOf },
];

const show = () => fill(byId('giveaways'), async () => table('Giveaways', columns, (await get('/admin/giveaways')).items, 'None yet.'));

wireForm(byId('create-form'), call, {
  async done() {
    byId('create-form').reset();
    byId('create-dialog').close();
    announce('The giveaway is made.');
    await show();
  },
});

await show();
