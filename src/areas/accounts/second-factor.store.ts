import { and, count, desc, eq, isNotNull, lt, type SQL, sql } from 'drizzle-orm';
import { recoveryCodes, secondFactorEvents, secondFactors } from '../../platform/access/sessions/second-factor.tables.ts';
import { users } from '../../platform/access/tokens.tables.ts';
import { bind } from '../../platform/kit/bind.ts';
import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import type { Database } from '../../platform/storage/database.ts';
import { type ExtraStatement, endOldSessions } from './accounts.store.ts';

type StoredFactor = typeof secondFactors.$inferSelect;
export type SecondFactorEvent = typeof secondFactorEvents.$inferSelect;
type SecondFactorEventKind = SecondFactorEvent['kind'];

/** The statement that queues a mail about a change, if the condition holds in its transaction. */
type MailIf = (condition: SQL) => ExtraStatement;

/** Maximum number of events in a list. */
const MAX_LISTED_EVENTS = 50;

/** Second factors, recovery codes and their events. */
export type SecondFactorStore = ReturnType<typeof createSecondFactorStore>;

interface SecondFactorStoreDeps {
  db: Database;
  newId: () => string;
}

export function createSecondFactorStore(db: Database, newId: () => string) {
  const deps: SecondFactorStoreDeps = { db, newId };
  return bind(deps, {
    find,
    countRecoveryCodes,
    listEvents,
    begin,
    confirm,
    useStep,
    useRecoveryCode,
    listRecoveryCodes,
    replaceRecoveryCodes,
    remove,
    deleteByAccount,
    deleteExpiredEvents,
  });
}

const deleteCodes = ({ db }: SecondFactorStoreDeps, userId: string, condition?: SQL) =>
  db.delete(recoveryCodes).where(and(eq(recoveryCodes.userId, userId), condition));

const deleteFactor = ({ db }: SecondFactorStoreDeps, userId: string, condition?: SQL) =>
  db.delete(secondFactors).where(and(eq(secondFactors.userId, userId), condition));

const isCurrent = (userId: string, sealedSecret: string) =>
  sql`exists (select 1 from ${secondFactors} where ${secondFactors.userId} = ${userId} and ${secondFactors.sealedSecret} = ${sealedSecret})`;

/** Adds an event if the condition holds. The statements after it depend on `isAdded`, because they change what the condition reads. */
function addEventIf({ db, newId }: SecondFactorStoreDeps, userId: string, kind: SecondFactorEventKind, at: UnixSeconds, condition: SQL) {
  const id = newId();
  return {
    insertion: db
      .insert(secondFactorEvents)
      .select(sql`select ${id}, ${userId}, ${kind}, null, ${at} where ${condition}`)
      .returning({ id: secondFactorEvents.id }),
    isAdded: sql`exists (select 1 from ${secondFactorEvents} where ${secondFactorEvents.id} = ${id})`,
  };
}

async function find({ db }: SecondFactorStoreDeps, userId: string): Promise<StoredFactor | null> {
  const rows = await db.select().from(secondFactors).where(eq(secondFactors.userId, userId)).limit(1);
  return rows[0] ?? null;
}

async function countRecoveryCodes({ db }: SecondFactorStoreDeps, userId: string): Promise<number> {
  const [row] = await db.select({ left: count() }).from(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  return row?.left ?? 0;
}

/** Latest events first. */
const listEvents = ({ db }: SecondFactorStoreDeps, userId: string): Promise<SecondFactorEvent[]> =>
  db
    .select()
    .from(secondFactorEvents)
    .where(eq(secondFactorEvents.userId, userId))
    .orderBy(desc(secondFactorEvents.at), desc(secondFactorEvents.id))
    .limit(MAX_LISTED_EVENTS);

/** Stores the secret of a set-up. False when the account has a second factor. */
async function begin({ db }: SecondFactorStoreDeps, userId: string, sealedSecret: string, now: UnixSeconds): Promise<boolean> {
  const rows = await db
    .insert(secondFactors)
    .values({ userId, sealedSecret, createdAt: now })
    .onConflictDoUpdate({
      target: secondFactors.userId,
      set: { sealedSecret, createdAt: now },
      setWhere: sql`${secondFactors.confirmedAt} is null`,
    })
    .returning({ userId: secondFactors.userId });
  return rows.length > 0;
}

/**
 * Confirms a set-up, stores the recovery codes, and ends every session. `step`: that of the accepted code. False when the set-up was
 * replaced or finished concurrently.
 */
async function confirm(
  { db, newId }: SecondFactorStoreDeps,
  { userId, sealedSecret }: StoredFactor,
  step: number,
  codeHashes: readonly string[],
  now: UnixSeconds,
  mailIf: MailIf,
): Promise<boolean> {
  const isOpen = sql`${secondFactors.userId} = ${userId} and ${secondFactors.sealedSecret} = ${sealedSecret} and ${secondFactors.confirmedAt} is null`;
  const stillOpen = sql`exists (select 1 from ${secondFactors} where ${isOpen})`;
  const codes = sql`select value, ${userId} from json_each(${JSON.stringify(codeHashes)}) where ${stillOpen}`;
  // The confirmation is last: the statements before it depend on an open set-up.
  const [, , , , , confirmed] = await db.batch([
    mailIf(stillOpen),
    db
      .update(users)
      .set({ tokenVersion: sql`${users.tokenVersion} + 1`, knownDevices: [] })
      .where(and(eq(users.id, userId), stillOpen)),
    endOldSessions(db, userId),
    db.insert(recoveryCodes).select(codes),
    db.insert(secondFactorEvents).select(sql`select ${newId()}, ${userId}, 'enabled', null, ${now} where ${stillOpen}`),
    db.update(secondFactors).set({ confirmedAt: now, lastStep: step }).where(isOpen).returning({ userId: secondFactors.userId }),
  ]);
  return confirmed.length > 0;
}

/** Accepts the code of a step once. False when a code of this or a later step was accepted. */
async function useStep({ db }: SecondFactorStoreDeps, userId: string, step: number): Promise<boolean> {
  const isLater = and(eq(secondFactors.userId, userId), isNotNull(secondFactors.confirmedAt), lt(secondFactors.lastStep, step));
  const rows = await db.update(secondFactors).set({ lastStep: step }).where(isLater).returning({ userId: secondFactors.userId });
  return rows.length > 0;
}

/** Accepts a recovery code once. */
async function useRecoveryCode(
  { db, newId }: SecondFactorStoreDeps,
  userId: string,
  codeHash: string,
  now: UnixSeconds,
  mailIf: MailIf,
): Promise<boolean> {
  const isCode = and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.codeHash, codeHash));
  const hasCode = sql`exists (select 1 from ${recoveryCodes} where ${isCode})`;
  // The deletion is last: the statements before it depend on the code.
  const [, , used] = await db.batch([
    mailIf(hasCode),
    db.insert(secondFactorEvents).select(sql`select ${newId()}, ${userId}, 'recovery_code_used', null, ${now} where ${hasCode}`),
    db.delete(recoveryCodes).where(isCode).returning({ userId: recoveryCodes.userId }),
  ]);
  return used.length > 0;
}

/** Hashes of the unused recovery codes, in order. */
async function listRecoveryCodes({ db }: SecondFactorStoreDeps, userId: string): Promise<string[]> {
  const rows = await db.select().from(recoveryCodes).where(eq(recoveryCodes.userId, userId)).orderBy(recoveryCodes.codeHash);
  return rows.map(({ codeHash }) => codeHash);
}

/** False when the second factor or its recovery codes (`before`, from `listRecoveryCodes`) changed concurrently. */
async function replaceRecoveryCodes(
  deps: SecondFactorStoreDeps,
  { userId, sealedSecret }: StoredFactor,
  { before, after }: { before: readonly string[]; after: readonly string[] },
  now: UnixSeconds,
): Promise<boolean> {
  const stored = sql`(select json_group_array(code_hash) from (select ${recoveryCodes.codeHash} as code_hash from ${recoveryCodes}
    where ${recoveryCodes.userId} = ${userId} order by 1))`;
  const event = addEventIf(
    deps,
    userId,
    'recovery_codes_replaced',
    now,
    sql`${isCurrent(userId, sealedSecret)} and ${stored} = ${JSON.stringify(before)}`,
  );
  const [added] = await deps.db.batch([
    event.insertion,
    deleteCodes(deps, userId, event.isAdded),
    deps.db.insert(recoveryCodes).select(sql`select value, ${userId} from json_each(${JSON.stringify(after)}) where ${event.isAdded}`),
  ]);
  return added.length > 0;
}

/** False when the second factor was removed concurrently. */
async function remove(
  deps: SecondFactorStoreDeps,
  { userId, sealedSecret }: StoredFactor,
  now: UnixSeconds,
  mailIf: MailIf,
): Promise<boolean> {
  const event = addEventIf(deps, userId, 'disabled', now, isCurrent(userId, sealedSecret));
  const [added] = await deps.db.batch([
    event.insertion,
    mailIf(event.isAdded),
    deleteCodes(deps, userId, event.isAdded),
    deleteFactor(deps, userId, event.isAdded),
  ]);
  return added.length > 0;
}

/** Deletes all data of a deleted account. */
async function deleteByAccount(deps: SecondFactorStoreDeps, userId: string): Promise<void> {
  await deps.db.batch([
    deleteFactor(deps, userId),
    deleteCodes(deps, userId),
    deps.db.delete(secondFactorEvents).where(eq(secondFactorEvents.userId, userId)),
  ]);
}

async function deleteExpiredEvents({ db }: SecondFactorStoreDeps, before: UnixSeconds): Promise<void> {
  await db.delete(secondFactorEvents).where(lt(secondFactorEvents.at, before));
}
