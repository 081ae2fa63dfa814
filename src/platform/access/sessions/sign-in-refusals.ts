import { gte, lt, sql } from 'drizzle-orm';
import type { ErrorCode } from '../../kit/errors/api-error.ts';
import { SECONDS_PER_DAY, SECONDS_PER_HOUR, type UnixSeconds } from '../../kit/time/clock.ts';
import type { Database } from '../../storage/database.ts';
import { signInRefusals } from '../tokens.tables.ts';

const REFUSALS_TTL_SECONDS = 90 * SECONDS_PER_DAY;
/** Codes that are a step of a sign-in, not its refusal. */
const STEPS: readonly ErrorCode[] = ['second_factor_required'];

/** Counts of refused sign-ins, for administrators. */
export interface SignInRefusals {
  count(code: ErrorCode, now: UnixSeconds): Promise<void>;
  deleteExpired(now: UnixSeconds): Promise<void>;
}

export function createSignInRefusals(db: Database): SignInRefusals {
  return {
    async count(code, now) {
      if (STEPS.includes(code)) return;
      await db
        .insert(signInRefusals)
        .values({ hour: now - (now % SECONDS_PER_HOUR), code, count: 1 })
        .onConflictDoUpdate({ target: [signInRefusals.hour, signInRefusals.code], set: { count: sql`${signInRefusals.count} + 1` } });
    },

    async deleteExpired(now) {
      await db.delete(signInRefusals).where(lt(signInRefusals.hour, now - REFUSALS_TTL_SECONDS));
    },
  };
}

/** Query of the refused sign-ins by code since a time, most first. */
export function selectRefusals(db: Database, since: UnixSeconds) {
  return db
    .select({ code: signInRefusals.code, count: sql<number>`sum(${signInRefusals.count})`.as('total') })
    .from(signInRefusals)
    .where(gte(signInRefusals.hour, since))
    .groupBy(signInRefusals.code)
    .orderBy(sql`total desc`, signInRefusals.code)
    .limit(20);
}
