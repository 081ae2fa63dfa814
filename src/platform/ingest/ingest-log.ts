import { and, desc, eq, lt } from 'drizzle-orm';
import { apiTokens, users } from '../access/tokens.tables.ts';
import type { Database } from '../storage/database.ts';
import type { UnixSeconds } from '../time/clock.ts';
import { ingestLog } from './ingest.tables.ts';

/** One insert and its result. */
export interface IngestRecord {
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

/** A record with the names of account and token, for administrators. */
export interface IngestEntry extends IngestRecord {
  /** Ascending with time. */
  id: number;
  userEmail: string | null;
  tokenName: string | null;
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
  /** The latest records, newest first. */
  latest(request: IngestLogRequest): Promise<IngestEntry[]>;
  deleteExpired(before: UnixSeconds): Promise<void>;
}

const MAX_TEXT_LENGTH = 2000;

export function createIngestLog(db: Database): IngestLog {
  return {
    async record({ now, summary, error, ...who }) {
      const texts = { summary: summary?.slice(0, MAX_TEXT_LENGTH) ?? null, error: error?.slice(0, MAX_TEXT_LENGTH) ?? null };
      await db.insert(ingestLog).values({ ...who, ...texts, createdAt: now, success: error === null });
    },

    async latest({ limit, endpoint, success, belowId }) {
      const rows = await db
        .select({ entry: ingestLog, userEmail: users.email, tokenName: apiTokens.name })
        .from(ingestLog)
        .leftJoin(users, eq(users.id, ingestLog.userId))
        .leftJoin(apiTokens, eq(apiTokens.id, ingestLog.tokenId))
        .where(
          and(
            endpoint === undefined ? undefined : eq(ingestLog.endpoint, endpoint),
            success === undefined ? undefined : eq(ingestLog.success, success),
            belowId === undefined ? undefined : lt(ingestLog.id, belowId),
          ),
        )
        .orderBy(desc(ingestLog.id))
        .limit(limit);
      return rows.map(({ entry: { id, createdAt, endpoint, userId, tokenId, summary, error }, ...names }) => ({
        ...{ id, endpoint, now: createdAt, userId, tokenId, summary, error },
        ...names,
      }));
    },

    async deleteExpired(before) {
      await db.delete(ingestLog).where(lt(ingestLog.createdAt, before));
    },
  };
}
