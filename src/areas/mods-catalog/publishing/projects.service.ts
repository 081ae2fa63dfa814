import type { Caller } from '../../../platform/access/policy/admission.ts';
import { notAuthenticated } from '../../../platform/access/policy/credentials.ts';
import { MAX_PROJECT_KEYS, type ProjectKeys } from '../../../platform/access/project-keys/project-keys.ts';
import type { ProjectKeyRow } from '../../../platform/access/tokens.tables.ts';
import { bind } from '../../../platform/kit/bind.ts';
import { ApiError, notFound } from '../../../platform/kit/errors/api-error.ts';
import { SECONDS_PER_DAY, type UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { Database } from '../../../platform/storage/database.ts';
import type { CatalogStore } from '../catalog/catalog.store.ts';
import { blankDetails, type GivenDetails, mergeDetails } from '../insert/insert.domain.ts';
import { fieldError } from '../insert/uploads.service.ts';
import type { Visibility } from '../records/catalog.data.ts';
import { type Mod, type ModAddress, normalizeModAddress } from '../records/mod.domain.ts';
import { idOf, type ModWrites, type Statement, saveUnlessChanged } from '../records/mod-writes.store.ts';
import type { ProjectContents } from '../records/project-contents.store.ts';
import { PROJECT_LIMITS, type Role } from '../records/publishing.data.ts';
import type { PublishingAccess } from './access.service.ts';
import { type Allowances, bytesOf } from './allowances.service.ts';
import { type DraftFiles, filesOf } from './draft-files.store.ts';
import type { AuditEntry, MemberRow, ProjectsStore } from './projects.store.ts';
import type { Publication } from './publication.service.ts';
import { handleProblem, newSlug } from './publishing.domain.ts';

const MAX_ATTEMPTS = 3;
const CHANGED = 'the project was changed concurrently; repeat the request';

/** The project of a request, and the member who sent it. */
export interface Access {
  mod: Mod;
  member: MemberRow;
  /** Name of the member in the audit trail, with the key. */
  actor: string;
}

/** A request context: the clock and the links of the request. */
export interface Context {
  now: UnixSeconds;
  baseUrl: string;
}

interface ProjectsServiceDeps {
  db: Database;
  catalog: Pick<CatalogStore, 'find'>;
  projects: ProjectsStore;
  writes: Pick<ModWrites, 'save'>;
  drafts: Pick<DraftFiles, 'removalStatement'>;
  contents: Pick<ProjectContents, 'dropStatement'>;
  keys: ProjectKeys;
  allowances: Pick<Allowances, 'charge' | 'chargeProject'>;
  access: Pick<PublishingAccess, 'admit'>;
  publication: Pick<Publication, 'firstAnnouncement' | 'announce'>;
}

/** For what an account wants a handle. */
interface HandleUse {
  /** Whether a claim gives it the handle with a mod that has it already. */
  isConfirmed?: boolean;
  /** Mod whose claim gives it the name of the author. */
  claimed?: number;
}

interface NewProject {
  handle: string;
  title: string;
  summary: string;
  tags: readonly string[];
}

export type ProjectsService = ReturnType<typeof createProjectsService>;

/** Projects of mods and their keys. */
export function createProjectsService(deps: ProjectsServiceDeps) {
  return bind(deps, { authorize, requireHandle, list, create, update, remove, listKeys, createKey, endKey, listAudit, listDownloads });
}

const audit = ({ projects }: ProjectsServiceDeps, access: Access, now: UnixSeconds, action: string, detail = ''): Statement[] =>
  projects.auditStatements({ projectId: access.mod.id, at: now, actor: access.actor, action, detail });

async function save({ db }: ProjectsServiceDeps, statements: Statement[]): Promise<void> {
  const [first, ...more] = statements;
  if (!first || !(await saveUnlessChanged(db, [first, ...more]))) throw new ApiError('conflict', CHANGED);
}

/**
 * The project at an address, for one of its members. One rule for every route: 404 for everyone who is not a member, as for a project
 * that does not exist; 403 for a member without the role.
 */
async function authorize(
  { catalog, projects }: ProjectsServiceDeps,
  caller: Caller,
  address: ModAddress,
  needed: Role = 'author',
): Promise<Access> {
  if (caller.kind !== 'session' && caller.kind !== 'project-key') throw notAuthenticated('not_signed_in');
  const mod = await catalog.find(normalizeModAddress(address));
  const isOfKey = caller.kind === 'session' || caller.projectId === mod?.id;
  const member = mod && isOfKey ? await projects.findMember(mod.id, caller.userId) : null;
  if (!mod || !member) throw notFound('project not found');
  if (needed === 'owner' && member.role !== 'owner') {
    throw new ApiError('forbidden', 'an owner of the project is required', { hint: 'ask an owner of the project' });
  }
  const actor = caller.kind === 'project-key' ? `${member.handle} (key ${caller.keyName})` : member.handle;
  return { mod, member, actor };
}

/** Throws 409 or 400 when the account cannot have the handle. */
async function requireHandle(
  { projects }: ProjectsServiceDeps,
  userId: string,
  handle: string,
  { isConfirmed = false, claimed }: HandleUse = {},
): Promise<void> {
  const owner = await projects.findHandleOwner(handle);
  if (owner === userId) return;
  if (owner !== undefined) throw new ApiError('conflict', `the handle ${handle} is taken`);
  const problem = isConfirmed ? null : handleProblem(handle);
  if (problem) throw fieldError(['handle'], problem);
  if (!isConfirmed && (await projects.isHandleUsed(handle))) {
    const hint = 'claim one of its mods; the handle is yours when the claim is confirmed';
    throw new ApiError('conflict', `the handle ${handle} belongs to mods or packs of the catalog`, { hint });
  }
  if (!isConfirmed && (await projects.isAuthorName(handle, claimed))) {
    const hint = 'claim one of the mods of this author with this handle; it is yours when the claim is confirmed';
    throw new ApiError('conflict', `the handle ${handle} is reserved for the author of mods of the catalog`, { hint });
  }
  if ((await projects.listHandles(userId)).length >= PROJECT_LIMITS.handlesPerAccount) {
    throw new ApiError('conflict', `the account has the maximum of ${PROJECT_LIMITS.handlesPerAccount} handles`);
  }
}

async function find({ catalog }: ProjectsServiceDeps, mod: ModAddress): Promise<Mod> {
  const found = await catalog.find(mod);
  if (!found) throw notFound('project not found');
  return found;
}

async function list({ projects }: ProjectsServiceDeps, userId: string) {
  const [listed, handles] = await Promise.all([projects.listProjects(userId), projects.listHandles(userId)]);
  return { projects: listed, handles };
}

/** Creates a private project. Registers the handle on its first use. */
async function create(
  deps: ProjectsServiceDeps,
  userId: string,
  { handle, title, summary, tags }: NewProject,
  now: UnixSeconds,
): Promise<Mod> {
  await deps.access.admit(userId, 0);
  await requireHandle(deps, userId, handle);
  if ((await deps.projects.countProjects(userId)) >= PROJECT_LIMITS.projectsPerAccount) {
    throw new ApiError('conflict', `the account has the maximum of ${PROJECT_LIMITS.projectsPerAccount} projects`);
  }
  // A concurrent request can take the slug: each attempt reads the slugs again.
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
    const address = { handle, slug: newSlug(title, await deps.projects.listSlugs(handle)) };
    const { details } = mergeDetails(blankDetails(title, handle), { title, summary, tags, visibility: 'private' });
    const charged = await deps.allowances.charge(userId, { projects: 1, bytes: bytesOf(details) }, now);
    const isSaved = await deps.writes.save({
      address,
      details,
      before: null,
      isApproved: true,
      createdAt: now,
      updatedAt: now,
      release: null,
      announcement: null,
      extra: [
        deps.projects.handleStatement(handle, userId, now, { exceptSlug: address.slug }),
        deps.projects.accountStatement(idOf(address), userId),
        deps.projects.memberStatement(idOf(address), { userId, handle, role: 'owner' }, now),
        ...deps.projects.auditStatements({ projectId: idOf(address), at: now, actor: handle, action: 'project_created' }),
        ...charged,
        ...(await deps.access.admit(userId, idOf(address))),
      ],
    });
    if (isSaved) return find(deps, address);
  }
  throw new ApiError('conflict', CHANGED);
}

/**
 * Changes texts, images and visibility. A project that becomes public announces its newest release that was not announced before;
 * older ones are not announced later either.
 */
async function update(
  deps: ProjectsServiceDeps,
  access: Access,
  given: Omit<GivenDetails, 'title'> & { title?: string | undefined },
  context: Context,
): Promise<Mod> {
  const { mod, actor } = access;
  const admission = await deps.access.admit(access.member.userId, mod.id);
  const { details, refused } = mergeDetails(mod, { ...given, title: given.title ?? mod.title });
  if (refused.length > 0) throw fieldError([], 'a mod uploaded on behalf of its creator has no links');
  const { now } = context;
  const isPublished = becomesPublic(mod, details.visibility);
  const isHeld = isPublished && (await deps.projects.isHeld(mod.id));
  if (isPublished && (await deps.projects.hasRefusedReleases(mod))) {
    throw new ApiError('conflict', 'a file of the mod was published by another handle, or taken down', {
      hint: 'withdraw its release',
    });
  }
  const first = isPublished && !isHeld ? await deps.publication.firstAnnouncement({ ...mod, ...details }, context) : null;
  const kept = imagesOf(details);
  const charged = await deps.allowances.chargeProject(mod.id, { bytes: bytesOf(details) - bytesOf(mod) }, now);
  const changed = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const entry: AuditEntry = { projectId: mod.id, at: now, actor, action: 'project_changed', detail: changed.join(', ') };
  const isSaved = await deps.writes.save({
    address: mod,
    details,
    before: mod,
    isApproved: mod.isApproved,
    createdAt: mod.createdAt,
    updatedAt: now,
    release: null,
    announcement: null,
    extra: [
      ...admission,
      ...deps.projects.auditStatements(entry),
      ...deps.projects.authorStatements(mod.id),
      ...(isPublished ? [deps.projects.holdStatement(mod.id, isHeld), deps.projects.ownFilesGuard(mod)] : []),
      ...(first?.statements ?? []),
      ...charged,
      ...[...imagesOf(mod)].filter((sha256) => !kept.has(sha256)).map((sha256) => deps.contents.dropStatement(sha256, now)),
    ],
  });
  if (!isSaved) throw new ApiError('conflict', CHANGED);
  if (first?.releaseId) await deps.publication.announce(first.releaseId, now);
  return find(deps, mod);
}

/** Deletes a project that never published: its drafts, members and keys. Throws 409 for other projects. */
async function remove(deps: ProjectsServiceDeps, { mod }: Access, now: UnixSeconds): Promise<void> {
  const releases = await deps.projects.listReleases(mod.id);
  if (releases.some(({ publishedAt }) => publishedAt !== null)) {
    const hint = 'set its visibility to private, or withdraw its releases';
    throw new ApiError('conflict', 'a project with published releases cannot be deleted', { hint });
  }
  await save(deps, [
    ...deps.projects.removeStatements(mod, deps.keys.ending({ projectId: mod.id }, 'the project was deleted', now)),
    ...releases.flatMap(filesOf).map((file) => deps.drafts.removalStatement(file, now)),
    ...[...imagesOf(mod)].map((sha256) => deps.contents.dropStatement(sha256, now)),
  ]);
}

const listKeys = ({ keys }: ProjectsServiceDeps, { mod }: Access): Promise<ProjectKeyRow[]> => keys.byProject(mod.id);

/** Creates a key. The secret is shown once. */
async function createKey(
  deps: ProjectsServiceDeps,
  access: Access,
  { name, allowedIps, days }: { name: string; allowedIps: readonly string[]; days: number },
  now: UnixSeconds,
): Promise<{ secret: string; row: ProjectKeyRow }> {
  const { mod, member } = access;
  const admission = await deps.access.admit(member.userId, mod.id);
  const input = { projectId: mod.id, userId: member.userId, name, allowedIps, expiresAt: now + days * SECONDS_PER_DAY, now };
  const minted = mintOrReject(() => deps.keys.mint(input));
  const live = (await deps.keys.byProject(mod.id)).filter(({ endedAt, expiresAt }) => endedAt === null && expiresAt >= now);
  if (live.length >= MAX_PROJECT_KEYS) {
    throw new ApiError('conflict', `the project has the maximum of ${MAX_PROJECT_KEYS} live keys`, {
      hint: 'end a key that is not used',
    });
  }
  const charged = await deps.allowances.charge(member.userId, { keys: 1 }, now);
  await save(deps, [
    deps.keys.insertion(minted.row, now),
    deps.projects.liveKeyGuard(mod.id, minted.row.id),
    deps.projects.memberExistsGuard(mod.id, member.userId),
    ...admission,
    ...charged,
    ...audit(deps, access, now, 'key_created', `${name} (${minted.row.prefix})`),
  ]);
  return minted;
}

async function endKey(deps: ProjectsServiceDeps, access: Access, id: string, now: UnixSeconds): Promise<void> {
  const { mod, member } = access;
  const key = (await deps.keys.byProject(mod.id)).find((one) => one.id === id);
  if (!key) throw notFound('project key not found');
  if (key.userId !== member.userId && member.role !== 'owner') {
    throw new ApiError('forbidden', 'an owner of the project is required', { hint: 'ask an owner of the project' });
  }
  if (key.endedAt !== null) return;
  const ending = deps.keys.ending({ projectId: mod.id, id }, `ended by ${member.handle}`, now);
  const entry = audit(deps, access, now, 'key_ended', `${key.name} (${key.prefix})`);
  // A guard that fails: another request ended the key meanwhile, and has its entry.
  await saveUnlessChanged(deps.db, [deps.projects.liveKeyGuard(mod.id, id), ending, ...entry]);
}

const listAudit = ({ projects }: ProjectsServiceDeps, { mod }: Access, limit: number) => projects.listAudit(mod.id, limit);

/** Downloads of each of the last days, oldest first. */
async function listDownloads(
  { projects }: ProjectsServiceDeps,
  { mod }: Access,
  days: number,
  now: UnixSeconds,
): Promise<{ day: number; n: number }[]> {
  const today = Math.floor(now / SECONDS_PER_DAY);
  const counts = new Map((await projects.listDownloads(mod.id, today - days + 1)).map(({ day, n }) => [day, n]));
  return Array.from({ length: days }, (_, index) => today - days + 1 + index).map((day) => ({ day, n: counts.get(day) ?? 0 }));
}

/** Hashes of the images of a project. */
const imagesOf = ({ banner, previews }: Pick<Mod, 'banner' | 'previews'>): Set<string> =>
  new Set([...previews, ...(banner ? [banner] : [])].map(({ sha256 }) => sha256));

function becomesPublic(mod: Mod, visibility: Visibility): boolean {
  return visibility === 'public' && mod.visibility !== 'public' && mod.takenDownAt === null && mod.isApproved;
}

function mintOrReject<Value>(mint: () => Value): Value {
  try {
    return mint();
  } catch (error) {
    if (error instanceof RangeError) throw fieldError(['allowed_ips'], error.message);
    throw error;
  }
}
