import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { createCatalogStore } from '../../../../src/areas/mods-catalog/catalog/catalog.store.ts';
import { modReleaseEvent } from '../../../../src/areas/mods-catalog/mods-catalog.events.ts';
import { createDatabase } from '../../../../src/platform/storage/database.ts';
import { createProject } from '../../../support/projects.ts';
import { bearer, freshInstant } from '../../../support/requests.ts';
import { createSuperuserToken } from '../../../support/tokens.ts';
import { clearCatalog, read } from '../catalog.ts';
import { distinctFile, newAuthor, send, upload } from './authors.ts';

beforeEach(clearCatalog);

const DAY = 86_400;
/** Noon of a UTC day. */
const NOON = Math.ceil(freshInstant() / DAY) * DAY + DAY / 2;

/** A public project with an account that may announce `max` releases a day. */
async function newProject(max: number, visibility: 'public' | 'private' = 'public') {
  const author = await newAuthor();
  const project = await createProject({ userId: author.userId, visibility });
  const authorization = bearer(await createSuperuserToken());
  await send('PUT', `/admin/publishing/allowances/${author.userId}`, { authorization }, { announcements: max }, { now: NOON });
  const release = async (tag: string, now: number) => {
    const response = await upload(`${project.path}/releases`, author, { tag, publish: 'true' }, distinctFile(), { now });
    expect(response.json.state, response.text).toBe('published');
    return response.json.id as string;
  };
  const risenAt = async () => (await read(`/v1/mods/${project.handle}/${project.slug}`, { now: NOON })).last_release_at as string | null;
  const announcedAt = async () =>
    (await env.DB.prepare('SELECT tag, announced_at AS at FROM mod_releases ORDER BY tag').all<{ tag: string; at: number | null }>())
      .results;
  return { author, project, release, risenAt, announcedAt };
}

const iso = (at: number) => new Date(at * 1000).toISOString();

describe('the announcements of an account', () => {
  it('are bounded by day: further releases send their event, and the mod does not rise', async () => {
    const { author, release, risenAt, announcedAt } = await newProject(2);
    for (const [index, tag] of ['1', '2', '3', '4'].entries()) await release(tag, NOON + index * 60);
    expect(await risenAt()).toBe(iso(NOON + 60));
    expect((await announcedAt()).every(({ at }) => at !== null)).toBe(true);
    const { json } = await send('GET', '/v1/publishing/allowances', author, undefined, { now: NOON + 300 });
    expect(json.items.find(({ name }: { name: string }) => name === 'announcements')).toMatchObject({ used: 2, left: 0 });
    await release('5', NOON + DAY);
    expect(await risenAt()).toBe(iso(NOON + DAY));
  });

  it('bound the releases that parallel requests publish', async () => {
    const { author, release } = await newProject(1);
    await Promise.all(['1', '2', '3'].map((tag) => release(tag, NOON)));
    const { json } = await send('GET', '/v1/publishing/allowances', author, undefined, { now: NOON });
    expect(json.items.find(({ name }: { name: string }) => name === 'announcements')).toMatchObject({ used: 1 });
  });

  it('count a private project that becomes public', async () => {
    const { author, project, release, risenAt } = await newProject(0, 'private');
    await release('1', NOON);
    const changed = await send('PATCH', project.path, author, { visibility: 'public' }, { now: NOON + 60 });
    expect(changed.status, changed.text).toBe(200);
    expect(await risenAt()).toBeNull();
  });

  it('do not make a mod rise when a release is withdrawn', async () => {
    const { author, project, release, risenAt } = await newProject(1);
    const first = await release('1', NOON);
    await release('2', NOON + 60);
    const path = `${project.path}/releases/${first}/withdraw`;
    expect((await send('POST', path, author, { reason: 'No' }, { now: NOON + 120 })).status).toBe(200);
    expect(await risenAt()).toBe(iso(NOON));
  });

  it('are the only releases that chats post', () => {
    const body = modReleaseEvent.sample(NOON);
    expect(modReleaseEvent.chat.variablesOf(body, NOON)).toMatchObject({ owner: 'ana' });
    expect(modReleaseEvent.chat.variablesOf({ ...body, announced: false }, NOON)).toBeNull();
  });
});

describe('the owner of a mod in lists', () => {
  it('is the account, also with several handles', async () => {
    const author = await newAuthor();
    for (let number = 0; number < 2; number += 1) await createProject({ userId: author.userId, visibility: 'public' });
    const other = await createProject({ visibility: 'public' });
    const { mods } = await createCatalogStore(createDatabase(env.DB)).list({ sort: 'new', limit: 10, offset: 0 });
    const owners = new Map(mods.map(({ handle, owner }) => [handle, owner]));
    expect(new Set(owners.values()).size).toBe(2);
    expect([...owners.values()].filter((owner) => owner === owners.get(other.handle))).toHaveLength(1);
  });
});
