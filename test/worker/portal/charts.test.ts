import { env } from 'cloudflare:workers';
import { drizzle } from 'drizzle-orm/d1';
import { beforeAll, describe, expect, it } from 'vitest';
import { statusSegments } from '../../../src/areas/game-status/game-status.tables.ts';
import { seedActivity } from '../../support/activity-history.ts';
import { call } from '../../support/requests.ts';
import { withoutSiteScripts } from '../../support/site-scripts.ts';
import { testApp } from '../platform/test-app.ts';

const NOW = 1_780_930_452;
const HOUR = 3600;
const app = testApp();
const page = (path: string, fetch = app) => call(path, { headers: { Accept: 'text/html' }, now: NOW }, fetch);

async function seedStatus(): Promise<void> {
  const rows = [
    { status: 'online', startedAt: NOW - 40 * HOUR, endedAt: NOW - 10 * HOUR },
    { status: 'maintenance', startedAt: NOW - 10 * HOUR, endedAt: NOW - 8 * HOUR },
    { status: 'online', startedAt: NOW - 8 * HOUR, endedAt: null },
  ] as const;
  for (const row of rows)
    await drizzle(env.DB)
      .insert(statusSegments)
      .values({ ...row, environment: 'eu', lastConfirmedAt: row.endedAt ?? NOW });
}

beforeAll(async () => {
  await seedActivity(drizzle(env.DB), NOW, 8, 3);
  await seedStatus();
});

describe('GET /activity and /servers', () => {
  it.each(['/activity', '/activity?period=1d', '/servers', '/servers?days=90'])(
    'renders %s without own scripts and inline styles',
    async (path) => {
      const { status, headers, text } = await page(path);
      expect(status).toBe(200);
      expect(headers.get('Cache-Control')).toBe('public, max-age=60');
      expect(headers.get('Content-Security-Policy')).toContain("script-src 'self';");
      expect(withoutSiteScripts(text)).not.toMatch(/\sstyle="|\son\w+="|<script|NaN|undefined/);
      const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
      expect(ids).toEqual([...new Set(ids)]);
      for (const [, names = ''] of text.matchAll(/aria-labelledby="([^"]+)"/g))
        for (const id of names.split(' ')) expect(ids).toContain(id);
    },
  );

  it.each(['1d', '7d', '1m', 'all'])('shows the number of the card as the last point of the chart of %s', async (period) => {
    const { text } = await page(`/activity?period=${period}`);
    const [, card] = /Active within 24 hours<\/span><b>([^<]+)<\/b>/.exec(text) ?? [];
    const table = text.slice(text.indexOf('<figure'), text.indexOf('</figure>'));
    // The first number of each row is the value; the range of the band may follow.
    const cells = [...table.matchAll(/<\/th><td[^>]*>([\d,.–-]+)<\/td>/g)].map(([, cell]) => cell);
    expect(cells.at(-1)).toBe(card);
  });

  it('renders the activity as lines and as a table', async () => {
    const { text } = await page('/activity?period=7d');
    expect(text.match(/<svg/g)).toHaveLength(1 + 18 + 1);
    expect(text.match(/<path class="line" d="M[\d. LMh]+"/g)).toHaveLength(1 + 18);
    expect(text).toContain('<summary>As a table</summary>');
    expect(text).toMatch(/<th scope="row"><time [^>]+>2026-06-0\d \d\d:\d\d UTC<\/time><\/th><td class="number">[\d,.]+<\/td>/);
    expect(text).toContain('<a class="button" href="/activity?period=7d" aria-current="page">7 days</a>');
  });

  it('renders the status of the game servers, with every outage in a table', async () => {
    const { text } = await page('/servers?days=7');
    expect(text.match(/<svg/g)).toHaveLength(3 + 3);
    expect(text).toContain('95.00 % online of the known time in 7 days, 1 outage');
    expect(text).toContain('<rect class="maintenance"');
    expect(text).toContain('<rect class="unknown" x="0"');
    expect(text).toContain('<th scope="row">Europe</th><td class="number" data-label="Status"><div>maintenance</div></td>');
    expect(text).toContain('no history yet');
  });

  it('shows a notice before the first data', async () => {
    const { text } = await call('/activity', { now: NOW - 400 * 24 * HOUR }, testApp());
    expect(text).toContain('No data yet.');
    expect(text).not.toMatch(/NaN|Infinity/);
  });

  it('returns 422 for an unknown period or number of days', async () => {
    expect((await page('/activity?period=2d')).status).toBe(422);
    expect((await page('/servers?days=31')).status).toBe(422);
  });

  it('returns 404 when the feature is switched off', async () => {
    const off = testApp({ settings: { featurePlayerActivityEnabled: false, featureServerStatusEnabled: false } });
    expect((await page('/activity', off)).status).toBe(404);
    expect((await page('/servers', off)).status).toBe(404);
  });
});
