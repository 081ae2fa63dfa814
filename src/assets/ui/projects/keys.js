/** Project keys: shown once, revoked at any time. */
import { allowlistEditor } from '../allowlist.js';
import { call, get } from '../api.js';
import { announce, button, byId, fill, h, openDialog, table, time } from '../dom.js';
import { wireForm } from '../form.js';

function stateOf({ ended_at: endedAt, end_reason: reason, expires_at: expiresAt }) {
  if (endedAt !== null)
    return h('div', {}, h('span', { className: 'badge bad' }, 'ended'), h('br'), h('span', { className: 'hint' }, reason ?? ''));
  if (new Date(expiresAt) < new Date()) return h('span', { className: 'badge warn' }, 'expired');
  return h('span', { className: 'badge good' }, 'active');
}

export async function wireKeys({ own, changed }) {
  const editor = allowlistEditor(document.querySelector('[data-allowlist="key"]'));
  /** Key of the open dialog. */
  let chosen = null;

  function openEnd(key) {
    chosen = key;
    openDialog('end-dialog', key.name);
  }

  const columns = [
    {
      title: 'Key',
      kind: 'wide',
      value: ({ name, prefix }) => h('span', {}, h('b', {}, name), h('br'), h('code', {}, `${prefix}…`)),
    },
    { title: 'State', value: stateOf },
    { title: 'Addresses', value: ({ allowed_ip_count: count }) => (count === 0 ? 'any' : `${count} allowed`) },
    { title: 'Last used', value: (key) => time(key.last_used_at) },
    { title: 'Expires', value: (key) => time(key.expires_at) },
    {
      title: 'Actions',
      value: (key) =>
        h('div', { className: 'actions small' }, ...(key.ended_at === null ? [button('Revoke', () => openEnd(key), 'danger')] : [])),
    },
  ];

  const show = () =>
    fill(byId('keys'), async () => table('List of project keys', columns, (await get(`${own}/keys`)).items, 'No keys yet.'));

  wireForm(byId('key-form'), call, {
    prepare({ method, body }) {
      const entries = editor.read();
      if (entries === null) throw new Error('Check the allowed addresses.');
      return {
        method,
        path: `${own}/keys`,
        body: { name: body.name, expires_in_days: Number(body.expires_in_days), allowed_ips: entries },
      };
    },
    async done({ key }) {
      byId('key-form').reset();
      editor.clear();
      byId('key-dialog').close();
      byId('secret').textContent = key;
      byId('secret-dialog').showModal();
      await Promise.all([show(), changed()]);
    },
  });

  byId('secret-dialog').addEventListener('close', () => {
    byId('secret').textContent = '';
  });

  wireForm(byId('end-form'), call, {
    prepare: ({ method }) => ({ method, path: `${own}/keys/${encodeURIComponent(chosen.id)}` }),
    async done() {
      byId('end-dialog').close();
      announce('Key revoked.');
      await Promise.all([show(), changed()]);
    },
  });

  await show();
}
