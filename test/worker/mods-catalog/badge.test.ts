import { env } from 'cloudflare:workers';
import { parseXml } from '@rgrove/parse-xml';
import { beforeAll, describe, expect, it } from 'vitest';
import { call } from '../../support/requests.ts';
import { clearCatalog, publish } from './catalog.ts';

beforeAll(async () => {
  await clearCatalog();
  await publish({ title: 'Tiny Wings', slug: 'tiny-wings' }, { tag: '1.0' });
  await publish({ title: 'Tiny Wings', slug: 'tiny-wings' }, { tag: '1.1 <beta>' });
  await env.DB.prepare('UPDATE mods SET own_downloads = 12345, star_count = 7').run();
});

const badge = async (path: string) => {
  const reply = await call(path);
  const title = reply.status === 200 ? (/<title>([^<]*)<\/title>/.exec(reply.text)?.[1] ?? '') : '';
  return { ...reply, title };
};

describe('GET /v1/mods/{handle}/{slug}/badge.svg', () => {
  it.each([
    ['', 'downloads: 12,345'],
    ['?show=downloads', 'downloads: 12,345'],
    ['?show=stars&theme=light', 'stars: 7'],
    ['?show=version', 'version: 1.1 &lt;beta&gt;'],
  ])('shows for %s', async (query, expected) => {
    const { status, headers, text, title } = await badge(`/v1/mods/ANA/Tiny-Wings/badge.svg${query}`);
    expect([status, headers.get('Content-Type'), title]).toEqual([200, 'image/svg+xml', expected]);
    expect(headers.get('Cache-Control')).toBe('public, max-age=300');
    expect(parseXml(text).root?.attributes.role).toBe('img');
  });

  it('is refused for another figure, and not found for a mod that is hidden or unknown', async () => {
    expect((await badge('/v1/mods/ana/tiny-wings/badge.svg?show=size')).status).toBe(422);
    expect((await badge('/v1/mods/ana/none/badge.svg')).status).toBe(404);
    await env.DB.prepare("UPDATE mods SET visibility = 'private'").run();
    expect((await badge('/v1/mods/ana/tiny-wings/badge.svg')).status).toBe(404);
  });
});
