/** Removes the scripts that every page has and those of copy buttons and countdowns, for tests of what a page adds. */
export function withoutSiteScripts(html: string): string {
  return html.replaceAll(
    /<script (?:type="module" )?src="\/ui\/(?:account-link|announcement|countdowns|dom|followed|language|my-player|search|theme|times)\.js"><\/script>/g,
    '',
  );
}
