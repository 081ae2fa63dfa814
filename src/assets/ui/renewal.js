/** Renews the session of a page that the server renders for accounts, and loads it again; without a session the sign-in page opens. */
import { get } from './api.js';
import { isMarkedSignedIn } from './signed-in.js';

const KEY = 'renewed-at';
/** A browser that does not keep the renewed cookie would reload without end. */
const MIN_DISTANCE_MS = 60_000;

if (isMarkedSignedIn() && Date.now() - Number(sessionStorage.getItem(KEY)) > MIN_DISTANCE_MS) {
  sessionStorage.setItem(KEY, String(Date.now()));
  await get('/portal/my-address');
  location.reload();
} else {
  const link = document.querySelector('main a[href="/portal/login"]');
  link.href = `/portal/login?next=${encodeURIComponent(location.pathname + location.search)}`;
}
