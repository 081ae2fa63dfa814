import { env } from 'cloudflare:workers';
import { unzipSync } from 'fflate';
import { beforeEach, describe, expect, it } from 'vitest';
import { oncePerFile } from '../../../support/once-per-file.ts';
import { bearer, type CallOptions, call } from '../../../support/requests.ts';
import { withoutSiteScripts } from '../../../support/site-scripts.ts';
import { createToken } from '../../../support/tokens.ts';
import { testApp } from '../../platform/test-app.ts';
import { base64, clearCatalog, packed, publish, publisher, read, snapshotCatalog, testImage } from '../catalog.ts';

const NOW = 1_773_156_600;
const text = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);

/** A `tmod` with its own title and its own file. */
const fileOf = (title: string, path = `ui/${title.toLowerCase()}.swf`, more: Record<string, string> = {}) =>
  packed(`content of ${title}`, { title, author: 'Me', ...more }, path);

const release = (title: string, tag: string, more: Record<string, unknown> = {}) => ({
  tag,
  artifact_base64: base64(fileOf(title, undefined, { modVersion: tag })),
  ...more,
});

/** Mod A with three releases, mod B with two; the branch `lite` of A has only a zip. Published once, then restored. */
const publishMods = async () => (await published())();

const published = oncePerFile(async () => {
  for (const [index, tag] of ['v1', 'v2', 'v3'].entries()) await publish({ title: 'Alpha' }, release('Alpha', tag), NOW - 900 + index);
  for (const [index, tag] of ['v1', 'v2'].entries())
    await publish({ title: 'Beta', author: 'Bob', is_beta: true }, release('Beta', tag), NOW - 800 + index);
  const zip = base64(new Uint8Array([0x50, 0x4b, 3, 4, 0, 0]));
  await publish({ title: 'Alpha' }, { tag: 'l1', branch: 'lite', format: 'zip', artifact_base64: zip }, NOW - 700);
  return snapshotCatalog();
});

const VARIANTS = [
  {
    name: 'default',
    label: 'All',
    mods: [
      { handle: 'ana', slug: 'alpha' },
      { handle: 'ana', slug: 'beta', version: 'v1' },
    ],
  },
  { name: 'lite', label: 'Lite', mods: [{ handle: 'ana', slug: 'alpha', branch: 'lite' }] },
];

async function insertPack(fields: Record<string, unknown> = {}, options: CallOptions = {}) {
  const pack = { handle: 'ana', title: 'My: Pack.', variants: VARIANTS, ...fields };
  const response = await call('/v1/modpacks/insert', {
    method: 'POST',
    json: pack,
    authorization: await publisher(),
    now: NOW,
    ...options,
  });
  return { ...response, json: JSON.parse(response.text) };
}

let clients = 0;
/** A new client, because the tests share the limits of an address. */
const anyone = (): CallOptions => ({ now: NOW, address: `10.47.${clients >> 8}.${clients++ & 255}` });

const get = async (path: string) => {
  const response = await call(path, anyone());
  return { ...response, json: JSON.parse(response.text) };
};
const download = (query: string) => call(`/v1/modpacks/ana/my-pack/download${query}`, anyone());
/** The contents of a `tmod` or `tpack` by the reader of the API. */
async function contentsOf(
  bytes: Uint8Array,
): Promise<{ properties: Record<string, string>; files: { path: string; content_base64: string; checksum_ok: boolean }[] }> {
  const headers = { 'Content-Type': 'application/octet-stream', 'Content-Length': String(bytes.byteLength) };
  return JSON.parse(
    (await call('/v1/mods/read', { method: 'POST', body: new Uint8Array(bytes), headers, authorization: bearer(await createToken()) }))
      .text,
  );
}

beforeEach(clearCatalog);

describe('a pack', () => {
  it('is listed, found by its mods and returned with the releases of its mods', async () => {
    await publishMods();
    const inserted = await insertPack({
      tags: ['UI', 'ui '],
      summary: 'Both.',
      description: 'Text',
      warnings: 'None',
      website_url: 'https://ana.example/',
    });
    expect(inserted.status, inserted.text).toBe(200);
    const { json: list } = await get('/v1/modpacks');
    const card = {
      slug: 'my-pack',
      handle: 'ana',
      title: 'My: Pack.',
      summary: 'Both.',
      tags: ['ui'],
      author: 'ana',
      banner_url: null,
      preview_urls: [],
      download_count: 0,
      star_count: 0,
      variant_count: 2,
      mod_count: 2,
      default_variant: 'default',
      page_url: 'https://api.test/mods/packs/ana/my-pack',
      created_at: '2026-03-10T15:30:00.000Z',
      updated_at: '2026-03-10T15:30:00.000Z',
    };
    expect(list).toEqual({ items: [card], count: 1, total: 1, limit: 30, offset: 0 });
    expect((await get('/v1/modpacks/for-mod/ana/alpha')).json).toEqual({ items: [card], count: 1 });
    expect((await get('/v1/modpacks/for-mod/ana/nobody')).json).toEqual({ items: [], count: 0 });
    const { json: detail } = await get('/v1/modpacks/ANA/My-Pack');
    expect(detail).toEqual(inserted.json.pack);
    const mod = { handle: 'ana', variant: 'main', available: true };
    expect(detail).toMatchObject({
      ...card,
      description: 'Text',
      warnings: 'None',
      website_url: 'https://ana.example/',
      discord_url: null,
      donation_urls: [],
      variants: [
        {
          name: 'default',
          label: 'All',
          mod_count: 2,
          available_count: 2,
          download_url: 'https://api.test/v1/modpacks/ana/my-pack/download?variant=default&format=tpack',
          zip_url: 'https://api.test/v1/modpacks/ana/my-pack/download?variant=default&format=zip',
          mods: [
            { ...mod, slug: 'alpha', title: 'Alpha', version: 'v3', version_locked: false, is_beta: false },
            { ...mod, slug: 'beta', title: 'Beta', author: 'Bob', version: 'v1', version_locked: true, is_beta: true },
          ],
        },
        {
          name: 'lite',
          mod_count: 1,
          available_count: 0,
          mods: [{ ...mod, slug: 'alpha', variant: 'lite', version: null, available: false }],
        },
      ],
    });
  });

  it('is filtered and sorted', async () => {
    await publishMods();
    await insertPack({ title: 'Zebra', author: 'Ana B', tags: ['Boats'], summary: '50% faster' });
    await insertPack({ title: 'Ant', author: 'Cid' }, { now: NOW + 60 });
    const titles = async (query: string) => (await get(`/v1/modpacks${query}`)).json.items.map(({ title }: { title: string }) => title);
    expect(await titles('')).toEqual(['Ant', 'Zebra']);
    expect(await titles('?sort=title')).toEqual(['Ant', 'Zebra']);
    expect(await titles('?sort=whatever&limit=1&offset=1')).toEqual(['Zebra']);
    expect(await titles('?q=50%25%20FAST')).toEqual(['Zebra']);
    expect(await titles('?tag=BOATS')).toEqual(['Zebra']);
    expect(await titles('?tag=boat')).toEqual([]);
    expect(await titles('?author=ana%20b')).toEqual(['Zebra']);
    expect(await titles('?author=ana')).toEqual([]);
    await insertPack({ title: 'Eclair', author: 'Émile Åß' }, { now: NOW + 120 });
    for (const author of ['Émile Åß', 'émile åß', 'ÉMILE ÅSS'.replace('SS', 'ß'), 'Émile Åß'.normalize('NFD')]) {
      expect(await titles(`?author=${encodeURIComponent(author)}`)).toEqual(['Eclair']);
    }
    expect(await titles('?author=emile')).toEqual([]);
    for (const query of [
      'limit=0',
      'limit=101',
      'offset=-1',
      `q=${'x'.repeat(121)}`,
      `tag=${'x'.repeat(41)}`,
      `author=${'x'.repeat(81)}`,
    ]) {
      expect((await get(`/v1/modpacks?${query}`)).status, query).toBe(422);
    }
  });

  it('is hidden as a draft, and only unlisted outside of lists', async () => {
    await publishMods();
    await insertPack({ visibility: 'unlisted', banner_base64: base64(testImage(1)) });
    expect((await get('/v1/modpacks')).json.total).toBe(0);
    expect((await get('/v1/modpacks/for-mod/ana/alpha')).json.count).toBe(0);
    const { json, status } = await get('/v1/modpacks/ana/my-pack');
    expect(status).toBe(200);
    const image = new URL(json.banner_url).pathname;
    expect((await call(image)).status).toBe(200);
    expect((await download('')).status).toBe(200);
    await insertPack({ visibility: 'draft', variants: undefined });
    for (const path of ['/v1/modpacks/ana/my-pack', '/v1/modpacks/ana/my-pack/download', image, '/mods/packs/ana/my-pack']) {
      expect((await call(path, anyone())).status, path).toBe(404);
    }
  });

  it('marks hidden mods as unavailable', async () => {
    await publishMods();
    await insertPack();
    await env.DB.exec("UPDATE mods SET visibility = 'private' WHERE slug = 'alpha'");
    const { json } = await get('/v1/modpacks/ana/my-pack');
    expect(json.variants[0]).toMatchObject({
      mod_count: 2,
      available_count: 1,
      mods: [{ title: 'Alpha', version: null, available: false }, { available: true }],
    });
    expect(Object.keys(unzipSync(new Uint8Array((await download('?format=zip')).bytes)))).toEqual(['modpack.json', 'mods/Beta.tmod']);
  });
});

describe('the download of a pack', () => {
  const manifest = {
    modpack: { title: 'My: Pack.', handle: 'ana', slug: 'my-pack', author: 'ana', variant: 'default', warnings: 'Careful' },
    mods: [
      {
        handle: 'ana',
        slug: 'alpha',
        title: 'Alpha',
        branch: 'main',
        version: 'v3',
        locked: false,
        available: true,
        filename: 'Alpha.tmod',
      },
      { handle: 'ana', slug: 'beta', title: 'Beta', branch: 'main', version: 'v1', locked: true, available: true, filename: 'Beta.tmod' },
    ],
  };
  const files = {
    'Alpha.tmod': fileOf('Alpha', undefined, { modVersion: 'v3' }),
    'Beta.tmod': fileOf('Beta', undefined, { modVersion: 'v1' }),
  };

  beforeEach(async () => {
    await publishMods();
    await insertPack({ warnings: 'Careful' });
  });

  it('is a zip archive with a manifest and the files', async () => {
    const { status, headers, bytes } = await download('?format=zip');
    expect([status, headers.get('Content-Type')]).toEqual([200, 'application/zip']);
    expect(headers.get('Content-Disposition')).toBe('attachment; filename="My Pack.zip"');
    const { 'modpack.json': json, ...mods } = unzipSync(new Uint8Array(bytes));
    expect(text(json)).toBe(`${JSON.stringify(manifest, null, 2)}\n`);
    expect(mods).toEqual({ 'mods/Alpha.tmod': files['Alpha.tmod'], 'mods/Beta.tmod': files['Beta.tmod'] });
  });

  it('is by default one file in the container of the game, which the reader of the API accepts', async () => {
    const { status, headers, bytes } = await download('?variant=nope');
    expect([status, headers.get('Content-Type')]).toEqual([200, 'application/octet-stream']);
    expect(headers.get('Content-Disposition')).toBe('attachment; filename="My Pack.tpack"');
    const { properties, files: inside } = await contentsOf(bytes);
    expect(properties).toEqual({
      title: 'My: Pack.',
      author: 'ana',
      packVersion: '1',
      variant: 'default',
      notes: 'Careful',
      manifest: JSON.stringify(manifest),
      modLoader: 'ServiceAPI',
    });
    expect(inside.map(({ checksum_ok, content_base64 }) => [checksum_ok, content_base64])).toEqual(
      Object.values(files).map((file) => [true, base64(file)]),
    );
    expect(text(new Uint8Array(bytes))).toContain('Alpha.tmod');
    const etag = headers.get('ETag') ?? '';
    expect((await call('/v1/modpacks/ana/my-pack/download', { headers: { 'If-None-Match': etag }, now: NOW })).status).toBe(304);
    await publish({ title: 'Alpha' }, release('Alpha', 'v4'), NOW);
    expect((await download('')).headers.get('ETag')).not.toBe(etag);
  });

  it('returns 400 without an available mod, and 422 for another format', async () => {
    expect((await download('?variant=lite')).status).toBe(400);
    expect((await download('?format=rar')).status).toBe(422);
    expect((await download(`?variant=${'x'.repeat(81)}`)).status).toBe(422);
    expect((await call('/v1/modpacks/ana/nobody/download', { now: NOW })).status).toBe(404);
  });

  it('has limits of its own: thirty times the public ones, lists eight times', async () => {
    const limitOf = async (path: string) => Number((await call(path, { now: NOW })).headers.get('X-RateLimit-Limit'));
    expect(await limitOf('/v1/modpacks/ana/my-pack/download')).toBe(900);
    expect(await limitOf('/v1/modpacks')).toBe(240);
  });
});

describe('the insert of a pack', () => {
  beforeEach(publishMods);

  it('keeps omitted fields of an existing pack', async () => {
    const first = await insertPack({ summary: 'Both.', banner_base64: base64(testImage(2)), tags: ['ui'] });
    const { json, status } = await insertPack({ variants: undefined, summary: undefined, description: 'New' }, { now: NOW + 60 });
    expect(status).toBe(200);
    const { banner_url, created_at, variants } = first.json.pack;
    expect(json.pack).toMatchObject({
      banner_url,
      created_at,
      variants,
      summary: 'Both.',
      description: 'New',
      tags: ['ui'],
      updated_at: '2026-03-10T15:31:00.000Z',
    });
    const without = await insertPack({ banner_base64: null });
    expect(without.json.pack.banner_url).toBeNull();
  });

  it('stores files that belong to the pack', async () => {
    const mods = [{ artifact_base64: base64(fileOf('Gamma')) }, { handle: 'ana', slug: 'beta' }];
    const { json, status } = await insertPack({ variants: [{ name: 'default', mods }] });
    expect(status).toBe(200);
    expect(json.pack.variants[0].mods[0]).toMatchObject({
      handle: '',
      slug: '',
      title: 'Gamma',
      author: 'Me',
      version: null,
      available: true,
    });
    expect(Object.keys(unzipSync(new Uint8Array((await download('?format=zip')).bytes)))).toEqual([
      'modpack.json',
      'mods/Gamma.tmod',
      'mods/Beta.tmod',
    ]);
  });

  it('packs files of several blocks and of any length', async () => {
    const large = ['a', 'bc'].map((letters) => packed(letters.repeat(50_001), { title: letters }, `ui/${letters}.swf`));
    await insertPack({ variants: [{ name: 'default', mods: large.map((file) => ({ artifact_base64: base64(file) })) }] });
    const { files } = await contentsOf((await download('')).bytes);
    expect(files.map(({ checksum_ok, content_base64 }) => [checksum_ok, content_base64.length])).toEqual(
      large.map((file) => [true, base64(file).length]),
    );
    expect(Object.values(unzipSync(new Uint8Array((await download('?format=zip')).bytes))).slice(1)).toEqual(large);
  });

  it('returns 409 for two files with one title or one path, except the preview image', async () => {
    const both = (one: Uint8Array<ArrayBuffer>, other: Uint8Array<ArrayBuffer>) => [
      { name: 'default', mods: [one, other].map((file) => ({ artifact_base64: base64(file) })) },
    ];
    const titles = await insertPack({ variants: both(fileOf('Gamma'), fileOf('GAMMA', 'ui/other.swf')) });
    expect([titles.status, titles.json.error.code]).toEqual([409, 'conflict']);
    const paths = await insertPack({ variants: both(fileOf('Gamma', 'ui/x.swf'), fileOf('Delta', 'ui/x.swf')) });
    expect([paths.status, paths.json.error.message]).toEqual([409, 'Gamma.tmod and Delta.tmod of variant default have the file ui/x.swf']);
    const preview = (title: string) => fileOf(title, 'preview.png', { previewPath: 'preview.png' });
    expect((await insertPack({ variants: both(preview('Gamma'), preview('Delta')) })).status).toBe(200);
  });

  it.each([
    ['an unknown mod', { variants: [{ name: 'default', mods: [{ handle: 'ana', slug: 'nobody' }] }] }, 400, 'variants'],
    ['one mod and branch twice', { variants: [{ name: 'default', mods: [VARIANTS[0]?.mods[0], VARIANTS[0]?.mods[0]] }] }, 400, 'unique'],
    ['two variants with one name', { variants: [VARIANTS[0], VARIANTS[0]] }, 400, 'unique'],
    ['no variants', { variants: undefined }, 400, 'variants'],
    ['an empty list of variants', { variants: [] }, 422, 'variants'],
    ['31 variants', { variants: Array.from({ length: 31 }, (_, index) => ({ ...VARIANTS[0], name: `v${index}` })) }, 422, 'variants'],
    ['a default variant that does not exist', { default_variant: 'nope' }, 400, 'default_variant'],
    ['a long slug', { slug: 'x'.repeat(61) }, 422, 'slug'],
    ['13 tags', { tags: Array.from({ length: 13 }, (_, index) => `t${index}`) }, 422, 'tags'],
    ['a tag of 31 characters', { tags: ['x'.repeat(31)] }, 422, 'tags'],
    ['a reserved handle', { handle: 'for-mod' }, 400, 'handle'],
    ['an entry without mod and file', { variants: [{ name: 'default', mods: [{ slug: 'alpha' }] }] }, 422, 'mods'],
    ['a broken file', { variants: [{ name: 'default', mods: [{ artifact_base64: 'AAAA' }] }] }, 400, 'artifact_base64'],
  ])('refuses %s', async (_title, fields, expected, field) => {
    const { status, text: body } = await insertPack(fields);
    expect([status, body]).toEqual([expected, expect.stringContaining(field)]);
    expect((await get('/v1/modpacks')).json.total).toBe(0);
  });

  it('requires a superuser', async () => {
    expect((await insertPack({}, { authorization: bearer(await createToken()) })).status).toBe(403);
    expect((await insertPack({}, { authorization: null })).status).toBe(401);
  });
});

describe('packs that are switched off', () => {
  it('return 404 with feature_disabled for every input', async () => {
    const off = testApp({ settings: { modpacksEnabled: false } });
    for (const path of ['', '?limit=0', '/ana/my-pack', '/for-mod/ana/alpha', '/ana/my-pack/download?format=rar']) {
      const { status, text: body } = await call(`/v1/modpacks${path}`, anyone(), off);
      expect([status, JSON.parse(body).error], path).toMatchObject([404, { code: 'not_found', details: { feature_disabled: true } }]);
    }
    expect((await read('/v1/mods')).items).toEqual([]);
  });
});

describe('the pages of packs', () => {
  it('list packs and show one with its variants, and escape texts', async () => {
    await publishMods();
    const hostile = '"><script>alert(1)</script>';
    await insertPack({ summary: hostile, description: hostile, warnings: `${hostile}<br>b`, author: 'Ana', tags: ['<b>'] });
    const page = await call('/mods/packs/ana/my-pack', anyone());
    expect([page.status, page.headers.get('Content-Type')]).toEqual([200, 'text/html; charset=utf-8']);
    for (const part of ['<h1>My: Pack.</h1>', 'by Ana', 'Alpha', 'v3', 'Beta', '(fixed)', '0 of 1 mod available', 'format=zip']) {
      expect(page.text).toContain(part);
    }
    expect(withoutSiteScripts(page.text)).not.toMatch(/<script|<b>/);
    const list = await call('/mods/packs', anyone());
    expect(list.text).toContain('"https://api.test/mods/packs/ana/my-pack"');
    expect(withoutSiteScripts(list.text)).not.toContain('<script');
    const off = testApp({ settings: { modpacksEnabled: false } });
    for (const path of ['/mods/packs', '/mods/packs/ana/my-pack']) expect((await call(path, anyone(), off)).status).toBe(404);
  });
});
