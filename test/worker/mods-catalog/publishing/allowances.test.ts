import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { createProject } from '../../../support/projects.ts';
import { call, freshInstant } from '../../../support/requests.ts';
import { clearCatalog, publisher, testImage } from '../catalog.ts';
import { type Author, distinctFile, newAuthor, send, upload } from './authors.ts';

/** Noon of a UTC day: the tests of a file do not reach the next one. */
const NOON = Math.ceil(freshInstant() / 86_400) * 86_400 + 43_200;
const now = NOON;

beforeEach(clearCatalog);

async function newProject() {
  const author = await newAuthor();
  return { author, ...(await createProject({ userId: author.userId, visibility: 'public' })) };
}

/** What an account uses. */
async function usesOf(author: Author): Promise<Record<string, number>> {
  const { status, text, json } = await send('GET', '/v1/publishing/allowances', author, undefined, { now });
  expect(status, text).toBe(200);
  return Object.fromEntries(json.items.map(({ name, used }: { name: string; used: number }) => [name, used]));
}

/** Sets allowances of an account as a superuser. */
async function allow(author: Author, changes: Record<string, number | null>) {
  const authorization = await publisher();
  const { status, text } = await send('PUT', `/admin/publishing/allowances/${author.userId}`, { authorization }, changes, { now });
  expect(status, text).toBe(200);
}

const putBanner = (path: string, { authorization }: Author, image = testImage(1)) =>
  call(`${path}/banner`, { now, method: 'PUT', authorization, body: image, headers: { 'Content-Type': 'image/png' } });

describe('GET /v1/publishing/allowances', () => {
  it('lists what is used and left', async () => {
    const { author } = await newProject();
    const { json } = await send('GET', '/v1/publishing/allowances', author, undefined, { now });
    expect(json.items.map(({ name, max, period }: Record<string, unknown>) => [name, max, period])).toEqual([
      ['bytes', 200_000_000, 'total'],
      ['uploads', 60, 'day'],
      ['projects', 5, 'day'],
      ['drafts', 10, 'total'],
      ['scheduled', 20, 'total'],
      ['keys', 20, 'total'],
      ['invitations', 20, 'total'],
      ['announcements', 3, 'day'],
    ]);
    expect(json.items[1]).toEqual({
      name: 'uploads',
      period: 'day',
      used: 0,
      max: 60,
      left: 60,
      resets_at: new Date((NOON + 43_200) * 1000).toISOString(),
    });
  });

  it('is only for accounts', async () => {
    expect((await call('/v1/publishing/allowances')).status).toBe(401);
  });

  it('counts texts, files, images and drafts, and gives them back', async () => {
    const { author, path } = await newProject();
    const before = (await usesOf(author)).bytes ?? 0;
    const file = distinctFile();
    const { json } = await upload(`${path}/releases`, author, { tag: '1', changelog: 'äöü' }, file, { now, image: testImage(3) });
    const image = testImage(3).length;
    // A translation is stored as `{}`, twice.
    expect(await usesOf(author)).toMatchObject({ bytes: before + json.size + image + 6 + 4, uploads: 1, drafts: 1 });
    expect((await putBanner(path, author)).status).toBe(200);
    expect(await usesOf(author)).toMatchObject({ bytes: before + json.size + 2 * image + 10, uploads: 2 });
    expect((await send('PATCH', path, author, { description: 'x'.repeat(1000) }, { now })).status).toBe(200);
    expect((await usesOf(author)).bytes).toBe(before + json.size + 2 * image + 1010);
    expect((await send('DELETE', `${path}/releases/${json.id}`, author, undefined, { now })).status).toBe(204);
    expect((await send('DELETE', `${path}/banner`, author, undefined, { now })).status).toBe(200);
    expect((await send('PATCH', path, author, { description: '' }, { now })).status).toBe(200);
    expect(await usesOf(author)).toMatchObject({ bytes: before, drafts: 0, uploads: 2 });
  });

  it('charges the first owner of a project for its bytes, and the member for the upload', async () => {
    const { author, path, id } = await newProject();
    const member = await newAuthor();
    await env.DB.prepare("INSERT INTO project_members VALUES (?1, ?2, 'member', 'author', ?3)").bind(id, member.userId, now).run();
    expect((await upload(`${path}/releases`, member, { tag: '1' }, distinctFile(), { now })).status).toBe(201);
    expect(await usesOf(member)).toMatchObject({ bytes: 0, drafts: 0, uploads: 1 });
    expect(await usesOf(author)).toMatchObject({ drafts: 1, uploads: 0 });
  });
});

describe('allowances', () => {
  it('refuse more bytes with 409 in every write, and smaller texts never', async () => {
    const { author, path } = await newProject();
    await send('PATCH', path, author, { description: 'x'.repeat(1000) }, { now });
    await allow(author, { bytes: 1000 });
    const writes = [
      await upload(`${path}/releases`, author, { tag: '1' }, distinctFile(), { now }),
      await putBanner(path, author),
      await send('PATCH', path, author, { readme_text: 'x'.repeat(1000) }, { now }),
    ];
    for (const { status, text } of writes) {
      expect([status, JSON.parse(text).error.details]).toEqual([409, { allowance: 'bytes', used: expect.any(Number), max: 1000 }]);
    }
    expect((await send('PATCH', path, author, { description: 'x' }, { now })).status).toBe(200);
    await allow(author, { bytes: null });
    expect((await send('PATCH', path, author, { readme_text: 'x'.repeat(1000) }, { now })).status).toBe(200);
  });

  it('refuse uploads of any kind with 429 until the next day', async () => {
    const { author, path } = await newProject();
    await allow(author, { uploads: 3 });
    expect((await putBanner(path, author)).status).toBe(200);
    const preview = { now, method: 'POST', authorization: author.authorization, headers: { 'Content-Type': 'image/png' } };
    expect((await call(`${path}/previews`, { ...preview, body: testImage(2) })).status).toBe(200);
    const { json } = await upload(`${path}/releases`, author, { tag: '1' }, distinctFile(), { now });
    const image = { ...preview, method: 'PUT', body: testImage(4) };
    const refused = await call(`${path}/releases/${json.id}/image`, image);
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '43200']);
    expect((await call(`${path}/releases/${json.id}/image`, { ...image, now: now + 43_200 })).status).toBe(200);
  });

  it('bound new projects a day', async () => {
    const author = await newAuthor();
    const create = () =>
      send('POST', '/projects', author, { handle: `new-${author.userId.slice(0, 8).toLowerCase()}`, title: 'New' }, { now });
    for (let count = 0; count < 5; count++) expect((await create()).status).toBe(201);
    expect((await create()).status).toBe(429);
  });

  it('bound scheduled releases, and rescheduling is free', async () => {
    const { author, path } = await newProject();
    await allow(author, { scheduled: 1 });
    const [one, other] = [
      await upload(`${path}/releases`, author, { tag: '1' }, distinctFile(), { now }),
      await upload(`${path}/releases`, author, { tag: '2' }, distinctFile(), { now }),
    ];
    const schedule = (id: string, seconds: number) =>
      send('POST', `${path}/releases/${id}/publish`, author, { at: new Date((now + seconds) * 1000).toISOString() }, { now });
    expect((await schedule(one.json.id, 3600)).status).toBe(200);
    expect((await schedule(one.json.id, 7200)).status).toBe(200);
    expect((await schedule(other.json.id, 3600)).status).toBe(409);
  });

  it('hold for parallel requests', async () => {
    const { author, path } = await newProject();
    await allow(author, { drafts: 2, keys: 2 });
    const uploads = await Promise.all(
      Array.from({ length: 6 }, (_, index) => upload(`${path}/releases`, author, { tag: `${index}` }, distinctFile(), { now })),
    );
    expect(uploads.map(({ status }) => status).filter((status) => status === 201)).toHaveLength(2);
    const keysPath = path.replace('/v1/publishing', '/projects');
    const created = await Promise.all(Array.from({ length: 6 }, () => send('POST', `${keysPath}/keys`, author, { name: 'ci' }, { now })));
    const secrets = created.filter(({ status }) => status === 201).map(({ json }) => json.id);
    const { json } = await send('GET', `${keysPath}/keys`, author, undefined, { now });
    expect(json.items.map(({ id }: { id: string }) => id).toSorted()).toEqual(secrets.toSorted());
    expect(secrets.length).toBeLessThanOrEqual(2);
  });
});

describe('POST /projects/{handle}/{slug}/keys', () => {
  it('returns no secret of a key that the maximum of the project refused', async () => {
    const { author, path } = await newProject();
    const keysPath = `${path.replace('/v1/publishing', '/projects')}/keys`;
    const created = await Promise.all(Array.from({ length: 14 }, () => send('POST', keysPath, author, { name: 'ci' }, { now })));
    const ids = created.filter(({ status }) => status === 201).map(({ json }) => json.id);
    const { json } = await send('GET', keysPath, author, undefined, { now });
    expect([ids.length, json.items.map(({ id }: { id: string }) => id).toSorted()]).toEqual([10, ids.toSorted()]);
  });
});
