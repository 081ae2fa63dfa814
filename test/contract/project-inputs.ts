import { env } from 'cloudflare:workers';
import { createProjectsStore } from '../../src/areas/mods-catalog/publishing/projects.store.ts';
import { createContentStore, sha256Of } from '../../src/platform/storage/content-store.ts';
import { createDatabase } from '../../src/platform/storage/database.ts';
import { oncePerFile } from '../support/once-per-file.ts';
import { PIXEL_PNG } from '../support/pixel.data.ts';
import { createProject, createProjectKey } from '../support/projects.ts';
import { FIRST_INSTANT } from '../support/requests.ts';
import type { SampleOverrides } from '../support/samples.ts';
import { FAR_AWAY } from '../support/sessions.ts';
import { EXAMPLE_HEX, fromHex } from '../support/tmod.ts';
import { createAccount } from '../support/tokens.ts';
import { accountOfSession } from './credentials.ts';

type Input = (now: number) => Promise<SampleOverrides>;

/** The project of the account of the last credential. A project key is that of the account's only project. */
async function ownProject() {
  const userId = accountOfSession();
  const sql = 'SELECT m.id, m.handle, m.slug FROM mods m JOIN project_members p ON p.project_id = m.id WHERE p.user_id = ?1 LIMIT 1';
  const known = await env.DB.prepare(sql).bind(userId).first<{ id: number; handle: string; slug: string }>();
  return known ? { ...known, userId } : createProject({ userId });
}

const inProject: Input = async () => {
  const { handle, slug } = await ownProject();
  return { parameters: { handle, slug } };
};

/** A release of the project in a state. */
const withRelease =
  (isPublished: boolean): Input =>
  async () => {
    const project = await ownProject();
    const id = crypto.randomUUID();
    const { sha256 } = await createContentStore(env.ARCHIVE).put(new Uint8Array(new TextEncoder().encode(`PK ${id}`)));
    const values = [id, project.id, id, Number(isPublished), isPublished ? FIRST_INSTANT : null, sha256];
    await env.DB.prepare(
      `INSERT INTO mod_releases (id, mod_id, branch, tag, is_published, is_silent, published_at, format, size, sha256, filename, title, changelog, created_at)
       VALUES (?1, ?2, 'main', ?3, ?4, 0, ?5, 'zip', 1, ?6, 'a.zip', '', '', 1)`,
    )
      .bind(...values)
      .run();
    return { parameters: { handle: project.handle, slug: project.slug, id } };
  };

const PNG = Buffer.from(PIXEL_PNG, 'base64');
const withImage: Input = async () => ({ ...(await inProject(0)), raw: { body: new Uint8Array(PNG), contentType: 'image/png' } });

const upload: Input = async () => {
  const { parameters } = await inProject(0);
  const part = (headers: string) => `--x\r\nContent-Disposition: form-data; ${headers}\r\n\r\n`;
  const head = `${part('name="tag"')}${crypto.randomUUID()}\r\n${part('name="file"; filename="a.tmod"')}`;
  const body = Buffer.concat([Buffer.from(head), fromHex(EXAMPLE_HEX), Buffer.from('\r\n--x--\r\n')]);
  return { parameters: parameters ?? {}, raw: { body: new Uint8Array(body), contentType: 'multipart/form-data; boundary=x' } };
};

/** A new member of the project, to change or remove. */
async function withMember(): Promise<{ project: Awaited<ReturnType<typeof ownProject>>; handle: string }> {
  const project = await ownProject();
  const { handle, userId } = await createProject({ userId: await createAccount() });
  const store = createProjectsStore(createDatabase(env.DB));
  await store.memberStatement(project.id, { userId, handle, role: 'author' }, FIRST_INSTANT);
  return { project, handle };
}

/** An open invitation of the account to the project of another. */
const openInvitation: Input = async (now) => {
  const userId = accountOfSession();
  const { handle } = await ownProject();
  const { id: projectId, userId: inviterId, handle: inviter } = await createProject();
  const id = crypto.randomUUID();
  const row = { id, projectId, userId, handle, role: 'author', inviterId, inviter, secretHash: '', tokenVersion: 0 } as const;
  const store = createProjectsStore(createDatabase(env.DB));
  for (const statement of store.inviteStatements({ ...row, createdAt: now, expiresAt: now + 86_400 })) await statement;
  return { parameters: { id } };
};

/** An invitation with the token of its mailed link. */
async function mailedInvitation(now: number): Promise<SampleOverrides> {
  const { userId, handle } = await createProject({ userId: await createAccount() });
  const { id: projectId, userId: inviterId, handle: inviter } = await createProject();
  const id = crypto.randomUUID();
  const secretHash = await sha256Of(new TextEncoder().encode('secret'));
  const account = await env.DB.prepare('SELECT token_version AS v FROM users WHERE id = ?1').bind(userId).first<{ v: number }>();
  const row = { id, projectId, userId, handle, role: 'author', inviterId, inviter, secretHash, tokenVersion: account?.v ?? 0 } as const;
  const store = createProjectsStore(createDatabase(env.DB));
  for (const statement of store.inviteStatements({ ...row, createdAt: now, expiresAt: now + 86_400 })) await statement;
  return { body: { token: `${id}.secret`, decision: 'accept' } };
}

/** A project whose owner left, and the handle of another account. */
async function orphan(): Promise<SampleOverrides> {
  const { id, handle, slug } = await createProject();
  await env.DB.prepare('DELETE FROM project_members WHERE project_id = ?1').bind(id).run();
  const heir = await createProject({ userId: await createAccount() });
  return { parameters: { handle, slug }, body: { handle: heir.handle } };
}

/** A request to publish of another account. */
async function askedAccess(): Promise<SampleOverrides> {
  const userId = await createAccount();
  await env.DB.prepare("INSERT INTO project_access (user_id, state, note, created_at) VALUES (?1, 'pending', '', 1)").bind(userId).run();
  return { parameters: { user_id: userId } };
}

/** An open claim of the account. */
const openClaim: Input = async (now) => {
  const { id: projectId, handle } = await unclaimedMod();
  const id = crypto.randomUUID();
  await env.DB.prepare('DELETE FROM project_claims WHERE user_id = ?1').bind(accountOfSession()).run();
  const claim = { id, projectId, userId: accountOfSession(), handle, note: '', code: 'code', state: 'pending', reason: null } as const;
  await createProjectsStore(createDatabase(env.DB)).claimStatement({ ...claim, createdAt: now, decidedAt: null });
  await env.DB.prepare('UPDATE mods SET source_id = ?1 WHERE id = ?2').bind(id, projectId).run();
  return { parameters: { id } };
};

async function unclaimedMod() {
  const mod = await createProject({ visibility: 'public' });
  await env.DB.prepare('DELETE FROM project_members WHERE project_id = ?1').bind(mod.id).run();
  await env.DB.prepare('DELETE FROM project_handles WHERE handle = ?1').bind(mod.handle).run();
  return mod;
}

const releases = oncePerFile(() => new Map<string, SampleOverrides>());

/** One release for each account. */
async function stableRelease(now: number): Promise<SampleOverrides> {
  const account = accountOfSession();
  const known = releases().get(account) ?? (await withRelease(false)(now));
  releases().set(account, known);
  return known;
}

/** Input of the publishing endpoints. */
export const PROJECT_INPUTS: Readonly<Record<string, Input>> = {
  getModProject: inProject,
  editModProject: inProject,
  getModProjectDownloads: inProject,
  listModProjectAudit: inProject,
  listModProjectReleases: inProject,
  // The same release in several requests of an account, to compare their responses.
  getModProjectRelease: stableRelease,
  uploadModRelease: upload,
  publishModRelease: withRelease(false),
  withdrawModRelease: withRelease(true),
  deleteModDraft: withRelease(false),
  editModDraft: withRelease(false),
  removeModDraftImage: withRelease(false),
  setModDraftImage: async (now) => ({ ...(await withRelease(false)(now)), raw: { body: new Uint8Array(PNG), contentType: 'image/png' } }),
  setModBanner: withImage,
  removeModBanner: inProject,
  addModPreview: withImage,
  removeModPreview: inProject,
  createModProject: async () => ({ body: { handle: `h-${crypto.randomUUID().slice(0, 12)}`, title: 'Tiny Wings' } }),
  deleteModProject: inProject,
  listModMembers: inProject,
  async setModMember() {
    const project = await ownProject();
    const { handle } = await createProject({ userId: await createAccount() });
    return { parameters: { handle: project.handle, slug: project.slug }, body: { handle, role: 'author' } };
  },
  acceptModInvitation: openInvitation,
  declineModInvitation: openInvitation,
  decideModInvitationByLink: mailedInvitation,
  giveModProjectOwner: orphan,
  async requestPublishingAccess() {
    await env.DB.prepare('DELETE FROM project_access WHERE user_id = ?1').bind(accountOfSession()).run();
    return { body: { note: 'My mods' } };
  },
  approvePublishingAccess: askedAccess,
  rejectPublishingAccess: askedAccess,
  setModFile: async () => ({ body: { refused: false } }),
  async removeModMember() {
    const { project, handle } = await withMember();
    return { parameters: { handle: project.handle, slug: project.slug, member: handle } };
  },
  listProjectKeys: inProject,
  createProjectKey: inProject,
  async endProjectKey() {
    const project = await ownProject();
    const { id } = await createProjectKey({ project, expiresAt: FAR_AWAY });
    return { parameters: { handle: project.handle, slug: project.slug, id } };
  },
  async claimMod() {
    const { handle, slug } = await unclaimedMod();
    return { body: { mod: `${handle}/${slug}` } };
  },
  verifyModClaim: openClaim,
  confirmModClaim: openClaim,
  rejectModClaim: openClaim,
};
