import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { composeApp } from '../../../../src/composition.ts';
import { createProject } from '../../../support/projects.ts';
import { call, freshInstant } from '../../../support/requests.ts';
import { base64, clearCatalog, hashOf, publish, testImage } from '../catalog.ts';
import { distinctFile, newAuthor, send, upload } from './authors.ts';

/** Keys of the published files and images of projects. */
const stored = async () => (await env.ARCHIVE.list({ prefix: 'projects/' })).objects.map(({ key }) => key.slice('projects/xx/'.length));
const runAt = async (now: number) => void (await (await composeApp(env).scheduler.start('mods-publish', now))?.work);
const HOUR = 3600;

beforeEach(async () => {
  await clearCatalog();
  await env.ARCHIVE.delete((await env.ARCHIVE.list({ prefix: 'projects/' })).objects.map(({ key }) => key));
});

async function newProject() {
  const author = await newAuthor();
  return { author, ...(await createProject({ userId: author.userId, visibility: 'public' })) };
}

async function putBanner({ path, author }: Awaited<ReturnType<typeof newProject>>, image: Uint8Array<ArrayBuffer>, now: number) {
  const options = { now, method: 'PUT', authorization: author.authorization, body: image, headers: { 'Content-Type': 'image/png' } };
  expect((await call(`${path}/banner`, options)).status).toBe(200);
  return hashOf(image);
}

describe('contents of projects', () => {
  it('are deleted when an image is replaced', async () => {
    const project = await newProject();
    const now = freshInstant();
    for (let number = 0; number < 5; number++) await putBanner(project, testImage(600 + number), now);
    expect(await stored()).toHaveLength(5);
    await runAt(now + HOUR);
    expect(await stored()).toEqual([await hashOf(testImage(604))]);
    expect((await call(`/v1/mods/images/${await hashOf(testImage(604))}`)).status).toBe(200);
  });

  it('stay while another project has the same image', async () => {
    const [one, other] = [await newProject(), await newProject()];
    const now = freshInstant();
    const sha256 = await putBanner(one, testImage(610), now);
    await putBanner(other, testImage(610), now);
    await putBanner(one, testImage(611), now + HOUR);
    await runAt(now + 3 * HOUR);
    expect(await stored()).toContain(sha256);
    expect((await send('DELETE', `${other.path}/banner`, other.author, undefined, { now: now + 3 * HOUR })).status).toBe(200);
    await runAt(now + 3 * HOUR + 1);
    expect(await stored()).not.toContain(sha256);
  });

  it('are not deleted for other parts of the catalog', async () => {
    const project = await newProject();
    const now = freshInstant();
    await publish({ title: 'Inserted', banner_base64: base64(testImage(620)) });
    const sha256 = await putBanner(project, testImage(620), now);
    await putBanner(project, testImage(621), now);
    await env.DB.prepare("delete from mod_images where mod_id not in (select id from mods where slug = 'inserted')").run();
    await runAt(now + HOUR);
    expect((await call(`/v1/mods/images/${sha256}`)).status).toBe(200);
  });

  it('are deleted with a withdrawn release', async () => {
    const { author, path } = await newProject();
    const now = freshInstant();
    const { json } = await upload(`${path}/releases`, author, { tag: '1', publish: 'true' }, distinctFile(), {
      image: testImage(630),
      now,
    });
    await runAt(now + HOUR);
    expect(await stored()).toHaveLength(2);
    const withdrawal = { reason: 'Crashes on start' };
    expect((await send('POST', `${path}/releases/${json.id}/withdraw`, author, withdrawal, { now: now + HOUR })).status).toBe(200);
    await runAt(now + HOUR + 1);
    expect(await stored()).toEqual([]);
  });

  it('are deleted after a crash between the store and the row', async () => {
    const project = await newProject();
    const now = freshInstant();
    await env.DB.exec("CREATE TRIGGER refuse_mod BEFORE UPDATE ON mods BEGIN SELECT RAISE(ABORT, 'refused'); END");
    try {
      const options = { now, method: 'PUT', authorization: project.author.authorization, body: testImage(640) };
      expect((await call(`${project.path}/banner`, { ...options, headers: { 'Content-Type': 'image/png' } })).status).toBeGreaterThan(399);
    } finally {
      await env.DB.exec('DROP TRIGGER refuse_mod');
    }
    expect(await stored()).toHaveLength(1);
    await runAt(now + HOUR);
    expect(await stored()).toEqual([]);
  });
});
