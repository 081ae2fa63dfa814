import { and, desc, eq, gt, gte, lt, sql } from 'drizzle-orm';
import { apiTokens, users } from '../../platform/access/tokens.tables.ts';
import type { IngestLog, IngestRecord, IngestReport } from '../../platform/http/pipeline/receipt.ts';
import type { UnixSeconds } from '../../platform/kit/time/clock.ts';
import type { Database } from '../../platform/storage/database.ts';
import { ingestLog } from './ingest.tables.ts';

/** The result of one insert, for its sender. */
export interface IngestReceipt extends IngestReport {
  id: string;
  endpoint: string;
  /** `received`: not processed yet. */
  state: 'received' | 'accepted' | 'rejected';
  receivedAt: UnixSeconds;
  summary: string | null;
  error: string | null;
}

/** A record with the names of account and token, for administrators. */
export interface IngestEntry extends Omit<IngestRecord, keyof IngestReport> {
  /** Ascending with time. */
  id: number;
  userEmail: string | null;
  tokenName: string | null;
  receiptId: string | null;
  /** Number of invalid records; null when the insert failed before its data was read. */
  rejected: number | null;
}

/** Filters of a list of records. */
interface IngestLogRequest {
  limit: number;
  /** Only records of this insert. */
  endpoint?: string | undefined;
  /** True: only successful inserts. False: only failed ones. */
  success?: boolean | undefined;
  /** Only records with a lower id. */
  belowId?: number | undefined;
}

const MAX_TEXT_LENGTH = 2000;
/** Maximum number of invalid records in a receipt, and maximum length of a reason. */
const MAX_PROBLEMS = 50;
const MAX_REASON_LENGTH = 300;
const NO_COUNTS = { received: null, accepted: null, ignored: null, rejected: null };

export type IngestLogStore = ReturnType<typeof createIngestLog>;

/** The log of inserts in the database. */
export function createIngestLog(db: Database) {
  return {
    async record({
      now,
      summary,
      error,
      receiptId = null,
      counts = null,
      problems = [],
      hiddenCharacters,
      ...who
    }: IngestRecord): Promise<void> {
      const row = {
        ...who,
        summary: summary?.slice(0, MAX_TEXT_LENGTH) ?? null,
        error: error?.slice(0, MAX_TEXT_LENGTH) ?? null,
        success: error === null,
        isPending: false,
        ...(counts ?? NO_COUNTS),
        hiddenCharacters: hiddenCharacters ?? null,
        problems: problems.slice(0, MAX_PROBLEMS).map(({ line, reason }) => ({ line, reason: reason.slice(0, MAX_REASON_LENGTH) })),
      };
      await db
        .insert(ingestLog)
        .values({ ...row, receiptId, createdAt: now })
        .onConflictDoUpdate({ target: ingestLog.receiptId, set: row, setWhere: eq(ingestLog.success, false) });
    },

    async receive({ now, receiptId, endpoint, userId, tokenId }: Parameters<IngestLog['receive']>[0]): Promise<void> {
      const row = { endpoint, userId, tokenId, receiptId, createdAt: now, success: false, isPending: true };
      await db.insert(ingestLog).values(row).onConflictDoNothing();
    },

    /** Null when the receipt does not exist or has expired. */
    async findReceipt(id: string): Promise<IngestReceipt | null> {
      const [row] = await db.select().from(ingestLog).where(eq(ingestLog.receiptId, id)).limit(1);
      if (!row) return null;
      const { received, accepted, ignored, rejected } = row;
      const isCounted = received !== null && accepted !== null && ignored !== null && rejected !== null;
      return {
        id,
        endpoint: row.endpoint,
        state: row.isPending ? 'received' : row.success ? 'accepted' : 'rejected',
        receivedAt: row.createdAt,
        counts: isCounted ? { received, accepted, ignored, rejected } : null,
        problems: row.problems,
        hiddenCharacters: row.hiddenCharacters ?? undefined,
        summary: row.summary,
        error: row.error,
      };
    },

    /** The latest records, newest first. */
    async latest({ limit, endpoint, success, belowId }: IngestLogRequest): Promise<IngestEntry[]> {
      const isFiltered = endpoint !== undefined || success !== undefined;
      // The unary plus: nearly every record is complete, so that index would be read in place of the one of the filter.
      const isComplete = isFiltered ? sql`+${ingestLog.isPending} = 0` : eq(ingestLog.isPending, false);
      const rows = await db
        .select({ entry: ingestLog, userEmail: users.email, tokenName: apiTokens.name })
        .from(ingestLog)
        .leftJoin(users, eq(users.id, ingestLog.userId))
        .leftJoin(apiTokens, eq(apiTokens.id, ingestLog.tokenId))
        .where(
          and(
            isComplete,
            endpoint === undefined ? undefined : eq(ingestLog.endpoint, endpoint),
            success === undefined ? undefined : eq(ingestLog.success, success),
            belowId === undefined ? undefined : lt(ingestLog.id, belowId),
          ),
        )
        .orderBy(desc(ingestLog.id))
        .limit(limit);
      return rows.map(({ entry: { createdAt, isPending: _isPending, success: _success, ...entry }, ...names }) => ({
        ...entry,
        ...names,
        now: createdAt,
      }));
    },

    async deleteExpired(before: UnixSeconds): Promise<void> {
      await db.delete(ingestLog).where(lt(ingestLog.createdAt, before));
    },
  };
}

/** Maximum number of rejected inserts in the overview. */
const MAX_REJECTED = 5;

/** Queries of the inserts since a time: their numbers, and the latest rejected ones. */
export function selectInserts(db: Database, since: UnixSeconds) {
  const isRejected = and(eq(ingestLog.success, false), eq(ingestLog.isPending, false));
  const count = (condition: ReturnType<typeof and>) => sql<number>`count(case when ${condition} then 1 end)`;
  return {
    counts: db
      .select({
        accepted: count(eq(ingestLog.success, true)),
        rejected: count(isRejected),
        pending: count(eq(ingestLog.isPending, true)),
        withProblems: count(and(eq(ingestLog.success, true), gt(ingestLog.rejected, 0))),
      })
      .from(ingestLog)
      .where(gte(ingestLog.createdAt, since)),
    latestRejected: db
      .select({ entry: ingestLog, userEmail: users.email })
      .from(ingestLog)
      .leftJoin(users, eq(users.id, ingestLog.userId))
      .where(and(isRejected, gte(ingestLog.createdAt, since)))
      .orderBy(desc(ingestLog.id))
      .limit(MAX_REJECTED),
  };
}
