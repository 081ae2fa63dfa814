import ICAL from 'ical.js';
import { describe, expect, it } from 'vitest';
import { WEEKDAYS } from '../../../src/platform/kit/time/clock.ts';
import { call } from '../../support/requests.ts';
import { withoutSiteScripts } from '../../support/site-scripts.ts';
import { testApp } from '../platform/test-app.ts';

/** Tuesday 2026-03-10 12:00 UTC: Fluxion is here, Corruxion comes on Friday 20 March. */
const NOW = 1_773_144_000;
const HOUR = 3600;
const app = testApp({ settings: { publicAnonRateLimitMax: 1000 } });
const get = (path: string, now = NOW) => call(path, { now }, app);
const section = (text: string, id: string) => text.slice(text.indexOf(`<section id="${id}"`)).split('</section>')[0] ?? '';

describe('GET /merchants', () => {
  it('names the state, a countdown and the next ten visits of each merchant with their hours', async () => {
    const { status, text } = await get('/merchants');
    expect(status).toBe(200);
    for (const name of ['corruxion', 'fluxion']) {
      const part = section(text, name);
      expect(part).toMatch(/<b>(Here, \w+|Away)<\/b>, (comes|leaves) <span class="left" data-until="\d+">/);
      expect(part.split('<tbody>')[1]?.match(/<tr>/g)).toHaveLength(10);
      expect(part).toMatch(/data-local="minute">\d{4}-\d\d-\d\d 11:00 UTC</);
    }
    expect(section(text, 'fluxion')).toMatch(/<b>Here, (voting|selling)<\/b>, leaves/);
    expect(section(text, 'luxion')).toContain('<b>Away</b>');
  });

  it.each(['corruxion', 'fluxion', 'luxion'])('links the calendar of %s as webcal and as a file that a parser reads', async (name) => {
    const { text } = await get('/merchants');
    const [, path = ''] = new RegExp(`href="webcal://api\\.test(/[^"]+types=${name})"`).exec(text) ?? [];
    expect(text).toContain(`href="${path}"`);
    const file = await get(path);
    expect([file.status, file.headers.get('Content-Type')]).toEqual([200, 'text/calendar; charset=utf-8']);
    const calendar = new ICAL.Component(ICAL.parse(file.text) as object[]);
    const titles = calendar.getAllSubcomponents('vevent').map((event) => String(event.getFirstPropertyValue('summary')));
    expect(titles.every((title) => title.toLowerCase().startsWith(name))).toBe(true);
    if (name !== 'luxion') expect(titles.length).toBeGreaterThan(20);
  });

  it('folds the images for other sites', async () => {
    const { text } = await get('/merchants');
    expect(text.match(/<details class="card embed-code" id="\w+-embed"><summary>Embed<\/summary>/g)).toHaveLength(2);
  });
});

describe('GET /today', () => {
  it('shows the bonus, the eight biomes of the day, the merchants and the next reset', async () => {
    const { status, text } = await get('/today');
    expect(status).toBe(200);
    expect(text).toContain('<h1>Today: Tuesday, March 10, 2026</h1>');
    expect(text).toContain('<h2 id="bonus">Gathering Day</h2>');
    expect(text.split('aria-label="Biomes of the day"')[1]?.split('</table>')[0]?.match(/<tr>/g)).toHaveLength(9);
    expect(text).toMatch(/Fluxion<\/dt><dd>Here, (voting|selling)/);
    expect(text).toContain(`data-until="${NOW + 23 * HOUR}"`);
    expect(withoutSiteScripts(text)).not.toMatch(/\sstyle="|\son\w+="|NaN|undefined|\[object/);
  });

  it('shows another day, which links to the days beside it', async () => {
    const { text } = await get('/today?day=2026-03-13');
    expect(text).toContain('<h1>Friday, March 13, 2026</h1>');
    expect(text).toContain('href="/today?day=2026-03-12"');
    expect(text).toContain('href="/today?day=2026-03-14"');
    expect(text).not.toContain('id="news"');
  });

  it.each(['2026-13-40', 'tomorrow', '2036-01-01'])('names the parameter for the day %s', async (day) => {
    const { status, text } = await get(`/today?day=${day}`);
    expect(status).toBe(422);
    expect(text).toContain('day');
  });
});

describe('GET /week', () => {
  it('shows the weekly bonus and the seven days from Monday', async () => {
    const { text } = await get('/week');
    expect(text).toContain('<h1>This week: March 9, 2026 to March 15, 2026</h1>');
    const days = [...text.matchAll(/href="\/today\?day=2026-03-(\d\d)"[^>]*>(\w+)</g)].map(([, , day]) => day);
    expect(days).toEqual([...WEEKDAYS]);
    expect(text).toContain('href="/week?day=2026-03-16"');
  });
});
