/** Members of a project. */
import { call, get } from '../api.js';
import { announce, button, byId, fill, h, openDialog, table, time } from '../dom.js';
import { wireForm } from '../form.js';

export async function wireMembers({ own, role, changed }) {
  const isOwner = role === 'owner';
  /** Member of the open dialog. */
  let chosen = null;
  document.querySelector('[data-for="members"]').hidden = !isOwner;

  async function setRole(member) {
    const next = member.role === 'owner' ? 'author' : 'owner';
    await call('POST', `${own}/members`, { handle: member.handle, role: next });
    announce(`${member.handle} is now ${next}.`);
    await refresh();
  }

  function openRemove(member) {
    chosen = member;
    openDialog('remove-dialog', member.handle);
  }

  const columns = [
    { title: 'Member', value: ({ handle }) => h('code', {}, handle) },
    { title: 'Role', value: (member) => member.role },
    { title: 'Since', value: ({ since }) => time(since) },
    {
      title: 'Actions',
      value: (member) =>
        h(
          'div',
          { className: 'actions small' },
          ...(isOwner
            ? [
                button(member.role === 'owner' ? 'Make author' : 'Make owner', () => setRole(member)),
                button('Remove', () => openRemove(member), 'danger'),
              ]
            : []),
        ),
    },
  ];

  const show = () =>
    fill(byId('members'), async () =>
      table('List of members', isOwner ? columns : columns.slice(0, 3), (await get(`${own}/members`)).items, 'No members.'),
    );
  const refresh = () => Promise.all([show(), changed()]);

  wireForm(byId('member-form'), call, {
    prepare: ({ method, body }) => ({ method, path: `${own}/members`, body }),
    async done() {
      byId('member-form').reset();
      byId('member-dialog').close();
      announce('Member added.');
      await refresh();
    },
  });

  wireForm(byId('remove-form'), call, {
    prepare: ({ method }) => ({ method, path: `${own}/members/${encodeURIComponent(chosen.handle)}` }),
    async done() {
      byId('remove-dialog').close();
      announce('Member removed.');
      await refresh();
    },
  });

  await show();
}
