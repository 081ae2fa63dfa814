import { randomBytes } from 'node:crypto';
import type { ProjectKeys } from '../../../platform/access/project-keys/project-keys.ts';
import { bind } from '../../../platform/kit/bind.ts';
import { ApiError, notFound } from '../../../platform/kit/errors/api-error.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { sha256Of } from '../../../platform/storage/content-store.ts';
import type { Database } from '../../../platform/storage/database.ts';
import type { Mailer } from '../../../platform/upstream/mail/mailer.ts';
import type { CatalogStore } from '../catalog/catalog.store.ts';
import { fieldError } from '../insert/uploads.service.ts';
import { type ModAddress, normalizeModAddress, pathOf } from '../records/mod.domain.ts';
import { type Statement, saveUnlessChanged } from '../records/mod-writes.store.ts';
import { INVITATION_SECONDS, PROJECT_LIMITS, type Role } from '../records/publishing.data.ts';
import type { PublishingAccess } from './access.service.ts';
import type { Allowances } from './allowances.service.ts';
import type { Invitation, InvitationRow } from './memberships.store.ts';
import type { Access, Context } from './projects.service.ts';
import type { MemberRow, ProjectsStore } from './projects.store.ts';

const CHANGED = 'the members were changed concurrently; repeat the request';
const SECRET_BYTES = 32;
/** Separates the id and the secret of an invitation in the token of its mailed link. */
const SEPARATOR = '.';

/** How an invited account decides. */
export type Decision = 'accept' | 'decline';

interface MembersServiceDeps {
  db: Database;
  appName: string;
  portalUrl: string;
  catalog: Pick<CatalogStore, 'find'>;
  projects: ProjectsStore;
  keys: ProjectKeys;
  allowances: Pick<Allowances, 'charge'>;
  access: Pick<PublishingAccess, 'admit'>;
  mailer: Pick<Mailer, 'compose' | 'send'>;
  newId(): string;
}

/** Members of a project and those it invited. */
export interface Members {
  members: MemberRow[];
  invitations: InvitationRow[];
}

export type MembersService = ReturnType<typeof createMembersService>;

/**
 * Members of projects. An account becomes a member, or an owner, only when it accepts an invitation. The last owner may leave: the project is
 * then hidden from its other members until a moderator gives it an owner; what it published stays.
 */
export function createMembersService(deps: MembersServiceDeps) {
  return bind(deps, { list, set, remove, listInvitations, decide, decideByLink, listOrphans, giveOwner });
}

const audit = ({ projects }: MembersServiceDeps, { mod, actor }: Access, now: UnixSeconds, action: string, detail: string) =>
  projects.auditStatements({ projectId: mod.id, at: now, actor, action, detail });

async function save({ db }: MembersServiceDeps, statements: Statement[]): Promise<boolean> {
  const [first, ...more] = statements;
  return first !== undefined && (await saveUnlessChanged(db, [first, ...more]));
}

async function saveOrReject(deps: MembersServiceDeps, statements: Statement[]): Promise<void> {
  if (!(await save(deps, statements))) throw new ApiError('conflict', CHANGED);
}

async function readMembers({ projects }: MembersServiceDeps, projectId: number, now: UnixSeconds): Promise<Members> {
  const [members, open] = await Promise.all([projects.listMembers(projectId), projects.listInvitations({ projectId }, now)]);
  return { members, invitations: open.map(({ invitation }) => invitation) };
}

/** Stores an invitation and mails it with a link that accepts it. */
async function invite(
  deps: MembersServiceDeps,
  access: Access,
  invited: { userId: string; handle: string; role: Role },
  { now, baseUrl }: Context,
): Promise<void> {
  const { mod, member } = access;
  const admission = await deps.access.admit(member.userId, mod.id);
  const account = await deps.projects.findMailedAccount(invited.userId);
  if (!account) throw fieldError(['handle'], 'must be the handle of an account');
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  const row: InvitationRow = {
    id: deps.newId(),
    projectId: mod.id,
    ...invited,
    inviterId: member.userId,
    inviter: member.handle,
    secretHash: await hashOf(secret),
    tokenVersion: account.tokenVersion,
    createdAt: now,
    expiresAt: now + INVITATION_SECONDS,
  };
  const link = `${deps.portalUrl || baseUrl}/portal/invitation#token=${row.id}${SEPARATOR}${secret}`;
  const text = [
    `${member.handle} invites you (${invited.handle}) to the mod ${pathOf(mod)} as ${withArticle(invited.role)}.`,
    invited.role === 'owner' ? 'An owner is responsible for what the mod publishes.' : 'An author publishes releases of the mod.',
    `To accept or decline within 14 days, open this link, or sign in and open your mods:\n\n${link}`,
    'If you do nothing, nothing changes: you do not become a member.',
  ].join('\n\n');
  const mail = deps.mailer.compose(
    { to: account.email, subject: `${deps.appName}: invitation to ${pathOf(mod)}`, text: `${text}\n`, causedBy: member.userId },
    now,
    row.id,
  );
  const charged = await deps.allowances.charge(member.userId, { invitations: 1 }, now);
  await saveOrReject(deps, [
    deps.projects.memberExistsGuard(mod.id, member.userId, 'owner'),
    ...deps.projects.inviteStatements(row),
    ...audit(deps, access, now, 'member_invited', `${invited.handle}: ${invited.role}`),
    mail.insertion,
    ...admission,
    ...charged,
  ]);
  await deps.mailer.send(mail.id, now);
}

/** Makes the invited account a member. A second acceptance, and one after a withdrawal, find no invitation in the write. */
async function accept(deps: MembersServiceDeps, { invitation, mod }: Invitation, now: UnixSeconds): Promise<void> {
  const { userId, handle, role } = invitation;
  const isSaved = await save(deps, [
    ...deps.projects.auditStatements({
      projectId: mod.id,
      at: now,
      actor: handle,
      action: 'member_joined',
      detail: role,
      onlyIf: deps.projects.isInvited(invitation, now),
    }),
    deps.projects.ownerGuard(mod.id),
    deps.projects.memberStatement(mod.id, { userId, handle, role }, now),
    deps.projects.endInvitationStatement(invitation.id),
    ...deps.projects.derivedStatements(mod.id),
  ]);
  if (isSaved) return;
  if (!(await deps.projects.findInvitation(invitation.id, now))) throw invitationNotFound();
  const hint = 'leave a project, or ask its owner to remove a member';
  throw new ApiError('conflict', `the project has ${PROJECT_LIMITS.members} members, or the account is in ${PROJECT_LIMITS.memberships}`, {
    hint,
  });
}

async function decline(deps: MembersServiceDeps, { invitation, mod }: Invitation, now: UnixSeconds): Promise<void> {
  const { id, handle } = invitation;
  const isSaved = await save(deps, [
    ...deps.projects.auditStatements({
      projectId: mod.id,
      at: now,
      actor: handle,
      action: 'invitation_declined',
      onlyIf: deps.projects.isInvited(invitation, now),
    }),
    deps.projects.endInvitationStatement(id),
  ]);
  if (!isSaved) throw invitationNotFound();
}

async function storeDecision(deps: MembersServiceDeps, invitation: Invitation, decision: Decision, now: UnixSeconds): Promise<Invitation> {
  await (decision === 'accept' ? accept(deps, invitation, now) : decline(deps, invitation, now));
  return invitation;
}

const list = (deps: MembersServiceDeps, { mod }: Access, now: UnixSeconds): Promise<Members> => readMembers(deps, mod.id, now);

/** Invites the account of a handle. A member is invited to become an owner; an owner becomes an author at once. */
async function set(deps: MembersServiceDeps, access: Access, handle: string, role: Role, context: Context): Promise<Members> {
  const { mod, member } = access;
  const { now } = context;
  const userId = await deps.projects.findHandleOwner(handle);
  if (!userId) throw fieldError(['handle'], 'must be the handle of an account');
  const { members, invitations } = await readMembers(deps, mod.id, now);
  const known = members.find((one) => one.userId === userId);
  if (known?.role === role) return { members, invitations };
  if (known && role === 'author') {
    await saveOrReject(deps, [
      deps.projects.memberExistsGuard(mod.id, member.userId, 'owner'),
      deps.projects.memberStatement(mod.id, { userId, handle: known.handle, role }, now),
      deps.projects.ownerGuard(mod.id),
      ...deps.projects.derivedStatements(mod.id),
      ...audit(deps, access, now, 'member_set', `${known.handle}: ${role}`),
    ]);
    return readMembers(deps, mod.id, now);
  }
  if (!known && members.length >= PROJECT_LIMITS.members) {
    throw new ApiError('conflict', `the project has the maximum of ${PROJECT_LIMITS.members} members`);
  }
  const open = invitations.find((one) => one.userId === userId);
  if (open) throw new ApiError('conflict', `${open.handle} is invited already`, { hint: 'withdraw the invitation first' });
  await invite(deps, access, { userId, handle: known?.handle ?? handle, role }, context);
  return readMembers(deps, mod.id, now);
}

/**
 * Removes a member and ends its keys, or withdraws an invitation. Members may remove themselves, the last owner too: then all keys end and
 * scheduled releases become drafts.
 */
async function remove(deps: MembersServiceDeps, access: Access, handle: string, now: UnixSeconds): Promise<Members> {
  const { mod, member } = access;
  const { members, invitations } = await readMembers(deps, mod.id, now);
  const removed = members.find((one) => one.handle === handle);
  const invitation = removed ? undefined : invitations.find((one) => one.handle === handle);
  if (!removed && !invitation) throw notFound('member not found');
  if (removed?.userId !== member.userId && member.role !== 'owner') {
    throw new ApiError('forbidden', 'an owner of the project is required', { hint: 'ask an owner of the project' });
  }
  if (!removed) {
    await saveOrReject(deps, [
      deps.projects.memberExistsGuard(mod.id, member.userId, 'owner'),
      deps.projects.endInvitationStatement(invitation?.id ?? ''),
      ...audit(deps, access, now, 'invitation_withdrawn', handle),
    ]);
    return readMembers(deps, mod.id, now);
  }
  const isLast = !members.some(({ userId, role }) => role === 'owner' && userId !== removed.userId);
  await saveOrReject(deps, [
    deps.projects.memberExistsGuard(mod.id, member.userId, removed.userId === member.userId ? undefined : 'owner'),
    deps.projects.memberExistsGuard(mod.id, removed.userId),
    ...deps.projects.removeMemberStatements(mod.id, removed.userId),
    isLast ? deps.projects.noOwnerGuard(mod.id) : deps.projects.ownerGuard(mod.id),
    isLast
      ? deps.keys.ending({ projectId: mod.id }, 'the last owner left the project', now)
      : deps.keys.ending({ projectId: mod.id, userId: removed.userId }, 'the member left the project', now),
    ...deps.projects.derivedStatements(mod.id),
    ...audit(deps, access, now, 'member_removed', handle),
  ]);
  return readMembers(deps, mod.id, now);
}

/** Open invitations of an account. */
const listInvitations = ({ projects }: MembersServiceDeps, userId: string, now: UnixSeconds): Promise<Invitation[]> =>
  projects.listInvitations({ userId }, now);

async function decide(deps: MembersServiceDeps, userId: string, id: string, decision: Decision, now: UnixSeconds): Promise<Invitation> {
  const invitation = await deps.projects.findInvitation(id, now);
  if (invitation?.invitation.userId !== userId) throw invitationNotFound();
  return storeDecision(deps, invitation, decision, now);
}

/** Decides with the token of a mailed link, which ends with every change of the password or address of the account. */
async function decideByLink(deps: MembersServiceDeps, token: string, decision: Decision, now: UnixSeconds): Promise<Invitation> {
  const [id = '', secret = ''] = token.split(SEPARATOR);
  const found = await deps.projects.findInvitation(id, now);
  const account = found && (await deps.projects.findMailedAccount(found.invitation.userId));
  const { secretHash, tokenVersion } = found?.invitation ?? {};
  if (!found || secretHash !== (await hashOf(secret)) || account?.tokenVersion !== tokenVersion) {
    throw new ApiError('bad_request', 'the link is invalid or has expired', { hint: 'sign in and open your mods' });
  }
  return storeDecision(deps, found, decision, now);
}

const listOrphans = ({ projects }: MembersServiceDeps) => projects.listOrphans();

/** Makes the account of a handle the owner of a project without one, and mails it. For moderators. */
async function giveOwner(deps: MembersServiceDeps, address: ModAddress, handle: string, now: UnixSeconds): Promise<Members> {
  const mod = await deps.catalog.find(normalizeModAddress(address));
  if (!mod || !(await deps.projects.isProject(mod.id))) throw notFound('project not found');
  const userId = await deps.projects.findHandleOwner(handle);
  const account = userId && (await deps.projects.findMailedAccount(userId));
  if (!userId || !account) throw fieldError(['handle'], 'must be the handle of an account');
  const { members } = await readMembers(deps, mod.id, now);
  if (members.some(({ role }) => role === 'owner')) throw new ApiError('conflict', 'the project has an owner');
  const subject = `${deps.appName}: ${pathOf(mod)}`;
  const mail = deps.mailer.compose({ to: account.email, subject, text: `A moderator made you the owner of ${pathOf(mod)}.\n` }, now);
  await saveOrReject(deps, [
    deps.projects.noOwnerGuard(mod.id),
    deps.projects.accountStatement(mod.id, userId),
    deps.projects.memberStatement(mod.id, { userId, handle, role: 'owner' }, now),
    ...deps.projects.derivedStatements(mod.id),
    ...deps.projects.auditStatements({ projectId: mod.id, at: now, actor: 'moderator', action: 'owner_set', detail: handle }),
    mail.insertion,
  ]);
  await deps.mailer.send(mail.id, now);
  return readMembers(deps, mod.id, now);
}

const hashOf = (secret: string) => sha256Of(new TextEncoder().encode(secret));

const withArticle = (role: Role) => `an ${role}`;

const invitationNotFound = () => notFound('invitation not found; it may have been withdrawn, decided or expired');
