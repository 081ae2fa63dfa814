import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { modReleaseEvent } from '../../../../src/areas/mods-catalog/mods-catalog.events.ts';
import { createReleaseFacts } from '../../../../src/areas/mods-catalog/records/mod-writes.store.ts';
import { createDatabase } from '../../../../src/platform/storage/database.ts';
import { createProject } from '../../../support/projects.ts';
import { bearer } from '../../../support/requests.ts';
import { createSuperuserToken } from '../../../support/tokens.ts';
import { clearCatalog, publish, read } from '../catalog.ts';
import { join, newAuthor, send } from './authors.ts';

beforeEach(clearCatalog);

/** A public project of the handle `cleo`. */
async function cleo() {
  const author = await newAuthor();
  const created = await send('POST', '/projects', author, { handle: 'cleo', title: 'Tiny Wings' });
  expect(created.status, created.text).toBe(201);
  const path = '/v1/publishing/cleo/tiny-wings';
  expect((await send('PATCH', path, author, { visibility: 'public' })).status).toBe(200);
  return { author, path, project: { handle: 'cleo', slug: 'tiny-wings' } };
}

/** A mirrored mod of an author. */
async function mirrored(author: string, title = 'Old Wings') {
  await publish({ handle: 'stray', title, author });
  await env.DB.prepare("UPDATE mods SET is_stray = 1 WHERE handle = 'stray'").run();
}

const byAuthor = async (name: string) => (await read(`/v1/mods?${new URLSearchParams({ author: name })}`)).items as { slug: string }[];

async function authorFacts() {
  const sample = modReleaseEvent.sample(0);
  const facts = await createReleaseFacts(createDatabase(env.DB))({ ...sample, project: { ...sample.project, owner: 'cleo' } });
  return facts.filter(({ name }) => name === 'author').map(({ value }) => value);
}

describe('the author of a project', () => {
  it('is its members, and a credited name matches no filter and no condition', async () => {
    const { author, path } = await cleo();
    await mirrored('Old Nick');
    const changed = await send('PATCH', path, author, { credited: 'Old Nick, Ben' });
    expect(changed.json, changed.text).toMatchObject({ author: 'cleo', credited: 'Old Nick, Ben' });
    expect(await read('/v1/mods/cleo/tiny-wings')).toMatchObject({ author: 'cleo', credited: 'Old Nick, Ben' });
    expect(await byAuthor('old nick')).toMatchObject([{ slug: 'old-wings' }]);
    expect(await byAuthor('ben')).toEqual([]);
    expect(await byAuthor('cleo')).toMatchObject([{ slug: 'tiny-wings' }]);
    expect((await read('/v1/mods?q=old+nick')).items).toHaveLength(1);
    expect(await authorFacts()).toEqual(['cleo']);
  });

  it('cannot be set', async () => {
    const { author, path } = await cleo();
    expect((await send('PATCH', path, author, { author: 'Ana' })).json).toMatchObject({ author: 'cleo', credited: '' });
  });

  it('follows its members', async () => {
    const { author, path, project } = await cleo();
    const other = await newAuthor();
    const { handle } = await createProject({ userId: other.userId });
    await join(project, author, other, handle);
    expect((await send('PATCH', path, author, { summary: 'Changed' })).json).toMatchObject({ author: `cleo, ${handle}` });
    expect(await byAuthor(handle)).toMatchObject([{ slug: 'tiny-wings' }]);
    expect((await read(`/v1/mods?q=${handle}`)).items).toMatchObject([{ slug: 'tiny-wings' }]);
    expect((await authorFacts()).sort()).toEqual([handle, 'cleo', `cleo, ${handle}`].sort());
    await send('DELETE', `/projects/cleo/tiny-wings/members/${handle}`, author);
    expect(await read('/v1/mods/cleo/tiny-wings')).toMatchObject({ author: 'cleo' });
    expect(await byAuthor(handle)).toEqual([]);
    expect((await read(`/v1/mods?q=${handle}`)).items).toEqual([]);
  });
});

describe('the name of an author of mirrored mods', () => {
  it('is reserved as a handle until a claim is confirmed', async () => {
    await mirrored("Old O'Nick");
    const stranger = await newAuthor();
    for (const handle of ['oldonick', 'old-o-nick', 'old_onick']) {
      const refused = await send('POST', '/projects', stranger, { handle, title: 'Mine' });
      expect([refused.status, refused.json.error?.message]).toEqual([409, expect.stringContaining('reserved for the author of mods')]);
    }
    expect((await send('POST', '/projects', stranger, { handle: 'oldonicks', title: 'Mine' })).status).toBe(201);
    await publish({ handle: 'stray', title: 'Other Wings', author: 'Somebody' });
    const foreign = await send('POST', '/mod-claims', stranger, { mod: 'stray/other-wings', handle: 'oldonick' });
    expect(foreign.status).toBe(409);
    const author = await newAuthor();
    const claim = await send('POST', '/mod-claims', author, { mod: 'stray/old-wings', handle: 'oldonick' });
    expect(claim.status, claim.text).toBe(201);
    const authorization = bearer(await createSuperuserToken());
    const confirmed = await send('POST', `/admin/mod-claims/${claim.json.id}/confirm`, { authorization });
    expect(confirmed.json, confirmed.text).toMatchObject({ state: 'confirmed' });
    expect(await read('/v1/mods/oldonick/old-wings')).toMatchObject({ author: 'oldonick', credited: "Old O'Nick" });
    expect(await byAuthor('oldonick')).toMatchObject([{ slug: 'old-wings' }]);
    expect((await send('POST', '/projects', author, { handle: 'oldonick', title: 'More' })).status).toBe(201);
  });
});
