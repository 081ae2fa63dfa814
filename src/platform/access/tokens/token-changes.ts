import { and, eq, gte, lt, lte, type SQL, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import pMap from 'p-map';
import { outbox } from '../../durable/outbox.tables.ts';
import type { Outbox } from '../../durable/outbox.ts';
import type { Job } from '../../durable/schedule/job.ts';
import { ApiError } from '../../kit/errors/api-error.ts';
import { logError } from '../../kit/logging.ts';
import { withTimeout } from '../../kit/tasks.ts';
import { SECONDS_PER_MINUTE, systemClock, type UnixSeconds } from '../../kit/time/clock.ts';
import type { Database } from '../../storage/database.ts';
import { apiTokens } from '../tokens.tables.ts';
import type { ChangeJournal } from './change-journal.ts';
import type { TokenGate } from './token-gate.ts';
import { createTokensStore } from './tokens.store.ts';

/** Kind of the outbox entries; the key of an entry is `<token id>:<version>`. */
const KIND = 'token-changes';
/** Gates notified concurrently. */
const CONCURRENCY = 6;
const NOTIFY_TIMEOUT_MS = 5000;
/** Shorter: a journal that hangs must not make the change of a gate look unconfirmed. */
const JOURNAL_TIMEOUT_MS = 2000;
const LEASE_SECONDS = 15;
/** Entries of one run of the job. */
const BATCH = 500;
const JOB_TIMEOUT_SECONDS = 55;
/** Shorter than the period of the job: each run retries every entry, so a gate obeys within a minute of being reachable. */
const PAUSE_SECONDS = 10;
const RETRY_SECONDS = 60;

/** A statement in the transaction of a change. */
export type ExtraStatement = BatchItem<'sqlite'>;

/**
 * Changes of tokens on their way to the gates. Each change raises the version of the token and writes an outbox entry in one
 * transaction; then the gate receives the row. A job repeats until the gate has confirmed.
 */
export interface TokenChanges {
  /** A raise of versions: `queue` runs in the same transaction before the update that sets `version`. */
  begin(now: UnixSeconds): VersionRaise;
  /** Sends the gates of these tokens their current rows. False when a gate has not confirmed. */
  confirm(tokenIds: readonly string[]): Promise<boolean>;
  /** Ids of deleted tokens of an account whose gates have not confirmed. */
  listDeleted(userId: string): Promise<string[]>;
}

export interface VersionRaise {
  /** Value of `version` after the change. */
  version: SQL<number>;
  /** Queues every token that matches. `deletedFor`: account whose tokens the transaction deletes. */
  queueAll(tokens: SQL | undefined, deletedFor?: string): ExtraStatement;
  /** Queues the one token that matches. Without a match the whole transaction fails: see `isWithoutMatch`. */
  queueOne(token: SQL | undefined): ExtraStatement;
}

/** `nowMs`: real time. `journal`: receives every change too. */
export function createTokenChanges(
  db: Database,
  gate: Pick<TokenGate, 'apply'>,
  nowMs: () => number = () => systemClock() * 1000,
  journal: Pick<ChangeJournal, 'write'> | null = null,
): TokenChanges {
  const tokens = createTokensStore(db);
  const ofKind = eq(outbox.kind, KIND);

  async function notify(tokenId: string): Promise<void> {
    const state = await tokens.find(tokenId);
    await Promise.all([gate.apply(tokenId, state), state && writeEntry(`token:${tokenId}:${state.version}`)]);
    // A newer change has an entry of its own. Versions have 13 digits, so their texts compare like numbers.
    const upTo = state ? lte(outbox.key, `${tokenId}:${state.version}`) : lt(outbox.key, `${tokenId};`);
    await db.delete(outbox).where(and(ofKind, gte(outbox.key, `${tokenId}:`), upTo));
  }

  /** Never rejects: the job of the journal retries. */
  async function writeEntry(subject: string): Promise<void> {
    if (journal === null) return;
    const written = withTimeout(journal.write(subject, systemClock()), JOURNAL_TIMEOUT_MS, 'writing an entry of the change journal');
    await written.catch((error: unknown) => logError('change was not written to the journal yet', error, { subject }));
  }

  async function notifySafely(tokenId: string): Promise<boolean> {
    try {
      await withTimeout(notify(tokenId), NOTIFY_TIMEOUT_MS, 'notifying a gate');
      return true;
    } catch (error) {
      logError('gate could not be notified of a change', error, { token_id: tokenId });
      return false;
    }
  }

  return {
    begin(now) {
      // Real time: after a restore of the database, new versions are still greater than those in the gates.
      const version = sql<number>`max(${apiTokens.version} + 1, cast(${nowMs()} as integer))`;
      const key = sql<string>`${apiTokens.id} || ':' || ${version}`;
      return {
        version,
        queueAll: (matching, deletedFor = '') =>
          db
            .insert(outbox)
            .select(sql`select ${KIND}, ${key}, ${deletedFor}, 0, ${now}, 0, null, null from ${apiTokens} where ${matching}`),
        queueOne: (matching) =>
          db.insert(outbox).values({ kind: KIND, key: sql`(select ${key} from ${apiTokens} where ${matching})`, nextTryAt: now }),
      };
    },

    async confirm(tokenIds) {
      const confirmed = await pMap(tokenIds, notifySafely, { concurrency: CONCURRENCY });
      return confirmed.every(Boolean);
    },

    async listDeleted(userId) {
      const rows = await db
        .select({ key: outbox.key })
        .from(outbox)
        .where(and(ofKind, eq(outbox.payload, userId)));
      return rows.map(({ key }) => idOf(key));
    },
  };
}

const idOf = (key: string): string => key.slice(0, key.indexOf(':'));

/** The job that repeats unconfirmed changes without end. */
export function tokenChangeJobs(changes: Pick<TokenChanges, 'confirm'>, deliveries: Outbox): Job[] {
  const queue = deliveries.kind({
    name: KIND,
    policy: { tries: null, firstPauseSeconds: PAUSE_SECONDS, factor: 1, longestPauseSeconds: PAUSE_SECONDS },
    leaseSeconds: LEASE_SECONDS,
    batch: BATCH,
    concurrency: CONCURRENCY,
    deliver: async ({ key }) =>
      (await changes.confirm([idOf(key)])) ? { kind: 'done' } : { kind: 'retry', reason: 'the gate did not confirm' },
  });
  return [
    {
      name: 'token-changes',
      schedule: { everySeconds: SECONDS_PER_MINUTE },
      timeoutSeconds: JOB_TIMEOUT_SECONDS,
      startsFirst: true,
      run: ({ now, signal }) => queue.drain({ now, signal }),
    },
  ];
}

/** True for the error of a transaction whose `queueOne` matched no token. */
export function isWithoutMatch(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause.message.includes('NOT NULL constraint failed: outbox.key')) return true;
  }
  return false;
}

/** 503 for a change that is stored but not confirmed by every gate. */
export function pendingChange(): ApiError {
  return new ApiError('service_unavailable', 'the change is stored but not yet in effect', {
    hint: 'the service applies the change as soon as possible; repeat the request to check',
    details: { pending: true },
    headers: { 'Retry-After': String(RETRY_SECONDS) },
  });
}
