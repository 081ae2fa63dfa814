/** Whether the browser is signed in, as far as a page without the session knows: a mark that contains no secret. */

const KEY = 'signed-in';

/** Storage throws when the browser blocks it. */
export function isMarkedSignedIn() {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
}

export function markSignedIn(isSignedIn) {
  try {
    if (isSignedIn) localStorage.setItem(KEY, '1');
    else localStorage.removeItem(KEY);
  } catch {
    // The header then shows "Sign in" on pages that do not know the visitor.
  }
}

/** Replaces the link to the sign-in page. */
export function showAccount(name) {
  const link = document.getElementById('account-link');
  if (!link) return;
  if (name) link.firstElementChild.textContent = name;
  link.hidden = false;
  document.getElementById('sign-in-link')?.remove();
}
