/** Script of every portal page: loads the signed-in account. */
import { get, signOut } from './api.js';
import { busy, byId } from './dom.js';
import { markSignedIn, showAccount } from './signed-in.js';

byId('sign-out').addEventListener('click', ({ currentTarget }) => busy(currentTarget, signOut));

/** The signed-in account. Without a session the sign-in page opens. */
export const account = get('/auth/me');

account.then(
  ({ is_superuser: isSuperuser, display_name: name, email }) => {
    byId('superuser-menu').hidden = !isSuperuser;
    markSignedIn(true, name || email);
    showAccount(name || email);
  },
  () => {},
);
