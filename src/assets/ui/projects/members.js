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
    announce(next === 'owner' ? `${member.handle} is invited to become an owner.` : `${member.handle} is now an author.`);
    await refresh();
  }

  let owners = 0;
  function openRemove(member) {
    chosen = member;
    byId('last-owner-note').hidden = member.role !== 'owner' || owners > 1;
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

  async function withdraw({ handle }) {
    await call('DELETE', `${own}/members/${encodeURIComponent(handle)}`);
    announce('Invitation withdrawn.');
    await refresh();
  }

  const invitationColumns = [
    { title: 'Invited', value: ({ handle }) => h('code', {}, handle) },
    { title: 'Role', value: (invitation) => invitation.role },
    { title: 'Until', value: ({ expires_at: until }) => time(until) },
    {
      title: 'Actions',
      value: (invitation) =>
        h(
          'div',
          { className: 'actions small' },
          button('Withdraw', () => withdraw(invitation), 'danger'),
        ),
    },
  ];

  const show = () =>
    fill(byId('members'), async () => {
      const { items, invitations } = await get(`${own}/members`);
      owners = items.filter((member) => member.role === 'owner').length;
      const list = table('List of members', isOwner ? columns : columns.slice(0, 3), items, 'No members.');
      if (invitations.length === 0) return list;
      return [list, table('Open invitations', isOwner ? invitationColumns : invitationColumns.slice(0, 3), invitations)];
    });
  const refresh = () => Promise.all([show(), changed()]);

  wireForm(byId('member-form'), call, {
    prepare: ({ method, body }) => ({ method, path: `${own}/members`, body }),
    async done() {
      byId('member-form').reset();
      byId('member-dialog').close();
      announce('Invited. The account becomes a member when it accepts.');
      await refresh();
    },
  });

  wireForm(byId('remove-form'), call, {
    prepare: ({ method }) => ({ method, path: `${own}/members/${encodeURIComponent(chosen.handle)}` }),
    async done({ items }) {
      byId('remove-dialog').close();
      announce('Member removed.');
      if (items.every((member) => member.role !== 'owner')) location.assign('/portal/projects');
      else await refresh();
    },
  });

  await show();
}
