import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { call } from '../../support/requests.ts';
import { clearCatalog } from './catalog.ts';

const HOUR = 3600;
const NOW = 20_000 * 86_400;

interface Stored {
  owner: string;
  /** Age of the newest release of each mod, in hours. */
  hours: number[];
}

/** Stores mods that have one release each. */
async function store(owners: readonly Stored[]): Promise<void> {
  const mods = owners.flatMap(({ owner, hours }) => hours.map((age, index) => ({ owner, slug: `mod-${index}`, at: NOW - age * HOUR })));
  const inserts = [
    `INSERT INTO mods (handle, slug, visibility, is_approved, is_stray, created_at, updated_at, last_release_at, uploaded_on_behalf, previews,
      donation_urls, title, sort_title, author, tags, summary, search_text, warnings, description, readme_text)
      SELECT value ->> 'owner', value ->> 'slug', 'public', 1, 0, 1, 1, value ->> 'at', 0, '[]', '[]', 'Mod', 'mod', 'A', '[]', '', '', '', '', ''
      FROM json_each(?)`,
    `INSERT INTO mod_releases (id, mod_id, branch, tag, is_published, is_silent, published_at, format, size, sha256, filename, title, changelog)
      SELECT 'r' || m.id, m.id, 'main', '1', 1, 0, m.last_release_at, 'tmod', 1, printf('%064x', m.id), 'f', '', ''
      FROM json_each(?) JOIN mods m ON m.handle = value ->> 'owner' AND m.slug = value ->> 'slug'`,
  ];
  await env.DB.batch(inserts.map((sql) => env.DB.prepare(sql).bind(JSON.stringify(mods))));
}

async function feed(): Promise<string[]> {
  const { text } = await call('/v1/mods/releases.atom');
  return [...text.matchAll(/\/mods\/([a-z0-9-]+\/[a-z0-9-]+)"/g)].map(([, path = '']) => path);
}

const hostile = (count: number, hours: number[]) => Array.from({ length: count }, (_, index) => ({ owner: `hostile-${index}`, hours }));

beforeEach(clearCatalog);

describe('GET /v1/mods/releases.atom', () => {
  it('lists the newest first', async () => {
    await store([
      { owner: 'ana', hours: [3, 1] },
      { owner: 'bob', hours: [2] },
    ]);
    expect(await feed()).toEqual(['ana/mod-1', 'bob/mod-0', 'ana/mod-0']);
  });

  it.each([1, 17, 50])('keeps the mod of a day ago beside later releases of %i accounts, three in each hour', async (accounts) => {
    await store([{ owner: 'honest', hours: [22] }, ...hostile(accounts, [1, 1, 1, 2, 2, 2, 3, 3, 3])]);
    const paths = await feed();
    expect(paths).toContain('honest/mod-0');
    expect(paths.length).toBe(Math.min(100, accounts * 9 + 1));
  });

  it('prefers the first mods of others to the second one of an owner on the same day, and that to mods of the day before', async () => {
    await store([{ owner: 'ana', hours: [1, 2] }, { owner: 'old', hours: [30] }, ...hostile(98, [10])]);
    const paths = await feed();
    expect(paths.slice(0, 2)).toEqual(['ana/mod-0', 'ana/mod-1']);
    expect([paths.length, paths.includes('old/mod-0')]).toEqual([100, false]);
    await store([{ owner: 'bob', hours: [20] }]);
    expect((await feed()).filter((path) => /^(?:ana|bob)/.test(path))).toEqual(['ana/mod-0', 'bob/mod-0']);
  });

  it('takes at most three mods of an owner and hour', async () => {
    await store([{ owner: 'ana', hours: [1, 1, 1, 1, 2] }]);
    expect(await feed()).toEqual(['ana/mod-0', 'ana/mod-1', 'ana/mod-2', 'ana/mod-4']);
  });
});
