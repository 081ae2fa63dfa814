import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { inspectArtifact } from '../../../../src/areas/mods/artifacts.service.ts';
import { composeApp } from '../../../../src/composition.ts';
import { createProject, createProjectKey } from '../../../support/projects.ts';
import { bearer, call, freshInstant } from '../../../support/requests.ts';
import { createSession } from '../../../support/sessions.ts';
import { clearCatalog, hashOf, publish, read, testImage } from '../catalog.ts';
import { distinctFile, distinctZip, newAuthor, send, upload } from './authors.ts';

beforeEach(async () => {
  await clearCatalog();
  await env.ARCHIVE.delete(await draftKeys());
});

async function newProject(visibility: 'public' | 'private' = 'public') {
  const author = await newAuthor();
  const project = await createProject({ userId: author.userId, visibility });
  return { ...project, author, page: `/v1/mods/${project.handle}/${project.slug}`, releases: `${project.path}/releases` };
}

/** Runs the job that publishes scheduled releases. */
const runAt = async (now: number) => void (await (await composeApp(env).scheduler.start('mods-publish', now))?.work);
const countOf = async (sql: string) => (await env.DB.prepare(sql).first<{ n: number }>())?.n;
/** Keys of the stored files of unpublished releases. */
async function draftKeys(): Promise<string[]> {
  return (await env.ARCHIVE.list({ prefix: 'drafts/' })).objects.map(({ key }) => key);
}
const announcements = () => countOf("SELECT count(*) AS n FROM outbox WHERE kind = 'mod_release'");

describe('POST /v1/publishing/{handle}/{slug}/releases', () => {
  it('stores a draft with a stamped header that only members see', async () => {
    const { author, page, releases } = await newProject();
    const uploaded = await upload(releases, author, { tag: '1.0.0', title: 'First', changelog: 'All of it.' });
    expect(uploaded.status, uploaded.text).toBe(201);
    expect(uploaded.json).toMatchObject({ state: 'draft', tag: '1.0.0', branch: 'main', filename: 'Tiny Wings.tmod', published_at: null });
    const stored = await env.ARCHIVE.get(`drafts/${uploaded.json.id}/${uploaded.json.sha256}`);
    const { properties } = await inspectArtifact(new Uint8Array((await stored?.arrayBuffer()) ?? new ArrayBuffer(0)));
    expect(properties).toMatchObject({
      title: 'Tiny Wings',
      author: 'Ana',
      modVersion: '1.0.0',
      notes: 'All of it.',
      tags: 'Wings',
      flags: '8192',
    });
    expect((await read(page)).releases).toEqual([]);
    expect((await call(`${page}/releases/${uploaded.json.id}/download`)).status).toBe(404);
  });

  it('publishes at once and is found by hash, download and catalog', async () => {
    const { author, page, releases } = await newProject();
    const uploaded = await upload(releases, author, { tag: '1.0.0', publish: 'true' }, distinctFile(), { image: testImage(7) });
    expect(uploaded.json, uploaded.text).toMatchObject({ state: 'published' });
    const { id, sha256 } = uploaded.json as Record<string, string>;
    expect((await read(page)).releases).toMatchObject([{ id, sha256 }]);
    expect((await call(`${page}/releases/${id}/download`)).status).toBe(200);
    const lookup = await call('/v1/mods/lookup', { method: 'POST', json: { hashes: [sha256] } });
    expect(JSON.parse(lookup.text).results[sha256 ?? ''].release.id).toBe(id);
    expect(uploaded.json.image_url).toBe(`https://api.test/v1/mods/images/${await hashOf(testImage(7))}`);
    expect((await call(new URL(String(uploaded.json.image_url)).pathname)).status).toBe(200);
  });

  it('names and stores a zip as it is', async () => {
    const { author, releases, slug } = await newProject();
    const zip = distinctZip();
    const uploaded = await upload(releases, author, { tag: '2/1' }, zip, { name: 'x.bin' });
    expect(uploaded.json).toMatchObject({ format: 'zip', filename: `${slug}-21.zip`, sha256: await hashOf(zip) });
    expect((await upload(releases, author, { tag: '3' }, new Uint8Array([1, 2, 3]), { name: 'x.zip' })).status).toBe(400);
  });

  it('returns 400 or 422 that names the field', async () => {
    const { author, releases } = await newProject();
    const broken = await upload(releases, author, { tag: '1' }, new Uint8Array([1, 2, 3]));
    expect([broken.status, broken.json.error.message]).toEqual([400, expect.stringContaining('body.file')]);
    for (const [field, value] of [
      ['tag', ' '],
      ['tag', 'x'.repeat(81)],
      ['publish', 'maybe'],
      ['changelog', 'x'.repeat(20_001)],
    ] as const) {
      const response = await upload(releases, author, { tag: '1', [field]: value });
      expect([response.status, response.json.error.details[0].loc], field).toEqual([422, ['body', field]]);
    }
    const noImage = await upload(releases, author, { tag: '1' }, distinctFile(), { image: new Uint8Array([1, 2]) });
    expect([noImage.status, noImage.json.error.message]).toEqual([400, expect.stringContaining('body.image')]);
  });

  it('continues with the stored release when the same upload is repeated', async () => {
    const { author, releases } = await newProject();
    const file = distinctFile();
    const first = await upload(releases, author, { tag: '1.0.0' }, file);
    const again = await upload(releases, author, { tag: '1.0.0', publish: 'true' }, file);
    expect(again.json).toMatchObject({ id: first.json.id, state: 'published' });
    expect((await upload(releases, author, { tag: '1.0.0' })).status).toBe(409);
  });

  it('returns 409 for a file of another handle', async () => {
    const { author, releases } = await newProject();
    const zip = distinctZip();
    await publish({}, { format: 'zip', artifact_base64: Buffer.from(zip).toString('base64') });
    expect((await upload(releases, author, { tag: '1' }, zip)).status).toBe(409);
  });

  it('bounds drafts and uploads of an account', async () => {
    const { author, releases } = await newProject();
    const now = freshInstant();
    for (let number = 0; number < 10; number += 1) {
      expect((await upload(releases, author, { tag: `1.${number}` }, distinctFile(), { now })).status).toBe(201);
    }
    const full = await upload(releases, author, { tag: '2' }, distinctFile(), { now });
    expect([full.status, full.json.error.message]).toEqual([409, expect.stringContaining('10 open drafts')]);
    await env.DB.prepare("UPDATE project_uses SET n = n + 48 WHERE user_id = ?1 AND name = 'uploads'").bind(author.userId).run();
    expect((await upload(releases, author, { tag: '2' }, distinctFile(), { now })).status).toBe(409);
    const limited = await upload(releases, author, { tag: '2' }, distinctFile(), { now });
    expect([limited.status, limited.headers.get('Retry-After')]).toEqual([429, expect.any(String)]);
  });
});

describe('POST /v1/publishing/{handle}/{slug}/releases/{id}/publish', () => {
  it('publishes a scheduled release when its time has come, once', async () => {
    const { author, page, releases } = await newProject();
    const now = freshInstant();
    const { json } = await upload(releases, author, { tag: '1' }, distinctFile(), { now });
    const at = new Date((now + 3600) * 1000).toISOString();
    const scheduled = await send('POST', `${releases}/${json.id}/publish`, author, { at }, { now });
    expect(scheduled.json, scheduled.text).toMatchObject({ state: 'scheduled', publish_at: at });

    await runAt(now + 3599);
    expect((await read(page)).releases).toEqual([]);
    await runAt(now + 3600);
    expect((await read(page)).releases).toMatchObject([{ id: json.id, published_at: at }]);
    expect(await countOf("SELECT count(*) AS n FROM outbox WHERE kind = 'mod-publication'")).toBe(0);
  });

  it('reschedules and cancels', async () => {
    const { author, page, releases } = await newProject();
    const now = freshInstant();
    const { json } = await upload(releases, author, { tag: '1' }, distinctFile(), { now });
    const timeOf = (seconds: number) => new Date((now + seconds) * 1000).toISOString();
    await send('POST', `${releases}/${json.id}/publish`, author, { at: timeOf(3600) }, { now });
    await send('POST', `${releases}/${json.id}/publish`, author, { at: timeOf(7200) }, { now });
    await runAt(now + 3600);
    expect((await read(page)).releases).toEqual([]);
    const cancelled = await send('POST', `${releases}/${json.id}/withdraw`, author, { reason: 'Not yet' }, { now: now + 3601 });
    expect(cancelled.json).toMatchObject({ state: 'draft', publish_at: null });
    await runAt(now + 7200);
    expect((await read(page)).releases).toEqual([]);
  });

  it('returns 400 for a time that is past or too far away', async () => {
    const { author, releases } = await newProject();
    const { json } = await upload(releases, author, { tag: '1' });
    for (const at of ['2020-01-01T00:00:00Z', '2100-01-01T00:00:00Z']) {
      expect((await send('POST', `${releases}/${json.id}/publish`, author, { at })).status).toBe(400);
    }
    expect((await send('POST', `${releases}/${json.id}/publish`, author, { at: 'soon' })).status).toBe(422);
  });

  it('queues one event for a public project and none for a private or silent release', async () => {
    const { author, releases, path } = await newProject('private');
    await upload(releases, author, { tag: '1', publish: 'true' });
    await upload(releases, author, { tag: '2', publish: 'true' });
    expect(await countOf('SELECT count(*) AS n FROM mod_releases WHERE announced_at IS NOT NULL')).toBe(0);
    expect((await send('PATCH', path, author, { visibility: 'public' })).json).toMatchObject({ visibility: 'public' });
    expect(await countOf('SELECT count(*) AS n FROM mod_releases WHERE announced_at IS NOT NULL')).toBe(2);
    await send('POST', `${releases}/${(await upload(releases, author, { tag: '3', silent: 'true' })).json.id}/publish`, author);
    expect(await announcements()).toBe(0);
  });

  it('does not publish a file that another handle published meanwhile', async () => {
    const { author, releases } = await newProject();
    const now = freshInstant();
    const zip = distinctZip();
    const { json } = await upload(releases, author, { tag: '1' }, zip, { now });
    await send('POST', `${releases}/${json.id}/publish`, author, { at: new Date((now + 60) * 1000).toISOString() }, { now });
    await publish({}, { format: 'zip', artifact_base64: Buffer.from(zip).toString('base64') });
    await runAt(now + 60);
    const [release] = (await send('GET', releases, author)).json.items as Record<string, unknown>[];
    expect(release).toMatchObject({ state: 'draft', publish_error: 'the file was already published by another handle' });
  });
});

describe('POST /v1/publishing/{handle}/{slug}/releases/{id}/withdraw', () => {
  it('takes the release back permanently', async () => {
    const { author, page, releases, path } = await newProject();
    const { json } = await upload(releases, author, { tag: '1', publish: 'true' });
    const withdrawn = await send('POST', `${releases}/${json.id}/withdraw`, author, { reason: ' Crashes ' });
    expect(withdrawn.json).toMatchObject({ state: 'withdrawn', withdraw_reason: 'Crashes' });
    expect((await read(page)).releases).toEqual([]);
    expect((await read(page)).last_release_at).toBeNull();
    expect((await call(`${page}/releases/${json.id}/download`)).status).toBe(404);
    const lookup = await call('/v1/mods/lookup', { method: 'POST', json: { hashes: [json.sha256] } });
    expect(JSON.parse(lookup.text).unknown).toEqual([json.sha256]);
    expect((await send('POST', `${releases}/${json.id}/publish`, author)).status).toBe(409);
    expect((await send('DELETE', `${releases}/${json.id}`, author)).status).toBe(409);
    expect((await upload(releases, author, { tag: '1' })).status).toBe(409);
    const audit = (await send('GET', `${path}/audit`, author)).json.items as { action: string; detail: string }[];
    expect(audit[0]).toMatchObject({ action: 'release_withdrawn', detail: '1 on main: Crashes' });
  });
});

describe('the image of a withdrawn release', () => {
  it('stays while another published release has it', async () => {
    const { author, releases } = await newProject();
    const options = { image: testImage(9) };
    const first = await upload(releases, author, { tag: '1', publish: 'true' }, distinctFile(), options);
    const second = await upload(releases, author, { tag: '2', publish: 'true' }, distinctFile(), options);
    const image = new URL(first.json.image_url).pathname;
    for (const [{ json }, status] of [
      [first, 200],
      [second, 404],
    ] as const) {
      await send('POST', `${releases}/${json.id}/withdraw`, author, { reason: 'Crashes' });
      expect((await call(image)).status).toBe(status);
    }
  });
});

describe('DELETE /v1/publishing/{handle}/{slug}/releases/{id}', () => {
  it('deletes a draft and frees its tag', async () => {
    const { author, releases } = await newProject();
    const { json } = await upload(releases, author, { tag: '1' });
    expect((await send('DELETE', `${releases}/${json.id}`, author)).status).toBe(204);
    expect((await send('DELETE', `${releases}/${json.id}`, author)).status).toBe(404);
    expect((await upload(releases, author, { tag: '1' })).status).toBe(201);
  });
});

describe('PATCH /v1/publishing/{handle}/{slug}/releases/{id}', () => {
  it('changes the texts of a draft and the header of its file', async () => {
    const { author, path, releases } = await newProject();
    const before = await upload(releases, author, { tag: '1' });
    const texts = { tag: ' 1.1 ', branch: 'beta', title: 'Better', changelog: 'Fixed.', silent: true };
    const { json, text } = await send('PATCH', `${releases}/${before.json.id}`, author, texts);
    expect(json, text).toMatchObject({ ...texts, tag: '1.1', id: before.json.id, state: 'draft' });
    expect(json.sha256).not.toBe(before.json.sha256);
    const stored = await env.ARCHIVE.get(`drafts/${json.id}/${json.sha256}`);
    const { properties } = await inspectArtifact(new Uint8Array((await stored?.arrayBuffer()) ?? new ArrayBuffer(0)));
    expect(properties).toMatchObject({ modVersion: '1.1', notes: 'Fixed.' });
    const [entry] = (await send('GET', `${path}/audit`, author)).json.items as { action: string; detail: string }[];
    expect(entry).toMatchObject({ action: 'draft_changed', detail: '1 on main: tag, branch, title, notes, silent' });
    expect((await send('PATCH', `${releases}/${json.id}`, author, { title: 'Better' })).json.sha256).toBe(json.sha256);
  });

  it('frees the old file and goes back to it', async () => {
    const { author, releases } = await newProject();
    const { json } = await upload(releases, author, { tag: '1' });
    await send('PATCH', `${releases}/${json.id}`, author, { changelog: 'Other.' });
    const back = await send('PATCH', `${releases}/${json.id}`, author, { changelog: '' });
    expect(back.json.sha256, back.text).toBe(json.sha256);
    await runAt(freshInstant() + 1);
    expect(await draftKeys()).toEqual([`drafts/${json.id}/${json.sha256}`]);
    const published = await send('POST', `${releases}/${json.id}/publish`, author);
    expect(published.json, published.text).toMatchObject({ state: 'published', sha256: json.sha256 });
  });

  it('returns 409 for a tag of another release and for a release that is not a draft', async () => {
    const { author, releases } = await newProject();
    await upload(releases, author, { tag: '1' });
    const { json } = await upload(releases, author, { tag: '2' });
    expect((await send('PATCH', `${releases}/${json.id}`, author, { tag: '1' })).status).toBe(409);
    expect((await send('PATCH', `${releases}/${json.id}`, author, { tag: '' })).status).toBe(422);
    await send('POST', `${releases}/${json.id}/publish`, author);
    const changed = await send('PATCH', `${releases}/${json.id}`, author, { title: 'x' });
    expect([changed.status, changed.json.error.message]).toEqual([409, 'only a draft can be changed']);
  });

  it('renames a zip and keeps its bytes', async () => {
    const { author, releases, slug } = await newProject();
    const zip = distinctZip();
    const { json } = await upload(releases, author, { tag: '1' }, zip);
    const renamed = await send('PATCH', `${releases}/${json.id}`, author, { tag: '2' });
    expect(renamed.json).toMatchObject({ filename: `${slug}-2.zip`, sha256: json.sha256 });
  });

  it('replaces and removes the image of a draft', async () => {
    const { author, releases } = await newProject();
    const { json } = await upload(releases, author, { tag: '1' }, distinctFile(), { image: testImage(40) });
    const image = { method: 'PUT', authorization: author.authorization, headers: { 'Content-Type': 'image/png' } };
    const replaced = await call(`${releases}/${json.id}/image`, { ...image, body: testImage(41) });
    expect(JSON.parse(replaced.text).image_url).toContain(await hashOf(testImage(41)));
    expect((await call(`${releases}/${json.id}/image`, { ...image, body: new Uint8Array([1]) })).status).toBe(400);
    expect((await send('DELETE', `${releases}/${json.id}/image`, author)).json.image_url).toBeNull();
    await runAt(freshInstant() + 1);
    expect(await draftKeys()).toEqual([`drafts/${json.id}/${json.sha256}`]);
  });
});

describe('files of drafts', () => {
  it('are deleted with their draft', async () => {
    const { author, releases } = await newProject();
    const { json } = await upload(releases, author, { tag: '1' }, distinctFile(), { image: testImage(50) });
    expect(await draftKeys()).toHaveLength(2);
    await send('DELETE', `${releases}/${json.id}`, author);
    await runAt(freshInstant() + 1);
    expect(await draftKeys()).toEqual([]);
    expect(await countOf("SELECT count(*) AS n FROM outbox WHERE kind = 'mod-draft-file'")).toBe(0);
  });

  it('are deleted with their project', async () => {
    const { author, releases, path } = await newProject('private');
    await upload(releases, author, { tag: '1' });
    expect((await send('DELETE', path.replace('/v1/publishing', '/projects'), author)).status).toBe(204);
    await runAt(freshInstant() + 1);
    expect(await draftKeys()).toEqual([]);
  });

  it('are deleted after an hour when the release was refused', async () => {
    const { author, releases, id } = await newProject();
    const now = freshInstant();
    // The trigger stands for a crash between the file and the row.
    await env.DB.exec(
      `CREATE TRIGGER refuse_release BEFORE INSERT ON mod_releases WHEN new.mod_id = ${id} BEGIN SELECT raise(ABORT, 'crash'); END`,
    );
    try {
      expect((await upload(releases, author, { tag: '1' }, distinctFile(), { now })).status).toBeGreaterThanOrEqual(400);
    } finally {
      await env.DB.exec('DROP TRIGGER refuse_release');
    }
    expect(await draftKeys()).toHaveLength(1);
    await runAt(now + 1);
    expect(await draftKeys()).toHaveLength(1);
    await runAt(now + 3600);
    expect(await draftKeys()).toEqual([]);
  });

  it('move to the public files when the release is published', async () => {
    const { author, releases } = await newProject();
    const { json } = await upload(releases, author, { tag: '1', publish: 'true' }, distinctFile(), { image: testImage(51) });
    expect(await env.ARCHIVE.head(`projects/${String(json.sha256).slice(0, 2)}/${json.sha256}`)).not.toBeNull();
    await runAt(freshInstant() + 1);
    expect(await draftKeys()).toEqual([]);
  });
});

describe('project texts and images', () => {
  it('changes texts and keeps the address', async () => {
    const { author, path, page } = await newProject();
    const changed = await send('PATCH', path, author, {
      title: 'Big Wings',
      summary: 'Big.',
      tags: ['GUI'],
      website_url: 'https://a.example',
    });
    expect(changed.json, changed.text).toMatchObject({ title: 'Big Wings', categories: ['GUI'], role: 'owner' });
    expect(await read(page)).toMatchObject({ title: 'Big Wings', summary: 'Big.', website_url: 'https://a.example' });
  });

  it('replaces and removes images', async () => {
    const { author, path } = await newProject();
    const image = { method: 'PUT', authorization: author.authorization, headers: { 'Content-Type': 'image/png' } };
    const banner = await call(`${path}/banner`, { ...image, body: testImage(1) });
    expect(JSON.parse(banner.text).banner_url).toContain(await hashOf(testImage(1)));
    expect((await call(`${path}/banner`, { ...image, body: new Uint8Array([1, 2, 3]) })).status).toBe(400);
    for (let number = 0; number < 8; number += 1) {
      expect((await call(`${path}/previews`, { ...image, method: 'POST', body: testImage(10 + number) })).status).toBe(200);
    }
    expect((await call(`${path}/previews`, { ...image, method: 'POST', body: testImage(30) })).status).toBe(409);
    const removed = await send('DELETE', `${path}/previews/${await hashOf(testImage(10))}`, author);
    expect(removed.json.preview_urls).toHaveLength(7);
    expect((await send('DELETE', `${path}/banner`, author)).json.banner_url).toBeNull();
  });
});

describe('GET /v1/publishing/{handle}/{slug}/downloads', () => {
  it('returns every day with its count', async () => {
    const { author, path, releases } = await newProject();
    const { json } = await upload(releases, author, { tag: '1', publish: 'true' });
    const now = freshInstant();
    const today = Math.floor(now / 86_400);
    const insertion = env.DB.prepare('INSERT INTO mod_downloads_daily (day, release_id, n) VALUES (?1, ?2, ?3)');
    await env.DB.batch([insertion.bind(today, json.id, 5), insertion.bind(today - 1, json.id, 2), insertion.bind(today - 40, json.id, 9)]);
    const { json: body } = await send('GET', `${path}/downloads?days=3`, author, undefined, { now });
    expect((body.items as { downloads: number }[]).map(({ downloads }) => downloads)).toEqual([0, 2, 5]);
    expect((await send('GET', `${path}/downloads?days=93`, author)).status).toBe(422);
  });
});

describe('a project key', () => {
  it('publishes a release in the name of its member', async () => {
    const { author, releases, path, ...project } = await newProject();
    const { secret } = await createProjectKey({ project });
    const uploaded = await upload(releases, { authorization: bearer(secret) }, { tag: '1', publish: 'true' });
    expect(uploaded.json, uploaded.text).toMatchObject({ state: 'published' });
    const audit = (await send('GET', `${path}/audit`, author)).json.items as { actor: string }[];
    expect(audit.map(({ actor }) => actor)).toContain(`${project.handle} (key pipeline)`);
    const keys = (await send('GET', path.replace('/v1/publishing', '/projects').concat('/keys'), author)).json.items as {
      last_used_at: string;
    }[];
    expect(keys[0]?.last_used_at).not.toBeNull();
  });

  it('is refused by every session of another project the same way', async () => {
    const { path } = await newProject();
    const other = await createSession();
    expect((await send('GET', path, { authorization: bearer(other.credential) })).status).toBe(404);
  });
});

describe('queue of publications', () => {
  const queued = () => countOf("SELECT count(*) AS n FROM outbox WHERE kind = 'mod-publication'");
  const at = (seconds: number) => ({ at: new Date(seconds * 1000).toISOString() });

  it('has one entry of a release however often it is rescheduled, and none after a cancellation', async () => {
    const { author, releases } = await newProject();
    const now = freshInstant();
    const { json } = await upload(releases, author, { tag: '1' }, distinctFile(), { now });
    for (let hours = 1; hours <= 5; hours++) {
      expect((await send('POST', `${releases}/${json.id}/publish`, author, at(now + hours * 3600), { now })).status).toBe(200);
    }
    expect(await queued()).toBe(1);
    expect((await send('POST', `${releases}/${json.id}/withdraw`, author, { reason: 'Later' }, { now })).status).toBe(200);
    expect(await queued()).toBe(0);
  });

  it('publishes all that is due in one run, the projects in turn', async () => {
    const [many, one] = [await newProject(), await newProject()];
    const now = freshInstant();
    const { json } = await upload(many.releases, many.author, { tag: '1' }, distinctFile(), { now });
    // More than one read of the queue selects, all due before the release of the other project.
    await env.DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 70)
       INSERT INTO outbox (kind, key, payload, next_try_at) SELECT 'mod-publication', ?1 || ':' || (?2 + i), '', ?2 + i FROM n`,
    )
      .bind(json.id, now)
      .run();
    const other = await upload(one.releases, one.author, { tag: '1' }, distinctFile(), { now });
    expect((await send('POST', `${one.releases}/${other.json.id}/publish`, one.author, at(now + 100), { now })).status).toBe(200);
    await runAt(now + 200);
    expect([await queued(), (await read(one.page)).releases.length]).toEqual([0, 1]);
  });
});
