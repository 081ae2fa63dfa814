/** What every page of the portal does first: it finds out who is signed in. */
import { get, signOut } from './api.js';
import { busy, byId } from './dom.js';

byId('sign-out').addEventListener('click', ({ currentTarget }) => busy(currentTarget, signOut));

/** The account that is signed in; whoever is not is led to the sign-in page. */
export const account = get('/auth/me');

account.then(
  ({ is_superuser: isSuperuser, display_name: name, email }) => {
    byId('superuser-menu').hidden = !isSuperuser;
    const link = document.querySelector('.site a[href="/portal/login"]');
    if (!link) return;
    const who = document.createElement('span');
    who.className = 'who';
    who.textContent = name ?? email;
    link.href = '/portal/account';
    link.replaceChildren(who);
  },
  () => {},
);
