import { and, eq, gt, lt, type SQL, sql } from 'drizzle-orm';
import { projectKeys } from '../../../platform/access/tokens.tables.ts';
import { bind } from '../../../platform/kit/bind.ts';
import { ApiError } from '../../../platform/kit/errors/api-error.ts';
import { SECONDS_PER_DAY, type UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { SettingsSource } from '../../../platform/settings/settings-cache.ts';
import type { Database } from '../../../platform/storage/database.ts';
import { ALLOWANCE_NAMES, ALLOWANCES, type AllowanceName } from '../records/allowances.data.ts';
import { modImages, modReleases, mods } from '../records/catalog.tables.ts';
import type { ModDetails } from '../records/mod.domain.ts';
import { type Statement, saveUnlessChanged } from '../records/mod-writes.store.ts';
import { projectAccounts, projectAllowances, projectInvitations, projectUses } from '../records/publishing.tables.ts';

export type Amounts = { readonly [Name in AllowanceName]?: number };

/** An allowance of an account. */
export interface AllowanceState {
  name: AllowanceName;
  used: number;
  max: number;
}

export type Allowances = ReturnType<typeof createAllowances>;

interface AllowancesDeps {
  db: Database;
  settings: SettingsSource;
}

/** Allowances of accounts that publish: one table, and one function that charges. */
export function createAllowances(deps: AllowancesDeps) {
  return bind(deps, { charge, chargeProject, chargeIfRoom, chargeUpload, list, set, deleteAccountData, deleteExpired });
}

/** Projects that count for an account. */
const projectsOf = (userId: string) => sql`(select project_id from ${projectAccounts} where user_id = ${userId})`;
const releasesOf = (userId: string, where: SQL) =>
  sql`from ${modReleases} where mod_id in ${projectsOf(userId)} and withdrawn_at is null and ${where}`;
const daily = (userId: string, name: AllowanceName, day: number) =>
  sql<number>`coalesce((select n from ${projectUses} where user_id = ${userId} and name = ${name} and day = ${day}), 0)`;

/** What an account uses at the time of a statement. */
const usedBy: Readonly<Record<AllowanceName, (userId: string, now: UnixSeconds) => SQL<number>>> = {
  bytes: (userId) => {
    const projects = projectsOf(userId);
    const texts = MOD_TEXTS.map((name) => `octet_length(${name})`).join(' + ');
    const releaseTexts = 'octet_length(changelog) + octet_length(changelog_i18n) + octet_length(title_i18n)';
    return sql`(select coalesce(sum(${sql.raw(texts)}), 0) from ${mods} where id in ${projects})
      + (select coalesce(sum(size), 0) from ${modImages} where mod_id in ${projects})
      + (select coalesce(sum(${sql.raw(releaseTexts)}), 0) from ${modReleases} where mod_id in ${projects})
      + (select coalesce(sum(size + case when is_published then 0 else coalesce(image ->> 'size', 0) end), 0) ${releasesOf(userId, sql`true`)})`;
  },
  uploads: (userId, now) => daily(userId, 'uploads', dayOf(now)),
  projects: (userId, now) => daily(userId, 'projects', dayOf(now)),
  drafts: (userId) => sql`(select count(*) ${releasesOf(userId, sql`is_published = 0 and publish_at is null`)})`,
  scheduled: (userId) => sql`(select count(*) ${releasesOf(userId, sql`is_published = 0 and publish_at is not null`)})`,
  keys: (userId, now) => sql`(select count(*) from ${projectKeys} where user_id = ${userId} and ended_at is null and expires_at >= ${now})`,
  invitations: (userId, now) => sql`(select count(*) from ${projectInvitations} where inviter_id = ${userId} and expires_at > ${now})`,
  announcements: (userId, now) => daily(userId, 'announcements', dayOf(now)),
};

async function read(
  { db, settings }: AllowancesDeps,
  userId: string,
  names: readonly AllowanceName[],
  now: UnixSeconds,
): Promise<AllowanceState[]> {
  const used = sql.join(
    names.map((name) => sql`${usedBy[name](userId, now)} as ${sql.raw(name)}`),
    sql`, `,
  );
  const [current, [row], changed] = await Promise.all([
    settings.current(),
    db.all<Record<string, number>>(sql`select ${used}`),
    db.select().from(projectAllowances).where(eq(projectAllowances.userId, userId)),
  ]);
  return names.map((name) => {
    const max = changed.find((one) => one.name === name)?.max ?? ALLOWANCES[name].maxOf(current);
    return { name, used: row?.[name] ?? 0, max };
  });
}

/** Fails its transaction when the account has used more than it may. For the other allowances it stands after the writes. */
function guard({ db }: AllowancesDeps, userId: string, { name, max }: AllowanceState, amount: number, now: UnixSeconds): Statement {
  const isDaily = ALLOWANCES[name].period === 'day';
  const used = isDaily ? sql`${usedBy[name](userId, now)} + ${amount}` : usedBy[name](userId, now);
  return db
    .insert(projectUses)
    .values({ userId, name, day: isDaily ? dayOf(now) : 0, n: sql`case when ${used} <= ${max} then ${used} end` })
    .onConflictDoUpdate({ target: [projectUses.userId, projectUses.name, projectUses.day], set: { n: sql`excluded.n` } });
}

/**
 * Charges an account. Throws when it has no room; otherwise returns the statements that a transaction ends with, and that fail it when
 * concurrent requests have used the room meanwhile. Amounts of 0 or less are not charged.
 */
async function charge(deps: AllowancesDeps, userId: string, amounts: Amounts, now: UnixSeconds): Promise<Statement[]> {
  const names = ALLOWANCE_NAMES.filter((name) => (amounts[name] ?? 0) > 0);
  if (names.length === 0) return [];
  const states = await read(deps, userId, names, now);
  // A refusal before the work names what is used; the guards only fail the transaction.
  for (const state of states) if (state.used + (amounts[state.name] ?? 0) > state.max) throw usedUp(state, now);
  return states.map((state) => guard(deps, userId, state, amounts[state.name] ?? 0, now));
}

/** Charges the account that a project counts for. */
async function chargeProject(deps: AllowancesDeps, projectId: number, amounts: Amounts, now: UnixSeconds): Promise<Statement[]> {
  const [row] = await deps.db.select().from(projectAccounts).where(eq(projectAccounts.projectId, projectId));
  if (!row?.userId) throw new ApiError('conflict', 'the project has no owner');
  return charge(deps, row.userId, amounts, now);
}

/** Charges the account that a project counts for, if it has room; null otherwise. */
async function chargeIfRoom(deps: AllowancesDeps, projectId: number, amounts: Amounts, now: UnixSeconds): Promise<Statement[] | null> {
  try {
    return await chargeProject(deps, projectId, amounts, now);
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}

/** Charges an upload before its work: a refused one is charged too. */
async function chargeUpload(deps: AllowancesDeps, userId: string, now: UnixSeconds): Promise<void> {
  const [first, ...more] = await charge(deps, userId, { uploads: 1 }, now);
  if (first && (await saveUnlessChanged(deps.db, [first, ...more]))) return;
  const [state] = await read(deps, userId, ['uploads'], now);
  throw usedUp(state ?? { name: 'uploads', used: 0, max: 0 }, now);
}

/** All allowances of an account. */
const list = (deps: AllowancesDeps, userId: string, now: UnixSeconds): Promise<AllowanceState[]> =>
  read(deps, userId, ALLOWANCE_NAMES, now);

/** Changes allowances of one account; null restores the setting. */
async function set(
  { db }: AllowancesDeps,
  userId: string,
  changes: { readonly [Name in AllowanceName]?: number | null | undefined },
): Promise<void> {
  for (const name of ALLOWANCE_NAMES) {
    const max = changes[name];
    if (max === undefined) continue;
    const row = and(eq(projectAllowances.userId, userId), eq(projectAllowances.name, name));
    if (max === null) await db.delete(projectAllowances).where(row);
    else {
      await db
        .insert(projectAllowances)
        .values({ userId, name, max })
        .onConflictDoUpdate({ target: [projectAllowances.userId, projectAllowances.name], set: { max } });
    }
  }
}

async function deleteAccountData({ db }: AllowancesDeps, userId: string): Promise<void> {
  await db.batch([
    db.delete(projectAllowances).where(eq(projectAllowances.userId, userId)),
    db.delete(projectUses).where(eq(projectUses.userId, userId)),
  ]);
}

async function deleteExpired({ db }: AllowancesDeps, now: UnixSeconds): Promise<void> {
  await db.delete(projectUses).where(and(gt(projectUses.day, 0), lt(projectUses.day, dayOf(now) - 1)));
}
const dayOf = (now: UnixSeconds) => Math.floor(now / SECONDS_PER_DAY);

/** First second of the next UTC day. */
export const nextDayAt = (now: UnixSeconds): UnixSeconds => (dayOf(now) + 1) * SECONDS_PER_DAY;

/** Columns of the texts of a mod that count. */
const MOD_TEXTS = ['summary', 'description', 'readme_text', 'warnings', 'summary_i18n', 'description_i18n', 'readme_i18n', 'warnings_i18n'];

/** Bytes of the same texts, and of the images. */
export function bytesOf(details: ModDetails): number {
  const { summary, description, readmeText, warnings, summaryI18n, descriptionI18n, readmeI18n, warningsI18n } = details;
  const texts = [summary, description, readmeText, warnings];
  const translations = [summaryI18n, descriptionI18n, readmeI18n, warningsI18n].map((one) => JSON.stringify(one));
  const images = new Map([...details.previews, ...(details.banner ? [details.banner] : [])].map(({ sha256, size }) => [sha256, size]));
  const imageBytes = [...images.values()].reduce((sum, size) => sum + size, 0);
  return [...texts, ...translations].reduce((sum, text) => sum + Buffer.byteLength(text), imageBytes);
}

function usedUp({ name, used, max }: AllowanceState, now: UnixSeconds): ApiError {
  const { period, unit, hint } = ALLOWANCES[name];
  const message = `the account may have ${max} ${unit}; it has used ${used}`;
  const details = { allowance: name, used, max };
  if (period === 'total') return new ApiError('conflict', message, { hint, details });
  return new ApiError('rate_limited', message, { hint, details, headers: { 'Retry-After': String(nextDayAt(now) - now) } });
}
