import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { createProjectsStore } from '../../../../src/areas/mods-catalog/publishing/projects.store.ts';
import { composeApp } from '../../../../src/composition.ts';
import { createDatabase } from '../../../../src/platform/storage/database.ts';
import { createProject, createProjectKey } from '../../../support/projects.ts';
import { bearer, freshInstant } from '../../../support/requests.ts';
import { FAR_AWAY } from '../../../support/sessions.ts';
import { createSuperuserToken } from '../../../support/tokens.ts';
import { communityEntry } from '../../../support/upstreams/mods-catalog.ts';
import { upstreamSession } from '../../../support/upstreams/session.ts';
import { testApp } from '../../platform/test-app.ts';
import { clearCatalog, publish, read } from '../catalog.ts';
import { type Author, join, newAuthor, send, upload } from './authors.ts';

beforeEach(clearCatalog);

const superuser = async () => ({ authorization: bearer(await createSuperuserToken()) });
const create = (author: Author, fields: Record<string, unknown>) =>
  send('POST', '/projects', author, { handle: 'cleo', title: 'Tiny Wings', ...fields });

describe('POST /projects', () => {
  it('creates private projects and registers the handle', async () => {
    const author = await newAuthor();
    const first = await create(author, { title: 'Été & Co!' });
    expect(first.status, first.text).toBe(201);
    expect(first.json).toMatchObject({ handle: 'cleo', slug: 't-co', visibility: 'private', role: 'owner', is_stray: false });
    expect((await create(author, { title: '!!!' })).json.slug).toBe('mod');
    expect((await create(author, { title: '!!!' })).json.slug).toBe('mod-2');
    const listed = await send('GET', '/projects', author);
    expect(listed.json).toMatchObject({ handles: ['cleo'] });
    expect((listed.json.items as unknown[]).length).toBe(3);
    expect((await read('/v1/mods')).items).toEqual([]);
  });

  it('refuses reserved, taken and existing handles', async () => {
    const author = await newAuthor();
    await create(author, {});
    await publish({ handle: 'ana' });
    const other = await newAuthor();
    expect((await create(other, {})).status).toBe(409);
    expect((await create(other, { handle: 'ana' })).status).toBe(409);
    for (const handle of ['stray', 'admin', 'insert', 'x', 'a b']) {
      const refused = await create(other, { handle });
      expect([refused.status, refused.json.error.message], handle).toEqual([400, expect.stringContaining('body.handle')]);
    }
  });

  it('never gives the handle of a deleted account to another', async () => {
    const author = await newAuthor();
    await create(author, {});
    await createProjectsStore(createDatabase(env.DB)).deleteAccountData(author.userId);
    expect((await create(await newAuthor(), {})).status).toBe(409);
  });

  it('bounds the handles of an account', async () => {
    const author = await newAuthor();
    for (let number = 0; number < 5; number += 1) expect((await create(author, { handle: `cleo${number}` })).status).toBe(201);
    expect((await create(author, { handle: 'cleo5' })).status).toBe(409);
  });

  it('returns 403 without a verified email address', async () => {
    expect((await create(await newAuthor({ isVerified: false }), {})).json.error.code).toBe('email_unverified');
  });
});

describe('DELETE /projects/{handle}/{slug}', () => {
  it('deletes a project that never published, with its keys', async () => {
    const author = await newAuthor();
    const project = await createProject({ userId: author.userId });
    const { secret } = await createProjectKey({ project, expiresAt: FAR_AWAY });
    await upload(`${project.path}/releases`, author, { tag: '1' });
    const path = `/projects/${project.handle}/${project.slug}`;
    expect((await send('DELETE', path, author)).status).toBe(204);
    expect((await send('DELETE', path, author)).status).toBe(404);
    expect((await send('GET', project.path, { authorization: bearer(secret) })).status).toBe(403);
    const published = await createProject({ userId: author.userId });
    await upload(`${published.path}/releases`, author, { tag: '1', publish: 'true' });
    expect((await send('DELETE', `/projects/${published.handle}/${published.slug}`, author)).status).toBe(409);
  });
});

describe('members', () => {
  it('keeps an owner', async () => {
    const owner = await newAuthor();
    const project = await createProject({ userId: owner.userId });
    const members = `/projects/${project.handle}/${project.slug}/members`;
    expect((await send('POST', members, owner, { handle: project.handle, role: 'author' })).status).toBe(409);
    const other = await newAuthor();
    const { handle } = await createProject({ userId: other.userId });
    await join(project, owner, other, handle, 'owner');
    const added = await send('GET', members, owner);
    expect((added.json.items as { role: string }[]).map(({ role }) => role)).toEqual(['owner', 'owner']);
    expect((await send('DELETE', `${members}/${project.handle}`, owner)).status).toBe(200);
    expect((await send('POST', members, other, { handle: 'nobody-at-all', role: 'author' })).status).toBe(400);
  });
});

describe('claims', () => {
  it('gives a mod and its handle to a confirmed claim', async () => {
    await publish({ handle: 'ana' });
    const author = await newAuthor();
    const claim = await send('POST', '/mod-claims', author, { mod: 'Ana/Tiny-Wings', note: 'It is me' });
    expect(claim.status, claim.text).toBe(201);
    expect(claim.json).toMatchObject({ handle: 'ana', state: 'pending', code: null });
    expect((await send('POST', '/mod-claims', author, { mod: 'ana/tiny-wings' })).status).toBe(409);
    const other = await newAuthor();
    const rival = await send('POST', '/mod-claims', other, { mod: 'ana/tiny-wings' });
    const open = await send('GET', '/admin/mod-claims', await superuser());
    expect((open.json.items as unknown[]).length).toBe(2);
    const confirm = `/admin/mod-claims/${claim.json.id}/confirm`;
    const confirmed = await send('POST', confirm, await superuser());
    expect(confirmed.json, confirmed.text).toMatchObject({ state: 'confirmed' });
    expect((await send('POST', confirm, await superuser())).status).toBe(200);
    expect((await send('GET', '/v1/publishing/ana/tiny-wings', author)).json).toMatchObject({ role: 'owner' });
    expect((await create(author, { handle: 'ana', title: 'More' })).status).toBe(201);
    expect((await send('GET', '/mod-claims', other)).json.items).toMatchObject([{ id: rival.json.id, state: 'rejected' }]);
    expect((await send('POST', '/mod-claims', other, { mod: 'ana/tiny-wings' })).status).toBe(409);
    const mails = await env.DB.prepare('SELECT subject, text FROM mail_outbox WHERE id = ?1').bind(claim.json.id).all();
    expect(mails.results).toMatchObject([{ text: expect.stringContaining('you are its owner') }]);
  });

  it('confirms a claim whose code is in the description in the linked catalog', async () => {
    const session = upstreamSession('mods-catalog');
    const fetch = testApp({ bindings: session.vars });
    await publish({ handle: 'ana' });
    await env.DB.prepare("UPDATE mods SET source_id = '1' WHERE handle = 'ana'").run();
    const author = await newAuthor();
    const now = freshInstant();
    const claim = await send('POST', '/mod-claims', author, { mod: 'ana/tiny-wings' }, { now }, fetch);
    const verify = (at = now) => send('POST', `/mod-claims/${claim.json.id}/verify`, author, undefined, { now: at }, fetch);
    const listed = (description: string, id = 1) => session.order({ state: { mods: [communityEntry(id, 'Any', { description })] } });
    await listed(`Mine: ${claim.json.code}`, 2);
    expect((await verify()).json).toMatchObject({ state: 'pending', check: 'code_not_found' });
    await listed(`Mine: ${claim.json.code}`);
    expect((await verify(now + 8 * 86_400)).json).toMatchObject({ state: 'pending', check: 'code_expired' });
    const stranger = await newAuthor();
    expect((await send('POST', `/mod-claims/${claim.json.id}/verify`, stranger, undefined, { now }, fetch)).status).toBe(404);
    expect((await verify()).json).toMatchObject({ state: 'confirmed', check: 'confirmed' });
    expect((await send('GET', '/v1/publishing/ana/tiny-wings', author)).json).toMatchObject({ role: 'owner' });
  });

  it('rejects with a reason', async () => {
    await publish({ handle: 'ana' });
    const author = await newAuthor();
    const claim = await send('POST', '/mod-claims', author, { mod: 'ana/tiny-wings' });
    const reject = `/admin/mod-claims/${claim.json.id}/reject`;
    expect((await send('POST', reject, await superuser(), { reason: ' ' })).status).toBe(422);
    expect((await send('POST', reject, await superuser(), { reason: 'No proof' })).json).toMatchObject({
      state: 'rejected',
      reason: 'No proof',
    });
    expect((await send('POST', `/admin/mod-claims/${claim.json.id}/confirm`, await superuser())).status).toBe(409);
    expect((await send('GET', '/v1/publishing/ana/tiny-wings', author)).status).toBe(404);
  });

  it('moves an unclaimed mod to the handle of the account, with its file and its forks', async () => {
    const { release } = await publish({ handle: 'stray', title: 'Old Wings' });
    await publish({ handle: 'bob', title: 'Fork', forked_from: 'stray/old-wings' });
    await env.DB.prepare("UPDATE mods SET is_stray = 1 WHERE handle = 'stray'").run();
    const author = await newAuthor();
    expect((await send('POST', '/mod-claims', author, { mod: 'stray/old-wings' })).status).toBe(400);
    const claim = await send('POST', '/mod-claims', author, { mod: 'stray/old-wings', handle: 'dora' });
    await send('POST', `/admin/mod-claims/${claim.json.id}/confirm`, await superuser());
    expect(await read('/v1/mods/dora/old-wings')).toMatchObject({ is_stray: false, fork_count: 1, releases: [{ id: release.id }] });
    expect((await read('/v1/mods?author=dora')).items).toMatchObject([{ slug: 'old-wings' }]);
    expect((await read('/v1/mods?author=stray')).items).toEqual([]);
    const owner = await send('GET', `/admin/mod-files/${release.sha256}`, await superuser());
    expect(owner.json).toMatchObject({ owner: null, public_handles: ['dora'] });
  });

  it('refuses a mod that was uploaded on behalf of its creator, a hidden one and a sixth claim', async () => {
    await publish({ handle: 'ana', uploaded_on_behalf: true });
    await publish({ handle: 'bea', visibility: 'unlisted' });
    const author = await newAuthor();
    expect((await send('POST', '/mod-claims', author, { mod: 'ana/tiny-wings' })).status).toBe(409);
    expect((await send('POST', '/mod-claims', author, { mod: 'bea/tiny-wings' })).status).toBe(404);
    for (let number = 0; number < 6; number += 1) await publish({ handle: 'eve', title: `Mod ${number}` });
    for (let number = 0; number < 5; number += 1) {
      expect((await send('POST', '/mod-claims', author, { mod: `eve/mod-${number}` })).status).toBe(201);
    }
    expect((await send('POST', '/mod-claims', author, { mod: 'eve/mod-5' })).status).toBe(409);
  });
});

describe('moderation', () => {
  it('mails the reason to the members and writes it into the audit trail', async () => {
    const author = await newAuthor();
    const project = await createProject({ userId: author.userId, visibility: 'public' });
    await upload(`${project.path}/releases`, author, { tag: '1', publish: 'true' });
    const path = `/admin/mods/${project.handle}/${project.slug}`;
    expect((await send('POST', `${path}/take-down`, await superuser(), { reason: 'Malware' })).status).toBe(200);
    expect((await send('GET', project.path, author)).json).toMatchObject({ is_taken_down: true });
    const draft = await upload(`${project.path}/releases`, author, { tag: '2' });
    expect((await send('POST', `${project.path}/releases/${draft.json.id}/publish`, author)).status).toBe(409);
    expect((await send('POST', `${path}/approve`, await superuser())).status).toBe(200);
    const audit = (await send('GET', `${project.path}/audit`, author)).json.items as { actor: string; action: string; detail: string }[];
    expect(audit.filter(({ actor }) => actor === 'moderator')).toMatchObject([
      { action: 'mod_restored' },
      { action: 'mod_taken_down', detail: 'Malware' },
    ]);
    const mails = await env.DB.prepare('SELECT text FROM mail_outbox WHERE recipient = ?1 ORDER BY rowid')
      .bind(`${author.userId}@example.com`)
      .all();
    expect(mails.results).toMatchObject([{ text: expect.stringContaining('Malware') }, {}]);
  });

  it('notes and mails each of two decisions at once once', async () => {
    const author = await newAuthor();
    const project = await createProject({ userId: author.userId, visibility: 'public' });
    const path = `/admin/mods/${project.handle}/${project.slug}`;
    const moderator = await superuser();
    const entries = async () =>
      ((await send('GET', `${project.path}/audit`, author)).json.items as { action: string }[]).map(({ action }) => action);
    await Promise.all([1, 2, 3].map((number) => send('POST', `${path}/take-down`, moderator, { reason: `Reason ${number}` })));
    expect(await entries()).toEqual(['mod_taken_down']);
    await Promise.all([1, 2, 3].map(() => send('POST', `${path}/approve`, moderator)));
    expect(await entries()).toEqual(['mod_restored', 'mod_taken_down']);
    const [mails] = (
      await env.DB.prepare('SELECT count(*) AS n FROM mail_outbox WHERE recipient = ?1').bind(`${author.userId}@example.com`).all()
    ).results;
    expect(mails).toEqual({ n: 2 });
  });

  it('notes the end of a key once when several members end it at once', async () => {
    const author = await newAuthor();
    const project = await createProject({ userId: author.userId });
    const keys = `/projects/${project.handle}/${project.slug}/keys`;
    const { json } = await send('POST', keys, author, { name: 'ci', expires_in_days: 30 });
    const ended = await Promise.all([1, 2, 3].map(() => send('DELETE', `${keys}/${json.id}`, author)));
    expect(ended.map(({ status }) => status)).toEqual([200, 200, 200]);
    const { items } = (await send('GET', `${project.path}/audit`, author)).json as { items: { action: string }[] };
    expect(items.filter(({ action }) => action === 'key_ended')).toHaveLength(1);
  });
});

describe('account data', () => {
  it('exports and deletes handles, projects, claims and keys', async () => {
    const author = await newAuthor();
    const project = await createProject({ userId: author.userId });
    await createProjectKey({ project, expiresAt: FAR_AWAY });
    await publish({ handle: 'ana' });
    await send('POST', '/mod-claims', author, { mod: 'ana/tiny-wings', note: 'Mine' }, { now: freshInstant() });
    const { service } = composeApp(env);
    const exported = Object.assign({}, ...(await Promise.all(service.accountData().map((data) => data.export?.(author.userId)))));
    expect(exported).toMatchObject({
      mod_handles: [{ handle: project.handle }],
      mod_projects: [{ slug: project.slug, role: 'owner' }],
      mod_claims: [{ note: 'Mine' }],
      mod_project_keys: [{ name: 'pipeline' }],
    });
    expect(JSON.stringify(exported)).not.toContain('hashed');
    for (const data of service.accountData()) await data.delete?.(author.userId);
    for (const table of ['project_members', 'project_claims', 'project_keys']) {
      expect((await env.DB.prepare(`SELECT count(*) AS n FROM ${table}`).first<{ n: number }>())?.n, table).toBe(0);
    }
    expect(await env.DB.prepare('SELECT user_id FROM project_handles').first()).toEqual({ user_id: null });
  });
});
