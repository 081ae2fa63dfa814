import { and, desc, eq, gte, inArray, lt, ne, not, or, type SQL, sql } from 'drizzle-orm';
import { type ProjectKeyRow, projectKeys, users } from '../../../platform/access/tokens.tables.ts';
import { bind } from '../../../platform/kit/bind.ts';
import { SECONDS_PER_DAY, type UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { Database } from '../../../platform/storage/database.ts';
import { LISTED_RELEASE_COLUMNS } from '../catalog/listed-columns.sql.ts';
import type { Visibility } from '../records/catalog.data.ts';
import {
  modArtifactOwners,
  modAuthors,
  modDownloadsDaily,
  modImages,
  modPacks,
  modReleases,
  mods,
  modTags,
  plainName,
} from '../records/catalog.tables.ts';
import { createFileClaims } from '../records/file-claims.store.ts';
import { type Mod, type ModAddress, pathOf, searchTextOf } from '../records/mod.domain.ts';
import { nextVersion, type Statement } from '../records/mod-writes.store.ts';
import { PROJECT_LIMITS, type Role } from '../records/publishing.data.ts';
import {
  projectAccounts,
  projectAudit,
  projectClaims,
  projectHandles,
  projectInvitations,
  projectMembers,
  projectTakeDowns,
} from '../records/publishing.tables.ts';
import { createMembershipsStore, derivedStatements } from './memberships.store.ts';
import type { ProjectRelease } from './releases.store.ts';

export type ClaimRow = typeof projectClaims.$inferSelect;
export type MemberRow = typeof projectMembers.$inferSelect;
export type AuditRow = typeof projectAudit.$inferSelect;

/** An entry of the audit trail. */
export interface AuditEntry {
  projectId: number | SQL<number>;
  at: UnixSeconds;
  actor: string;
  action: string;
  detail?: string;
  /** Fails the transaction unless it holds where the entry stands in the batch: an entry about a change stands before the change. */
  onlyIf?: SQL;
}

/** How long ended claims are stored. */
const DECIDED_TTL_SECONDS = 90 * SECONDS_PER_DAY;
const LISTED_CLAIMS = 200;
/** Memberships of a deleted account that one transaction removes, with five statements each. */
const DELETED_MEMBERSHIPS = 20;

export type ProjectsStore = ReturnType<typeof createProjectsStore>;

const openClaims = (userId: string) =>
  sql`(select count(*) from ${projectClaims} where ${projectClaims.userId} = ${userId} and ${projectClaims.state} = 'pending')`;

const authorName = (handle: string, claimed?: number) => {
  const isNamed = sql`a.plain = ${plainName(sql`${handle}`)}`;
  const isClaimed = sql`exists (select 1 from ${modAuthors} a where a.mod_id = ${claimed ?? null} and ${isNamed})`;
  return sql`(not ${isClaimed} and exists (select 1 from ${modAuthors} a join ${mods} m on m.id = a.mod_id where ${isNamed} and m.is_stray = 1))`;
};

/** A project without an owner is hidden from its other members. */
const hasOwner = (projectId: typeof projectMembers.projectId | typeof projectKeys.projectId | number) =>
  sql`exists (select 1 from ${projectMembers} o where o.project_id = ${projectId} and o.role = 'owner')`;

// Members and handles

async function findMember(db: Database, projectId: number, userId: string): Promise<MemberRow | null> {
  const where = and(eq(projectMembers.projectId, projectId), eq(projectMembers.userId, userId), hasOwner(projectId));
  return (await db.select().from(projectMembers).where(where))[0] ?? null;
}

const listMembers = (db: Database, projectId: number): Promise<MemberRow[]> =>
  db.select().from(projectMembers).where(eq(projectMembers.projectId, projectId)).orderBy(projectMembers.createdAt, projectMembers.handle);

/** Projects of an account with its role, newest change first. */
const listProjects = (
  db: Database,
  userId: string,
): Promise<{ id: number; handle: string; slug: string; title: string; visibility: Visibility; role: Role }[]> =>
  db
    .select({
      id: mods.id,
      handle: mods.handle,
      slug: mods.slug,
      title: mods.title,
      visibility: mods.visibility,
      role: projectMembers.role,
    })
    .from(projectMembers)
    .innerJoin(mods, eq(mods.id, projectMembers.projectId))
    .where(and(eq(projectMembers.userId, userId), hasOwner(projectMembers.projectId)))
    .orderBy(desc(mods.updatedAt))
    .limit(PROJECT_LIMITS.projectsPerAccount + PROJECT_LIMITS.memberships);

async function listHandles(db: Database, userId: string): Promise<string[]> {
  const rows = await db.select().from(projectHandles).where(eq(projectHandles.userId, userId)).orderBy(projectHandles.createdAt);
  return rows.map(({ handle }) => handle);
}

/** Owner of a handle; null: nobody any more. Undefined for a handle that was never registered. */
async function findHandleOwner(db: Database, handle: string): Promise<string | null | undefined> {
  const [row] = await db.select().from(projectHandles).where(eq(projectHandles.handle, handle));
  return row?.userId;
}

/** Whether mods or packs of the catalog have a handle. */
async function isHandleUsed(db: Database, handle: string): Promise<boolean> {
  const [row] = await db.all<{ used: number }>(
    sql`select exists (select 1 from ${mods} where handle = ${handle}) or exists (select 1 from ${modPacks} where handle = ${handle}) as used`,
  );
  return row?.used === 1;
}

/** Whether a handle is the name of an author of mirrored mods; not of the author of a mod that is claimed. */
async function isAuthorName(db: Database, handle: string, claimed?: number): Promise<boolean> {
  return (await db.all<{ n: number }>(sql`select ${authorName(handle, claimed)} as n`))[0]?.n === 1;
}

async function listSlugs(db: Database, handle: string): Promise<Set<string>> {
  return new Set((await db.select({ slug: mods.slug }).from(mods).where(eq(mods.handle, handle))).map(({ slug }) => slug));
}

/**
 * Registers a handle, or confirms that the account has it; fails the transaction otherwise. Without `isConfirmed`, a handle of mods
 * from the mirror or an insert, or the name of an author of mirrored mods, is refused. `claimed`: as of `isAuthorName`.
 */
function handleStatement(
  db: Database,
  handle: string,
  userId: string,
  now: UnixSeconds,
  { isConfirmed = false, exceptSlug = '', claimed }: { isConfirmed?: boolean; exceptSlug?: string; claimed?: number } = {},
): Statement {
  const isKnown = sql`exists (select 1 from ${projectHandles} where handle = ${handle})`;
  const isFree = isConfirmed
    ? sql`1`
    : sql`not exists (select 1 from ${mods} where handle = ${handle} and slug <> ${exceptSlug}) and not exists (select 1 from ${modPacks} where handle = ${handle}) and not ${authorName(handle, claimed)}`;
  const hasRoom = sql`(select count(*) from ${projectHandles} where user_id = ${userId}) < ${PROJECT_LIMITS.handlesPerAccount}`;
  return db
    .insert(projectHandles)
    .values({ handle: sql`case when ${isKnown} or (${isFree} and ${hasRoom}) then ${handle} end`, userId, createdAt: now })
    .onConflictDoUpdate({
      target: projectHandles.handle,
      set: { handle: sql`case when ${projectHandles.userId} = excluded.user_id then excluded.handle end` },
    });
}

/** Fails the transaction when the account is not a member any more, or has not the role. */
const memberExistsGuard = (db: Database, projectId: number, userId: string, role?: Role): Statement =>
  db
    .update(mods)
    .set({
      version: sql`case when exists (select 1 from ${projectMembers} where project_id = ${projectId} and user_id = ${userId} and role = coalesce(${role ?? null}, role)) then version end`,
    })
    .where(eq(mods.id, projectId));

/** Fails the transaction when a key was not stored because the project has the maximum, or has ended. */
const liveKeyGuard = (db: Database, projectId: number, keyId: string): Statement =>
  db
    .update(mods)
    .set({ version: sql`case when exists (select 1 from ${projectKeys} where id = ${keyId} and ended_at is null) then version end` })
    .where(eq(mods.id, projectId));

/** Deletes a project without published releases; fails the transaction when one was published meanwhile. */
function removeStatements(db: Database, mod: Pick<Mod, 'id' | 'version'>, endKeys: Statement): Statement[] {
  const { id } = mod;
  const isUnpublished = sql`not exists (select 1 from ${modReleases} where mod_id = ${id} and published_at is not null)`;
  return [
    db
      .update(mods)
      .set({ version: sql`case when ${isUnpublished} then version + 1 end` })
      .where(eq(mods.id, id)),
    endKeys,
    ...[modReleases, modTags, modAuthors, modImages].map((table) => db.delete(table).where(eq(table.modId, id))),
    ...[projectMembers, projectAccounts, projectInvitations].map((table) => db.delete(table).where(eq(table.projectId, id))),
    db.delete(projectClaims).where(eq(projectClaims.projectId, id)),
    db.delete(projectAudit).where(eq(projectAudit.projectId, id)),
    db.delete(mods).where(eq(mods.id, id)),
  ];
}

/** Mail addresses of the members. */
async function listAddresses(db: Database, projectId: number): Promise<string[]> {
  const rows = await db
    .select({ email: users.email })
    .from(projectMembers)
    .innerJoin(users, eq(users.id, projectMembers.userId))
    .where(and(eq(projectMembers.projectId, projectId), eq(users.isActive, true)))
    .limit(PROJECT_LIMITS.members);
  return rows.map(({ email }) => email);
}

/** An account that gets mail; its links end with the token version. */
async function findMailedAccount(db: Database, userId: string): Promise<{ email: string; tokenVersion: number } | null> {
  const { email, tokenVersion } = users;
  const where = and(eq(users.id, userId), eq(users.isActive, true));
  return (await db.select({ email, tokenVersion }).from(users).where(where))[0] ?? null;
}

async function findEmail(db: Database, userId: string): Promise<string | null> {
  return (await db.select({ email: users.email }).from(users).where(eq(users.id, userId)))[0]?.email ?? null;
}

// Audit trail

function auditStatements(db: Database, { projectId, at, actor, action, detail = '', onlyIf }: AuditEntry): [Statement, Statement] {
  const oldest = sql`(select id from ${projectAudit} where project_id = ${projectId} order by id desc limit 1 offset ${PROJECT_LIMITS.auditEntries})`;
  return [
    db.insert(projectAudit).values({
      projectId: sql`${projectId}`,
      at,
      actor,
      action: onlyIf ? sql`case when ${onlyIf} then ${action} end` : action,
      detail,
    }),
    db.delete(projectAudit).where(and(sql`project_id = ${projectId}`, sql`id <= ${oldest}`)),
  ];
}

const listAudit = (db: Database, projectId: number, limit: number): Promise<AuditRow[]> =>
  db.select().from(projectAudit).where(eq(projectAudit.projectId, projectId)).orderBy(desc(projectAudit.id)).limit(limit);

// Releases

/** Whether published releases of a mod have files that its handle may not publish. */
async function hasRefusedReleases(db: Database, { id, handle }: Pick<Mod, 'id' | 'handle'>): Promise<boolean> {
  return (await db.all<{ n: number }>(sql`select ${createFileClaims(db).refusedReleases(id, handle)} as n`))[0]?.n === 1;
}

/** Fails the transaction when they have. */
const ownFilesGuard = (db: Database, { id, handle }: Pick<Mod, 'id' | 'handle'>): Statement =>
  db
    .update(mods)
    .set({ version: sql`case when not ${createFileClaims(db).refusedReleases(id, handle)} then version end` })
    .where(eq(mods.id, id));

/** All releases of a project, with the texts that lists and events show. */
const listReleases = (db: Database, projectId: number): Promise<ProjectRelease[]> =>
  db
    .select(LISTED_RELEASE_COLUMNS)
    .from(modReleases)
    .where(eq(modReleases.modId, projectId))
    .orderBy(desc(sql`coalesce(${modReleases.createdAt}, ${modReleases.publishedAt})`), desc(sql`rowid`));

/** Holds while a release is as it was read, and so are its texts and files. */
const isUnchanged = ({
  id,
  isPublished,
  isSilent,
  publishAt,
  withdrawnAt,
  sha256,
  image,
  tag,
  branch,
  title,
  changelog,
}: ProjectRelease): SQL =>
  sql`exists (select 1 from ${modReleases} where id = ${id} and is_published = ${Number(isPublished)} and is_silent = ${Number(isSilent)} and publish_at is ${publishAt} and withdrawn_at is ${withdrawnAt} and sha256 = ${sha256} and image ->> 'sha256' is ${image?.sha256 ?? null} and tag = ${tag} and branch = ${branch} and title = ${title} and changelog = ${changelog})`;

async function findRelease(db: Database, id: string): Promise<ProjectRelease | null> {
  return (await db.select().from(modReleases).where(eq(modReleases.id, id)))[0] ?? null;
}

async function findMod(db: Database, id: number): Promise<typeof mods.$inferSelect | null> {
  return (await db.select().from(mods).where(eq(mods.id, id)))[0] ?? null;
}

/** Downloads by UTC day since a day. */
const listDownloads = (db: Database, projectId: number, sinceDay: number): Promise<{ day: number; n: number }[]> =>
  db
    .select({ day: modDownloadsDaily.day, n: sql<number>`sum(${modDownloadsDaily.n})` })
    .from(modDownloadsDaily)
    .innerJoin(modReleases, eq(modReleases.id, modDownloadsDaily.releaseId))
    .where(and(eq(modReleases.modId, projectId), gte(modDownloadsDaily.day, sinceDay)))
    .groupBy(modDownloadsDaily.day)
    .orderBy(modDownloadsDaily.day);

// Claims

/** Stores a claim; null when the account has the maximum of open claims or an open one for this mod. */
const claimStatement = (db: Database, claim: ClaimRow): Statement =>
  db.insert(projectClaims).values({
    ...claim,
    state: sql`case when ${openClaims(claim.userId)} < ${PROJECT_LIMITS.openClaimsPerAccount} then ${claim.state} end`,
  });

async function findClaim(db: Database, id: string): Promise<{ claim: ClaimRow; mod: typeof mods.$inferSelect } | null> {
  const [row] = await db
    .select({ claim: projectClaims, mod: mods })
    .from(projectClaims)
    .innerJoin(mods, eq(mods.id, projectClaims.projectId))
    .where(eq(projectClaims.id, id));
  return row ?? null;
}

const listClaims = (
  db: Database,
  which: { userId: string } | { state: ClaimRow['state'] },
): Promise<{ claim: ClaimRow; mod: ModAddress & Pick<Mod, 'title'> }[]> =>
  db
    .select({ claim: projectClaims, mod: { handle: mods.handle, slug: mods.slug, title: mods.title } })
    .from(projectClaims)
    .innerJoin(mods, eq(mods.id, projectClaims.projectId))
    .where('userId' in which ? eq(projectClaims.userId, which.userId) : eq(projectClaims.state, which.state))
    .orderBy(projectClaims.createdAt)
    .limit(LISTED_CLAIMS);

/** Decides an open claim; fails the transaction when it was decided meanwhile. */
const decideStatement = (db: Database, id: string, state: 'confirmed' | 'rejected', reason: string | null, now: UnixSeconds): Statement =>
  db
    .update(projectClaims)
    .set({ state: sql`case when ${projectClaims.state} = 'pending' then ${state} end`, reason, decidedAt: now })
    .where(eq(projectClaims.id, id));

/** Gives a mod to the handle of its new owner; fails the transaction when the mod changed or got an owner meanwhile. */
function moveStatements(db: Database, mod: typeof mods.$inferSelect, address: ModAddress, now: UnixSeconds): Statement[] {
  const hasNoOwner = sql`not ${hasOwner(mod.id)}`;
  const files = sql`(select sha256 from ${modReleases} where mod_id = ${mod.id} and is_published = 1)`;
  return [
    db
      .update(mods)
      .set({
        ...address,
        isStray: false,
        updatedAt: now,
        author: address.handle,
        // The name of the author was a credit until now; that of a project is not.
        credited: sql`case when exists (select 1 from ${projectAccounts} where project_id = ${mod.id}) then credited else author end`,
        searchText: searchTextOf({ ...mod, author: address.handle }),
        version: sql`case when ${hasNoOwner} then ${nextVersion(mod)} end`,
      })
      .where(eq(mods.id, mod.id)),
    db.update(modArtifactOwners).set({ handle: address.handle }).where(sql`sha256 in ${files} and handle = ${mod.handle}`),
    db
      .update(mods)
      .set({ forkedFromPath: pathOf(address) })
      .where(eq(mods.forkedFromPath, pathOf(mod))),
  ];
}

/** Rejects the other open claims of a mod that got an owner. */
const rejectOthersStatement = (db: Database, claim: ClaimRow, now: UnixSeconds): Statement =>
  db
    .update(projectClaims)
    .set({ state: 'rejected', reason: 'the mod was confirmed for another account', decidedAt: now })
    .where(and(eq(projectClaims.projectId, claim.projectId), eq(projectClaims.state, 'pending'), ne(projectClaims.id, claim.id)));

async function deleteExpiredClaims(db: Database, now: UnixSeconds): Promise<void> {
  await db.delete(projectClaims).where(lt(projectClaims.decidedAt, now - DECIDED_TTL_SECONDS));
}

// Account data

async function exportAccountData(db: Database, userId: string) {
  const [handles, members, claims, keys, invitations] = await db.batch([
    db.select().from(projectHandles).where(eq(projectHandles.userId, userId)),
    db
      .select({ handle: mods.handle, slug: mods.slug, role: projectMembers.role, since: projectMembers.createdAt })
      .from(projectMembers)
      .innerJoin(mods, eq(mods.id, projectMembers.projectId))
      .where(eq(projectMembers.userId, userId)),
    db.select().from(projectClaims).where(eq(projectClaims.userId, userId)),
    db.select().from(projectKeys).where(eq(projectKeys.userId, userId)),
    db
      .select({ handle: mods.handle, slug: mods.slug, role: projectInvitations.role, createdAt: projectInvitations.createdAt })
      .from(projectInvitations)
      .innerJoin(mods, eq(mods.id, projectInvitations.projectId))
      .where(eq(projectInvitations.userId, userId)),
  ]);
  return { handles, members, claims, keys: keys as ProjectKeyRow[], invitations };
}

/**
 * Deletes the memberships, claims and keys of an account, and unlinks its handles. A project whose last owner it was gets no other: nobody
 * becomes an owner without consent. The keys of such a project are deleted. Published releases stay. Idempotent.
 */
async function deleteAccountData(db: Database, userId: string): Promise<void> {
  const { projectId } = projectMembers;
  const isMember = eq(projectMembers.userId, userId);
  const listJoined = () => db.select({ projectId }).from(projectMembers).where(isMember).limit(DELETED_MEMBERSHIPS);
  // What each project derives is replaced in the transaction that removes its member.
  for (let joined = await listJoined(); joined.length > 0; joined = await listJoined()) {
    const ids = joined.map((row) => row.projectId);
    await db.batch([
      db.delete(projectMembers).where(and(isMember, inArray(projectId, ids))),
      db.delete(projectKeys).where(and(inArray(projectKeys.projectId, ids), not(hasOwner(projectKeys.projectId)))),
      ...ids.flatMap((id) => derivedStatements(db, id)),
    ]);
  }
  await db.batch([
    db.delete(projectKeys).where(eq(projectKeys.userId, userId)),
    db.delete(projectClaims).where(eq(projectClaims.userId, userId)),
    db.update(projectHandles).set({ userId: null }).where(eq(projectHandles.userId, userId)),
    db.delete(projectTakeDowns).where(eq(projectTakeDowns.userId, userId)),
    db.delete(projectInvitations).where(or(eq(projectInvitations.userId, userId), eq(projectInvitations.inviterId, userId))),
    db.update(projectAccounts).set({ userId: null }).where(eq(projectAccounts.userId, userId)),
  ]);
}

/** Members, handles, claims and the audit trail of projects, and their releases in every state. */
export function createProjectsStore(db: Database) {
  return {
    ...createMembershipsStore(db),
    ...bind(db, {
      findMember,
      listMembers,
      listProjects,
      listHandles,
      findHandleOwner,
      isHandleUsed,
      isAuthorName,
      listSlugs,
      handleStatement,
      memberExistsGuard,
      liveKeyGuard,
      removeStatements,
      listAddresses,
      findMailedAccount,
      findEmail,
      auditStatements,
      listAudit,
      hasRefusedReleases,
      ownFilesGuard,
      listReleases,
      findRelease,
      findMod,
      listDownloads,
      claimStatement,
      findClaim,
      listClaims,
      decideStatement,
      moveStatements,
      rejectOthersStatement,
      deleteExpiredClaims,
      exportAccountData,
      deleteAccountData,
    }),
    isUnchanged,
  };
}
