/** Announcements of incidents and planned maintenance. */
import { call, get } from '../api.js';
import { announce, busy, button, byId, fill, h, table, time } from '../dom.js';
import { wireForm } from '../form.js';
import '../portal.js';

/** Id of the announcement of the open dialog. */
let chosen = '';

function openUpdate(id) {
  chosen = id;
  byId('update-dialog').showModal();
}

const at = (seconds) => time(new Date(seconds * 1000).toISOString());

const columns = [
  { title: 'Title', kind: 'wide', value: ({ title }) => title },
  { title: 'Severity', value: ({ severity }) => severity },
  { title: 'Start', value: (row) => at(row.starts_at) },
  { title: 'Newest update', kind: 'wide', value: ({ updates }) => updates[0]?.text ?? '' },
  { title: 'State', value: (row) => (row.closed_at === null ? button('Update', () => openUpdate(row.id)) : h('span', {}, 'over')) },
];

const show = ({ items }) => [table('Announcements', columns, items, 'No announcements.')];

async function replace(body, text) {
  byId('announcements').replaceChildren(...show(body));
  announce(text);
}

wireForm(byId('announce-form'), call, {
  prepare({ method, path, body: { part, ...body } }) {
    return { method, path, body: { ...body, parts: part === '' ? [] : [part] } };
  },
  async done(body) {
    byId('announce-form').reset();
    await replace(body, 'Announced.');
  },
});
wireForm(byId('update-form'), call, {
  prepare({ method, path, body }) {
    const target = path.replace('{announcement}', `/admin/announcements/${encodeURIComponent(chosen)}`);
    return { method, path: target, body: { text: body.text, closes: body.closes === 'yes' } };
  },
  async done(body) {
    byId('update-dialog').close();
    byId('update-form').reset();
    await replace(body, 'Updated.');
  },
});
const CHANNELS = { chat: 'The chat', webhook: 'The webhook' };

byId('test-alarm').addEventListener('click', ({ target }) =>
  busy(target, async () => {
    const { channels } = await call('POST', '/admin/alarm/test', {});
    const results = channels.map(
      ({ channel, delivered, reason }) => `${CHANNELS[channel]} ${delivered ? 'accepted it' : `failed: ${reason}`}.`,
    );
    byId('alarm-result').textContent =
      results.length === 0 ? 'Not sent: the settings alarm.chat_webhook and alarm.webhook_url are empty.' : results.join(' ');
  }),
);
await fill(byId('announcements'), async () => show(await get('/admin/announcements')));
