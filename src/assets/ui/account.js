/** Account page: profile, email address, password, export and deletion. */
import { call, callRaw, useCredential } from './api.js';
import { announce, busy, byId, facts, time } from './dom.js';
import { wireForm } from './form.js';
import { account } from './portal.js';

function show(me) {
  byId('profile').replaceChildren(
    ...facts([
      ['Email', me.email],
      ['Verified', me.is_verified ? 'yes' : 'no'],
      ['Roles', me.roles.join(', ') || 'none'],
      ['Since', time(me.created_at)],
      ['Last sign-in', time(me.last_login_at)],
    ]),
  );
  byId('display_name').value = me.display_name ?? '';
}

wireForm(byId('profile-form'), call, {
  done(me) {
    show(me);
    announce('Saved.');
  },
});
wireForm(byId('email-form'), call);
wireForm(byId('password-form'), call, {
  done(session) {
    useCredential(session);
    byId('password-form').reset();
    announce('Password changed. All other sessions are signed out.');
  },
});
wireForm(byId('delete-form'), call);

byId('export').addEventListener('click', ({ currentTarget }) =>
  busy(currentTarget, async () => {
    const response = await callRaw('GET', '/auth/me/export');
    if (!response.ok) throw new Error('The export failed. Try again.');
    const link = document.createElement('a');
    link.href = URL.createObjectURL(await response.blob());
    link.download = 'account.json';
    link.click();
    URL.revokeObjectURL(link.href);
  }),
);

show(await account);
