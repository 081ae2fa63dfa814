import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { createContentStore } from '../../../../src/platform/storage/content-store.ts';
import { call, freshInstant } from '../../../support/requests.ts';
import { storedState } from '../../../support/storage.ts';
import { createSuperuserToken } from '../../../support/tokens.ts';
import { base64, clearCatalog, hashOf, insert, insertBody, packed, publish, publisher, read, testImage } from '../catalog.ts';

beforeEach(clearCatalog);

const errorOf = (text: string) => JSON.parse(text).error;
const COOLDOWN = 300;

describe('POST /v1/mods/insert', () => {
  it('returns the mod and the release as listed in the catalog', async () => {
    const now = 1_780_000_000;
    const file = packed('abcde', { title: 'Tiny', author: 'Me, You', tags: 'Wings' });
    const body = insertBody(
      {
        summary: 'Small.',
        tags: ['wings', ' Tiny ', 'Wings', 'GUI'],
        banner_base64: base64(testImage(1)),
        previews_base64: [base64(testImage(2))],
      },
      { artifact_base64: base64(file), changelog: 'All of it.', title: 'First' },
    );
    const response = await insert(body, { now });
    expect(response.status, response.text).toBe(200);
    const { ok, mod, release } = JSON.parse(response.text);
    expect(ok).toBe(true);
    expect(mod).toEqual({
      handle: 'ana',
      slug: 'tiny-wings',
      title: 'Tiny Wings',
      summary: 'Small.',
      description: '',
      readme_text: '',
      warnings: '',
      tags: ['wings', 'Tiny', 'GUI'],
      categories: ['GUI', 'Wings'],
      flags: 128 + 8192,
      author: 'Me, You',
      credited: '',
      is_stray: false,
      uploaded_on_behalf: false,
      download_count: 0,
      downloads_7d: 0,
      star_count: 0,
      popularity_score: 0,
      banner_url: `https://api.test/v1/mods/images/${await hashOf(testImage(1))}`,
      preview_urls: [`https://api.test/v1/mods/images/${await hashOf(testImage(2))}`],
      discord_url: null,
      website_url: null,
      donation_urls: [],
      forked_from: null,
      inspired_by: null,
      fork_count: 0,
      page_url: 'https://api.test/mods/ana/tiny-wings',
      api_url: 'https://api.test/v1/mods/ana/tiny-wings',
      created_at: '2026-05-28T20:26:40.000Z',
      updated_at: '2026-05-28T20:26:40.000Z',
      is_beta: false,
      last_release_at: '2026-05-28T20:26:40.000Z',
      title_i18n: {},
      summary_i18n: {},
      description_i18n: {},
      readme_i18n: {},
      warnings_i18n: {},
    });
    expect(release).toEqual({
      id: release.id,
      tag: '1.0.0',
      branch: 'main',
      title: 'First',
      changelog: 'All of it.',
      format: 'tmod',
      title_i18n: {},
      changelog_i18n: {},
      filename: 'Tiny.tmod',
      size: file.length,
      sha256: await hashOf(file),
      download_count: 0,
      download_url: `https://api.test/v1/mods/ana/tiny-wings/releases/${release.id}/download`,
      published_at: '2026-05-28T20:26:40.000Z',
    });
    expect(await read('/v1/mods/ANA/Tiny-Wings')).toEqual({ ...mod, releases: [release], omitted_releases: 0 });
    expect((await read('/v1/mods')).items).toEqual([{ ...mod, truncated: [] }]);
    expect(await createContentStore(env.ARCHIVE).bytes(release.sha256)).toEqual(file);
  });

  it('derives the slug from the title', async () => {
    const cases = [
      ['  Über: The "Big" One!! v2 ', 'ber-the-big-one-v2'],
      ['A'.repeat(100), 'a'.repeat(80)],
      [`${'a'.repeat(79)} b`, 'a'.repeat(79)],
    ];
    for (const [title, slug] of cases) expect((await publish({ title })).mod.slug).toBe(slug);
    const rejected = await insert(insertBody({ title: '翅膀' }));
    expect(rejected.status).toBe(400);
    expect(errorOf(rejected.text).message).toContain('body.slug');
    expect((await publish({ title: '翅膀', slug: 'wings' })).mod.slug).toBe('wings');
  });

  it('keeps omitted fields and clears null fields', async () => {
    const links = { discord_url: 'https://chat.example/a', website_url: 'https://a.example', donation_urls: ['https://give.example'] };
    const first = await publish({
      ...links,
      summary: 'S',
      description: 'D',
      warnings: 'W',
      tags: ['x'],
      author: 'Ana',
      banner_base64: base64(testImage(3)),
    });
    const second = await publish({ title: 'Tiny Wings!', slug: 'tiny-wings', summary: 'New' }, { tag: '2' });
    const { updated_at: now } = second.mod;
    expect(second.mod).toEqual({ ...first.mod, title: 'Tiny Wings!', summary: 'New', updated_at: now, last_release_at: now });
    const third = await publish({ discord_url: null, donation_urls: [], banner_base64: null, tags: [] }, { tag: '3' });
    expect(third.mod).toMatchObject({
      discord_url: null,
      donation_urls: [],
      banner_url: null,
      tags: [],
      website_url: links.website_url,
      title: 'Tiny Wings',
    });
    expect((await read('/v1/mods/ana/tiny-wings')).releases.map(({ tag }: { tag: string }) => tag)).toEqual(['3', '2', '1.0.0']);
  });

  it('stores the origin of a fork and counts forks', async () => {
    await publish({ title: 'Old Wings', handle: 'bob' });
    const { mod } = await publish({ forked_from: 'Bob/Old-Wings', inspired_by: 'bob/old-wings' });
    const reference = { handle: 'bob', slug: 'old-wings', title: 'Old Wings', owner: 'bob' };
    expect(mod).toMatchObject({ forked_from: reference, inspired_by: reference });
    expect((await read('/v1/mods/bob/old-wings')).fork_count).toBe(1);
    await publish({ visibility: 'unlisted' }, { tag: '2' });
    expect((await read('/v1/mods/bob/old-wings')).fork_count).toBe(0);
    for (const path of ['bob/none', 'bob', 'a/b/c', '', 'ana/tiny-wings']) {
      const rejected = await insert(insertBody({ forked_from: path }, { tag: '9' }));
      expect(rejected.status, path).toBe(400);
      expect(errorOf(rejected.text).message).toContain('body.forked_from');
    }
  });

  it('clears creator fields of an upload on behalf', async () => {
    await publish({ handle: 'bob', title: 'Old Wings' });
    await publish({ website_url: 'https://a.example', forked_from: 'bob/old-wings' });
    const { mod } = await publish({ uploaded_on_behalf: true }, { tag: '2' });
    expect(mod).toMatchObject({ uploaded_on_behalf: true, website_url: null, forked_from: null });
    for (const field of [
      { discord_url: 'https://x.example' },
      { donation_urls: ['https://x.example'] },
      { inspired_by: 'bob/old-wings' },
    ]) {
      const rejected = await insert(insertBody(field, { tag: '3' }));
      expect(rejected.status).toBe(400);
      expect(errorOf(rejected.text).message).toContain(`body.${Object.keys(field)[0]}`);
    }
  });
});

describe('mod releases', () => {
  it('are unique per branch and tag; drafts are replaced', async () => {
    const draft = await publish({}, { published: false });
    expect(draft.release.published_at).toBeNull();
    expect((await read('/v1/mods/ana/tiny-wings')).releases).toEqual([]);
    expect((await call(`/v1/mods/ana/tiny-wings/releases/${draft.release.id}/download`)).status).toBe(404);
    const { release } = await publish({});
    const detail = await read('/v1/mods/ana/tiny-wings');
    expect(detail.releases).toEqual([release]);
    const state = await storedState();
    const again = await insert(insertBody({ summary: 'not stored' }));
    expect([again.status, errorOf(again.text).code]).toEqual([409, 'conflict']);
    expect((await read('/v1/mods/ana/tiny-wings')).summary).toBe('');
    expect(await storedState()).toEqual(state);
    expect((await publish({}, { branch: 'beta' })).release.branch).toBe('beta');
  });

  it('must not contain a file published by another handle', async () => {
    const file = base64(packed('mine'));
    await publish({ handle: 'bob' }, { artifact_base64: file });
    const rejected = await insert(insertBody({}, { artifact_base64: file }));
    expect([rejected.status, errorOf(rejected.text).code]).toEqual([409, 'conflict']);
    expect((await call('/v1/mods/ana/tiny-wings')).status).toBe(404);
    await publish({ handle: 'bob', title: 'Another' }, { artifact_base64: file });
  });

  it('may contain a file that another handle has only in a draft', async () => {
    const file = base64(packed('draft'));
    await publish({ handle: 'bob' }, { artifact_base64: file, published: false });
    await publish({}, { artifact_base64: file });
    expect((await insert(insertBody({ handle: 'bob' }, { artifact_base64: file }))).status).toBe(409);
  });

  it('are stored atomically under concurrency', async () => {
    const file = base64(packed('race'));
    const now = freshInstant();
    const racers = await Promise.all(
      ['ana', 'bob', 'cid'].map(async (handle) =>
        insert(insertBody({ handle }, { artifact_base64: file }), { now, authorization: await publisher() }),
      ),
    );
    expect(racers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect((await read('/v1/mods')).total).toBe(1);
    const tags = await Promise.all(
      ['1', '2', '3', '3'].map(async (tag) => insert(insertBody({ handle: 'dan' }, { tag }), { now, authorization: await publisher() })),
    );
    expect(tags.map(({ status }) => status).sort()).toEqual([200, 200, 200, 409]);
    expect((await read('/v1/mods/dan/tiny-wings')).releases).toHaveLength(3);
  });

  it('may be a zip archive, whose file name is the slug', async () => {
    const zip = new Uint8Array([0x50, 0x4b, 3, 4]);
    const { release } = await publish({}, { format: 'zip', artifact_base64: base64(zip) });
    expect(release).toMatchObject({ format: 'zip', filename: 'tiny-wings.zip', size: 4 });
  });
});

describe('insert errors', () => {
  const cases: [string, Record<string, unknown>, Record<string, unknown>, string][] = [
    ['a broken file', {}, { artifact_base64: base64(packed('x').subarray(0, 40)) }, 'body.release.artifact_base64'],
    ['an empty file', {}, { artifact_base64: '' }, 'body.release.artifact_base64'],
    ['text that is not base64', {}, { artifact_base64: 'AAA' }, 'body.release.artifact_base64'],
    ['a tmod file with the format zip', {}, { format: 'zip' }, 'body.release.artifact_base64'],
    ['a banner of an unsupported type', { banner_base64: base64(packed('x')) }, {}, 'body.banner_base64'],
    [
      'a preview over 5 MB',
      { previews_base64: [base64(testImage()), base64(Buffer.concat([testImage(), Buffer.alloc(5 * 1024 * 1024)]))] },
      {},
      'body.previews_base64.1',
    ],
    ...['categories', 'popular', 'lookup', 'read', 'build', 'insert', 'images'].map(
      (handle): [string, Record<string, unknown>, Record<string, unknown>, string] => [
        `the handle ${handle}`,
        { handle },
        {},
        'body.handle',
      ],
    ),
  ];
  it.each(cases)('return 400 for %s', async (_, fields, release, field) => {
    const authorization = await publisher();
    const rejected = await insert(insertBody(fields, release), { authorization, now: 1_780_000_000 });
    expect([rejected.status, errorOf(rejected.text).code], rejected.text).toEqual([400, 'bad_request']);
    expect(errorOf(rejected.text).message).toContain(field);
    expect((await read('/v1/mods')).total).toBe(0);
    // The cooldown is refunded for a rejected insert.
    expect((await insert(insertBody(), { authorization, now: 1_780_000_001 })).status).toBe(200);
  });

  it.each([
    ['handle', { handle: 'Ana' }],
    ['slug', { slug: 'a b' }],
    ['title', { title: ' ' }],
    ['title', { title: 'x'.repeat(121) }],
    ['summary', { summary: 'a\nb' }],
    ['website_url', { website_url: 'javascript:alert(1)' }],
    ['tags', { tags: Array(13).fill('x') }],
    ['previews_base64', { previews_base64: Array(9).fill('AAAA') }],
    ['visibility', { visibility: 'secret' }],
    ['release', { release: { tag: '', artifact_base64: 'AAAA' } }],
  ])('reject a %s of %j', async (field, fields) => {
    const rejected = await insert({ ...insertBody(), ...fields });
    expect(rejected.status).toBe(422);
    expect(errorOf(rejected.text).message).toContain(`body.${field}`);
  });
});

describe('insert access and cooldown', () => {
  it('requires a superuser', async () => {
    expect((await insert(insertBody(), { authorization: null })).status).toBe(401);
  });

  it('allows one accepted insert per window', async () => {
    const authorization = `Bearer ${await createSuperuserToken()}`;
    const now = 1_780_000_000 - (1_780_000_000 % COOLDOWN);
    expect((await insert(insertBody(), { authorization, now })).status).toBe(200);
    const early = await insert(insertBody({}, { tag: '2' }), { authorization, now: now + 10 });
    expect([early.status, errorOf(early.text).code]).toEqual([429, 'rate_limited']);
    expect((await insert(insertBody({}, { tag: '2' }), { authorization, now: now + COOLDOWN })).status).toBe(200);
    expect((await read('/v1/mods/ana/tiny-wings')).releases).toHaveLength(2);
  });

  it('records the result in the insert log', async () => {
    await publish();
    await insert(insertBody({}, { artifact_base64: 'A' }));
    const { results } = await env.DB.prepare('SELECT endpoint, success, summary, error FROM ingest_log ORDER BY id').all();
    expect(results).toEqual([
      {
        endpoint: 'mods',
        success: 1,
        summary: expect.stringMatching(/^new mod ana\/tiny-wings, release 1\.0\.0 on main, \d+ bytes$/),
        error: null,
      },
      { endpoint: 'mods', success: 0, summary: null, error: expect.stringContaining('artifact_base64') },
    ]);
  });
});

describe('large mod inserts', () => {
  it('are accepted above 20 MB and return 413 above 40 MB', async () => {
    const big = packed('big', { title: 'Big' });
    const artifact = new Uint8Array(25 * 1024 * 1024);
    artifact.set(big);
    const { release } = await publish({ title: 'Über große Flügel' }, { artifact_base64: base64(artifact), changelog: 'ü' });
    expect(release.size).toBe(artifact.length);
    expect(release.sha256).toBe(await hashOf(artifact));
    const over = await insert(`${JSON.stringify(insertBody())}${' '.repeat(40 * 1024 * 1024)}`);
    expect([over.status, errorOf(over.text).code]).toEqual([413, 'bad_request']);
  });
});
