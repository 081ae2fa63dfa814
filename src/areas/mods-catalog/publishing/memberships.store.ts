import { and, eq, gt, lt, type SQL, sql } from 'drizzle-orm';
import { bind } from '../../../platform/kit/bind.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { Database } from '../../../platform/storage/database.ts';
import { MOD_LIMITS } from '../records/catalog.data.ts';
import { modAuthors, modReleases, mods } from '../records/catalog.tables.ts';
import type { ModAddress } from '../records/mod.domain.ts';
import type { Statement } from '../records/mod-writes.store.ts';
import { PROJECT_LIMITS, type Role } from '../records/publishing.data.ts';
import { projectAccounts, projectInvitations, projectMembers, projectTakeDowns } from '../records/publishing.tables.ts';

export type InvitationRow = typeof projectInvitations.$inferSelect;

/** An invitation with its project. */
export interface Invitation {
  invitation: InvitationRow;
  mod: ModAddress & { id: number; title: string; isVisible: boolean };
}

const LISTED = 200;

export type MembershipsStore = ReturnType<typeof createMembershipsStore>;

const ownersOf = (projectId: number | SQL) => sql`from ${projectMembers} where project_id = ${projectId} and role = 'owner'`;

const held = (projectId: number) =>
  sql`exists (select 1 from ${projectTakeDowns} t join ${projectMembers} m on m.user_id = t.user_id where m.project_id = ${projectId})`;

/** Handles of the members, owners first, as many as fit; without a member the handle of the mod. */
const authorOf = (projectId: number) => {
  const order = sql.raw(`role = 'owner' desc, created_at, handle`);
  const measured = sql`select handle, sum(length(handle) + 2) over (order by ${order} rows unbounded preceding) as total from ${projectMembers} where project_id = ${projectId} order by ${order}`;
  return sql`coalesce((select group_concat(handle, ', ') from (${measured}) where total <= ${MOD_LIMITS.author}), handle)`;
};

/** Names for the `author` filter: the handle of the mod and its members. */
const authorStatements = (db: Database, projectId: number): Statement[] => [
  db.delete(modAuthors).where(eq(modAuthors.modId, projectId)),
  db
    .insert(modAuthors)
    .select(
      sql`select ${projectId}, handle from ${projectMembers} where project_id = ${projectId} union select id, handle from ${mods} where id = ${projectId} union select id, author from ${mods} where id = ${projectId}`,
    ),
];

const isOpen = (now: UnixSeconds) => gt(projectInvitations.expiresAt, now);

const selectInvitations = (db: Database) =>
  db
    .select({
      invitation: projectInvitations,
      mod: { id: mods.id, handle: mods.handle, slug: mods.slug, title: mods.title, isVisible: mods.isVisible },
    })
    .from(projectInvitations)
    .innerJoin(mods, eq(mods.id, projectInvitations.projectId));

/** Makes a project count for an account. */
const accountStatement = (db: Database, projectId: number | SQL<number>, userId: string): Statement =>
  db
    .insert(projectAccounts)
    .values({ projectId: sql`${projectId}`, userId })
    .onConflictDoUpdate({ target: projectAccounts.projectId, set: { userId } });

async function isProject(db: Database, modId: number): Promise<boolean> {
  return (await db.select().from(projectAccounts).where(eq(projectAccounts.projectId, modId))).length > 0;
}

/** Number of projects that count for an account. */
async function countProjects(db: Database, userId: string): Promise<number> {
  return (await db.all<{ n: number }>(sql`select count(*) as n from ${projectAccounts} where user_id = ${userId}`))[0]?.n ?? 0;
}

/**
 * Adds a member, or changes its role; fails the transaction when the project or the account has the maximum. A new project is counted
 * for its account before.
 */
function memberStatement(
  db: Database,
  projectId: number | SQL<number>,
  member: { userId: string; handle: string; role: Role },
  now: UnixSeconds,
): Statement {
  const { userId } = member;
  const memberCount = sql`(select count(*) from ${projectMembers} where project_id = ${projectId})`;
  const isOwn = sql`exists (select 1 from ${projectAccounts} where project_id = ${projectId} and user_id = ${userId})`;
  const ownCount = sql`(select count(*) from ${projectAccounts} where user_id = ${userId})`;
  const foreignCount = sql`(select count(*) from ${projectMembers} m where m.user_id = ${userId} and not exists (select 1 from ${projectAccounts} a where a.project_id = m.project_id and a.user_id = ${userId}))`;
  const isKnown = sql`exists (select 1 from ${projectMembers} where project_id = ${projectId} and user_id = ${userId})`;
  const accountHasRoom = sql`case when ${isOwn} then ${ownCount} <= ${PROJECT_LIMITS.projectsPerAccount} else ${foreignCount} < ${PROJECT_LIMITS.memberships} end`;
  const hasRoom = sql`${memberCount} < ${PROJECT_LIMITS.members} and ${accountHasRoom}`;
  return db
    .insert(projectMembers)
    .values({
      projectId: sql`${projectId}`,
      userId,
      handle: member.handle,
      role: sql`case when ${isKnown} or (${hasRoom}) then ${member.role} end`,
      createdAt: now,
    })
    .onConflictDoUpdate({ target: [projectMembers.projectId, projectMembers.userId], set: { role: sql`excluded.role` } });
}

/** Removes a member with the invitations that it sent. */
const removeMemberStatements = (db: Database, projectId: number, userId: string): Statement[] => [
  db.delete(projectMembers).where(and(eq(projectMembers.projectId, projectId), eq(projectMembers.userId, userId))),
  db.delete(projectInvitations).where(and(eq(projectInvitations.projectId, projectId), eq(projectInvitations.inviterId, userId))),
];

/**
 * What a project derives from its members, after every change of them in a transaction: its author and the account that it counts for.
 * Without an owner it still counts for the last one, and its scheduled releases become drafts.
 */
export const derivedStatements = (db: Database, projectId: number): Statement[] => [
  db
    .update(projectAccounts)
    .set({
      userId: sql`coalesce((select user_id ${ownersOf(projectId)} order by user_id = ${projectAccounts.userId} desc, created_at, user_id limit 1), ${projectAccounts.userId})`,
    })
    .where(eq(projectAccounts.projectId, projectId)),
  db
    .update(modReleases)
    .set({ publishAt: null, publishError: 'the project has no owner' })
    .where(sql`mod_id = ${projectId} and publish_at is not null and not exists (select 1 ${ownersOf(projectId)})`),
  db
    .update(mods)
    .set({
      author: authorOf(projectId),
      // The author is the last part of the search text. That of a project has only characters of handles.
      searchText: sql`substr(search_text, 1, length(search_text) - length(author)) || ${authorOf(projectId)}`,
      version: sql`version + 1`,
    })
    .where(eq(mods.id, projectId)),
  ...authorStatements(db, projectId),
];

/** Fails the transaction when the project has no owner. */
const ownerGuard = (db: Database, projectId: number): Statement =>
  db
    .update(mods)
    .set({ version: sql`case when exists (select 1 ${ownersOf(projectId)}) then version end` })
    .where(eq(mods.id, projectId));

/** Fails the transaction when the project has an owner. */
const noOwnerGuard = (db: Database, projectId: number): Statement =>
  db
    .update(mods)
    .set({ version: sql`case when not exists (select 1 ${ownersOf(projectId)}) then version end` })
    .where(eq(mods.id, projectId));

/** Whether what a project publishes waits for approval: a project of one of its members is taken down. */
const isHeld = async (db: Database, projectId: number): Promise<boolean> =>
  (await db.all<{ n: number }>(sql`select ${held(projectId)} as n`))[0]?.n === 1;

/** Makes a mod wait for approval, if `isHeld` is as it was read; fails the transaction otherwise. */
const holdStatement = (db: Database, projectId: number, isHeld: boolean): Statement =>
  db
    .update(mods)
    .set({ isApproved: sql`case when ${held(projectId)} = ${Number(isHeld)} then iif(${Number(isHeld)}, 0, is_approved) end` })
    .where(eq(mods.id, projectId));

/** Projects whose last owner left, by address. */
const listOrphans = (db: Database): Promise<(ModAddress & { title: string })[]> =>
  db
    .select({ handle: mods.handle, slug: mods.slug, title: mods.title })
    .from(projectAccounts)
    .innerJoin(mods, eq(mods.id, projectAccounts.projectId))
    .where(sql`not exists (select 1 ${ownersOf(sql`${projectAccounts.projectId}`)})`)
    .orderBy(mods.handle, mods.slug)
    .limit(LISTED);

// Invitations

/** Stores an invitation; fails the transaction when the account has one for this project. An expired one is replaced. */
const inviteStatements = (db: Database, row: InvitationRow): Statement[] => [
  db
    .delete(projectInvitations)
    .where(
      and(
        eq(projectInvitations.projectId, row.projectId),
        eq(projectInvitations.userId, row.userId),
        sql`${projectInvitations.expiresAt} <= ${row.createdAt}`,
      ),
    ),
  db.insert(projectInvitations).values(row),
];

async function findInvitation(db: Database, id: string, now: UnixSeconds): Promise<Invitation | null> {
  return (await selectInvitations(db).where(and(eq(projectInvitations.id, id), isOpen(now))))[0] ?? null;
}

/** Open invitations of a project or of an account, the oldest first. */
const listInvitations = (db: Database, which: { projectId: number } | { userId: string }, now: UnixSeconds): Promise<Invitation[]> =>
  selectInvitations(db)
    .where(
      and('userId' in which ? eq(projectInvitations.userId, which.userId) : eq(projectInvitations.projectId, which.projectId), isOpen(now)),
    )
    .orderBy(projectInvitations.createdAt, projectInvitations.id)
    .limit(LISTED);

/** Holds while an invitation is open, as it was read. */
const isInvited = ({ id, role }: InvitationRow, now: UnixSeconds): SQL =>
  sql`exists (select 1 from ${projectInvitations} where id = ${id} and role = ${role} and expires_at > ${now})`;

const endInvitationStatement = (db: Database, id: string): Statement => db.delete(projectInvitations).where(eq(projectInvitations.id, id));

const deleteExpiredInvitations = async (db: Database, now: UnixSeconds): Promise<void> => {
  await db.delete(projectInvitations).where(lt(projectInvitations.expiresAt, now));
};

/** Members of projects, the accounts that projects count for, and invitations. */
export function createMembershipsStore(db: Database) {
  return {
    ...bind(db, {
      accountStatement,
      isProject,
      countProjects,
      memberStatement,
      removeMemberStatements,
      derivedStatements,
      authorStatements,
      ownerGuard,
      noOwnerGuard,
      isHeld,
      holdStatement,
      listOrphans,
      inviteStatements,
      findInvitation,
      listInvitations,
      endInvitationStatement,
      deleteExpiredInvitations,
    }),
    isInvited,
  };
}
