import { desc, eq, sql } from 'drizzle-orm';
import { bind } from '../../../platform/kit/bind.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { toJsonParts } from '../../../platform/kit/values/json-values.ts';
import { type Database, type PublicReads, runInOneTransaction } from '../../../platform/storage/database.ts';
import { selectRowCount } from '../../../platform/storage/row-counts.ts';
import { playerKey } from '../captures/board-rows.domain.ts';
import { DUPLICATE_KINDS, type DuplicateEvidence, type DuplicateName, type DuplicateVerdict, MAX_SPELLINGS } from './duplicates.domain.ts';
import { duplicateSightings, playerDuplicates } from './duplicates.tables.ts';

export type StoredDuplicate = typeof playerDuplicates.$inferSelect;
export type DuplicatesStore = ReturnType<typeof createDuplicatesStore>;

/** Maximum length of the JSON in one SQL parameter, in characters. */
const MAX_PART_LENGTH = 400_000;

/** An analysis of a name. */
interface Analysis {
  verdict: DuplicateVerdict;
  evidence: DuplicateEvidence;
}

interface DuplicatesStoreDeps {
  db: Database;
  reads: PublicReads;
}

const { key, name, boards, lastAnchor } = playerDuplicates;

const order = [desc(lastAnchor), desc(boards), name] as const;

/** The newest capture that repeats a name: the one that is analysed. */
const analysedAnchor = sql`(SELECT max(s.anchor) FROM player_duplicate_sightings s
  WHERE s.key = player_duplicates.key AND s.kind <> 'case')`;

/** Duplicate names of players: their sightings by capture, and one row per name that is merged from them. */
export function createDuplicatesStore(db: Database, reads: PublicReads = db) {
  const deps: DuplicatesStoreDeps = { db, reads };
  return bind(deps, { replace, findStale, saveAnalysis, list, find, count, clear });
}

const listed = (keys: readonly string[]) => sql`(SELECT value FROM json_each(${JSON.stringify(keys)}))`;

/**
 * Merges the sightings of names. Rows of a repeated name win over those of spellings. A name keeps its analysis until it is analysed
 * again; `isAnalysed`: it has to be.
 */
const merge = (keys: readonly string[], isAnalysed: boolean, now: UnixSeconds) =>
  [
    sql`DELETE FROM player_duplicates WHERE key IN ${listed(keys)}
      AND NOT EXISTS (SELECT 1 FROM player_duplicate_sightings s WHERE s.key = player_duplicates.key)`,
    sql`INSERT INTO player_duplicates
        (key, name, kind, verdict, boards, max_occurrences, spellings, first_anchor, last_anchor, evidence, is_stale, updated_at)
      SELECT s.key,
        (SELECT n.name FROM player_duplicate_sightings n WHERE n.key = s.key ORDER BY n.anchor DESC LIMIT 1),
        iif(min(s.kind) = max(s.kind), min(s.kind), 'both'),
        iif(max(s.kind <> 'case'), 'not_analysed', 'case_only'),
        (SELECT n.boards FROM player_duplicate_sightings n WHERE n.key = s.key ORDER BY n.kind = 'case', n.anchor DESC LIMIT 1),
        max(s.max_occurrences),
        (SELECT json_group_array(value) FROM (SELECT DISTINCT value FROM player_duplicate_sightings n, json_each(n.spellings)
          WHERE n.key = s.key ORDER BY value LIMIT ${MAX_SPELLINGS})),
        min(s.anchor), max(s.anchor), '{}', ${Number(isAnalysed)} AND max(s.kind <> 'case'), ${now}
      FROM player_duplicate_sightings s WHERE s.key IN ${listed(keys)} GROUP BY s.key
      ON CONFLICT (key) DO UPDATE SET name = excluded.name, kind = excluded.kind, boards = excluded.boards,
        max_occurrences = excluded.max_occurrences, spellings = excluded.spellings, first_anchor = excluded.first_anchor,
        last_anchor = excluded.last_anchor, updated_at = excluded.updated_at,
        verdict = iif('case_only' IN (verdict, excluded.verdict), excluded.verdict, verdict),
        evidence = iif('case_only' IN (verdict, excluded.verdict), excluded.evidence, evidence),
        is_stale = excluded.verdict <> 'case_only' AND (is_stale OR excluded.is_stale)`,
  ] as const;

/**
 * Replaces the names of a capture; none for a deleted one. `analysedSeconds`: the names whose analysis reads so many seconds before
 * their newest capture are analysed again if the capture is among these; null: no name is.
 */
async function replace(
  { db }: DuplicatesStoreDeps,
  anchor: UnixSeconds,
  found: readonly DuplicateName[],
  { analysedSeconds, now }: { analysedSeconds: number | null; now: UnixSeconds },
): Promise<void> {
  const before = await db.select({ key: duplicateSightings.key }).from(duplicateSightings).where(eq(duplicateSightings.anchor, anchor));
  const keys = [...new Set([...before, ...found].map((row) => row.key))];
  const rows = found.map((duplicate) => ({ ...duplicate, boards: duplicate.boards.length }));
  await runInOneTransaction(db, [
    sql`DELETE FROM player_duplicate_sightings WHERE anchor = ${anchor}`,
    ...toJsonParts(rows, MAX_PART_LENGTH).map(
      (part) => sql`INSERT INTO player_duplicate_sightings (key, anchor, name, kind, boards, max_occurrences, spellings)
        SELECT value->>'key', ${anchor}, value->>'name', value->>'kind', value->>'boards', value->>'maxOccurrences', value->'spellings'
        FROM json_each(${part})`,
    ),
    ...merge(keys, analysedSeconds !== null, now),
    ...(analysedSeconds === null
      ? []
      : [
          sql`UPDATE player_duplicates SET is_stale = 1
            WHERE verdict <> 'case_only' AND last_anchor > ${anchor}
              AND ${analysedAnchor} BETWEEN ${anchor} AND ${anchor + analysedSeconds}`,
        ]),
  ]);
}

/** The next name that has to be analysed, most boards first, and its capture; null if there is none. */
async function findStale({ db }: DuplicatesStoreDeps): Promise<{ key: string; anchor: UnixSeconds } | null> {
  const [row] = await db
    .select({ key, anchor: sql<UnixSeconds>`${analysedAnchor}` })
    .from(playerDuplicates)
    .where(eq(playerDuplicates.isStale, true))
    .orderBy(desc(boards), key)
    .limit(1);
  return row ?? null;
}

/** Stores the analysis of a name; null: the former one stays. */
async function saveAnalysis({ db }: DuplicatesStoreDeps, analysed: string, analysis: Analysis | null, now: UnixSeconds): Promise<void> {
  await db
    .update(playerDuplicates)
    .set({ isStale: false, ...(analysis && { ...analysis, updatedAt: now }) })
    .where(eq(key, analysed));
}

/** Newest capture first, then most boards. A kind includes `both`. */
async function list(
  { reads }: DuplicatesStoreDeps,
  { limit, offset, kind: wanted }: { limit: number; offset: number; kind?: 'same_name' | 'case' | undefined },
) {
  const kinds = wanted === undefined ? DUPLICATE_KINDS : ([wanted, 'both'] as const);
  // The rows of a kind are in the order of the list, so each part of a page reads no more rows than the page ends at.
  const parts = kinds.map(
    (one) => sql`SELECT * FROM (SELECT key FROM player_duplicates WHERE kind = ${one}
      ORDER BY last_anchor DESC, boards DESC, name LIMIT ${limit + offset})`,
  );
  const isWanted = wanted && sql`${key} IN (${sql.join(parts, sql` UNION ALL `)})`;
  const [rows, totals, newest] = await reads.batch([
    reads
      .select()
      .from(playerDuplicates)
      .where(isWanted)
      .orderBy(...order)
      .limit(limit)
      .offset(offset),
    selectRowCount(reads, playerDuplicates, 'kind', kinds),
    reads.select({ anchor: sql<number | null>`max(${lastAnchor})` }).from(playerDuplicates),
  ]);
  return { rows, total: totals[0]?.total ?? 0, latestAnchor: newest[0]?.anchor ?? null };
}

async function find({ reads }: DuplicatesStoreDeps, requested: string): Promise<StoredDuplicate | null> {
  const [row] = await reads
    .select()
    .from(playerDuplicates)
    .where(eq(key, playerKey(requested)))
    .limit(1);
  return row ?? null;
}

async function count({ db }: DuplicatesStoreDeps): Promise<number> {
  return (await selectRowCount(db, playerDuplicates, 'kind', DUPLICATE_KINDS))[0]?.total ?? 0;
}

/** Deletes all duplicate names. Returns their number. */
async function clear({ db }: DuplicatesStoreDeps): Promise<number> {
  const [, deleted] = await db.batch([db.delete(duplicateSightings), db.delete(playerDuplicates)]);
  return deleted.meta.changes;
}
