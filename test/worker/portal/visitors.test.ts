import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { createContentStore } from '../../../src/platform/storage/content-store.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { countedStatements } from '../../support/counted-statements.ts';
import { storeListing } from '../../support/example-data.ts';
import { bearer, call, FIRST_INSTANT } from '../../support/requests.ts';
import { createSession } from '../../support/sessions.ts';
import { storeVersions } from '../../support/stored-versions.ts';
import { createToken } from '../../support/tokens.ts';
import { boardLine, capture, dumpOf } from '../leaderboards/dumps.ts';
import { testApp } from '../platform/test-app.ts';

/** Tuesday 2026-03-10 11:00 UTC. */
const TUESDAY = 1_773_140_400;
const NOW = FIRST_INSTANT + 60;
const app = testApp();

/** Pages of the market have names of the game in the language of the reader. */
const varyOf = (path: string) => (path.startsWith('/market/') ? 'Accept-Language, Cookie' : 'Cookie');
/** Pages that show more to accounts, with what only accounts see. */
const PAGES: readonly (readonly [path: string, onlyForAccounts: string])[] = [
  ['/leaderboards/1', '>11. Player 11<'],
  ['/players?name=Player+1', 'Ranks on the best boards, one week, every capture'],
  ['/updates/live-us/2', '<code>more.txt</code>'],
  ['/market/item?name=Sun+Sap&days=30', ''],
];

let credential = '';
const visit = (path: string, headers: Record<string, string> = {}, fetch = app) =>
  call(path, { now: NOW, headers: { Accept: 'text/html', ...headers } }, fetch);
const cookie = (value = credential) => ({ Cookie: `theme=x; __Secure-portal_session=${value}` });

beforeAll(async () => {
  const players = Array.from({ length: 15 }, (_, index): [string, number] => [`Player ${index + 1}`, 1000 - index]);
  await capture(dumpOf(boardLine(1, players)), TUESDAY);
  await storeVersions(createContentStore(env.ARCHIVE), 'live-us', [
    { tag: 'A', capturedAt: TUESDAY - 1000, files: { 'readme.txt': 'one' } },
    { tag: 'B', capturedAt: TUESDAY, files: { 'readme.txt': 'one', 'more.txt': 'two' } },
  ]);
  await storeListing(createDatabase(env.DB));
  ({ credential } = await createSession({ row: { displayName: 'Mira' } }));
});

describe('a public page that shows more to accounts', () => {
  it.each(PAGES)('shows a visitor of %s a page that shared caches may keep, by the cookie', async (path) => {
    const { status, headers, text } = await visit(path);
    expect([status, headers.get('Vary')]).toEqual([200, varyOf(path)]);
    expect(headers.get('Cache-Control')).toMatch(/^public, (?:max-age=60|no-cache)$/);
    expect(headers.get('ETag')).toMatch(/^"/);
    expect(text).toMatch(/<a id="account-link" href="\/portal\/account" hidden/);
  });

  it.each(PAGES.filter(([, only]) => only !== ''))(
    'says on %s in one line what accounts see, with links to sign in and up',
    async (path, only) => {
      const { text } = await visit(path);
      expect(text).not.toContain(only);
      const [line = ''] = /<p id="for-accounts"[\s\S]*?<\/p>/.exec(text) ?? [];
      expect(line).toContain('Signed-in accounts see ');
      const [, next = ''] = /href="\/portal\/login\?next=([^"]+)"/.exec(line) ?? [];
      const known = new URL(decodeURIComponent(next), 'https://x.test');
      expect(known.pathname + known.search.replaceAll('%20', '+')).toBe(path);
      expect(line).toContain('href="/portal/signup"');
    },
  );

  it('shows a visitor the ranks of a player over time, with the board of each', async () => {
    const { text } = await visit('/players?name=Player+1');
    expect(text).toContain('Ranks on the best boards, one week');
    expect(text).toMatch(/<li data-plot="?[^>]*><p><strong><a href="\/leaderboards\/1">[^<]+<\/a><\/strong>/);
    expect(text).toMatch(/<path class="dots" d="M[\d.]+ [\d.]+h0"/);
    expect(text).toContain('Best rank ever: <strong>1</strong>');
  });

  it.each(PAGES)('shows an account everything at %s, in a response that no cache keeps', async (path, only) => {
    const { status, headers, text } = await visit(path, cookie());
    expect([status, headers.get('Cache-Control'), headers.get('ETag')]).toEqual([200, 'private, no-cache, no-store', null]);
    expect(headers.get('Vary')).toBe(varyOf(path));
    expect(text).toContain(only);
    expect(text).not.toContain('id="for-accounts"');
    expect(text).toContain('<span class="who">Mira</span>');
    expect(text).not.toContain(credential);
  });

  it('counts for the account, and not for its address', async () => {
    const { headers } = await visit('/leaderboards/1', cookie());
    expect(headers.get('RateLimit-Policy')).toBe('"session";q=120;w=60');
    expect((await visit('/leaderboards/1')).headers.get('RateLimit-Policy')).toBe('"anon-pages";q=120;w=60');
  });

  it('is the page of a visitor for a forged, expired or ended session, and for a token', async () => {
    const plain = await visit('/leaderboards/1');
    const ended = await createSession();
    await call('/auth/logout-all', { method: 'POST', now: NOW, authorization: bearer(ended.credential) }, app);
    for (const value of ['x', `${credential}x`, ended.credential]) {
      const { text, headers } = await visit('/leaderboards/1', cookie(value));
      expect([text === plain.text, headers.get('ETag')]).toEqual([true, plain.headers.get('ETag')]);
    }
    const { text } = await visit('/leaderboards/1', { ...cookie(), Authorization: bearer(await createToken()) });
    expect(text).toBe(plain.text);
  });

  it('reads nothing of accounts for a visitor', async () => {
    const { DB, queries } = countedStatements();
    const fetch = testApp({ bindings: { DB } });
    await visit('/updates/live-us/2', {}, fetch);
    const warm = queries();
    await visit('/updates/live-us/2', {}, fetch);
    const forVisitor = queries() - warm;
    await visit('/updates/live-us/2', cookie('forged'), fetch);
    expect(queries() - warm).toBe(2 * forVisitor);
  });
});
