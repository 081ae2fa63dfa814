/** Removes the scripts that every page has and that of copy buttons, for tests of what a page adds. */
export function withoutSiteScripts(html: string): string {
  return html.replaceAll(/<script type="module" src="\/ui\/(?:account-link|dom|search|times)\.js"><\/script>/g, '');
}
