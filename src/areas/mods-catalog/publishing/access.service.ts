import { eq, type SQL, sql } from 'drizzle-orm';
import { users } from '../../../platform/access/tokens.tables.ts';
import { bind } from '../../../platform/kit/bind.ts';
import { ApiError, notFound } from '../../../platform/kit/errors/api-error.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { SettingsSource } from '../../../platform/settings/settings-cache.ts';
import type { Database } from '../../../platform/storage/database.ts';
import type { Mailer } from '../../../platform/upstream/mail/mailer.ts';
import { mods } from '../records/catalog.tables.ts';
import { type Statement, saveUnlessChanged } from '../records/mod-writes.store.ts';
import type { AccessState, PublishingAccessMode } from '../records/publishing.data.ts';
import { projectAccess, projectMembers } from '../records/publishing.tables.ts';

export type AccessRow = typeof projectAccess.$inferSelect;

const LISTED = 200;
const HINT = 'ask for it on the page of your mods';

interface PublishingAccessDeps {
  db: Database;
  settings: SettingsSource;
  mailer: Pick<Mailer, 'compose' | 'send'>;
  /** Accounts that get a mail about a request. */
  superusers(): Promise<readonly { email: string }[]>;
  appName: string;
  /** URL of the portal; empty: the URL of the API. */
  portalUrl: string;
}

export type PublishingAccess = ReturnType<typeof createPublishingAccess>;

/** Which accounts may publish: all, those that a superuser approved, or none, by the setting `publishing_access`. */
export function createPublishingAccess(deps: PublishingAccessDeps) {
  return bind(deps, { admit, problemOf, find, request, list, decide, export: findRow, deleteAccountData });
}

/**
 * Throws 403 when the account may not publish; otherwise returns the statements that fail a transaction when it may not any more.
 * `modId`: an existing mod of the transaction.
 */
async function admit(deps: PublishingAccessDeps, userId: string, modId: number | SQL): Promise<Statement[]> {
  const { db } = deps;
  const mode = await modeOf(deps);
  if (mode === 'open') return [];
  if (mode === 'closed') throw new ApiError('forbidden', 'publishing is closed');
  if (!(await holds(deps, isApproved(userId)))) throw new ApiError('forbidden', 'the account is not approved to publish', { hint: HINT });
  return [
    // A null version violates a constraint, which rolls back the transaction.
    db
      .update(mods)
      .set({ version: sql`case when ${isApproved(userId)} then version end` })
      .where(sql`${mods.id} = ${modId}`),
  ];
}

/** Why a scheduled release of a project is not published; null when it may be. */
async function problemOf(deps: PublishingAccessDeps, modId: number): Promise<string | null> {
  const mode = await modeOf(deps);
  if (mode === 'closed') return 'publishing is closed';
  const ownersWith = (condition: SQL) =>
    sql`exists (select 1 from ${projectMembers} m join ${users} u on u.id = m.user_id where m.project_id = ${modId} and m.role = 'owner' and u.is_active = 1 and ${condition})`;
  if (mode === 'open') return (await holds(deps, ownersWith(sql`1 = 1`))) ? null : 'no owner of the project is active';
  return (await holds(deps, ownersWith(isApproved(sql`m.user_id`)))) ? null : 'no owner of the project is approved to publish';
}

/** The mode and the request of an account; null without one. */
async function find(
  deps: PublishingAccessDeps,
  userId: string,
): Promise<{ mode: PublishingAccessMode; request: AccessRow | null; isAllowed: boolean }> {
  const [mode, request] = [await modeOf(deps), await findRow(deps, userId)];
  return { mode, request, isAllowed: mode === 'open' || (mode === 'approved' && (await holds(deps, isApproved(userId)))) };
}

/** Asks to publish, once per account, and mails the superusers. Throws 409. */
async function request(
  deps: PublishingAccessDeps,
  userId: string,
  note: string,
  { now, baseUrl }: { now: UnixSeconds; baseUrl: string },
): Promise<void> {
  const { db, mailer, superusers, appName, portalUrl } = deps;
  if ((await modeOf(deps)) === 'closed') throw new ApiError('conflict', 'publishing is closed');
  const recipients = (await superusers()).slice(0, LISTED);
  const text = `An account asks to publish mods. Decide on ${portalUrl || baseUrl}/portal/admin/mods\n`;
  const mails = recipients.map(({ email }) => mailer.compose({ to: email, subject: `${appName}: request to publish`, text }, now));
  const row = { userId, state: 'pending', note, reason: null, createdAt: now, decidedAt: null } as const;
  const isSaved = await saveUnlessChanged(db, [db.insert(projectAccess).values(row), ...mails.map(({ insertion }) => insertion)]);
  if (!isSaved) throw new ApiError('conflict', 'the account has asked already', { hint: 'a decision is mailed' });
  // One attempt each: the job sends the rest.
  for (const { id } of mails) await mailer.send(id, now);
}

/** Requests in a state, the oldest first, with the addresses of their accounts. */
const list = async ({ db }: PublishingAccessDeps, state: AccessState): Promise<(AccessRow & { email: string })[]> =>
  db
    .select({
      userId: projectAccess.userId,
      state: projectAccess.state,
      note: projectAccess.note,
      reason: projectAccess.reason,
      createdAt: projectAccess.createdAt,
      decidedAt: projectAccess.decidedAt,
      email: users.email,
    })
    .from(projectAccess)
    .innerJoin(users, eq(users.id, projectAccess.userId))
    .where(eq(projectAccess.state, state))
    .orderBy(projectAccess.createdAt)
    .limit(LISTED);

/** Decides a request, also one that was decided, and mails the account. Repeating a decision changes nothing. */
async function decide(
  deps: PublishingAccessDeps,
  userId: string,
  state: 'approved' | 'rejected',
  reason: string | null,
  now: UnixSeconds,
): Promise<void> {
  const { db, mailer, appName } = deps;
  const before = await findRow(deps, userId);
  if (!before) throw notFound('request not found');
  if (before.state === state) return;
  const [account] = await db.select({ email: users.email }).from(users).where(eq(users.id, userId));
  const text = state === 'approved' ? 'You may publish mods now.' : `You may not publish mods: ${reason}`;
  const mail = account && mailer.compose({ to: account.email, subject: `${appName}: your request to publish`, text: `${text}\n` }, now);
  const isSaved = await saveUnlessChanged(db, [
    db
      .update(projectAccess)
      .set({ state: sql`case when ${projectAccess.state} = ${before.state} then ${state} end`, reason, decidedAt: now })
      .where(eq(projectAccess.userId, userId)),
    ...(mail ? [mail.insertion] : []),
  ]);
  if (!isSaved) throw new ApiError('conflict', 'the request was decided meanwhile; reload it');
  if (mail) await mailer.send(mail.id, now);
}

async function deleteAccountData({ db }: PublishingAccessDeps, userId: string): Promise<void> {
  await db.delete(projectAccess).where(eq(projectAccess.userId, userId));
}

const isApproved = (userId: unknown) =>
  sql`(exists (select 1 from ${projectAccess} where user_id = ${userId} and state = 'approved') or exists (select 1 from ${users} where id = ${userId} and is_superuser = 1))`;

const modeOf = async ({ settings }: PublishingAccessDeps): Promise<PublishingAccessMode> => (await settings.current()).publishingAccess;

const holds = async ({ db }: PublishingAccessDeps, condition: SQL): Promise<boolean> =>
  (await db.all<{ n: number }>(sql`select ${condition} as n`))[0]?.n === 1;

async function findRow({ db }: PublishingAccessDeps, userId: string): Promise<AccessRow | null> {
  return (await db.select().from(projectAccess).where(eq(projectAccess.userId, userId)))[0] ?? null;
}
