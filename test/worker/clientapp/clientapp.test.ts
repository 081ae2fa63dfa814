import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { ChangelogBody, CheckBody, LatestBody, PlatformReleaseBody, ReleasesBody } from '../../../src/areas/clientapp/clientapp.routes.ts';
import { withDefaults } from '../../../src/platform/settings/variables.data.ts';
import { recordingDatabase } from '../../support/query-plans.ts';
import { commit, release, sha, tag } from '../../support/upstreams/clientapp.ts';
import { clearClientapp, clientappWorld, JOB, NOW } from './world.ts';

const DAY = 86_400;
const RELEASES = [
  release(4, 'v2.0.0-beta.2', NOW - DAY, ['a.apk'], { prerelease: true }),
  release(3, 'v1.4.0', NOW - 2 * DAY, ['app.msi', 'app.exe', 'SHA256SUMS']),
  release(2, 'v1.3.0', NOW - 9 * DAY, ['app.AppImage', 'app.deb']),
  release(1, 'v1.2.0', NOW - 20 * DAY, ['app.apk', 'app.exe']),
];

beforeEach(clearClientapp);

async function filled() {
  const world = clientappWorld();
  await world.order({ state: { releases: RELEASES } });
  expect(await world.refresh()).toBeNull();
  return world;
}

describe('GET /v1/clientapp/releases', () => {
  it('lists releases newest first, by page and channel', async () => {
    const world = await filled();
    const tags = async (query: string) =>
      (await world.get(`releases${query}`)).body.items.map(({ tag_name }: { tag_name: string }) => tag_name);
    const all = ReleasesBody.strict().parse((await world.get('releases')).body);
    expect([all.channel, all.count, all.total]).toEqual([null, 4, 4]);
    expect(all.items[0]).toMatchObject({
      release_id: 4,
      channel: 'beta',
      prerelease: true,
      published_at: '2026-03-09T15:30:00.000Z',
      fetched_at: '2026-03-10T15:30:00.000Z',
    });
    expect(await tags('?channel=release')).toEqual(['v1.4.0', 'v1.3.0', 'v1.2.0']);
    expect(await tags('?channel=beta')).toEqual(['v2.0.0-beta.2']);
    expect(await tags('?limit=2&offset=1')).toEqual(['v1.4.0', 'v1.3.0']);
    expect((await world.get('releases?limit=2&offset=3')).body).toMatchObject({ count: 1, total: 4 });
  });

  it.each(['limit=0', 'limit=201', 'offset=-1', 'limit=x'])('returns 422 for %s', async (query) => {
    expect((await clientappWorld().get(`releases?${query}`)).status).toBe(422);
  });

  it('updates releases, and deletes releases that a complete list lacks', async () => {
    const world = await filled();
    await world.order({ state: { releases: [release(3, 'v1.4.1', NOW - DAY, ['app.msi'])] } });
    expect(await world.refresh(NOW + 1800)).toBeNull();
    expect((await world.get('releases')).body.items).toMatchObject([
      { release_id: 3, tag_name: 'v1.4.1', fetched_at: '2026-03-10T16:00:00.000Z' },
    ]);
  });

  it('keeps releases that a partial list lacks', async () => {
    const world = await filled();
    const page = Array.from({ length: 100 }, (_, index) => release(1000 + index, `v3.0.${index}`, NOW + index, []));
    await world.order({ state: { releases: page } });
    expect(await world.refresh(NOW + 1800)).toBeNull();
    expect((await world.get('releases')).body.total).toBe(104);
  });
});

describe('GET /v1/clientapp/latest', () => {
  it('returns per platform the newest release that has a file', async () => {
    const world = await filled();
    const { channel, platforms } = LatestBody.strict().parse((await world.get('latest')).body);
    expect([channel, platforms.windows?.release.tag_name, platforms.linux?.release.tag_name, platforms.android?.release.tag_name]).toEqual([
      'release',
      'v1.4.0',
      'v1.3.0',
      'v1.2.0',
    ]);
    expect(platforms.windows?.assets.map(({ name }) => name)).toEqual(['app.msi', 'app.exe']);
    expect((await world.get('latest?channel=beta')).body.platforms).toMatchObject({
      windows: null,
      linux: null,
      android: { assets: [{ name: 'a.apk' }] },
    });
  });

  it('returns the newest release for one platform', async () => {
    const world = await filled();
    const response = await world.get('latest/linux');
    expect(PlatformReleaseBody.strict().parse(response.body)).toMatchObject({
      platform: 'linux',
      assets: [{ name: 'app.AppImage' }, { name: 'app.deb' }],
    });
    expect((await world.get('latest/linux?channel=beta')).status).toBe(404);
    expect((await world.get('latest/amiga')).status).toBe(404);
  });

  it('returns 304 when the ETag matches', async () => {
    const world = await filled();
    const etag = (await world.get('latest')).headers.get('ETag') ?? '';
    expect((await world.get('latest', { headers: { 'If-None-Match': etag } })).status).toBe(304);
  });

  it.each(['releases?channel=nightly', 'latest?channel=x', 'latest/windows?channel=y', 'check?installed=1&platform=linux&channel=x'])(
    'returns 400 naming the channels for %s',
    async (path) => {
      const { status, body } = await clientappWorld().get(path);
      expect([status, body.error.code, body.error.details[0].loc, body.error.details[0].allowed]).toEqual([
        400,
        'bad_request',
        ['query', 'channel'],
        ['release', 'beta'],
      ]);
    },
  );
});

describe('GET /v1/clientapp/check', () => {
  it.each([
    ['1.3.9', 'windows', true, true, 'v1.4.0'],
    ['v1.4', 'windows', false, true, 'v1.4.0'],
    ['1.4.0-rc.1', 'windows', true, true, 'v1.4.0'],
    ['nightly', 'windows', false, false, 'v1.4.0'],
    ['1.2.0', 'android', false, true, 'v1.2.0'],
  ])('compares the version %s on %s', async (installed, platform, available, comparable, latest) => {
    const world = await filled();
    const body = CheckBody.strict().parse((await world.get(`check?installed=${installed}&platform=${platform}`)).body);
    expect(body).toMatchObject({
      installed,
      platform,
      channel: 'release',
      update_available: available,
      comparable,
      latest: { release: { tag_name: latest } },
    });
  });

  it('returns comparable false without a release', async () => {
    const { body } = await clientappWorld().get('check?installed=1.0&platform=linux');
    expect(CheckBody.strict().parse(body)).toMatchObject({ update_available: false, comparable: false, latest: null });
  });

  it('returns an error without installed or with an unknown platform', async () => {
    const world = clientappWorld();
    expect((await world.get('check?installed=1')).body.error.details[0]).toMatchObject({ loc: ['query', 'platform'], type: 'missing' });
    expect((await world.get('check?platform=linux')).status).toBe(422);
    expect((await world.get('check?installed=1&platform=amiga')).status).toBe(404);
  });
});

describe('GET /v1/clientapp/changelog', () => {
  const state = {
    tags: [tag('v1', sha(3)), tag('v0', sha(4))],
    commits: [commit(sha(1), 'feat: new'), commit(sha(2), 'odd'), commit(sha(3), 'release'), commit(sha(4), 'first')],
  };

  it('groups commits by tag and limits groups and commits', async () => {
    const world = clientappWorld();
    await world.order({ state });
    expect(ChangelogBody.strict().parse((await world.get('changelog')).body)).toEqual({
      repo: 'owner/companion',
      groups: [],
      rate_limited: false,
      fetched_at: new Date(NOW * 1000).toISOString(),
    });
    await world.refresh();
    const body = ChangelogBody.strict().parse((await world.get('changelog')).body);
    expect(body.groups.map(({ version, commits }) => [version, commits.length])).toEqual([
      ['Unreleased', 2],
      ['v1', 1],
      ['v0', 1],
    ]);
    expect([body.rate_limited, body.fetched_at]).toEqual([false, '2026-03-10T15:30:00.000Z']);
    expect((await world.get('changelog?limit_groups=1&commits_per_group=1')).body.groups).toMatchObject([{ commits: [{ type: 'feat' }] }]);
    expect((await world.get('changelog?limit_groups=51')).status).toBe(422);
  });

  it('returns an empty url for a commit without a page', async () => {
    const world = clientappWorld();
    await world.order({ state: { tags: [], commits: [{ ...commit(sha(1), 'fix: x'), html_url: undefined }] } });
    await world.refresh();
    expect((await world.get('changelog')).body.groups[0].commits[0].url).toBe('');
  });

  it('returns one unreleased group while tags cannot be fetched, and the job reports the failure', async () => {
    const world = clientappWorld();
    await world.order({ state: { ...state, broken: ['tags'] } });
    expect(await world.refresh()).toMatch(/clientapp-tags: HTTP 500/);
    expect((await world.get('changelog')).body.groups.map(({ version }: { version: string }) => version)).toEqual(['Unreleased']);
    await world.order({ state: { broken: [] } });
    expect(await world.refresh(NOW + 60)).toBeNull();
    expect((await world.get('changelog')).body.groups).toHaveLength(3);
  });
});

describe('the release API client', () => {
  it('reports "not configured" without a repository', async () => {
    const world = clientappWorld({ CLIENTAPP_REPO: '' });
    expect((await world.scheduler.status(NOW)).find(({ name }) => name === JOB)?.state).toBe('unconfigured');
    expect((await world.get('changelog')).body).toMatchObject({ repo: '', groups: [], fetched_at: new Date(NOW * 1000).toISOString() });
    expect((await world.get('latest')).status).toBe(200);
  });

  it('sends the expected headers and conditional requests', async () => {
    const world = clientappWorld({ CLIENTAPP_API_TOKEN: 'secret-token' });
    await world.refresh();
    await world.refresh(NOW + 1800);
    const calls = await world.calls();
    expect(calls.map(({ path, query }) => [path, query.per_page])).toEqual(
      [...['releases', 'tags', 'commits'], ...['releases', 'tags', 'commits']].map((list) => [`/repos/owner/companion/${list}`, '100']),
    );
    expect(calls[0]?.headers).toMatchObject({
      accept: 'application/vnd.github+json',
      'x-github-api-version': '2022-11-28',
      'user-agent': withDefaults(env).UPSTREAM_USER_AGENT,
      authorization: 'Bearer secret-token',
    });
    expect(calls.slice(0, 3).map(({ headers }) => headers['if-none-match'])).toEqual([undefined, undefined, undefined]);
    expect(calls.slice(3).every(({ headers }) => headers['if-none-match'])).toBe(true);
    expect((await world.get('changelog')).body.fetched_at).toBe('2026-03-10T16:00:00.000Z');
    expect((await world.get('releases')).body.items[0].fetched_at).toBe('2026-03-10T15:30:00.000Z');
  });

  it.each([403, 429, 0])('keeps stored data and pauses if rate limited (status %i)', async (limitedStatus) => {
    const world = await filled();
    const before = (await world.get('changelog')).body;
    await world.order({ state: { remaining: 0, limitedStatus, commits: [] } });
    expect(await world.refresh(NOW + 1800)).toMatch(/rate limited|left alone/);
    expect((await world.get('changelog')).body).toEqual({ ...before, rate_limited: true });
    expect((await world.get('releases')).body.total).toBe(4);
    const callCount = (await world.calls()).length;
    expect(await world.tick(NOW + 3600)).toMatch(/paused until/);
    expect((await world.calls()).length).toBe(callCount);
    await world.order({ state: { remaining: 60, commits: [commit(sha(9), 'fresh')] } });
    expect(await world.refresh(NOW + 5400)).toBeNull();
    expect((await world.get('changelog')).body).toMatchObject({ rate_limited: false, groups: [{ commits: [{ message: 'fresh' }] }] });
  });

  it('pauses if the rate limit has no remaining requests', async () => {
    const world = clientappWorld();
    await world.order({ state: { remaining: 3 } });
    expect(await world.refresh()).toBeNull();
    expect(await world.tick(NOW + 1800)).toMatch(/paused until/);
    expect(await world.calls()).toHaveLength(3);
    expect((await world.get('changelog')).body.rate_limited).toBe(false);
  });

  it.each(['error-500', 'error-404', 'html', 'truncated', 'invalid-utf8', 'huge', 'redirect-private'] as const)(
    'keeps stored data after the upstream failure %s',
    async (fault) => {
      const world = await filled();
      const paths = ['releases', 'latest', 'changelog'];
      const read = () => Promise.all(paths.map(async (path) => (await world.get(path)).text));
      const before = await read();
      await env.DB.exec('DELETE FROM upstream_sources');
      await world.order({ fault });
      expect(await world.refresh(NOW + 1800)).not.toBeNull();
      expect(await read()).toEqual(before);
    },
  );

  it('stores long release notes in several statements', async () => {
    const { database, inOrder } = recordingDatabase();
    const world = clientappWorld({}, database);
    const body = 'é'.repeat(60_001);
    const releases = Array.from({ length: 20 }, (_, index) => release(index + 1, `v1.0.${index}`, NOW + index, ['a.msi'], { body }));
    await world.order({ state: { releases } });
    expect(await world.refresh()).toBeNull();
    const { items, total } = (await world.get('releases?limit=1')).body;
    expect([total, items[0].body.length, items[0].tag_name]).toEqual([20, 60_000, 'v1.0.19']);
    // Each with eight releases of 120 kB.
    expect(inOrder.filter((statement) => statement.startsWith('insert into "clientapp_releases"'))).toHaveLength(3);
  });
});
