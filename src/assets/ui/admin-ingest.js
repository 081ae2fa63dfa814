/** The log of inserts, and sending one. */
import { call, get } from './api.js';
import { byId, debounced, fill, h, table, time } from './dom.js';
import { wireForm } from './form.js';
import './portal.js';

const INSERT = /^\/v1\/[a-z0-9/_-]+\/insert$/;

const columns = [
  { title: 'When', value: (entry) => time(entry.timestamp) },
  { title: 'Insert', value: ({ endpoint }) => h('code', {}, endpoint) },
  {
    title: 'Result',
    value: ({ success }) => h('span', { className: `badge ${success ? 'good' : 'bad'}` }, success ? 'taken in' : 'refused'),
  },
  { title: 'What', kind: 'wide', value: ({ summary, error }) => error ?? summary ?? '' },
  { title: 'Who', kind: 'wide', value: (entry) => entry.user_email ?? 'the service or a deleted account' },
  { title: 'By', value: (entry) => (entry.token_name === null ? entry.auth_via : `${entry.auth_via}: ${entry.token_name}`) },
];

const show = () =>
  fill(byId('log'), async () => {
    const query = new URLSearchParams({ limit: 100 });
    if (byId('only').value.trim() !== '') query.set('endpoint', byId('only').value.trim());
    return table('Inserts', columns, (await get(`/admin/ingest/log?${query}`)).items, 'No insert yet.');
  });

wireForm(byId('replay-form'), call, {
  prepare({ method, body: { endpoint, body } }) {
    if (!INSERT.test(endpoint)) throw new Error('The path begins with /v1/ and ends with /insert.');
    try {
      return { method, path: endpoint, body: JSON.parse(body) };
    } catch {
      throw new Error('The body is no JSON.');
    }
  },
  async done(answer) {
    byId('replay-answer').textContent = `Taken in: ${JSON.stringify(answer)}`;
    await show();
  },
});

byId('only').addEventListener('input', debounced(show));
byId('filter').addEventListener('submit', (event) => event.preventDefault());
await show();
