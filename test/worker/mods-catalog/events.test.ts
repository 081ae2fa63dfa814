import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { type CatalogStore, createCatalogStore } from '../../../src/areas/mods-catalog/catalog/catalog.store.ts';
import { createModeration } from '../../../src/areas/mods-catalog/catalog/moderation.routes.ts';
import { modsCatalogArea } from '../../../src/areas/mods-catalog/index.ts';
import { modReleases, mods } from '../../../src/areas/mods-catalog/records/catalog.tables.ts';
import { linksFrom } from '../../../src/areas/mods-catalog/records/mod.domain.ts';
import { createModWrites } from '../../../src/areas/mods-catalog/records/mod-writes.store.ts';
import { composeApp } from '../../../src/composition.ts';
import type { EventPublisher } from '../../../src/platform/events/event-source.ts';
import { createDatabase } from '../../../src/platform/storage/database.ts';
import { composedArea } from '../../support/composed-area.ts';
import { bearer, call, type Fetch, freshInstant } from '../../support/requests.ts';
import { createSuperuserToken } from '../../support/tokens.ts';
import { TestStream } from '../events/streams.ts';
import { base64, clearCatalog, insert, insertBody, publish, publisher, read, testImage } from './catalog.ts';

beforeEach(clearCatalog);

/** Event published after all others, to prove that no further event precedes it. */
async function marker(name: string): Promise<void> {
  await publish({ title: name, handle: 'marker' });
}

/** Releases in the stream before the marker, by mod and tag. */
async function releasesUntil(stream: TestStream, name: string) {
  const found: { data: Record<string, Record<string, unknown>>; ts: number }[] = [];
  for (;;) {
    const message = await stream.message();
    if (message.type !== 'mod_release') continue;
    const data = JSON.parse(message.body);
    if (data.project.title === name) return found;
    found.push({ data, ts: message.ts });
  }
}

/** A release of a ZIP file of this size. */
const zipOf = (size: number) => {
  const bytes = new Uint8Array(size);
  bytes.set([0x50, 0x4b, 3, 4]);
  return { format: 'zip', artifact_base64: base64(bytes) };
};

const administrator = async () => bearer(await createSuperuserToken());

describe('event mod_release', () => {
  it('is published once, with the data of the catalog', async () => {
    const stream = await TestStream.open({ query: 'types=mod_release' });
    const { release } = await publish({ title: 'Tiny Wings' }, { title: 'First', changelog: 'All.' });
    expect((await insert(insertBody())).status).toBe(409);
    const second = await publish({}, { tag: '2' });
    await marker('end of once');
    const found = await releasesUntil(stream, 'end of once');
    expect(found.map(({ data }) => data)).toEqual([
      {
        project: { slug: 'tiny-wings', title: 'Tiny Wings', owner: 'ana' },
        release: {
          id: release.id,
          tag: '1.0.0',
          title: 'First',
          branch: 'main',
          format: 'tmod',
          size: release.size,
          changelog: 'All.',
          published_at: release.published_at,
        },
        previous: null,
        change: {
          kind: 'initial',
          is_first_release: true,
          from_tag: null,
          to_tag: '1.0.0',
          size_delta: null,
          days_since_previous: null,
          release_count: 1,
          artifact_unchanged: false,
        },
        image_url: null,
        download_url: release.download_url,
        page_url: 'https://api.test/mods/ana/tiny-wings',
        announced: true,
      },
      expect.objectContaining({ download_url: second.release.download_url }),
    ]);
    await stream.close();
    const snapshot = await TestStream.open({ query: 'types=mod_release,fluxion' });
    expect((await snapshot.message()).type).toBe('fluxion');
    await snapshot.close();
  });

  it('has the previous release of the branch, the change and the image', async () => {
    const stream = await TestStream.open({ query: 'types=mod_release' });
    const [first, second] = [1_772_463_960, 1_773_156_600];
    await publish({ title: 'Grown Wings' }, { tag: 'v1', ...zipOf(120_000) }, first);
    const banner_base64 = base64(testImage());
    await publish({ title: 'Grown Wings', banner_base64 }, { tag: 'v2', ...zipOf(131_072) }, second);
    await publish({ title: 'Grown Wings' }, { tag: 'v3', ...zipOf(131_072) }, second + 3600);
    await publish({ title: 'Grown Wings' }, { tag: 'v1', branch: 'lite', ...zipOf(100) }, second + 7200);
    await marker('end of changes');
    const found = (await releasesUntil(stream, 'end of changes')).map(({ data }) => data);
    const update = { kind: 'update', is_first_release: false, artifact_unchanged: false };
    const initial = {
      kind: 'initial',
      is_first_release: true,
      from_tag: null,
      to_tag: 'v1',
      size_delta: null,
      days_since_previous: null,
      release_count: 1,
      artifact_unchanged: false,
    };
    expect(found.map(({ change }) => change)).toEqual([
      initial,
      { ...update, from_tag: 'v1', to_tag: 'v2', size_delta: 11_072, days_since_previous: 8.02, release_count: 2 },
      { ...update, from_tag: 'v2', to_tag: 'v3', size_delta: 0, days_since_previous: 0.04, release_count: 3, artifact_unchanged: true },
      initial,
    ]);
    expect(found[1]?.previous).toEqual({ ...found[0]?.release });
    expect(found[0]?.image_url).toBeNull();
    expect(found[1]?.image_url).toMatch(/^https:\/\/api\.test\/v1\/mods\/images\/[0-9a-f]{64}$/);
    expect(found[2]?.image_url).toBe(found[1]?.image_url);
    await stream.close();
  });

  it('is not published for drafts, silent releases and hidden mods', async () => {
    const stream = await TestStream.open({ query: 'types=mod_release' });
    await publish({ title: 'Draft' }, { published: false });
    await publish({ title: 'Silent' }, { silent: true });
    await publish({ title: 'Unlisted', visibility: 'unlisted' });
    await publish({ title: 'Private', visibility: 'private' });
    await publish({ title: 'Down' }, { silent: true });
    await call('/admin/mods/ana/down/take-down', { method: 'POST', authorization: await administrator() });
    await publish({ title: 'Down' }, { tag: '2' });
    await publish({ title: 'Unlisted', visibility: 'public' }, { tag: '2', silent: true });
    await publish({ title: 'Draft' }, { changelog: 'published at last' });
    await marker('end of silence');
    const found = await releasesUntil(stream, 'end of silence');
    expect(found.map(({ data }) => data.release?.changelog)).toEqual(['published at last']);
    await stream.close();
  });

  it('is retried until published, exactly once', async () => {
    const stream = await TestStream.open({ query: 'types=mod_release' });
    const app = appWithEvents(async () => false);
    await publishThrough(app, 'Lost Wings');
    expect((await env.DB.prepare('SELECT count(*) AS n FROM outbox').first())?.n).toBe(1);
    const { scheduler } = composeApp(env);
    for (let run = 0; run < 2; run++) await (await scheduler.start('mods-announce', freshInstant()))?.work;
    expect((await env.DB.prepare('SELECT count(*) AS n FROM outbox').first())?.n).toBe(0);

    // Published, but the outbox row still exists, as after a crash in between.
    const { publisher } = createPublisher();
    await publishThrough(
      appWithEvents(async (...event) => {
        await publisher.announce(...event);
        return false;
      }),
      'Crashed Wings',
    );
    await (await scheduler.start('mods-announce', freshInstant()))?.work;
    await marker('end of crashes');
    const found = await releasesUntil(stream, 'end of crashes');
    expect(found.map(({ data }) => data.project?.title)).toEqual(['Lost Wings', 'Crashed Wings']);
    await stream.close();
  });
});

/** Publisher of the event stream. */
function createPublisher(): { publisher: Pick<EventPublisher, 'announce'> } {
  const coordinator = env.EVENT_COORDINATOR.getByName('coordinator');
  return {
    publisher: {
      async announce(type, key, data, now) {
        await coordinator.announce(type, key, data, now);
        return true;
      },
    },
  };
}

/** The application with another publisher of releases. */
function appWithEvents(announce: EventPublisher['announce']): Fetch {
  const events = { announce, changed: async () => {} };
  return composedArea(modsCatalogArea, { bindings: { PORTAL_URL: 'https://portal.test' }, events }).fetchWith();
}

async function publishThrough(fetch: Fetch, title: string): Promise<void> {
  const response = await insert(insertBody({ title }), { authorization: await publisher() }, fetch);
  expect(response.status, response.text).toBe(200);
  expect(JSON.parse(response.text).mod.page_url).toMatch(/^https:\/\/portal\.test\/mods\/ana\//);
}

describe('moderation of mods', () => {
  it('takes down and restores a mod idempotently', async () => {
    const { release } = await publish();
    const authorization = await administrator();
    const act = (what: string, path = 'ana/tiny-wings') => call(`/admin/mods/${path}/${what}`, { method: 'POST', authorization });
    const down = await act('take-down');
    expect([down.status, JSON.parse(down.text).slug]).toEqual([200, 'tiny-wings']);
    const { text } = await act('take-down', 'ANA/Tiny-Wings');
    expect(JSON.parse(text)).toEqual(JSON.parse(down.text));
    for (const path of ['/v1/mods/ana/tiny-wings', new URL(release.download_url).pathname]) expect((await call(path)).status).toBe(404);
    expect((await read('/v1/mods')).total).toBe(0);
    const listed = await read('/admin/mods?state=taken-down', { authorization });
    expect(listed).toEqual({ items: [{ ...JSON.parse(down.text), truncated: [] }], count: 1, total: 1 });
    for (let time = 0; time < 2; time++) expect((await act('approve')).status).toBe(200);
    expect((await read('/v1/mods')).total).toBe(1);
    expect(await read('/admin/mods', { authorization })).toEqual({ items: [], count: 0, total: 0 });
    expect((await act('approve', 'ana/none')).status).toBe(404);
  });

  it('requires a superuser with every scope', async () => {
    await publish();
    expect((await call('/admin/mods')).status).toBe(401);
    const narrow = bearer(await createSuperuserToken({ scopes: 32 }));
    expect((await call('/admin/mods', { authorization: narrow })).status).toBe(403);
    expect((await call('/admin/mods?state=all', { authorization: await administrator() })).status).toBe(422);
  });
});

describe('approval of a pending mod', () => {
  it('announces a release that is stored while the others are read', async () => {
    const { release } = await publish();
    const db = createDatabase(env.DB);
    await db.update(mods).set({ isApproved: false });
    const catalog = createCatalogStore(db);
    const delivered: string[] = [];
    let meanwhile: (() => Promise<unknown>) | null = () => publish({}, { tag: '2' });
    const slow: CatalogStore = {
      ...catalog,
      async listReleases(ids) {
        const listed = await catalog.listReleases(ids);
        const action = meanwhile;
        meanwhile = null;
        await action?.();
        return listed;
      },
    };
    const announcements = { deliver: async (id: string) => delivered.push(id) > 0 };
    const links = linksFrom({ baseUrl: 'https://api.test', portalUrl: 'https://portal.test' });
    const noNotice = async () => ({ statements: () => [], send: async () => {} });
    const moderation = createModeration(slow, createModWrites(db), announcements, noNotice);
    await moderation.approve({ handle: 'ana', slug: 'tiny-wings' }, links, freshInstant());
    const ids = (await db.select({ id: modReleases.id }).from(modReleases)).map(({ id }) => id);
    expect(ids).toHaveLength(2);
    expect(delivered.sort()).toEqual(ids.sort());
    expect(ids).toContain(release.id);
  });
});
