/** Sessions of the account. */
import { call, get, signOut } from './api.js';
import { announce, busy, button, byId, fill, h, table, time } from './dom.js';
import './portal.js';

async function end({ id, current }) {
  if (current) return signOut();
  await call('DELETE', `/auth/sessions/${encodeURIComponent(id)}`);
  announce('Session signed out.');
  await show();
}

const columns = [
  {
    title: 'Device',
    kind: 'wide',
    value: ({ device, current }) =>
      h('span', {}, device ?? 'unknown', current ? ' ' : '', current ? h('span', { className: 'badge good' }, 'this session') : ''),
  },
  { title: 'Signed in', value: (session) => time(session.created_at) },
  { title: 'Last used', value: (session) => time(session.last_used_at) },
  { title: 'Expires', value: (session) => time(session.expires_at) },
  {
    title: 'Actions',
    value: (session) =>
      h(
        'div',
        { className: 'actions small' },
        button('Sign out', () => end(session)),
      ),
  },
];

const show = () => fill(byId('sessions'), async () => table('Sessions', columns, await get('/auth/sessions')));

byId('end-all').addEventListener('click', ({ currentTarget }) =>
  busy(currentTarget, async () => {
    await call('POST', '/auth/logout-all');
    location.assign('/portal/login');
  }),
);

await show();
