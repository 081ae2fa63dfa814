import { and, desc, eq, inArray, not, or, type SQL, sql } from 'drizzle-orm';
import { bind } from '../../../platform/kit/bind.ts';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import type { Database, PublicReads } from '../../../platform/storage/database.ts';
import { selectRowCount } from '../../../platform/storage/row-counts.ts';
import { playerKey } from '../captures/board-rows.domain.ts';
import { evidenceOf, MAX_CHAIN, METHOD_VERSION, type Rename, type RenameRules } from './renames.domain.ts';
import { playerRenames } from './renames.tables.ts';

export type StoredRename = typeof playerRenames.$inferSelect;
export type RenamesStore = ReturnType<typeof createRenamesStore>;

/** Maximum number of renames of a chain that a response has, and of former names in the search. */
const MAX_EDGES = 200;
const MAX_FORMER_NAMES = 10_000;
/** Rows per statement: D1 allows 100 bound values. */
const ROWS_PER_STATEMENT = 8;

interface RenamesStoreDeps {
  db: Database;
  reads: PublicReads;
}

const { fromKey, toKey, toAnchor, confidence, id } = playerRenames;

/** Detected renames of players. */
export function createRenamesStore(db: Database, reads: PublicReads = db) {
  const deps: RenamesStoreDeps = { db, reads };
  return bind(deps, { replace, withdraw, list, count, chainOf, laterNames, formerNames, clear });
}

/** Replaces the renames of a capture; a known one is refreshed and keeps its id. */
async function replace(
  { db }: RenamesStoreDeps,
  anchor: UnixSeconds,
  renames: readonly Rename[],
  rules: Pick<RenameRules, 'drift'>,
  now: UnixSeconds,
): Promise<void> {
  const rows = renames.map((rename) => ({
    fromKey: playerKey(rename.from),
    toKey: playerKey(rename.to),
    fromName: rename.from,
    toName: rename.to,
    fromAnchor: rename.fromAnchor,
    toAnchor: anchor,
    confidence: rename.confidence,
    matchedBoards: rename.boards.length,
    evidence: evidenceOf(rename, rules),
    methodVersion: METHOD_VERSION,
    createdAt: now,
  }));
  const pairs = JSON.stringify(rows.map((row) => [row.fromKey, row.toKey]));
  const isFound = sql`(${fromKey}, ${toKey}) IN (SELECT value->>0, value->>1 FROM json_each(${pairs}))`;
  const stored = [];
  for (let at = 0; at < rows.length; at += ROWS_PER_STATEMENT) {
    stored.push(
      db
        .insert(playerRenames)
        .values(rows.slice(at, at + ROWS_PER_STATEMENT))
        .onConflictDoUpdate({
          target: [fromKey, toKey, toAnchor],
          set: {
            fromName: sql`excluded.from_name`,
            toName: sql`excluded.to_name`,
            fromAnchor: sql`excluded.from_anchor`,
            confidence: sql`excluded.confidence`,
            matchedBoards: sql`excluded.matched_boards`,
            evidence: sql`excluded.evidence`,
            methodVersion: sql`excluded.method_version`,
          },
        }),
    );
  }
  await db.batch([db.delete(playerRenames).where(and(eq(toAnchor, anchor), not(isFound))), ...stored]);
}

/** Deletes the renames that were found with a capture. */
async function withdraw({ db }: RenamesStoreDeps, anchor: UnixSeconds): Promise<void> {
  await db.delete(playerRenames).where(or(eq(toAnchor, anchor), eq(playerRenames.fromAnchor, anchor)));
}

/** Newest first. */
async function list({ reads }: RenamesStoreDeps, limit: number, offset: number): Promise<{ rows: StoredRename[]; total: number }> {
  const [rows, totals] = await reads.batch([
    reads.select().from(playerRenames).orderBy(desc(toAnchor), desc(confidence), desc(id)).limit(limit).offset(offset),
    selectRowCount(reads, playerRenames),
  ]);
  return { rows, total: totals[0]?.total ?? 0 };
}

async function count({ db }: RenamesStoreDeps): Promise<number> {
  return (await selectRowCount(db, playerRenames))[0]?.total ?? 0;
}

/** Renames that lead to or from a name, directly or through others, oldest first; at most `MAX_CHAIN` names. */
async function chainOf({ reads }: RenamesStoreDeps, name: string): Promise<StoredRename[]> {
  const edges = new Map<number, StoredRename>();
  const names = new Set([playerKey(name)]);
  let fresh = [...names];
  while (fresh.length > 0 && names.size <= MAX_CHAIN) {
    const rows = await reads
      .select()
      .from(playerRenames)
      .where(or(inArray(fromKey, fresh), inArray(toKey, fresh)))
      .orderBy(toAnchor, id)
      .limit(MAX_EDGES);
    for (const row of rows) edges.set(row.id, row);
    const found = new Set(rows.flatMap((row) => [row.fromKey, row.toKey]));
    fresh = [...found].filter((key) => !names.has(key)).slice(0, MAX_CHAIN - names.size);
    for (const key of fresh) names.add(key);
  }
  return [...edges.values()].sort((one, other) => one.toAnchor - other.toAnchor || one.id - other.id);
}

/**
 * The newest rename from a name, then the newest one from the name that it led to, and so on, in one read; at most `MAX_CHAIN`.
 */
async function laterNames({ reads }: RenamesStoreDeps, name: string): Promise<Pick<StoredRename, 'toName' | 'toAnchor'>[]> {
  const newestFrom = (key: SQL) =>
    sql`r.id = (SELECT id FROM player_renames WHERE from_key = ${key} ORDER BY to_anchor DESC, id DESC LIMIT 1)`;
  return reads.all(sql`
    WITH RECURSIVE later (step, to_key, to_name, to_anchor) AS (
      SELECT 1, r.to_key, r.to_name, r.to_anchor FROM player_renames r WHERE ${newestFrom(sql`${playerKey(name)}`)}
      UNION ALL
      SELECT step + 1, r.to_key, r.to_name, r.to_anchor FROM later JOIN player_renames r ON ${newestFrom(sql`later.to_key`)}
      WHERE step < ${MAX_CHAIN}
    ) SELECT to_name AS "toName", to_anchor AS "toAnchor" FROM later ORDER BY step`);
}

/** Former names by the key of the later name, newest first. */
async function formerNames({ db }: RenamesStoreDeps): Promise<Map<string, string[]>> {
  const rows = await db
    .select({ toKey, fromName: playerRenames.fromName })
    .from(playerRenames)
    .orderBy(desc(toAnchor), desc(confidence), desc(id))
    .limit(MAX_FORMER_NAMES);
  const names = new Map<string, string[]>();
  for (const row of rows) names.set(row.toKey, [...(names.get(row.toKey) ?? []), row.fromName]);
  return names;
}

/** Deletes all renames. */
async function clear({ db }: RenamesStoreDeps): Promise<number> {
  return (await db.delete(playerRenames)).meta.changes;
}
