import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { createPublishingAccess } from '../../../../src/areas/mods-catalog/publishing/access.service.ts';
import { createDatabase } from '../../../../src/platform/storage/database.ts';
import { DEFAULT_SETTINGS, fixedSettings } from '../../../support/declarations.ts';
import { createProject } from '../../../support/projects.ts';
import { bearer, freshInstant } from '../../../support/requests.ts';
import { createSession } from '../../../support/sessions.ts';
import { createSuperuserToken } from '../../../support/tokens.ts';
import { clearCatalog } from '../catalog.ts';
import { type Author, newAuthor, send, upload } from './authors.ts';

beforeEach(clearCatalog);

/** An account without an approval. */
async function stranger(): Promise<Author> {
  const { userId, credential } = await createSession();
  return { userId, authorization: bearer(credential) };
}

const superuser = async () => ({ authorization: bearer(await createSuperuserToken()) });
const create = (author: Author) =>
  send('POST', '/projects', author, { handle: `h-${author.userId.slice(0, 12).toLowerCase()}`, title: 'Wings' });
const mailsTo = async (author: Author) =>
  (await env.DB.prepare('SELECT text FROM mail_outbox WHERE recipient = ?1 ORDER BY rowid').bind(`${author.userId}@example.com`).all())
    .results;

describe('publishing_access = approved', () => {
  it('is the default', () => {
    expect(DEFAULT_SETTINGS.publishingAccess).toBe('approved');
  });

  it('lets an account publish after a superuser approved its only request, with mails both ways', async () => {
    const author = await stranger();
    const refused = await create(author);
    expect([refused.status, refused.json.error]).toMatchObject([403, { code: 'forbidden', hint: expect.stringContaining('ask') }]);
    const asked = await send('POST', '/publishing-access', author, { note: 'My wings' });
    expect([asked.status, asked.json]).toEqual([201, { mode: 'approved', is_allowed: false, state: 'pending', reason: null }]);
    const admin = await superuser();
    expect((await send('POST', '/publishing-access', author, { note: 'Again' })).status).toBe(409);
    expect((await create(author)).status).toBe(403);
    const { items } = (await send('GET', '/admin/publishing/access', admin)).json as { items: { user_id: string }[] };
    expect(items).toMatchObject([{ user_id: author.userId, note: 'My wings', email: `${author.userId}@example.com` }]);
    const path = `/admin/publishing/access/${author.userId}`;
    expect((await send('POST', `${path}/approve`, admin)).json).toMatchObject({ is_allowed: true, state: 'approved' });
    expect((await send('POST', `${path}/approve`, admin)).status).toBe(200);
    expect(await mailsTo(author)).toMatchObject([{ text: expect.stringContaining('may publish') }]);
    expect((await create(author)).status).toBe(201);
  });

  it('mails the superusers about a request', async () => {
    await superuser();
    const author = await stranger();
    const count = async () =>
      (await env.DB.prepare("SELECT count(*) AS n FROM mail_outbox WHERE subject LIKE '%: request to publish'").first<{ n: number }>())
        ?.n ?? 0;
    const before = await count();
    await send('POST', '/publishing-access', author, {});
    expect(await count()).toBeGreaterThan(before);
  });

  it('refuses every write of an account whose approval was withdrawn, and its scheduled release', async () => {
    const author = await newAuthor();
    const project = await createProject({ userId: author.userId, visibility: 'public' });
    const { json } = await upload(`${project.path}/releases`, author, { tag: '1' });
    const now = freshInstant();
    const at = new Date((now + 60) * 1000).toISOString();
    await send('POST', `${project.path}/releases/${json.id}/publish`, author, { at }, { now });
    const rejected = await send('POST', `/admin/publishing/access/${author.userId}/reject`, await superuser(), { reason: 'Spam' });
    expect(rejected.json).toMatchObject({ state: 'rejected', reason: 'Spam' });
    const writes = [
      await create(author),
      await send('PATCH', project.path, author, { summary: 'x' }),
      await upload(`${project.path}/releases`, author, { tag: '2' }),
      await send('POST', `${project.path}/releases/${json.id}/publish`, author),
      await send('POST', `/projects/${project.handle}/${project.slug}/keys`, author, { name: 'ci' }),
      await send('POST', '/mod-claims', author, { mod: 'a/b' }),
    ];
    expect(writes.map(({ status }) => status)).toEqual(writes.map(() => 403));
    const withdrawn = await send('POST', `${project.path}/releases/${json.id}/withdraw`, author, { reason: 'Not now' });
    expect(withdrawn.json).toMatchObject({ state: 'draft' });
  });

  it('refuses a scheduled release while every owner of the project is suspended', async () => {
    const author = await newAuthor();
    await createProject({ userId: author.userId, visibility: 'public' });
    const [mod] = (await env.DB.prepare('SELECT id FROM mods ORDER BY id DESC LIMIT 1').all<{ id: number }>()).results;
    const modId = mod?.id ?? 0;
    const problemIn = (publishingAccess: 'approved' | 'open') =>
      createPublishingAccess({
        db: createDatabase(env.DB),
        settings: { current: async () => ({ ...DEFAULT_SETTINGS, publishingAccess }) },
      } as unknown as Parameters<typeof createPublishingAccess>[0]).problemOf(modId);
    expect([await problemIn('approved'), await problemIn('open')]).toEqual([null, null]);
    await send('POST', `/admin/users/${author.userId}/suspend`, await superuser(), { reason: 'Malware' });
    expect(await problemIn('approved')).toContain('no owner');
    expect(await problemIn('open')).toContain('no owner');
    await send('POST', `/admin/users/${author.userId}/end-suspension`, await superuser(), {});
    expect(await problemIn('approved')).toBeNull();
  });

  it('fails the write when the approval is withdrawn meanwhile', async () => {
    const author = await newAuthor();
    const [created] = await Promise.all([
      create(author),
      env.DB.prepare("UPDATE project_access SET state = 'rejected' WHERE user_id = ?1").bind(author.userId).run(),
    ]);
    const { n } = (await env.DB.prepare('SELECT count(*) AS n FROM mods').first<{ n: number }>()) ?? { n: 0 };
    expect([201, 403, 409]).toContain(created.status);
    expect(n).toBe(created.status === 201 ? 1 : 0);
  });
});

describe('the other values of publishing_access', () => {
  it('let every verified account publish, or none', async () => {
    const { userId } = await stranger();
    const accessWith = (publishingAccess: 'open' | 'closed') => {
      const mailer = { compose: () => expect.unreachable(), send: async () => {} };
      return createPublishingAccess({
        db: createDatabase(env.DB),
        settings: fixedSettings({ publishingAccess }),
        mailer,
        superusers: async () => [],
        appName: 'Test',
        portalUrl: '',
      });
    };
    const project = await createProject();
    const [open, closed] = [accessWith('open'), accessWith('closed')];
    expect(await open.admit(userId, project.id)).toEqual([]);
    expect([await open.problemOf(project.id), await closed.problemOf(project.id)]).toEqual([null, 'publishing is closed']);
    await expect(closed.admit(userId, project.id)).rejects.toMatchObject({ code: 'forbidden', message: 'publishing is closed' });
    await expect(closed.request(userId, '', { now: 1, baseUrl: '' })).rejects.toMatchObject({ code: 'conflict' });
    expect([(await open.find(userId)).isAllowed, (await closed.find(userId)).isAllowed]).toEqual([true, false]);
  });
});
