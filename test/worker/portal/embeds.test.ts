import { env } from 'cloudflare:workers';
import { parseXml } from '@rgrove/parse-xml';
import { beforeAll, describe, expect, it } from 'vitest';
import { createSearchStore } from '../../../src/areas/search/search.store.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { seedMarket } from '../../contract/seeds.ts';
import { call, freshInstant } from '../../support/requests.ts';
import { withoutSiteScripts } from '../../support/site-scripts.ts';
import { boardLine, capture, dumpOf } from '../leaderboards/dumps.ts';
import { testApp } from '../platform/test-app.ts';

/** Tuesday 2026-03-10 11:00 UTC. */
const TUESDAY = 1_773_140_400;
const NOW = TUESDAY + 3600;
const HOSTILE = `[x](y)"'<b>&`;
const app = testApp({ settings: { publicAnonRateLimitMax: 1000, featureServerStatusEnabled: true } });
const get = (path: string, headers: Record<string, string> = {}) => call(path, { headers, now: NOW }, app);

const BOARD = '/v1/leaderboards/1';
const IMAGES = [
  `${BOARD}/badge.svg`,
  `${BOARD}/card.svg`,
  '/v1/leaderboards/players/nimbus/badge.svg',
  '/v1/leaderboards/players/nimbus/card.svg',
  '/v1/rotations/badge/fluxion.svg',
  '/v1/rotations/card/corruxion.svg',
  '/v1/rotations/card/fluxion.svg',
  '/v1/misc/badge/game-status.svg',
  '/v1/misc/card/game-status.svg',
];

beforeAll(async () => {
  const rows = (more: number) =>
    dumpOf(
      boardLine(
        1,
        [
          ['Nimbus', 1000 + more],
          [HOSTILE, 900 + 2 * more],
          ['Oriole', 800],
        ],
        { name: 'TROVE MASTERY POINTS' },
      ),
    );
  await capture(rows(0), TUESDAY - 86_400);
  await capture(rows(50), TUESDAY);
  await seedMarket();
});

describe('badges and cards', () => {
  it.each(IMAGES)('returns %s in both themes, with an ETag and a bounded age, without a token', async (path) => {
    const [dark, light] = [await get(path), await get(`${path}?theme=light`)];
    for (const { status, headers, text } of [dark, light]) {
      expect([status, headers.get('Content-Type')]).toEqual([200, 'image/svg+xml']);
      expect(headers.get('Cache-Control')).toMatch(/^public, max-age=([1-9]|[1-9]\d|[12]\d\d|300)$/);
      expect(parseXml(text).root?.attributes.role).toBe('img');
      expect(text).toMatch(/<title>[^<]{5,}<\/title>/);
    }
    expect(dark.text).not.toBe(light.text);
    const repeated = await get(path, { 'If-None-Match': dark.headers.get('ETag') ?? '' });
    expect([repeated.status, repeated.text]).toEqual([304, '']);
    expect((await get(`${path}?theme=blue`)).status).toBe(422);
  });

  it('shows the first rows of a board, escaped', async () => {
    const { text } = await get(`${BOARD}/card.svg`);
    expect(text).toContain('>1. Nimbus</text>');
    expect(text).toContain('>1,050</text>');
    expect(text).not.toContain('<b>');
    const { text: badge } = await get(`${BOARD}/badge.svg`);
    expect(badge).toContain('<title>Trove Mastery Points: Nimbus 1,050</title>');
  });

  it('shows the price of an item, and returns 404 for an unknown item, board or player', async () => {
    const card = await get('/v1/market/items/sun%20sap/card.svg');
    expect([card.status, card.text.includes('>Median</text>')]).toEqual([200, true]);
    for (const path of [
      '/v1/market/items/nothing/card.svg',
      '/v1/leaderboards/424242/card.svg',
      '/v1/leaderboards/players/nobody/badge.svg',
    ])
      expect([path, (await get(path)).status]).toEqual([path, 404]);
  });

  it('has a rate limit of its own', async () => {
    const few = testApp({ settings: { publicAnonRateLimitMax: 2, imagesRateLimitMultiplier: 2 } });
    const address = { 'CF-Connecting-IP': '198.51.100.77' };
    const now = freshInstant();
    const send = async (path: string) => (await call(path, { headers: address, now }, few)).status;
    const images = [];
    for (let count = 0; count < 5; count += 1) images.push(await send('/v1/rotations/card/corruxion.svg'));
    expect(images).toEqual([200, 200, 200, 200, 429]);
    expect(await send('/v1/rotations/server-time')).toBe(200);
  });
});

describe('pages with badges and cards', () => {
  const PAGES = [
    '/leaderboards',
    '/leaderboards/1',
    '/leaderboards/1?days=1',
    '/players?name=nimbus',
    '/market/item?name=sun%20sap',
    '/merchants',
    '/servers',
  ];

  it.each(PAGES)('renders %s without own scripts, inline styles and repeated ids', async (path) => {
    const { status, headers, text } = await get(path);
    expect(status).toBe(200);
    expect(headers.get('Content-Security-Policy')).toContain("script-src 'self';");
    expect(withoutSiteScripts(text)).not.toMatch(/\sstyle="|\son\w+="|<script|NaN|undefined|\[object/);
    const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(ids).toEqual([...new Set(ids)]);
  });

  it('shows the first rows and the gains with their window', async () => {
    const { text } = await get('/leaderboards/1?days=1');
    expect(text).toContain('1. Nimbus');
    expect(text).toMatch(/Largest gains.*1\. \[x\]\(y\).*>100<.*2\. Nimbus.*>50</s);
    expect((await get('/leaderboards/1?days=7')).text).toMatch(/Largest gains.*Players with a gain: 2/s);
  });

  it('names the leader of each board in the list, and the best rank ever of a player with its board', async () => {
    const { text } = await get('/leaderboards');
    expect(text).toMatch(/href="\/leaderboards\/1">Trove Mastery Points<.*?href="\/players\?name=Nimbus">Nimbus<.*?>1,050</s);
    expect(text).not.toContain('TROVE MASTERY');
    expect((await get('/players?name=nimbus')).text).toMatch(/Best rank ever: <strong>1<\/strong> on <a href="\/leaderboards\/1">Trove/);
  });

  it('lists players by a part of the name, and says in words that there is none', async () => {
    await createSearchStore(createDatabase(env.DB)).replaceKeys(
      'player',
      ['nimbus'],
      [{ key: 'nimbus', name: 'Nimbus', about: '', text: '', link: '/players?name=Nimbus', image: null }],
    );
    const found = await get('/players?name=imbu');
    expect(found.status).toBe(200);
    expect(found.text).toContain('<li><a href="/players?name=Nimbus">Nimbus</a></li>');
    const none = await call('/players?name=zzyzx', { headers: { Accept: 'text/html' } });
    expect([none.status, none.headers.get('Content-Type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect(none.text).toMatch(/no player on the leaderboards has this name/i);
  });

  it('gives Markdown and HTML whose images and links exist', async () => {
    for (const path of PAGES.filter((page) => page !== '/leaderboards')) {
      const shown = (await get(path)).text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"');
      const urls = [
        ...shown.matchAll(/\]\((https:\/\/api\.test[^)]+)\)/g),
        ...shown.matchAll(/<img src="(https:\/\/api\.test[^"]+)"/g),
      ].map(([, url = '']) => url);
      expect(urls.length, path).toBeGreaterThanOrEqual(6);
      for (const url of new Set(urls)) expect([url, (await get(url.slice('https://api.test'.length))).status]).toEqual([url, 200]);
    }
  });

  it('keeps a hostile name inside the code and the page', async () => {
    const { status, text } = await get(`/players?name=${encodeURIComponent(HOSTILE)}`);
    expect(status).toBe(200);
    expect(text).not.toContain('<b>');
    expect(text).toContain('[![\\[x\\](y)');
    expect(text).toContain('/v1/leaderboards/players/%5Bx%5D%28y%29%22%27%3Cb%3E%26/card.svg');
  });

  it('returns 404 for an unknown board, player and item, and a form without a name', async () => {
    for (const path of ['/leaderboards/424242', '/players?name=nobody', '/market/item?name=nothing'])
      expect([path, (await get(path)).status]).toEqual([path, 404]);
    expect((await get('/players')).text).toContain('<input name="name"');
  });
});
