import { beforeAll, describe, expect, it } from 'vitest';
import { call } from '../../support/requests.ts';
import { withoutSiteScripts } from '../../support/site-scripts.ts';
import { clearMarket, NOW, openMarket } from './market.ts';

const HOUR = 3600;

let page: (path: string) => Promise<{ status: number; headers: Headers; text: string }>;

beforeAll(async () => {
  await clearMarket();
  const market = await openMarket();
  await market.insert([
    { createdAt: NOW - 2 * HOUR, price: 100, stack: 10 },
    { createdAt: NOW - 3 * HOUR, price: 300, stack: 10, serial: 1 },
  ]);
  page = (path) => call(path, { headers: { Accept: 'text/html' }, now: NOW }, market.fetch);
});

describe('GET /market', () => {
  it('links items to their pages', async () => {
    const { status, text } = await page('/market');
    expect([status, text.includes('<a href="/market/item?name=Sun+Sap">Sun Sap</a>')]).toEqual([200, true]);
  });
});

describe('GET /market/item', () => {
  it('shows the prices of an item by day, in any spelling of its name', async () => {
    const { status, headers, text } = await page('/market/item?name=sun%20sap');
    expect([status, headers.get('Cache-Control')]).toEqual([200, 'public, max-age=60']);
    expect(text).toContain('<h1>Sun Sap</h1>');
    const labels = ['Listings', 'Pieces', 'Lower quartile', 'Median', 'Upper quartile'];
    const values = ['2', '20', '15', '20', '25'];
    const cells = labels.map((label, index) => `<td class="number" data-label="${label}"><div>${values[index]}</div></td>`);
    expect(text.replace(/\s+/g, ' ')).toContain(`<th scope="row"><time datetime="2026-03-10">2026-03-10</time></th>${cells.join('')}`);
    expect(text).toContain('<a class="button" href="/market/item?name=Sun+Sap&amp;days=30" aria-current="page">30 days</a>');
    expect(withoutSiteScripts(text)).not.toMatch(/\sstyle="|\son\w+="|<script|NaN|undefined/);
  });

  it('says that no listing was created in the window', async () => {
    expect((await page('/market/item?name=Bardium')).text).toContain('No listing was created in this window.');
  });

  it('returns 404 with the nearest names for an unknown item, and 422 for another window', async () => {
    const unknown = await page('/market/item?name=Sun%20Sab');
    expect([unknown.status, unknown.text.includes('Sun Sap')]).toEqual([404, true]);
    expect((await page('/market/item?name=Sun%20Sap&days=8')).status).toBe(422);
    expect((await page('/market/item?name=')).status).toBe(422);
  });

  it('encodes the name of the request', async () => {
    const { status, text } = await page(`/market/item?${new URLSearchParams({ name: '<img src=x onerror=alert(1)>' })}`);
    expect([status, text.includes('<img src=x')]).toEqual([404, false]);
  });
});
