import { type SQL, sql } from 'drizzle-orm';
import { toJsonParts } from '../../../platform/kit/values/json-values.ts';
import type { Database } from '../../../platform/storage/database.ts';
import { runInOneTransaction } from '../../../platform/storage/database.ts';
import type { CodexBranchRow, CodexEntryRow } from '../codex-rows.domain.ts';
import { applyStatements, type BuildVersion } from './apply-build.repository.ts';
import type { Staged } from './staging.domain.ts';

/** Maximum length of the JSON in one SQL parameter, in characters. */
const MAX_PART_LENGTH = 400_000;

/** Writes of the codex index. A branch has one writer. */
export interface CodexWrites {
  findBranch(branch: string): Promise<CodexBranchRow | null>;
  /** Content hashes by path; paths without an entry are omitted. */
  findHashes(branch: string, paths: readonly string[]): Promise<Map<string, string>>;
  /** Page of path and type of entries after a path, by path in byte order. */
  listPaths(branch: string, path: string, limit: number): Promise<{ path: string; type: string }[]>;
  /** Hashes of the units from shared tables. */
  listUnitHashes(branch: string): Promise<Map<string, string>>;
  deleteStaged(branch: string): Promise<void>;
  /** Stages the rows of a step; replaces earlier rows of the same step. */
  stageRows(branch: string, step: number, staged: Staged): Promise<void>;
  /** Makes the staged rows visible in one transaction. */
  applyBuild(build: BuildVersion): Promise<void>;
  /** Page of entries after a path, by path in byte order. */
  listEntries(branch: string, path: string, limit: number): Promise<CodexEntryRow[]>;
}

export function createCodexWrites(db: Database): CodexWrites {
  const branchRow = async (branch: string): Promise<CodexBranchRow | null> =>
    (await db.all<CodexBranchRow>(sql`SELECT * FROM codex_branches WHERE branch = ${branch}`))[0] ?? null;
  return {
    findBranch: branchRow,

    async findHashes(branch, paths) {
      const rows = await db.all<{ path: string; hash: string }>(sql`SELECT e.path, e.content_hash AS hash
        FROM json_each(${JSON.stringify(paths)}) requested CROSS JOIN codex_entries e ON e.branch = ${branch} AND e.path = requested.value`);
      return new Map(rows.map(({ path, hash }) => [path, hash]));
    },

    listPaths: (branch, path, limit) =>
      db.all(sql`SELECT path, type FROM codex_entries WHERE branch = ${branch} AND path > ${path} ORDER BY path LIMIT ${limit}`),

    async listUnitHashes(branch) {
      const rows = await db.all<{ unit: string; hash: string }>(sql`SELECT unit, hash FROM codex_units WHERE branch = ${branch}`);
      return new Map(rows.map(({ unit, hash }) => [unit, hash]));
    },

    async deleteStaged(branch) {
      await db.run(sql`DELETE FROM codex_staging WHERE branch = ${branch}`);
    },

    async stageRows(branch, step, staged) {
      const clear = sql`DELETE FROM codex_staging WHERE branch = ${branch} AND step = ${step}`;
      await runInOneTransaction(db, [clear, ...stageStatements(branch, step, staged)]);
    },

    async applyBuild(build) {
      await runInOneTransaction(db, applyStatements(build));
    },

    listEntries: (branch, path, limit) =>
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
