/** Account page: profile, email address, password, second factor, export and deletion. */
import { call, callRaw, get, useCredential } from './api.js';
import { announce, busy, byId, email, facts, h, time } from './dom.js';
import { wireForm } from './form.js';
import { account } from './portal.js';

function show(me) {
  byId('profile').replaceChildren(
    ...facts([
      ['Email', email(me.email)],
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
async function showFactor() {
  const { enabled, enabled_at: enabledAt, recovery_codes_left: left } = await get('/auth/second-factor');
  byId('factor').replaceChildren(
    ...facts(
      enabled
        ? [
            ['Enabled', time(enabledAt)],
            ['Recovery codes left', String(left)],
          ]
        : [['Enabled', 'no']],
    ),
  );
  byId('factor-set-up').hidden = enabled;
  for (const id of ['factor-codes', 'factor-disable']) byId(id).hidden = !enabled;
}

/** Shows recovery codes. Closing the dialog removes them from the page. */
function showRecoveryCodes(codes) {
  byId('recovery-codes').textContent = codes.join('\n');
  byId('recovery-dialog').showModal();
}

/** Removes secrets from the page and closes the dialog. */
function closeFactorDialog(dialogId, formId) {
  byId(formId).reset();
  byId(dialogId).close();
}

byId('recovery-dialog').addEventListener('close', () => {
  byId('recovery-codes').textContent = '';
});
byId('set-up-dialog').addEventListener('close', () => {
  byId('set-up-text').textContent = '';
  byId('set-up-qr').replaceChildren();
  byId('set-up-secret').hidden = true;
  byId('set-up-form').hidden = false;
});
wireForm(byId('set-up-form'), call, {
  done({ secret, qr_svg: svg }) {
    byId('set-up-text').textContent = secret;
    const src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
    byId('set-up-qr').replaceChildren(h('img', { src, alt: 'QR code with the secret', width: 220, height: 220 }));
    byId('set-up-form').reset();
    byId('set-up-form').hidden = true;
    byId('set-up-secret').hidden = false;
    byId('enable_code').focus();
  },
});
wireForm(byId('enable-form'), call, {
  async done({ recovery_codes: codes, ...session }) {
    useCredential(session);
    closeFactorDialog('set-up-dialog', 'enable-form');
    showRecoveryCodes(codes);
    await showFactor();
  },
});
wireForm(byId('codes-form'), call, {
  async done({ recovery_codes: codes }) {
    closeFactorDialog('codes-dialog', 'codes-form');
    showRecoveryCodes(codes);
    await showFactor();
  },
});
wireForm(byId('disable-form'), call, {
  async done() {
    closeFactorDialog('disable-dialog', 'disable-form');
    announce('Second factor removed.');
    await showFactor();
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
await showFactor();
