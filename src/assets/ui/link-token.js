/** Tokens of links in emails. */

/**
 * Reads the token of a link in an email and removes it from the address bar and the history. The token is in the fragment, which is not
 * sent to the server, or in the query of older links.
 */
export function readLinkToken() {
  const token = [location.hash, location.search].map((text) => new URLSearchParams(text.slice(1)).get('token')).find(Boolean) ?? '';
  history.replaceState(null, '', location.pathname);
  // Another link to the open page changes only the fragment, which does not reload the page.
  addEventListener('hashchange', () => location.reload());
  return token;
}
