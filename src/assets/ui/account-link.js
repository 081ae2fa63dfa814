/** Script of every page: links the account in the header of a visitor who is signed in, loads what only accounts see, and closes the open menu of the header. */
import { isMarkedSignedIn, markSignedIn, nameSignedIn, showAccount } from './signed-in.js';

const account = document.getElementById('account-link');
if (account && !account.hidden) {
  // The page knows the account by its cookie.
  markSignedIn(true, account.textContent.trim());
} else if (isMarkedSignedIn()) {
  showAccount(nameSignedIn());
  // On a page for visitors of which accounts see more.
  if (document.getElementById('for-accounts')) import('./renewal.js').then(({ renewAndReload }) => renewAndReload());
}

const explore = document.getElementById('explore');
document.addEventListener?.('click', ({ target }) => {
  if (explore && !explore.contains(target)) explore.open = false;
});
explore?.addEventListener('keydown', ({ key }) => {
  if (key !== 'Escape') return;
  explore.open = false;
  explore.firstElementChild.focus();
});
