import { and, desc, eq, lt } from 'drizzle-orm';
import { apiTokens, users } from '../../access/tokens.tables.ts';
import type { UnixSeconds } from '../../kit/time/clock.ts';
import type { Database } from '../../storage/database.ts';
import { type IngestProblem, ingestLog } from './ingest.tables.ts';

/** Numbers of records of an insert: the rows of a dump, otherwise one. */
export interface IngestCounts {
  /** The sum of the others. */
  received: number;
  /** Stored. */
  accepted: number;
  /** Valid, but not tracked by this service. */
  ignored: number;
  /** Invalid. */
  rejected: number;
}

/** One insert and its result. */
export interface IngestRecord extends Partial<IngestReport> {
  /**
   * Id of the receipt. A second record with the same id replaces the first, unless that was a success: a task that is repeated after a crash
   * knows less about the data that it stored. Absent: no receipt.
   */
  receiptId?: string | null;
  /** Short name of the insert: the `cooldown` in the access of its endpoint. */
  endpoint: string;
  now: UnixSeconds;
  /** Account of the client; null for a job of the service. */
  userId: string | null;
  /** Token of the client; null for a session. */
  tokenId: string | null;
  /** The imported data in one line; null when nothing was imported. */
  summary: string | null;
  /** Error message; null for a successful insert. */
  error: string | null;
}

/** What became of the records of an insert. */
export interface IngestReport {
  /** Null when the insert failed before its data was read. */
  counts: IngestCounts | null;
  /** The first invalid records; of more only the first `MAX_PROBLEMS` are stored. */
  problems: readonly IngestProblem[];
}

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
export interface IngestLogRequest {
  limit: number;
  /** Only records of this insert. */
  endpoint?: string | undefined;
  /** True: only successful inserts. False: only failed ones. */
  success?: boolean | undefined;
  /** Only records with a lower id. */
  belowId?: number | undefined;
}

/** Log of inserts for administrators. */
export interface IngestLog {
  record(entry: IngestRecord): Promise<void>;
  /** Creates the receipt of data that is processed later. The log lists it after `record`. */
  receive(entry: Omit<IngestRecord, 'summary' | 'error'> & { receiptId: string }): Promise<void>;
  /** Null when the receipt does not exist or has expired. */
  findReceipt(id: string): Promise<IngestReceipt | null>;
  /** The latest records, newest first. */
  latest(request: IngestLogRequest): Promise<IngestEntry[]>;
  deleteExpired(before: UnixSeconds): Promise<void>;
}

const MAX_TEXT_LENGTH = 2000;
/** Maximum number of invalid records in a receipt, and maximum length of a reason. */
export const MAX_PROBLEMS = 50;
const MAX_REASON_LENGTH = 300;
const NO_COUNTS = { received: null, accepted: null, ignored: null, rejected: null };

export function createIngestLog(db: Database): IngestLog {
  return {
    async record({ now, summary, error, receiptId = null, counts = null, problems = [], ...who }) {
      const row = {
        ...who,
        summary: summary?.slice(0, MAX_TEXT_LENGTH) ?? null,
        error: error?.slice(0, MAX_TEXT_LENGTH) ?? null,
        success: error === null,
        isPending: false,
        ...(counts ?? NO_COUNTS),
        problems: problems.slice(0, MAX_PROBLEMS).map(({ line, reason }) => ({ line, reason: reason.slice(0, MAX_REASON_LENGTH) })),
      };
      await db
        .insert(ingestLog)
        .values({ ...row, receiptId, createdAt: now })
        .onConflictDoUpdate({ target: ingestLog.receiptId, set: row, setWhere: eq(ingestLog.success, false) });
    },

    async receive({ now, receiptId, endpoint, userId, tokenId }) {
      const row = { endpoint, userId, tokenId, receiptId, createdAt: now, success: false, isPending: true };
      await db.insert(ingestLog).values(row).onConflictDoNothing();
    },

    async findReceipt(id) {
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
        summary: row.summary,
        error: row.error,
      };
    },

    async latest({ limit, endpoint, success, belowId }) {
      const rows = await db
        .select({ entry: ingestLog, userEmail: users.email, tokenName: apiTokens.name })
        .from(ingestLog)
        .leftJoin(users, eq(users.id, ingestLog.userId))
        .leftJoin(apiTokens, eq(apiTokens.id, ingestLog.tokenId))
        .where(
          and(
            eq(ingestLog.isPending, false),
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

    async deleteExpired(before) {
      await db.delete(ingestLog).where(lt(ingestLog.createdAt, before));
    },
  };
}
