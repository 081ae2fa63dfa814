import { type SQL, sql } from 'drizzle-orm';
import type { UnixSeconds } from '../../../platform/kit/time/clock.ts';
import { toJsonParts } from '../../../platform/kit/values/json-values.ts';
import { type Database, runInOneTransaction } from '../../../platform/storage/database.ts';
import { type CodexBranchRow, type CodexEntryRow, IDS_OF_BRANCH } from '../codex-rows.domain.ts';
import { STAGED_KINDS, type Staged, type StagedKind } from '../derive/staging.domain.ts';

/** Maximum length of the JSON in one SQL parameter, in characters. */
const MAX_PART_LENGTH = 400_000;

export type CodexWrites = ReturnType<typeof createCodexWrites>;

/** Writes of the codex index. A branch has one writer. */
export function createCodexWrites(db: Database) {
  return {
    findBranch: async (branch: string): Promise<CodexBranchRow | null> =>
      (await db.all<CodexBranchRow>(sql`SELECT * FROM codex_branches WHERE branch = ${branch}`))[0] ?? null,

    /** Content hashes by path; paths without an entry are omitted. */
    async findHashes(branch: string, paths: readonly string[]): Promise<Map<string, string>> {
      const rows = await db.all<{ path: string; hash: string }>(sql`SELECT e.path, e.content_hash AS hash
        FROM json_each(${JSON.stringify(paths)}) requested CROSS JOIN codex_entries e ON e.branch = ${branch} AND e.path = requested.value`);
      return new Map(rows.map(({ path, hash }) => [path, hash]));
    },

    /** Page of path and type of entries after a path, by path in byte order. */
    listPaths: (branch: string, path: string, limit: number): Promise<{ path: string; type: string }[]> =>
      db.all(sql`SELECT path, type FROM codex_entries WHERE branch = ${branch} AND path > ${path} ORDER BY path LIMIT ${limit}`),

    /** Hashes of the units from shared tables. */
    async listUnitHashes(branch: string): Promise<Map<string, string>> {
      const rows = await db.all<{ unit: string; hash: string }>(sql`SELECT unit, hash FROM codex_units WHERE branch = ${branch}`);
      return new Map(rows.map(({ unit, hash }) => [unit, hash]));
    },

    async deleteStaged(branch: string): Promise<void> {
      await db.run(sql`DELETE FROM codex_staging WHERE branch = ${branch}`);
    },

    /** Stages the rows of a step; replaces earlier rows of the same step. */
    async stageRows(branch: string, step: number, staged: Staged): Promise<void> {
      const clear = sql`DELETE FROM codex_staging WHERE branch = ${branch} AND step = ${step}`;
      await runInOneTransaction(db, [clear, ...stageStatements(branch, step, staged)]);
    },

    /** Makes the staged rows visible in one transaction. */
    async applyBuild(build: BuildVersion): Promise<void> {
      await runInOneTransaction(db, applyStatements(build));
    },

    /** Page of entries after a path, by path in byte order. */
    listEntries: (branch: string, path: string, limit: number): Promise<CodexEntryRow[]> =>
      db.all(sql`SELECT type, path, name, category, description, tradable, mastery, mastery_geode, power_rank, blueprint, data, indexed_at
        FROM codex_entries WHERE branch = ${branch} AND path > ${path} ORDER BY path LIMIT ${limit}`),
  };
}

function stageStatements(branch: string, step: number, staged: Staged): SQL[] {
  return Object.entries(staged).flatMap(([kind, rows]) =>
    toJsonParts(rows, MAX_PART_LENGTH).map(
      (part, index) =>
        sql`INSERT INTO codex_staging (branch, kind, step, part, rows) VALUES (${branch}, ${kind}, ${step}, ${index}, ${part})`,
    ),
  );
}

/** Identity of a build to apply. */
interface BuildVersion {
  branch: string;
  ordinal: number;
  parserVersion: number;
  now: UnixSeconds;
}

/**
 * Statements that apply a build: staged rows replace the rows of the same entries and units, then the facets are recounted.
 * Repeating them with nothing staged changes only the generation.
 */
function applyStatements(build: BuildVersion): SQL[] {
  return [
    insertBranch(build.branch),
    ...recordChanges(build),
    ...deleteReplaced(build),
    ...insertRows(build),
    ...countFacets(build.branch),
    ...completeBuild(build),
  ];
}

/** Rows of a kind, as `r.value`. */
function fromStaged(branch: string, ...kinds: StagedKind[]): SQL {
  if (!kinds.every((kind) => STAGED_KINDS.includes(kind))) throw new Error('unknown kind of row');
  const list = sql.raw(kinds.map((kind) => `'${kind}'`).join(', '));
  return sql`codex_staging s, json_each(s.rows) r WHERE s.branch = ${branch} AND s.kind IN (${list})`;
}

/** Columns of a staged row. */
function stagedColumns(names: string): SQL {
  return sql.raw(
    names
      .split(', ')
      .map((name) => `r.value->>'${name}'`)
      .join(', '),
  );
}

/** Assigns a range of ids to a new branch. */
function insertBranch(branch: string): SQL {
  return sql`INSERT INTO codex_branches (branch, ordinal, parser_version, generation, indexed_at, first_id)
    SELECT ${branch}, 0, 0, 0, 0, coalesce(max(first_id), 0) + ${sql.raw(String(IDS_OF_BRANCH))} FROM codex_branches
    WHERE true ON CONFLICT (branch) DO NOTHING`;
}

function recordChanges({ branch, ordinal }: BuildVersion): SQL[] {
  const replace = sql.raw(
    'ON CONFLICT (branch, path) DO UPDATE SET type = excluded.type, change = excluded.change, ordinal = excluded.ordinal',
  );
  const into = sql`INSERT INTO codex_changes (branch, path, type, change, ordinal)`;
  return [
    sql`${into} SELECT ${branch}, ${stagedColumns('path, type, change')}, ${ordinal} FROM ${fromStaged(branch, 'entry')} ${replace}`,
    sql`${into} SELECT ${branch}, ${stagedColumns('path, type')}, 'removed', ${ordinal} FROM ${fromStaged(branch, 'removed')} ${replace}`,
  ];
}

function deleteReplaced({ branch }: BuildVersion): SQL[] {
  const paths = sql`SELECT ${stagedColumns('path')} FROM ${fromStaged(branch, 'entry', 'removed')}`;
  const keys = (table: string) => sql`SELECT ${stagedColumns('key')} FROM ${fromStaged(branch, 'unit')} AND r.value->>'table' = ${table}`;
  return [
    sql`DELETE FROM codex_stats WHERE branch = ${branch} AND path IN (${paths})`,
    sql`DELETE FROM codex_abilities WHERE branch = ${branch} AND path IN (${paths})`,
    // Without the name of the index, the planner reads every link of the branch.
    sql`DELETE FROM codex_links INDEXED BY codex_links_by_unit WHERE branch = ${branch} AND unit IN (SELECT ${stagedColumns('unit')} FROM ${fromStaged(branch, 'entry', 'removed', 'unit')})`,
    sql`DELETE FROM codex_requirements WHERE branch = ${branch} AND badge_id IN (${keys('requirements')})`,
    sql`DELETE FROM codex_upgrades WHERE branch = ${branch} AND system_key IN (${keys('upgrades')})`,
    sql`DELETE FROM codex_units WHERE branch = ${branch} AND unit IN (SELECT ${stagedColumns('unit')} FROM ${fromStaged(branch, 'unit')})`,
    sql`DELETE FROM codex_entries WHERE branch = ${branch} AND path IN (SELECT ${stagedColumns('path')} FROM ${fromStaged(branch, 'removed')})`,
    sql`DELETE FROM codex_failures WHERE branch = ${branch}`,
  ];
}

const ENTRY_COLUMNS =
  'path, path_folded, type, name, name_folded, category, description, description_folded, tradable, mastery, mastery_geode, power_rank, blueprint, data, content_hash';

function insertRows({ branch, now }: BuildVersion): SQL[] {
  const update = sql.raw(
    [...ENTRY_COLUMNS.split(', ').slice(1), 'indexed_at'].map((column) => `${column} = excluded.${column}`).join(', '),
  );
  return [
    sql`INSERT INTO codex_entries (id, branch, indexed_at, ${sql.raw(ENTRY_COLUMNS)})
      SELECT (${lastId(branch)}) + row_number() OVER (), ${branch}, ${now}, ${stagedColumns(ENTRY_COLUMNS)} FROM ${fromStaged(branch, 'entry')}
      ON CONFLICT (branch, path) DO UPDATE SET ${update}`,
    insertAll(branch, 'codex_stats', 'stat', 'path, stat, type, stat_name, value, is_percent, slot, name_folded'),
    insertAll(branch, 'codex_abilities', 'ability', 'path, ref, type, name, description'),
    insertAll(branch, 'codex_links', 'link', 'source, rel, position, target, qty, data, unit'),
    insertAll(branch, 'codex_requirements', 'requirement', 'badge_id, position, collection_folded, body'),
    insertAll(branch, 'codex_upgrades', 'upgrade', 'system_key, node_key, system_kind, rank, body'),
    sql`INSERT INTO codex_units (branch, unit, hash) SELECT ${branch}, ${stagedColumns('unit, hash')} FROM ${fromStaged(branch, 'unit')}
      AND r.value->>'hash' IS NOT NULL`,
    insertAll(branch, 'codex_failures', 'failure', 'path, problem'),
  ];
}

/** Highest entry id of a branch; `first_id` if it has no entries. */
function lastId(branch: string): SQL {
  return sql`SELECT coalesce((SELECT max(id) FROM codex_entries WHERE id BETWEEN b.first_id AND b.first_id + ${sql.raw(String(IDS_OF_BRANCH - 1))}), b.first_id)
    FROM codex_branches b WHERE b.branch = ${branch}`;
}

/** Inserts the staged rows of a kind; of duplicate rows only the first. */
function insertAll(branch: string, table: string, kind: StagedKind, names: string): SQL {
  return sql`INSERT OR IGNORE INTO ${sql.raw(table)} (branch, ${sql.raw(names)}) SELECT ${branch}, ${stagedColumns(names)} FROM ${fromStaged(branch, kind)}`;
}

function countFacets(branch: string): SQL[] {
  const count = (kind: string, type: string, key: string, name: string, description: string, from: string) =>
    sql`INSERT INTO codex_facets (branch, kind, type, key, name, description, n)
      SELECT branch, ${sql.raw(`'${kind}', ${type}, ${key}, ${name}, ${description}, count(*)`)} FROM ${sql.raw(from)}
      WHERE branch = ${branch} ${sql.raw(key === "''" ? '' : `AND ${key} <> ''`)} GROUP BY 2, 3, 4`;
  const forTypes = (kind: string, key: string, name: string, description: string, from: string) => [
    count(kind, 'type', key, name, description, from),
    count(kind, "''", key, name, description, from),
  ];
  return [
    sql`DELETE FROM codex_facets WHERE branch = ${branch}`,
    ...forTypes('type', "''", "''", "''", 'codex_entries'),
    ...forTypes('category', 'category', "''", "''", 'codex_entries'),
    ...forTypes('stat', 'stat', 'min(stat_name)', "''", 'codex_stats'),
    ...forTypes('ability', 'ref', 'min(name)', 'min(description)', 'codex_abilities'),
    count('system', 'system_kind', 'system_key', "''", "''", 'codex_upgrades'),
    count('change', "''", 'ordinal', "''", "''", 'codex_changes'),
  ];
}

function completeBuild({ branch, ordinal, parserVersion, now }: BuildVersion): SQL[] {
  return [
    sql`UPDATE codex_branches SET ordinal = ${ordinal}, parser_version = ${parserVersion}, generation = generation + 1, indexed_at = ${now}
      WHERE branch = ${branch}`,
    sql`DELETE FROM codex_staging WHERE branch = ${branch}`,
  ];
}
