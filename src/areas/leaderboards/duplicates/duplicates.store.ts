import { desc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { Database, PublicReads } from '../../../platform/storage/database.ts';
import { playerKey } from '../captures/board-rows.domain.ts';
import { playerDuplicates } from '../leaderboards.tables.ts';
import { type DuplicateEvidence, type DuplicateName, type DuplicateVerdict, MAX_SPELLINGS } from './duplicates.domain.ts';

export type StoredDuplicate = typeof playerDuplicates.$inferSelect;
export type DuplicatesStore = ReturnType<typeof createDuplicatesStore>;

/** A name as found in a capture, with its analysis. */
interface FoundDuplicate extends DuplicateName {
  verdict: DuplicateVerdict;
  evidence: DuplicateEvidence;
}

/** Rows per statement: D1 allows 100 bound values. */
const ROWS_PER_STATEMENT = 8;
const STATEMENTS_PER_BATCH = 20;

/** Duplicate names of players. */
export function createDuplicatesStore(db: Database, reads: PublicReads = db) {
  const { key, name, kind, verdict, boards, lastAnchor } = playerDuplicates;
  const isNewer = sql`excluded.last_anchor >= ${lastAnchor}`;
  /** The rows of a repeated name win over those of spellings, and an analysis over none. */
  const isTaken = sql`(case when excluded.kind = 'case' then ${kind} = 'case' and ${isNewer}
    else ${kind} = 'case' or (${isNewer} and (excluded.verdict <> 'not_analysed' or ${verdict} = 'not_analysed')) end)`;
  const whenTaken = (column: SQL, stored: SQL) => sql`case when ${isTaken} then ${column} else ${stored} end`;

  return {
    /** Stores the names of a capture. Known names are merged. A repeated call has the same result. */
    async save(found: readonly FoundDuplicate[], anchor: UnixSeconds, now: UnixSeconds): Promise<void> {
      const rows = found.map((duplicate) => ({
        key: duplicate.key,
        name: duplicate.name,
        kind: duplicate.kind,
        verdict: duplicate.verdict,
        boards: duplicate.boards.length,
        maxOccurrences: duplicate.maxOccurrences,
        spellings: duplicate.spellings,
        firstAnchor: anchor,
        lastAnchor: anchor,
        evidence: duplicate.evidence,
        updatedAt: now,
      }));
      const statements = [];
      for (let at = 0; at < rows.length; at += ROWS_PER_STATEMENT) {
        statements.push(
          db
            .insert(playerDuplicates)
            .values(rows.slice(at, at + ROWS_PER_STATEMENT))
            .onConflictDoUpdate({
              target: key,
              set: {
                name: sql`case when ${isNewer} then excluded.name else ${name} end`,
                kind: sql`case when ${kind} = excluded.kind then ${kind} else 'both' end`,
                verdict: whenTaken(sql`excluded.verdict`, sql`${verdict}`),
                boards: whenTaken(sql`excluded.boards`, sql`${boards}`),
                evidence: whenTaken(sql`excluded.evidence`, sql`${playerDuplicates.evidence}`),
                maxOccurrences: sql`max(${playerDuplicates.maxOccurrences}, excluded.max_occurrences)`,
                spellings: sql`(select json_group_array(value) from (select value from json_each(${playerDuplicates.spellings})
                  union select value from json_each(excluded.spellings) order by value limit ${sql.raw(String(MAX_SPELLINGS))}))`,
                firstAnchor: sql`min(${playerDuplicates.firstAnchor}, excluded.first_anchor)`,
                lastAnchor: sql`max(${lastAnchor}, excluded.last_anchor)`,
                updatedAt: sql`excluded.updated_at`,
              },
            }),
        );
      }
      for (let at = 0; at < statements.length; at += STATEMENTS_PER_BATCH) {
        const [first, ...rest] = statements.slice(at, at + STATEMENTS_PER_BATCH);
        if (first) await db.batch([first, ...rest]);
      }
    },

    /** Newest capture first, then most boards. A kind includes `both`. */
    async list({ limit, offset, kind: wanted }: { limit: number; offset: number; kind?: 'same_name' | 'case' | undefined }) {
      const isWanted = wanted && inArray(kind, [wanted, 'both']);
      const [rows, totals, newest] = await reads.batch([
        reads.select().from(playerDuplicates).where(isWanted).orderBy(desc(lastAnchor), desc(boards), name).limit(limit).offset(offset),
        reads.select({ total: sql<number>`count(*)` }).from(playerDuplicates).where(isWanted),
        reads.select({ anchor: sql<number | null>`max(${lastAnchor})` }).from(playerDuplicates),
      ]);
      return { rows, total: totals[0]?.total ?? 0, latestAnchor: newest[0]?.anchor ?? null };
    },

    async find(requested: string): Promise<StoredDuplicate | null> {
      const [row] = await reads
        .select()
        .from(playerDuplicates)
        .where(eq(key, playerKey(requested)))
        .limit(1);
      return row ?? null;
    },

    async count(): Promise<number> {
      const [row] = await db.select({ n: sql<number>`count(*)` }).from(playerDuplicates);
      return row?.n ?? 0;
    },

    /** Deletes all duplicate names. */
    async clear(): Promise<number> {
      return (await db.delete(playerDuplicates)).meta.changes;
    },
  };
}
