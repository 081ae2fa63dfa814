import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { composeApp } from '../../../../src/composition.ts';
import { createProject, createProjectKey } from '../../../support/projects.ts';
import { bearer, freshInstant } from '../../../support/requests.ts';
import { FAR_AWAY } from '../../../support/sessions.ts';
import { createSuperuserToken } from '../../../support/tokens.ts';
import { clearCatalog, read } from '../catalog.ts';
import { type Author, distinctFile, join, newAuthor, send, upload } from './authors.ts';

beforeEach(clearCatalog);

const DAY = 86_400;
type Project = Awaited<ReturnType<typeof createProject>>;

/** SQL that selects ids. */
const selectIds = (ids: readonly number[]) => `SELECT value FROM json_each('${JSON.stringify(ids)}')`;

/** An account with a project of its own. */
async function newOwner(visibility: 'public' | 'private' = 'private') {
  const author = await newAuthor();
  const project = await createProject({ userId: author.userId, visibility });
  return { author, project, handle: project.handle, members: `/projects/${project.handle}/${project.slug}/members` };
}

const invitationsOf = async (author: Author, now?: number) =>
  (await send('GET', '/mod-invitations', author, undefined, now === undefined ? {} : { now })).json.items as { id: string; role: string }[];

const decide = (author: Author, id: string | undefined, decision: string, now = freshInstant()) =>
  send('POST', `/mod-invitations/${id}/${decision}`, author, undefined, { now });

async function invite(
  owner: Awaited<ReturnType<typeof newOwner>>,
  invited: Awaited<ReturnType<typeof newOwner>>,
  role = 'author',
  now = freshInstant(),
) {
  const response = await send('POST', owner.members, owner.author, { handle: invited.handle, role }, { now });
  expect(response.status, response.text).toBe(200);
  return (await invitationsOf(invited.author, now)).at(-1);
}

describe('POST /projects/{handle}/{slug}/members', () => {
  it('makes nobody a member before the account accepts', async () => {
    const [owner, other] = [await newOwner(), await newOwner()];
    const invitation = await invite(owner, other, 'owner');
    const listed = await send('GET', owner.members, owner.author);
    expect(listed.json).toMatchObject({
      items: [{ handle: owner.handle }],
      invitations: [{ handle: other.handle, role: 'owner', invited_by: owner.handle }],
    });
    expect((await send('GET', owner.project.path, other.author)).status).toBe(404);
    expect((await send('GET', '/projects', other.author)).json.items).toHaveLength(1);
    expect(await invitationsOf(other.author)).toMatchObject([{ mod: `${owner.handle}/${owner.project.slug}`, title: '', role: 'owner' }]);
    expect((await decide(other.author, invitation?.id, 'accept')).status).toBe(200);
    expect((await send('GET', owner.project.path, other.author)).json).toMatchObject({ role: 'owner' });
    expect(await invitationsOf(other.author)).toEqual([]);
  });

  it('makes an author an owner only when it accepts, and an owner an author at once', async () => {
    const [owner, other] = [await newOwner(), await newOwner()];
    await join(owner.project, owner.author, other.author, other.handle);
    await send('POST', owner.members, owner.author, { handle: other.handle, role: 'owner' });
    expect((await send('GET', owner.project.path, other.author)).json).toMatchObject({ role: 'author' });
    const [invitation] = await invitationsOf(other.author);
    await decide(other.author, invitation?.id, 'accept');
    expect((await send('GET', owner.project.path, other.author)).json).toMatchObject({ role: 'owner' });
    expect((await send('POST', owner.members, owner.author, { handle: other.handle, role: 'author' })).status).toBe(200);
    expect((await send('GET', owner.project.path, other.author)).json).toMatchObject({ role: 'author' });
  });

  it('returns 409 for a second invitation of the account', async () => {
    const [owner, other] = [await newOwner(), await newOwner()];
    await invite(owner, other);
    expect((await send('POST', owner.members, owner.author, { handle: other.handle, role: 'owner' })).status).toBe(409);
  });

  it('bounds the open invitations of an account', async () => {
    const [owner, other, third] = [await newOwner(), await newOwner(), await newOwner()];
    const authorization = bearer(await createSuperuserToken());
    await send('PUT', `/admin/publishing/allowances/${owner.author.userId}`, { authorization }, { invitations: 1 });
    const answers = await Promise.all(
      [other, third].map(({ handle }) => send('POST', owner.members, owner.author, { handle, role: 'author' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const { invitations } = (await send('GET', owner.members, owner.author)).json as { invitations: { handle: string }[] };
    expect((await send('DELETE', `${owner.members}/${invitations[0]?.handle}`, owner.author)).status).toBe(200);
    await invite(owner, third);
  });
});

describe('an invitation', () => {
  it('can be declined, and gives no access', async () => {
    const [owner, other] = [await newOwner(), await newOwner()];
    const invitation = await invite(owner, other);
    expect((await decide(other.author, invitation?.id, 'decline')).status).toBe(200);
    expect((await decide(other.author, invitation?.id, 'accept')).status).toBe(404);
    expect((await send('GET', owner.project.path, other.author)).status).toBe(404);
    expect((await send('GET', owner.members, owner.author)).json).toMatchObject({ invitations: [] });
  });

  it('can be withdrawn by an owner', async () => {
    const [owner, other] = [await newOwner(), await newOwner()];
    const invitation = await invite(owner, other);
    expect((await send('DELETE', `${owner.members}/${other.handle}`, owner.author)).json).toMatchObject({ invitations: [] });
    expect((await decide(other.author, invitation?.id, 'accept')).status).toBe(404);
  });

  it('belongs to the invited account alone', async () => {
    const [owner, other, stranger] = [await newOwner(), await newOwner(), await newOwner()];
    const invitation = await invite(owner, other);
    for (const decision of ['accept', 'decline']) expect((await decide(stranger.author, invitation?.id, decision)).status).toBe(404);
  });

  it('ends after 14 days, and can then be sent again', async () => {
    const [owner, other] = [await newOwner(), await newOwner()];
    const now = freshInstant();
    const invitation = await invite(owner, other, 'author', now);
    expect((await decide(other.author, invitation?.id, 'accept', now + 14 * DAY + 1)).status).toBe(404);
    expect(await invite(owner, other, 'author', now + 14 * DAY + 1)).toMatchObject({ role: 'author' });
  });

  it('ends when the owner who sent it leaves', async () => {
    const [owner, second, other] = [await newOwner(), await newOwner(), await newOwner()];
    await join(owner.project, owner.author, second.author, second.handle, 'owner');
    const invitation = await invite(owner, other);
    expect((await send('DELETE', `${owner.members}/${owner.handle}`, second.author)).status).toBe(200);
    expect((await decide(other.author, invitation?.id, 'accept')).status).toBe(404);
  });

  it('is accepted once by parallel requests', async () => {
    const [owner, other] = [await newOwner(), await newOwner()];
    const invitation = await invite(owner, other);
    const answers = await Promise.all(['accept', 'accept', 'decline'].map((decision) => decide(other.author, invitation?.id, decision)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const { items } = (await send('GET', `${owner.project.path}/audit`, owner.author)).json as { items: { action: string }[] };
    expect(items.filter(({ action }) => action === 'member_joined' || action === 'invitation_declined')).toHaveLength(1);
  });

  it('is decided by its mailed link until the password of the account changes', async () => {
    const [owner, other] = [await newOwner(), await newOwner()];
    const tokenOf = async (id: string | undefined) => {
      const mail = await env.DB.prepare('SELECT text FROM mail_outbox WHERE id = ?1').bind(id).first<{ text: string }>();
      return /\/portal\/invitation#token=(\S+)/.exec(mail?.text ?? '')?.[1] ?? '';
    };
    const byLink = (token: string, decision: string) =>
      send('POST', '/mod-invitations/by-link', { authorization: '' }, { token, decision });
    const first = await invite(owner, other);
    const token = await tokenOf(first?.id);
    expect((await byLink(`${token}x`, 'accept')).status).toBe(400);
    expect((await byLink(token, 'decline')).status).toBe(200);
    expect((await byLink(token, 'accept')).status).toBe(400);
    const second = await invite(owner, other);
    await env.DB.prepare('UPDATE users SET token_version = token_version + 1 WHERE id = ?1').bind(other.author.userId).run();
    expect((await byLink(await tokenOf(second?.id), 'accept')).status).toBe(400);
    await env.DB.prepare('UPDATE users SET token_version = token_version - 1 WHERE id = ?1').bind(other.author.userId).run();
    expect((await byLink(await tokenOf(second?.id), 'accept')).json).toMatchObject({ handle: other.handle, role: 'author' });
    expect((await send('GET', owner.project.path, other.author)).json).toMatchObject({ role: 'author' });
  });
});

describe('the projects of an account', () => {
  const FORTY_NINE_IDS = selectIds(Array.from({ length: 49 }, (_, id) => 1_000_000 + id));

  it('do not include memberships in projects of others', async () => {
    const [owner, other] = [await newOwner(), await newOwner()];
    const { userId } = owner.author;
    // 49 projects of others, of which the account is an owner.
    await env.DB.batch([
      env.DB.prepare(`INSERT INTO project_members SELECT value, ?1, 'x', 'owner', 1 FROM (${FORTY_NINE_IDS})`).bind(userId),
      env.DB.prepare(`INSERT INTO project_accounts SELECT value, ?1 FROM (${FORTY_NINE_IDS})`).bind(other.author.userId),
    ]);
    await join(other.project, other.author, owner.author, owner.handle, 'owner');
    const created = await send('POST', '/projects', owner.author, { handle: owner.handle, title: 'Mine' });
    expect(created.status, created.text).toBe(201);
    const third = await newOwner();
    const invitation = await invite(third, owner);
    expect((await decide(owner.author, invitation?.id, 'accept')).status).toBe(409);
  });

  it('are at most 50', async () => {
    const owner = await newOwner();
    await env.DB.prepare(`INSERT INTO project_accounts SELECT value, ?1 FROM (${FORTY_NINE_IDS})`).bind(owner.author.userId).run();
    expect((await send('POST', '/projects', owner.author, { handle: owner.handle, title: 'Mine' })).status).toBe(409);
  });
});

describe('a project whose last owner leaves', () => {
  async function orphan() {
    const owner = await newOwner('public');
    const author = await newOwner();
    const { project } = owner;
    await join(project, owner.author, author.author, author.handle);
    const release = await upload(`${project.path}/releases`, owner.author, { tag: '1', publish: 'true' }, distinctFile());
    const scheduled = await upload(`${project.path}/releases`, owner.author, { tag: '2' }, distinctFile());
    const now = freshInstant();
    const at = new Date((now + 3600) * 1000).toISOString();
    await send('POST', `${project.path}/releases/${scheduled.json.id}/publish`, owner.author, { at }, { now });
    const { secret } = await createProjectKey({ project, expiresAt: FAR_AWAY });
    const left = await send('DELETE', `${owner.members}/${owner.handle}`, owner.author);
    expect(left.status, left.text).toBe(200);
    return { owner, author, project, release, scheduled, key: { authorization: bearer(secret) } };
  }
  const superuser = async () => ({ authorization: bearer(await createSuperuserToken()) });
  const publicMod = ({ handle, slug }: Project) => read(`/v1/mods/${handle}/${slug}`);

  it('is hidden from its members and keys, and stays visible to everyone', async () => {
    const { owner, author, project, key, scheduled } = await orphan();
    for (const client of [owner.author, author.author]) expect((await send('GET', project.path, client)).status).toBe(404);
    expect((await send('GET', project.path, key)).status).toBe(403);
    expect((await send('GET', '/projects', author.author)).json.items).toHaveLength(1);
    expect((await publicMod(project)).releases).toHaveLength(1);
    const { publish_at: at } =
      (await env.DB.prepare('SELECT publish_at FROM mod_releases WHERE id = ?1').bind(scheduled.json.id).first()) ?? {};
    expect(at).toBeNull();
  });

  it('still counts for the account that left', async () => {
    const { owner } = await orphan();
    const { items } = (await send('GET', '/v1/publishing/allowances', owner.author)).json as { items: { name: string; used: number }[] };
    expect(items.find(({ name }) => name === 'bytes')?.used).toBeGreaterThan(100);
  });

  it('gets an owner from a superuser, with its address, files and members', async () => {
    const { author, project, release } = await orphan();
    const admin = await superuser();
    const mod = `${project.handle}/${project.slug}`;
    expect((await send('GET', '/admin/mod-projects/without-owner', admin)).json.items).toMatchObject([{ mod }]);
    const heir = await newOwner();
    const given = await send('POST', `/admin/mod-projects/${mod}/owner`, admin, { handle: heir.handle });
    expect(given.json.items, given.text).toMatchObject([{ handle: author.handle }, { handle: heir.handle, role: 'owner' }]);
    expect((await send('GET', `/v1/publishing/${mod}`, heir.author)).json).toMatchObject({ role: 'owner' });
    expect((await send('GET', `/v1/publishing/${mod}`, author.author)).json).toMatchObject({ role: 'author' });
    expect((await publicMod(project)).releases).toMatchObject([{ id: release.json.id }]);
    expect((await send('POST', `/admin/mod-projects/${mod}/owner`, admin, { handle: heir.handle })).status).toBe(409);
    expect((await send('GET', '/admin/mod-projects/without-owner', admin)).json.items).toEqual([]);
  });

  it('is left without an owner when the account of the last one is deleted', async () => {
    const [owner, author] = [await newOwner('public'), await newOwner()];
    await join(owner.project, owner.author, author.author, author.handle);
    const { handle, slug } = owner.project;
    const keyOf = async (userId: string) =>
      ({ authorization: bearer((await createProjectKey({ project: { ...owner.project, userId }, expiresAt: FAR_AWAY })).secret) }) as const;
    const keys = [await keyOf(owner.author.userId), await keyOf(author.author.userId)];
    for (const data of composeApp(env).service.accountData()) await data.delete?.(owner.author.userId);
    expect((await send('GET', owner.project.path, author.author)).status).toBe(404);
    for (const key of keys) expect((await send('GET', owner.project.path, key)).status).toBe(401);
    const rows = 'SELECT user_id, role FROM project_members WHERE project_id = ?1';
    expect((await env.DB.prepare(rows).bind(owner.project.id).all()).results).toEqual([{ user_id: author.author.userId, role: 'author' }]);
    const admin = await superuser();
    expect((await send('GET', '/admin/mod-projects/without-owner', admin)).json.items).toMatchObject([{ mod: `${handle}/${slug}` }]);
    expect(await publicMod(owner.project)).toMatchObject({ author: author.handle });
    expect((await read(`/v1/mods?author=${author.handle}`)).items).toHaveLength(1);
  });

  it('is replaced with every project of a deleted account', async () => {
    const { author, handle } = await newOwner();
    const ids = [];
    for (let count = 0; count < 21; count += 1) ids.push((await createProject()).id);
    const owned = selectIds(ids);
    for (const table of ['project_members', 'project_accounts'])
      await env.DB.prepare(`UPDATE ${table} SET user_id = ?1 WHERE project_id IN (${owned})`).bind(author.userId).run();
    await env.DB.prepare(`UPDATE mods SET author = ?1 WHERE id IN (${owned})`).bind(handle).run();
    for (const data of composeApp(env).service.accountData()) await data.delete?.(author.userId);
    const count = async (from: string) => (await env.DB.prepare(`SELECT count(*) AS n FROM ${from}`).bind(author.userId).first())?.n;
    expect(await count('project_members WHERE user_id = ?1')).toBe(0);
    expect(await count('project_accounts WHERE user_id = ?1')).toBe(0);
    expect(await count(`mods WHERE id IN (${owned}) AND author = handle AND ?1 <> ''`)).toBe(ids.length);
  });

  it('counts for another owner when one remains', async () => {
    const [owner, other] = [await newOwner(), await newOwner()];
    await join(owner.project, owner.author, other.author, other.handle, 'owner');
    expect((await send('DELETE', `${owner.members}/${owner.handle}`, owner.author)).status).toBe(200);
    const row = await env.DB.prepare('SELECT user_id FROM project_accounts WHERE project_id = ?1').bind(owner.project.id).first();
    expect(row).toEqual({ user_id: other.author.userId });
  });

  it('is left by one of two owners who leave at once without losing the project', async () => {
    const [owner, other] = [await newOwner(), await newOwner()];
    await join(owner.project, owner.author, other.author, other.handle, 'owner');
    const answers = await Promise.all([owner, other].map(({ author, handle }) => send('DELETE', `${owner.members}/${handle}`, author)));
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
  });
});
