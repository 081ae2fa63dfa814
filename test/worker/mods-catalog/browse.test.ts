import { beforeAll, describe, expect, it } from 'vitest';
import { call } from '../../support/requests.ts';
import { base64, clearCatalog, hashOf, insert, insertBody, packed, publish, read, testImage } from './catalog.ts';

const NOW = 1_780_000_000;
const file = packed('lookup');

/** Mods by title, in the order of publication. */
const MODS = [
  { title: 'Zebra Wings', handle: 'ana', tags: ['Wings', 'animal'], author: 'Ana Lopez, Bob', summary: 'Black & white' },
  { title: 'Arrow "Quoted"', handle: 'bob', tags: ['GUI'], author: 'Bob', summary: "50% off; it's a _test_" },
  { title: 'apple boat', handle: 'ana', tags: ['Boats and Sails'], author: 'Ana Lopez', summary: 'ÄPFEL im Boot' },
  { title: '翅膀 mod', slug: 'wings-cn', handle: 'cid', tags: ['wings'], author: 'Cid', summary: '一对翅膀很小' },
];

beforeAll(async () => {
  await clearCatalog();
  for (const [index, mod] of MODS.entries()) {
    await publish(mod, index === 0 ? { artifact_base64: base64(file) } : {}, NOW + index);
  }
  await publish({ title: 'Hidden Wings', visibility: 'unlisted' }, {}, NOW + 10);
  await publish({ title: 'Secret Wings', visibility: 'private' }, {}, NOW + 11);
});

async function titles(query: string): Promise<string[]> {
  const list = await read(`/v1/mods?${query}`);
  expect(list.count).toBe(list.items.length);
  return list.items.map(({ title }: { title: string }) => title);
}

const enc = encodeURIComponent;
const [ZEBRA, ARROW, APPLE, CHINESE] = MODS.map(({ title }) => title);

describe('GET /v1/mods', () => {
  it('lists public mods, newest release first', async () => {
    expect(await titles('')).toEqual([CHINESE, APPLE, ARROW, ZEBRA]);
    const { total, limit, offset, count } = await read('/v1/mods');
    expect({ total, limit, offset, count }).toEqual({ total: 4, limit: 50, offset: 0, count: 4 });
  });

  it.each([
    ['title', [APPLE, ARROW, ZEBRA, CHINESE]],
    ['new', [CHINESE, APPLE, ARROW, ZEBRA]],
    ['recent', [CHINESE, APPLE, ARROW, ZEBRA]],
    // Equal values: by handle and slug.
    ['popular', [APPLE, ZEBRA, ARROW, CHINESE]],
    ['downloads', [APPLE, ZEBRA, ARROW, CHINESE]],
    ['stars', [APPLE, ZEBRA, ARROW, CHINESE]],
  ])('sorts by %s', async (sort, expected) => {
    expect(await titles(`sort=${sort}`)).toEqual(expected);
  });

  it('returns the total on every page', async () => {
    for (const query of ['sort=title&', 'sort=title&q=o&']) {
      const full = await titles(query);
      const { total } = await read(`/v1/mods?${query}`);
      expect(total).toBe(full.length);
      const pages = [];
      for (let offset = 0; offset < total; offset++) pages.push(...(await titles(`${query}limit=1&offset=${offset}`)));
      expect(pages).toEqual(full);
      expect(await read(`/v1/mods?${query}offset=99`)).toEqual({ items: [], count: 0, total, limit: 50, offset: 99 });
    }
  });

  it.each([
    ['WINGS', [CHINESE, ZEBRA]],
    ['zebra w', [ZEBRA]],
    ['"quoted"', [ARROW]],
    ['50% off', [ARROW]],
    ["it's a _test_", [ARROW]],
    ['& w', [ZEBRA]],
    ['äpfel IM', [APPLE]],
    ['一对翅膀', [CHINESE]],
    ['翅膀', [CHINESE]],
    ['翅', [CHINESE]],
    ['lopez, b', [ZEBRA]],
    ['boats and', [APPLE]],
    ['q', [ARROW]],
    ['%', [ARROW]],
    ['_', [ARROW]],
    ['"', [ARROW]],
    ['*', []],
    ['wings OR boat', []],
    ['wings animal', []],
    ['search_text: wings', []],
    ['', [CHINESE, APPLE, ARROW, ZEBRA]],
  ])('finds the literal text %j', async (q, expected) => {
    expect(await titles(`q=${enc(q)}`)).toEqual(expected);
  });

  it('filters by tag and author, case-insensitive, and combined', async () => {
    expect(await titles('tag=WINGS')).toEqual([CHINESE, ZEBRA]);
    expect(await titles('tag=boats%20and%20sails')).toEqual([APPLE]);
    expect(await titles('tag=wing')).toEqual([]);
    expect(await titles('author=ANA')).toEqual([APPLE, ZEBRA]);
    expect(await titles('author=bob')).toEqual([ARROW, ZEBRA]);
    expect(await titles(`author=${enc('ana lopez')}`)).toEqual([APPLE, ZEBRA]);
    expect(await titles(`author=${enc('Ana Lopez, Bob')}&tag=wings&q=zebra`)).toEqual([ZEBRA]);
    expect(await titles('author=ana&tag=gui')).toEqual([]);
  });

  it('returns 422 for invalid parameters', async () => {
    expect((await call('/v1/mods?sort=best')).status).toBe(400);
    for (const query of ['limit=0', 'limit=101', 'offset=-1', 'limit=x', `q=${'x'.repeat(201)}`, 'q=a%0Ab']) {
      expect((await call(`/v1/mods?${query}`)).status, query).toBe(422);
    }
  });

  it('returns 304 when the ETag matches', async () => {
    const first = await call('/v1/mods?q=wings');
    const etag = first.headers.get('ETag') ?? '';
    expect((await call('/v1/mods?q=wings', { headers: { 'If-None-Match': etag } })).status).toBe(304);
  });
});

describe('GET /v1/mods/{handle}/{slug}', () => {
  it('accepts any case and returns 404 for a hidden mod', async () => {
    expect((await read('/v1/mods/ANA/Zebra-Wings')).title).toBe(ZEBRA);
    for (const path of ['ana/hidden-wings', 'ana/secret-wings', 'ana/none', 'popular/x', 'lookup/x', 'images/x']) {
      const response = await call(`/v1/mods/${path}`);
      expect([response.status, JSON.parse(response.text).error.code], path).toEqual([404, 'not_found']);
    }
  });

  it('does not shadow fixed paths', async () => {
    expect((await call('/v1/mods/popular')).status).toBe(200);
    expect((await call('/v1/mods/categories')).status).toBe(200);
    for (const path of ['read', 'build', 'insert', 'lookup']) expect((await call(`/v1/mods/${path}`)).status, path).toBe(405);
  });
});

describe('mod fields in responses', () => {
  it('include labels, URLs and translations', async () => {
    const fields = { title: 'Small Boots', handle: 'eve' };
    const first = await publish(fields, { silent: true }, NOW + 30);
    expect(first.mod).toMatchObject({
      is_beta: false,
      last_release_at: null,
      api_url: expect.stringMatching(/^https?:.*\/v1\/mods\/eve\/small-boots$/),
      title_i18n: {},
      summary_i18n: {},
      description_i18n: {},
      readme_i18n: {},
      warnings_i18n: {},
    });
    expect(first.release).toMatchObject({ title_i18n: {}, changelog_i18n: {} });
    expect((await titles('sort=recent')).at(-1)).toBe('Small Boots');

    const texts = { is_beta: true, title_i18n: { fr: 'Petites bottes', th: '' }, readme_i18n: { 'zh-CN': '小靴子' } };
    const second = await publish(
      { ...fields, ...texts },
      { tag: '2', title_i18n: { de: 'Zweite' }, changelog_i18n: { ja: '全部' } },
      NOW + 31,
    );
    const expectedFields = {
      is_beta: true,
      last_release_at: new Date((NOW + 31) * 1000).toISOString(),
      title_i18n: { fr: 'Petites bottes' },
    };
    expect(second.mod).toMatchObject({ ...expectedFields, readme_i18n: { 'zh-CN': '小靴子' }, slug: 'small-boots' });
    expect(second.release).toMatchObject({ title_i18n: { de: 'Zweite' }, changelog_i18n: { ja: '全部' } });

    const third = await publish({ ...fields, readme_i18n: {} }, { tag: '3', silent: true }, NOW + 32);
    expect(third.mod).toMatchObject({ ...expectedFields, readme_i18n: {} });
    expect(await titles('sort=recent&author=eve')).toEqual(['Small Boots']);
    const detail = await read(new URL(third.mod.api_url).pathname);
    expect(detail.releases.map(({ tag }: { tag: string }) => tag)).toEqual(['3', '2', '1.0.0']);
  });

  it.each([
    [{ title_i18n: { en: 'x' } }, 'title_i18n'],
    [{ title_i18n: null }, 'title_i18n'],
    [{ title_i18n: { fr: 'x'.repeat(121) } }, 'title_i18n'],
    [{ readme_i18n: { fr: 'x'.repeat(40_000), de: 'x'.repeat(20_001) } }, 'readme_i18n'],
  ])('are rejected on insert with the translations %j', async (fields, named) => {
    const response = await insert(insertBody(fields));
    expect([response.status, response.text.includes(named)]).toEqual([422, true]);
  });
});

describe('GET /v1/mods/popular', () => {
  it('returns up to 25 mods', async () => {
    expect(await read('/v1/mods/popular?limit=2')).toMatchObject({ count: 2, items: [{ title: APPLE }, { title: ZEBRA }] });
    expect((await call('/v1/mods/popular?limit=26')).status).toBe(422);
  });
});

describe('POST /v1/mods/lookup', () => {
  const lookUp = async (hashes: unknown, options: Record<string, unknown> = {}) => {
    const response = await call('/v1/mods/lookup', {
      method: 'POST',
      json: { hashes, ...options },
    });
    return { status: response.status, body: JSON.parse(response.text) };
  };

  it('matches hashes in the spelling that was sent first', async () => {
    const sha256 = await hashOf(file);
    const upper = sha256.toUpperCase();
    const other = '0'.repeat(64);
    const { body } = await lookUp([other, sha256, 'no hash', upper, other, '__proto__', sha256]);
    const { releases, omitted_releases: _, ...mod } = await read('/v1/mods/ana/zebra-wings');
    expect(body).toEqual({
      results: { [sha256]: { mod: { ...mod, truncated: [] }, release: { ...releases[0], truncated: [] } } },
      unknown: [other, 'no hash', '__proto__'],
    });
    expect(Object.keys((await lookUp([upper, sha256])).body.results)).toEqual([upper]);
  });

  it('attaches the requested releases', async () => {
    const fields = { title: 'Three Releases', handle: 'dora' };
    const built = packed('three releases');
    await publish(fields, { tag: 'v1', artifact_base64: base64(built) }, NOW + 20);
    await publish(fields, { tag: 'v2' }, NOW + 21);
    await publish(fields, { tag: 'v1', branch: 'lite' }, NOW + 22);
    await publish(fields, { tag: 'draft', branch: 'lite', published: false }, NOW + 23);
    const sha256 = await hashOf(built);
    const attached = async (options: Record<string, unknown>) => {
      const { mod, release } = (await lookUp([sha256], options)).body.results[sha256];
      expect(release).toMatchObject({ branch: 'main', tag: 'v1' });
      return mod.releases?.map(({ branch, tag }: { branch: string; tag: string }) => `${branch} ${tag}`);
    };
    expect(await attached({})).toBeUndefined();
    expect(await attached({ include_releases: true })).toEqual(['lite v1', 'main v2']);
    expect(await attached({ include_releases: true, releases: 'none' })).toBeUndefined();
    expect(await attached({ include_releases: true, releases: null })).toEqual(['lite v1', 'main v2']);
    expect(await attached({ releases: 'latest' })).toEqual(['lite v1', 'main v2']);
    expect(await attached({ releases: 'all' })).toEqual(['lite v1', 'main v2', 'main v1']);
    expect((await lookUp([sha256], { releases: 'newest' })).status).toBe(422);
  });

  it('accepts 1 to 200 hashes', async () => {
    expect((await lookUp(Array.from({ length: 200 }, (_, index) => index.toString(16).padStart(64, '0')))).body.unknown).toHaveLength(200);
    for (const hashes of [[], Array(201).fill('x'), 'x', [1]]) expect((await lookUp(hashes)).status).toBe(422);
  });
});

describe('GET /v1/mods/{handle}/{slug}/releases/{id}/download', () => {
  it('returns the file with its name, supports ETag, ranges and conditional requests', async () => {
    const { releases } = await read('/v1/mods/ana/zebra-wings');
    const path = new URL(releases[0].download_url).pathname;
    const full = await call(path);
    expect(full.bytes).toEqual(file);
    expect(Object.fromEntries(full.headers)).toMatchObject({
      etag: `"${releases[0].sha256}"`,
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment; filename="Tiny.tmod"',
      'cache-control': 'public, max-age=86400',
      'accept-ranges': 'bytes',
      'x-ratelimit-limit': '900',
    });
    const etag = full.headers.get('ETag') ?? '';
    const unchanged = await call(path, { headers: { 'If-None-Match': etag } });
    expect([unchanged.status, unchanged.bytes.length, unchanged.headers.get('ETag')]).toEqual([304, 0, etag]);
    const part = await call(path, { headers: { Range: 'bytes=2-5' } });
    expect([part.status, part.headers.get('Content-Range')]).toEqual([206, `bytes 2-5/${file.length}`]);
    expect(part.bytes).toEqual(file.subarray(2, 6));
    expect((await call(path, { headers: { Range: 'bytes=9999999-' } })).status).toBe(416);
    expect((await call(path.replace('zebra', 'none'))).status).toBe(404);
    expect((await call(path.replace('/ana/', '/bob/'))).status).toBe(404);
  });
});

describe('GET /v1/mods/images/{sha256}', () => {
  it('returns an image while a visible mod uses it', async () => {
    const [banner, preview] = [testImage(100), testImage(101)];
    await publish({ title: 'With Images', banner_base64: base64(banner), previews_base64: [base64(preview), base64(banner)] });
    await publish({ title: 'Hidden Images', banner_base64: base64(testImage(102)), visibility: 'private' });
    const { banner_url: url, preview_urls: urls } = await read('/v1/mods/ana/with-images');
    expect(urls).toEqual([expect.stringContaining(await hashOf(preview)), url]);
    const image = await call(new URL(url).pathname);
    expect(image.bytes).toEqual(banner);
    expect(Object.fromEntries(image.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      etag: `"${await hashOf(banner)}"`,
    });
    expect(image.headers.has('Content-Disposition')).toBe(false);
    for (const query of ['w=400', 'w=708', 'w=1416', 'w=']) {
      const sized = await call(`${new URL(url).pathname}?${query}`);
      expect([sized.status, sized.bytes, sized.headers.get('Cache-Control')]).toEqual([200, banner, image.headers.get('Cache-Control')]);
    }
    for (const query of ['w=401', 'w=0', 'w=4e2', 'w=%20400', 'w=400px']) {
      const rejected = await call(`${new URL(url).pathname}?${query}`);
      expect([rejected.status, JSON.parse(rejected.text).error.code], query).toEqual([400, 'bad_request']);
    }
    expect((await call(`/v1/mods/images/${await hashOf(testImage(102))}`)).status).toBe(404);
    expect((await call('/v1/mods/images/x')).status).toBe(404);
    await publish({ title: 'With Images', banner_base64: null, previews_base64: [] }, { tag: '2' });
    expect((await call(new URL(url).pathname)).status).toBe(404);
  });
});
