import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { composeApp } from '../../../../src/composition.ts';
import { eventually } from '../../../support/eventually.ts';
import { call } from '../../../support/requests.ts';
import { clearCatalog, publish, read } from '../catalog.ts';

const HOUR = 3600;
const DAY = 86_400;
/** Noon of a day. */
const NOON = 20_600 * DAY + 12 * HOUR;
const OBJECTS = ['downloads-0', 'downloads-1', 'downloads-2', 'downloads-3'];

const objects = () => OBJECTS.map((name) => env.MOD_DOWNLOADS.getByName(name));

beforeEach(async () => {
  await clearCatalog();
  for (const object of objects()) {
    await runInDurableObject(object, (_, state) => {
      for (const table of ['seen', 'keys', 'counts']) state.storage.sql.exec(`DELETE FROM ${table}`);
    });
  }
});

/** Writes the counts to the database. */
async function flush(): Promise<void> {
  for (const object of objects()) await runDurableObjectAlarm(object);
}

/** Recomputes the popularity like the hourly job. */
async function refresh(now: number): Promise<void> {
  const { scheduler } = composeApp(env);
  await (await scheduler.start('mods-popularity', now))?.work;
  expect((await scheduler.status(now)).find(({ name }) => name === 'mods-popularity')?.lastError).toBeNull();
}

/** A pack with one variant. */
const PACK = `INSERT INTO mod_packs (handle, slug, visibility, created_at, updated_at, default_variant, variant_count, mod_count, title,
  sort_title, author, tags, summary, search_text, previews, donation_urls, warnings, description, variants)
  VALUES ('ana', 'set', 'public', 0, 0, 'default', 1, 1, 'Set', 'set', 'ana', '[]', '', '', '[]', '[]', '', '',
  '[{"name":"default","label":"","entries":ENTRIES}]')`.replaceAll('\n', ' ');

const pathOf = (release: { download_url: string }) => new URL(release.download_url).pathname;
const download = (path: string, now: number, address = '10.1.1.1', headers: Record<string, string> = {}) =>
  call(path, { now, address, headers });

/** Waits for the counts, which are recorded after the response. */
async function waitForCount(releaseId: string, n: number): Promise<void> {
  await eventually(async () => {
    const sums = await Promise.all(
      objects().map((object) =>
        runInDurableObject(object, (_, { storage }) =>
          Number(storage.sql.exec('SELECT sum(n) AS n FROM counts WHERE release_id = ?', releaseId).one().n ?? 0),
        ),
      ),
    );
    return sums.reduce((sum, one) => sum + one, 0) === n;
  });
}

describe('download counter', () => {
  it('counts a release once per client and hour', async () => {
    const { release } = await publish();
    const path = pathOf(release);
    for (const address of ['10.1.1.1', '10.1.1.1', '10.1.1.2', '2001:db8::1', '2001:db8::2']) await download(path, NOON, address);
    await download(path, NOON + HOUR, '10.1.1.1', { Range: 'bytes=0-1' });
    await download(path, NOON + HOUR, '10.1.1.1', { Range: 'bytes=2-' });
    await waitForCount(release.id, 4);
    expect((await read('/v1/mods/ana/tiny-wings')).download_count).toBe(0);
    await flush();
    const mod = await read('/v1/mods/ana/tiny-wings');
    expect([mod.download_count, mod.releases[0].download_count]).toEqual([4, 4]);
  });

  it('is the sum of the releases for a mod, and its page says how many are of others', async () => {
    const first = (await publish()).release;
    const second = (await publish({}, { tag: '2.0' })).release;
    for (const address of ['10.1.1.1', '10.1.1.2', '10.1.1.3']) await download(pathOf(first), NOON, address);
    await download(pathOf(second), NOON);
    await waitForCount(first.id, 3);
    await waitForCount(second.id, 1);
    await flush();
    const mod = await read('/v1/mods/ana/tiny-wings');
    const sum = mod.releases.reduce((total: number, { download_count: count }: { download_count: number }) => total + count, 0);
    expect([mod.download_count, sum]).toEqual([4, 4]);
    const page = async () => (await call('/mods/ana/tiny-wings', { headers: { Accept: 'text/html' }, now: NOON })).text;
    expect(await page()).toContain('<p class="hint">4 downloads · updated');
    await env.DB.exec("UPDATE mods SET mirrored_downloads = 1200 WHERE slug = 'tiny-wings'");
    expect(await page()).toContain('<p class="hint">1,204 downloads, 4 of the releases below · updated');
  });

  it('counts the downloads of a pack once per client and hour', async () => {
    await publish();
    const entries = [{ modId: 0, handle: 'ana', slug: 'tiny-wings', branch: 'main', tag: null, title: '', author: '', file: null }];
    await env.DB.exec(PACK.replace('ENTRIES', JSON.stringify(entries)));
    await env.DB.exec(`UPDATE mod_packs SET variants = json_set(variants, '$[0].entries[0].modId', (SELECT id FROM mods))`);
    const id = (await env.DB.prepare('SELECT id FROM mod_packs').first<number>('id')) ?? 0;
    for (const address of ['10.1.1.1', '10.1.1.1', '10.1.1.2']) await download('/v1/modpacks/ana/set/download', NOON, address);
    await waitForCount(`pack:${id}`, 2);
    await flush();
    await flush();
    expect((await read('/v1/modpacks/ana/set')).download_count).toBe(2);
    expect((await read('/v1/mods/ana/tiny-wings')).download_count).toBe(0);
  });

  it('does not count responses without a file', async () => {
    const { release } = await publish();
    const path = pathOf(release);
    await call(path, { method: 'HEAD', now: NOON });
    await download(path, NOON, '10.1.1.1', { 'If-None-Match': '*' });
    await download(path, NOON, '10.1.1.1', { Range: 'bytes=99999999-' });
    await download(path, NOON, '10.9.9.9');
    await waitForCount(release.id, 1);
  });

  it('stores no IP address, and a keyed hash for at most two hours', async () => {
    const { release } = await publish();
    await download(pathOf(release), NOON, '10.1.1.1');
    await waitForCount(release.id, 1);
    for (const object of objects()) {
      const stored = await runInDurableObject(object, (_, { storage }) => {
        const rows = ['seen', 'keys', 'counts'].map((table) => storage.sql.exec(`SELECT * FROM ${table}`).toArray());
        storage.sql.exec('UPDATE seen SET at = at - 7201');
        storage.sql.exec('UPDATE keys SET at = at - 7201');
        return JSON.stringify(rows);
      });
      expect(stored).not.toContain('10.1.1.1');
    }
    await flush();
    for (const object of objects()) {
      const left = await runInDurableObject(object, (_, { storage }) => storage.sql.exec('SELECT * FROM seen, keys').toArray());
      expect(left).toEqual([]);
    }
  });

  it('stores the same count idempotently', async () => {
    const { release } = await publish();
    await download(pathOf(release), NOON);
    await waitForCount(release.id, 1);
    await flush();
    for (const object of objects()) {
      await runInDurableObject(object, async (instance, { storage }) => {
        storage.sql.exec('UPDATE counts SET stored = 0');
        await instance.alarm();
      });
    }
    await download(pathOf(release), NOON, '10.1.1.2');
    await waitForCount(release.id, 2);
    await flush();
    expect((await read('/v1/mods/ana/tiny-wings')).download_count).toBe(2);
  });
});

describe('popularity', () => {
  it('is computed hourly from the last seven days', async () => {
    const { release: first } = await publish();
    const { release: second } = await publish({ title: 'Other' });
    await publish({ title: 'Nobody' });
    for (const address of ['10.1.1.1', '10.1.1.2', '10.1.1.3']) await download(pathOf(first), NOON, address);
    await download(pathOf(second), NOON);
    await waitForCount(first.id, 3);
    await waitForCount(second.id, 1);
    await flush();
    await refresh(NOON + HOUR);
    const { items } = await read('/v1/mods/popular');
    const raw = (recent: number, all: number) => Math.log(1 + recent) + 0.1 * Math.log(1 + all);
    expect(
      items.map(({ slug, downloads_7d, popularity_score }: Record<string, unknown>) => [slug, downloads_7d, popularity_score]),
    ).toEqual([
      ['tiny-wings', 3, 1],
      ['other', 1, Math.round((raw(1, 1) / raw(3, 3)) * 10_000) / 10_000],
      ['nobody', 0, 0],
    ]);
    expect((await read('/v1/mods?sort=popular&limit=1')).items[0].slug).toBe('tiny-wings');
    expect((await read('/v1/mods?sort=downloads&limit=1')).items[0].slug).toBe('tiny-wings');
    // Six days later the download is still recent, seven days later it is not; the total is unchanged.
    await refresh(NOON + 6 * DAY);
    expect((await read('/v1/mods/ana/tiny-wings')).downloads_7d).toBe(3);
    await refresh(NOON + 7 * DAY);
    expect(await read('/v1/mods/ana/tiny-wings')).toMatchObject({ downloads_7d: 0, download_count: 3, popularity_score: 1 });
  });

  it('writes nothing without changes', async () => {
    await publish();
    await refresh(NOON);
    const before = await env.DB.prepare('SELECT updated_at, popularity FROM mods').all();
    await refresh(NOON + HOUR);
    expect((await env.DB.prepare('SELECT updated_at, popularity FROM mods').all()).results).toEqual(before.results);
  });
});
