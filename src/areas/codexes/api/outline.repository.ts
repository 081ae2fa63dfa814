import { type SQL, sql } from 'drizzle-orm';

/** Bytes that an entry takes in memory beside its texts. */
const ENTRY_BYTES = 100;
/** Size of a part, by the same estimate. As JSON it may be six times that, in theory: a row may have 2 MB. */
const PART_BYTES = 300_000;

/** Rows of an outline, in the order that `OutlineRow` states. */
const ROW = sql.raw(`json_array(e.id, e.type, e.name_folded, e.description_folded, e.category, e.tradable, e.mastery, e.mastery_geode,
  e.power_rank, e.indexed_at,
  json((SELECT json_group_array(s.stat) FROM codex_stats s WHERE s.branch = e.branch AND s.path = e.path)),
  json((SELECT json_group_array(a.ref) FROM codex_abilities a WHERE a.branch = e.branch AND a.path = e.path)))`);
const BYTES = sql.raw(`octet_length(e.name_folded) + octet_length(e.description_folded) + ${ENTRY_BYTES}`);

/** Writes the outline of a branch anew, of the generation that it names. */
export function outlineStatements(branch: string): SQL[] {
  return [
    sql`DELETE FROM codex_outlines WHERE branch = ${branch}`,
    sql`INSERT INTO codex_outlines (branch, part, generation, entries, weight, body)
      SELECT ${branch}, part, (SELECT generation FROM codex_branches WHERE branch = ${branch}), max(entries), max(weight),
        json_group_array(json(body) ORDER BY place)
      FROM (SELECT row_number() OVER by_name AS place, sum(${BYTES}) OVER by_name / ${sql.raw(String(PART_BYTES))} AS part,
          count(*) OVER () AS entries, sum(${BYTES}) OVER () AS weight, ${ROW} AS body
        FROM codex_entries e WHERE e.branch = ${branch}
        WINDOW by_name AS (ORDER BY e.name_folded, e.path ROWS UNBOUNDED PRECEDING))
      GROUP BY part`,
  ];
}
