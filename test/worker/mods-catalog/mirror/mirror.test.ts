import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { composeApp } from '../../../../src/composition.ts';
import { bearer, call } from '../../../support/requests.ts';
import { storedState } from '../../../support/storage.ts';
import { createSuperuserToken } from '../../../support/tokens.ts';
import { communityEntry, download, packedMod } from '../../../support/upstreams/mods-catalog.ts';
import { TestStream } from '../../events/streams.ts';
import { clearCatalog, hashOf, publish, read } from '../catalog.ts';
import { NOW, world } from './world.ts';

beforeEach(clearCatalog);

const fileBytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64'));
const slugs = async () => (await read('/v1/mods?sort=title')).items.map(({ slug }: { slug: string }) => slug);

describe('mods mirror', () => {
  it('leaves a claimed mod to its author and updates only its counts', async () => {
    const { run, session } = world();
    await run();
    await env.DB.prepare("UPDATE mods SET handle = 'ana', is_stray = 0 WHERE slug = 'little-wings'").run();
    await session.order({ state: { mods: [communityEntry(1, 'Renamed', { likes: '77', downloads: [download(101)] })] } });
    await run(NOW + 86_400);
    expect(await read('/v1/mods/ana/little-wings')).toMatchObject({ title: 'Little Wings', star_count: 77, releases: [{ tag: '1.0' }] });
    expect(await slugs()).toEqual(['big-boat', 'little-wings', 'quiet-gui']);
  });

  it('imports listed mods with files and images', async () => {
    const { run, session } = world();
    expect(await run()).toEqual([250, 250, 250]);
    expect(await slugs()).toEqual(['big-boat', 'little-wings', 'quiet-gui']);
    const mod = await read('/v1/mods/stray/little-wings');
    const file = fileBytes(packedMod('Mod 1', 'Author 1', 'content 1'));
    expect(mod).toMatchObject({
      handle: 'stray',
      is_stray: true,
      title: 'Little Wings',
      description: 'About Little Wings.',
      author: 'Author 1',
      tags: ['wings'],
      categories: ['Wings'],
      flags: 8192,
      download_count: 10,
      star_count: 1,
      created_at: '2023-11-14T22:13:20.000Z',
      banner_url: expect.stringContaining('/v1/mods/images/'),
    });
    expect(mod.releases).toEqual([
      expect.objectContaining({
        tag: '1.0',
        branch: 'main',
        changelog: 'First.',
        format: 'tmod',
        filename: 'Mod 1.tmod',
        sha256: await hashOf(file),
        size: file.length,
        published_at: '2023-11-14T22:13:20.000Z',
      }),
    ]);
    expect((await call(new URL(mod.releases[0].download_url).pathname)).bytes).toEqual(file);
    expect((await call(new URL(mod.banner_url).pathname)).headers.get('Content-Type')).toBe('image/png');
    expect((await session.calls())[0]).toMatchObject({ method: 'GET', path: '/api/mods-all' });
  });

  it('accepts the list as an object or an array, and is idempotent', async () => {
    const { run, session } = world();
    await session.order({ state: { shape: 'map' } });
    await run();
    const state = await storedState();
    const calls = (await session.calls()).length;
    expect(await run(NOW + 86_400)).toEqual([0, 0, 0]);
    expect(await storedState()).toBe(state);
    expect((await session.calls()).length).toBe(calls + 1);
  });

  it('imports the newest main file in a supported format and skips mods without one', async () => {
    const { run, session } = world();
    const files = { 5: packedMod('Five', 'A', '5'), 50: packedMod('Fifty', '', '50'), 900: packedMod('Extra', 'A', 'x') };
    await session.order({
      state: {
        files,
        mods: [
          communityEntry(1, 'Many', { downloads: { a: download(5), b: download(50, { version: '' }), c: download(900, { extra: '1' }) } }),
          communityEntry(2, 'None', { downloads: [] }),
          communityEntry(3, 'Strange', { downloads: [download(5, { format: 'rar' })] }),
          communityEntry(4, 'Missing'),
          communityEntry(5, 'Broken', { downloads: [download(51)] }),
          { id: 6 },
          null,
          'text',
          communityEntry(7, 'No author', { author: null, downloads: [download(50)] }),
        ],
      },
    });
    await session.order({ state: { files: { ...files, 51: Buffer.from('not a mod').toString('base64') } } });
    await run();
    expect(await slugs()).toEqual(['many', 'no-author']);
    expect(await read('/v1/mods/stray/many')).toMatchObject({ author: 'somebody', releases: [{ tag: '50', filename: 'Fifty.tmod' }] });
    expect((await read('/v1/mods/stray/no-author')).author).toBe('Unknown');
  });

  it('updates a release with a new file, keeping its id and its old hash', async () => {
    const { run, session } = world();
    await run();
    const [before] = (await read('/v1/mods/stray/little-wings')).releases;
    await session.order({
      state: {
        mods: [
          communityEntry(1, 'Little Wings', {
            likes: 9,
            totaldownloads: 99,
            downloads: [download(100), download(101, { version: '2.0' })],
          }),
        ],
        files: { 101: packedMod('Mod 1', 'Somebody Else', 'new content') },
      },
    });
    await run(NOW + 86_400);
    const mod = await read('/v1/mods/stray/little-wings');
    expect(mod).toMatchObject({ author: 'Somebody Else', star_count: 9, download_count: 99, updated_at: '2026-05-29T20:26:40.000Z' });
    const [after] = mod.releases;
    expect([mod.releases.length, after.id, after.tag]).toEqual([1, before.id, '2.0']);
    expect(after.sha256).not.toBe(before.sha256);
    const { text } = await call('/v1/mods/lookup', {
      method: 'POST',
      json: { hashes: [before.sha256, after.sha256] },
    });
    const { results } = JSON.parse(text);
    expect([results[before.sha256].release.id, results[after.sha256].release.id]).toEqual([before.id, before.id]);
  });

  it('keeps slugs unique and stable', async () => {
    const { run, session } = world();
    const mods = [communityEntry(1, 'Same'), communityEntry(2, 'Same!'), communityEntry(3, '同じ')];
    await session.order({ state: { mods } });
    await run();
    expect((await slugs()).sort()).toEqual(['mod', 'same', 'same-2']);
    await session.order({ state: { mods: [communityEntry(1, 'Renamed'), ...mods.slice(1)] } });
    await run();
    expect((await read('/v1/mods/stray/same')).title).toBe('Renamed');
  });

  it('requires approval for new mods and publishes their event on approval', async () => {
    const stream = await TestStream.open({ query: 'types=mod_release' });
    const { run, session } = world();
    await run();
    await session.order({
      state: { mods: [communityEntry(1, 'Little Wings'), communityEntry(4, 'Late Wings')], files: { 400: packedMod('Late', 'L', 'late') } },
    });
    await run();
    expect((await call('/v1/mods/stray/late-wings')).status).toBe(404);
    const authorization = bearer(await createSuperuserToken());
    const pending = await read('/admin/mods?state=pending', { authorization });
    expect(pending).toMatchObject({ count: 1, total: 1, items: [{ slug: 'late-wings' }] });
    expect((await call('/admin/mods/stray/late-wings/approve', { method: 'POST', authorization })).status).toBe(200);
    expect((await read('/v1/mods/stray/late-wings')).releases).toHaveLength(1);
    const { data } = JSON.parse((await stream.message()).json);
    expect(data.project).toEqual({ slug: 'late-wings', title: 'Late Wings', owner: 'stray' });
    await stream.close();
    await run();
    expect((await read('/v1/mods/stray/late-wings')).title).toBe('Late Wings');
  });

  it('skips files published by another handle', async () => {
    const { run } = world();
    await publish({ handle: 'bob', title: 'Mine' }, { artifact_base64: packedMod('Mod 2', 'Author 2', 'content 2') });
    await run();
    expect(await slugs()).toEqual(['little-wings', 'mine', 'quiet-gui']);
  });

  it('resumes after any interruption', async () => {
    const { begin, step, run, session, switches } = world();
    await begin();
    await step();
    switches.modsMirrorEnabled = false;
    expect(await step()).toBeNull();
    switches.modsMirrorEnabled = true;
    // A new list does not replace the queue of the current run.
    await session.order({ state: { mods: [] } });
    await run();
    expect(await slugs()).toEqual(['big-boat', 'little-wings', 'quiet-gui']);
  });

  it('retries failed mods with a pause, up to a maximum number of attempts', async () => {
    const { begin, step, run, session } = world();
    await begin();
    await session.order({ fault: 'error-500', times: 3 });
    expect(await step()).toBe(5000);
    expect(await run()).toEqual([250, 250, 250]);
    expect(await slugs()).toHaveLength(3);
  });

  it('ignores a malformed list', async () => {
    for (const fault of ['cut-short', 'html', 'error-500', 'empty'] as const) {
      const { begin, step, session } = world();
      await session.order({ fault, times: 3 });
      await expect(begin(), fault).rejects.toThrow();
      expect(await step()).toBeNull();
    }
  });
});

describe('job mods-mirror', () => {
  it('is disabled by default', async () => {
    const { scheduler } = composeApp(env);
    expect((await scheduler.status(NOW)).find(({ name }) => name === 'mods-mirror')?.state).toBe('disabled');
  });
});
