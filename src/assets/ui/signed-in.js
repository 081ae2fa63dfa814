/** Whether the browser is signed in and as whom, as far as a page without the session knows: a mark that contains no secret. */

const KEY = 'signed-in';
/** The value of the mark until the name is known. */
const UNKNOWN = '1';

/** Storage throws when the browser blocks it. */
export function isMarkedSignedIn() {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
}

/** Name of the account that is signed in; undefined when it is not known. */
export function nameSignedIn() {
  try {
    const name = localStorage.getItem(KEY);
    return name === null || name === UNKNOWN ? undefined : name;
  } catch {
    return undefined;
  }
}

/** `name`: of the account; absent to keep the known one. */
export function markSignedIn(isSignedIn, name = nameSignedIn() ?? UNKNOWN) {
  try {
    if (isSignedIn) localStorage.setItem(KEY, name);
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
