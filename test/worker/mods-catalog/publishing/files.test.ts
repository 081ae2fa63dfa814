import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { createProject } from '../../../support/projects.ts';
import { bearer, freshInstant } from '../../../support/requests.ts';
import { createSuperuserToken } from '../../../support/tokens.ts';
import { base64, clearCatalog, insert, insertBody, packed, publish, read } from '../catalog.ts';
import { type Author, distinctZip, newAuthor, send, upload } from './authors.ts';

beforeEach(clearCatalog);

const superuser = async () => ({ authorization: bearer(await createSuperuserToken()) });

async function newProject(visibility: 'public' | 'private' = 'public', author?: Author) {
  const owner = author ?? (await newAuthor());
  const project = await createProject({ userId: owner.userId, visibility });
  const mod = `${project.handle}/${project.slug}`;
  const release = (file: Uint8Array<ArrayBuffer>, tag = '1') =>
    upload(`${project.path}/releases`, owner, { tag, publish: 'true' }, file, { now: freshInstant() });
  return { ...project, owner, mod, release, page: `/v1/mods/${mod}` };
}

const moderate = async (mod: string, action: 'take-down' | 'approve') => {
  const response = await send('POST', `/admin/mods/${mod}/${action}`, await superuser());
  expect(response.status, response.text).toBe(200);
};

describe('a file that was taken down', () => {
  it('is refused for every account, also under another header', async () => {
    const thief = await newProject();
    const file = packed('malware', { title: 'Wings', author: 'Thief' });
    const stored = await thief.release(file);
    expect(stored.status, stored.text).toBe(201);
    await moderate(thief.mod, 'take-down');
    const other = await newProject();
    for (const again of [file, packed('malware', { title: 'Other', author: 'Nobody' })]) {
      const refused = await other.release(again);
      expect([refused.status, refused.json.error?.message]).toEqual([409, 'the file was taken down by a moderator']);
    }
    const inserted = await insert(insertBody({}, { artifact_base64: base64(packed('malware', { title: 'Third' })) }));
    expect(inserted.status).toBe(409);
    expect((await other.release(packed('harmless'))).status).toBe(201);
  });

  it('is refused as a draft whose publication was scheduled before', async () => {
    const [thief, other] = [await newProject(), await newProject()];
    const file = distinctZip();
    const draft = await upload(`${other.path}/releases`, other.owner, { tag: '1' }, file);
    expect((await thief.release(file)).status).toBe(201);
    await moderate(thief.mod, 'take-down');
    const published = await send('POST', `${other.path}/releases/${draft.json.id}/publish`, other.owner);
    expect(published.json.error?.message).toBe('the file was taken down by a moderator');
  });

  it('is allowed again when the mod is restored, or a moderator allows it', async () => {
    const thief = await newProject();
    const file = distinctZip();
    const { json } = await thief.release(file);
    await moderate(thief.mod, 'take-down');
    const path = `/admin/mod-files/${json.sha256}`;
    expect((await send('GET', path, await superuser())).json).toMatchObject({ refused: true, public_handles: [] });
    expect((await send('PUT', path, await superuser(), { refused: false })).json).toMatchObject({ refused: false });
    expect((await (await newProject()).release(file)).status).toBe(201);
    await moderate(thief.mod, 'approve');
    expect((await send('GET', path, await superuser())).json).toMatchObject({ refused: false });
  });

  it('does not block the original that it copies', async () => {
    const original = await newProject();
    await original.release(packed('mine', { title: 'Mine' }));
    const thief = await newProject();
    // The title is part of the header, so the whole file differs.
    expect((await send('PATCH', thief.path, thief.owner, { title: 'Stolen' })).status).toBe(200);
    expect((await thief.release(packed('mine', { title: 'Stolen' }))).status).toBe(201);
    await moderate(thief.mod, 'take-down');
    expect((await original.release(packed('mine', { title: 'Mine' }), '2')).status).toBe(201);
  });
});

describe('an account with a take-down', () => {
  it('publishes after approval, in every project, with one event', async () => {
    const bad = await newProject();
    await bad.release(distinctZip());
    const good = await newProject('public', bad.owner);
    await moderate(bad.mod, 'take-down');
    const { json } = await good.release(distinctZip());
    expect(json).toMatchObject({ state: 'published' });
    expect(await read(good.page)).toMatchObject({ error: { code: 'not_found' } });
    expect((await send('GET', good.path, bad.owner)).json).toMatchObject({ is_approved: false });
    expect((await send('GET', '/admin/mods?state=pending', await superuser())).json.items).toMatchObject([{ slug: good.slug }]);
    const announced = () => env.DB.prepare('SELECT announced_at AS at FROM mod_releases WHERE id = ?1').bind(json.id).first();
    expect(await announced()).toEqual({ at: null });
    await moderate(good.mod, 'approve');
    expect((await read(good.page)).releases).toMatchObject([{ id: json.id }]);
    expect(await announced()).toEqual({ at: expect.any(Number) });
  });

  it('does not make a private project public without approval', async () => {
    const bad = await newProject();
    await bad.release(distinctZip());
    const hidden = await newProject('private', bad.owner);
    await hidden.release(distinctZip());
    await moderate(bad.mod, 'take-down');
    expect((await send('PATCH', hidden.path, bad.owner, { visibility: 'public' })).status).toBe(200);
    expect(await read(hidden.page)).toMatchObject({ error: { code: 'not_found' } });
  });

  it('publishes at once after its mod was restored', async () => {
    const bad = await newProject();
    await bad.release(distinctZip());
    await moderate(bad.mod, 'take-down');
    await moderate(bad.mod, 'approve');
    const good = await newProject('public', bad.owner);
    await good.release(distinctZip());
    expect((await read(good.page)).releases).toHaveLength(1);
  });
});

describe('a file', () => {
  it('belongs to nobody who has it private or withdrawn', async () => {
    const [squatter, other] = [await newProject('private'), await newProject()];
    const [file, second] = [distinctZip(), distinctZip()];
    expect((await squatter.release(file)).status).toBe(201);
    expect((await other.release(file)).status).toBe(201);
    const withdrawn = await other.release(second, '2');
    await send('POST', `${other.path}/releases/${withdrawn.json.id}/withdraw`, other.owner, { reason: 'No' });
    expect((await (await newProject()).release(second)).status).toBe(201);
    await publish({ handle: 'cid' }, { format: 'zip', artifact_base64: base64(distinctZip()) });
  });

  it('of a private release does not block an insert', async () => {
    const squatter = await newProject('private');
    const file = distinctZip();
    await squatter.release(file);
    await publish({ handle: 'cid' }, { format: 'zip', artifact_base64: base64(file) });
  });

  it('of another handle keeps a private project from becoming public', async () => {
    const [squatter, other] = [await newProject('private'), await newProject()];
    const file = distinctZip();
    await squatter.release(file);
    await other.release(file);
    expect((await send('PATCH', squatter.path, squatter.owner, { visibility: 'public' })).status).toBe(409);
    expect(await read(squatter.page)).toMatchObject({ error: { code: 'not_found' } });
  });

  it('is published by one of two handles at once', async () => {
    const [one, other] = [await newProject(), await newProject()];
    const file = distinctZip();
    const answers = await Promise.all([one.release(file), other.release(file)]);
    const states = answers.map(({ status, json }) => (status === 201 ? json.state : status));
    expect(states.filter((state) => state === 'published')).toHaveLength(1);
  });

  it('can be given to a handle by moderators', async () => {
    const [thief, author] = [await newProject(), await newProject()];
    const file = distinctZip();
    const { json } = await thief.release(file);
    expect((await author.release(file)).status).toBe(409);
    const path = `/admin/mod-files/${json.sha256}`;
    expect((await send('PUT', path, await superuser(), { owner: author.handle })).json).toMatchObject({
      owner: author.handle,
      public_handles: [thief.handle],
    });
    expect((await author.release(file)).status).toBe(201);
    expect((await thief.release(file, '2')).status).toBe(409);
    expect((await send('PUT', path, await superuser(), { owner: null })).json).toMatchObject({ owner: null });
  });
});
