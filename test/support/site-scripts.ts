/** Removes the scripts that every page has, for tests of what a page adds. */
export function withoutSiteScripts(html: string): string {
  return html.replaceAll(/<script type="module" src="\/ui\/(?:account-link|search)\.js"><\/script>/g, '');
}
