import { env } from 'cloudflare:workers';
import { drizzle } from 'drizzle-orm/d1';
import { describe, expect, it, vi } from 'vitest';
import { statusSegments } from '../../../src/areas/game-status/game-status.tables.ts';
import { TILES } from '../../../src/areas/portal/front/front.data.ts';
import { call } from '../../support/requests.ts';
import { testApp } from '../platform/test-app.ts';
import { createFailingBinding } from '../service-status/dead.ts';

/** 2026-06-08 14:54:12 UTC, a Monday. */
const NOW = 1_780_930_452;
const HOUR = 3600;
const page = (fetch = testApp(), now = NOW) => call('/', { headers: { Accept: 'text/html' }, now }, fetch);

describe('GET /', () => {
  it('renders the tile values, the example request and its response on the server', async () => {
    const { status, text } = await page();
    expect(status).toBe(200);
    expect(text).toContain('<li class="card" data-type="daily_bonuses" data-now="inside" ');
    expect(text).toContain('<time datetime="2026-06-09T11:00:00.000Z" data-local="minute">2026-06-09 11:00 UTC</time>');
    expect(text).toMatch(/curl http[^<]*\/v1\/rotations\/server-time</);
    expect(text).toContain(`&quot;now_unix&quot;: ${NOW}`);
    expect(text).toMatch(/href="webcal:\/\/[^"]+\/v1\/rotations\/calendar\.ics"/);
    expect(text).not.toContain('needs JavaScript');
  });

  it('shows the whole window of a history shorter than a day, with the time before it as unknown', async () => {
    await drizzle(env.DB)
      .insert(statusSegments)
      .values({ environment: 'eu', status: 'online', startedAt: NOW - 2 * HOUR, endedAt: null, lastConfirmedAt: NOW });
    const { text } = await page();
    expect(text).toContain('100.00 % online of the known time in 30 days, 0 outages');
    expect(text).toMatch(/<rect class="unknown" x="0" width="997[^>]*>.*<rect class="online" x="997/);
  });

  it('omits sections whose feature is switched off', async () => {
    const { status, text } = await page(testApp({ settings: { featureServerStatusEnabled: false, featureCodexesEnabled: false } }));
    expect(status).toBe(200);
    expect(text).not.toContain('id="status-title"');
    expect(text).not.toContain('class="models"');
  });

  it('returns 200 without the sections that fail', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    const { status, text } = await page(testApp({ bindings: { DB: createFailingBinding<D1Database>('throws') } }), NOW + 1);
    expect(status).toBe(200);
    expect(text).toContain('Not known yet');
    expect(log).toHaveBeenCalled();
    log.mockRestore();
  });

  it('puts the state of the game before the part for developers, and links every card to its page', async () => {
    const { text } = await page();
    expect(text.indexOf('id="now-title"')).toBeLessThan(text.indexOf('id="api-title"'));
    const cards = [...text.matchAll(/<li class="card[^"]*" data-type="(\w+)".*?<a href="([^"]+)"/gs)];
    expect(cards.map(([, type]) => type)).toEqual(TILES.map(({ type }) => type));
    for (const [, , path = ''] of cards) {
      const [page = '', anchor] = path.split('#');
      const { status, text: target } = await call(page, { now: NOW });
      expect([path, status]).toEqual([path, 200]);
      if (anchor) expect(target).toContain(`id="${anchor}"`);
    }
    expect(text).toMatch(/data-type="reset".*?Daily/s);
    expect(text).toMatch(/data-type="weekly_bonus".*?class="headline">\w+/s);
  });

  it('links to the page of players, like the menu and the sitemap', async () => {
    expect((await page()).text.match(/href="\/players"/g)).toHaveLength(2);
    expect((await call('/sitemap.xml')).text).toContain('/players</loc>');
  });

  it('marks demo data in development', async () => {
    expect((await page(testApp({ bindings: { ENVIRONMENT: 'development', DEMO_DATA: 'on' } }))).text).toContain('class="demo-mark"');
    expect((await page()).text).not.toContain('class="demo-mark"');
  });
});
