/**
 * For a public page that shows more to accounts, in a browser that is signed in: its cookie has expired, or the page is from the cache.
 * Renews the session and loads the page again.
 */
import { renewSession } from './api.js';

/** A browser that does not keep the renewed cookie would reload without end. */
const MIN_DISTANCE_MS = 60_000;

/** True at most once a minute for a page. Storage throws when the browser blocks it. */
function mayReload() {
  const key = `renewed-at ${location.pathname}${location.search}`;
  try {
    if (Date.now() - Number(sessionStorage.getItem(key)) < MIN_DISTANCE_MS) return false;
    sessionStorage.setItem(key, String(Date.now()));
    return true;
  } catch {
    return false;
  }
}

/** Does nothing when the session has ended: the visitor reads on. */
export async function renewAndReload() {
  if (mayReload() && (await renewSession().catch(() => false))) location.reload();
}
