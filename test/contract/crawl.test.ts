import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { ALL_ON, ENDPOINTS } from '../support/endpoints.ts';
import { call, ORIGIN, type TestResponse } from '../support/requests.ts';
import { createSession } from '../support/sessions.ts';
import { testApp } from '../worker/platform/test-app.ts';
import { prepare } from './prepare.ts';

await prepare();

/** A link of a page: its target without the fragment, and its text. */
interface Link {
  from: string;
  target: string;
  fragment: string;
  text: string;
}

/** Words of a link by which a reader knows that it leads to data or a file. */
const NAMES_FORMAT = /JSON|CSV|Atom|feed|OpenAPI|llms\.txt|\.ics|text file|download|API catalog|sigil/i;
/** Every page leads home, and says what it is. */
const WAYS_BACK = ['<a class="brand" href="/">', 'id="main"'];
const REDIRECTS = [301, 302, 303, 307, 308];
/** Pages read in one crawl. */
const MAX_PAGES = 400;

const app = testApp({ settings: { ...ALL_ON, publicAnonRateLimitMax: 100_000, sessionRateLimitMax: 100_000 } });
const PATTERNS = ENDPOINTS.filter(({ spec }) => spec.method === 'get').map(({ spec }) => ({
  path: spec.path,
  pattern: new RegExp(`^${spec.path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}));

/** The kind of an address: its route with the names of its parameters. Pages of documentation, of tools and of the portal are all read. */
function kindOf(target: string): string {
  const { pathname, searchParams } = new URL(target, ORIGIN);
  const exact = PATTERNS.find(({ path }) => path === pathname);
  const route = exact ?? PATTERNS.find(({ pattern }) => pattern.test(pathname));
  if (!route || pathname.startsWith('/docs/')) return pathname;
  return [route.path, ...[...searchParams.keys()].sort()].join(' ');
}

const decode = (text: string) =>
  text.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&gt;', '>');

/** Links of a page to this service, as a reader sees them: an image by its alternative text. */
function linksOf(from: string, html: string): Link[] {
  const shown = html.replaceAll(/<script[\s\S]*?<\/script>/g, '');
  return [...shown.matchAll(/<a\b([^>]*)>([\s\S]*?)<\/a>/g)].flatMap(([, attributes = '', content = '']) => {
    const href = decode(/\bhref="([^"]*)"/.exec(attributes)?.[1] ?? '');
    const url = href === '' || !URL.canParse(href, ORIGIN + from) ? null : new URL(href, ORIGIN + from);
    if (url?.origin !== ORIGIN) return [];
    const images = [...content.matchAll(/\balt="([^"]*)"/g)].map(([, alt]) => alt).join(' ');
    const text = decode(`${content.replaceAll(/<[^>]+>/g, ' ')} ${images} ${/\bdownload\b/.test(attributes) ? 'download' : ''}`);
    return [{ from, target: url.pathname + url.search, fragment: url.hash.slice(1), text: text.replaceAll(/\s+/g, ' ').trim() }];
  });
}

/** Reads pages below a folder from the start on, one of each kind, and returns what is wrong with them and their links. */
async function crawl(
  starts: readonly string[],
  headers: Record<string, string>,
  folder = '/',
): Promise<{ faults: string[]; pages: Set<string> }> {
  const faults: string[] = [];
  const pages = new Set<string>();
  const kinds = new Set<string>();
  const bodies = new Map<string, string>();
  const queue: Link[] = starts.map((target) => ({ from: 'the start', target, fragment: '', text: '' }));
  for (let link = queue.shift(); link && pages.size < MAX_PAGES; link = queue.shift()) {
    const kind = kindOf(link.target);
    if (kinds.has(kind) || bodies.has(link.target)) continue;
    kinds.add(kind);
    const response = await open(link.target, headers);
    const type = response.headers.get('Content-Type') ?? '';
    const fault = `${link.from} -> ${link.target} (“${link.text}”)`;
    if (response.status !== 200) faults.push(`${fault}: ${response.status}`);
    else if (!type.startsWith('text/html')) {
      if (!NAMES_FORMAT.test(link.text)) faults.push(`${fault}: ${type}`);
    } else {
      pages.add(link.target);
      bodies.set(link.target, response.text);
      for (const way of WAYS_BACK) if (!response.text.includes(way)) faults.push(`${fault}: without ${way}`);
      queue.push(...linksOf(link.target, response.text).filter(({ target }) => target.startsWith(folder)));
    }
  }
  for (const [from, html] of bodies)
    for (const { target, fragment } of linksOf(from, html)) {
      const body = bodies.get(target);
      if (fragment !== '' && body !== undefined && !body.includes(` id="${fragment}"`))
        faults.push(`${from} -> ${target}#${fragment}: place not found`);
    }
  return { faults, pages };
}

/** Follows redirects. Files of the deployment are served without the service. */
async function open(target: string, headers: Record<string, string>): Promise<Pick<TestResponse, 'status' | 'headers' | 'text'>> {
  if (/^\/(ui|docs\/assets|live\/|status\/)/.test(target) && /\.\w+$/.test(target)) {
    const response = await env.ASSETS.fetch(ORIGIN + target);
    return { status: response.status, headers: response.headers, text: await response.text() };
  }
  const response = await call(target, { headers: { Accept: 'text/html,*/*;q=0.8', ...headers } }, app);
  const location = response.headers.get('Location');
  if (!REDIRECTS.includes(response.status) || location === null) return response;
  const url = new URL(location, ORIGIN + target);
  return open(url.pathname + url.search, headers);
}

let starts: string[] = [];
beforeAll(async () => {
  const { text } = await call('/sitemap.xml', {}, app);
  starts = ['/', ...[...text.matchAll(/<loc>(.+?)<\/loc>/g)].map(([, url = '']) => url.slice(ORIGIN.length))];
});

describe('a crawl of every kind of page', () => {
  it('finds for a visitor only pages, files that say so, no dead end, and a way back from each page', async () => {
    const { faults, pages } = await crawl(starts, {});
    expect(faults).toEqual([]);
    expect(pages.size).toBeGreaterThan(60);
  });

  async function crawlSignedIn(isSuperuser: boolean, from: readonly string[], folder?: string): Promise<string[]> {
    const { credential } = await createSession({ isSuperuser });
    const { faults, pages } = await crawl(['/portal', ...from], { Cookie: `__Secure-portal_session=${credential}` }, folder);
    for (const path of ['/portal/tokens', '/portal/account', '/portal/usage']) expect([...pages]).toContain(path);
    return faults;
  }

  it('finds the same for an account, and its pages of the portal', async () => {
    const faults = await crawlSignedIn(false, starts);
    // The menu for superusers is in every page of the portal and shown by a script.
    expect(faults.filter((fault) => !/ -> \/portal\/admin\S* .*: 403$/.test(fault))).toEqual([]);
  });

  // The other pages differ from those of any account only in that this menu is visible.
  it('finds the same in the portal for a superuser', async () => {
    expect(await crawlSignedIn(true, [], '/portal')).toEqual([]);
  });
});
