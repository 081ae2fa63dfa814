import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../../platform/storage/database.ts';
import { runInOneTransaction } from '../../../platform/storage/raw-batch.ts';
import type { CodexBranchRow, CodexEntryRow } from '../codex-rows.domain.ts';
import { type AppliedBuild, applyStatements } from './apply-build.repository.ts';
import type { Staged, StagedRow } from './staging.domain.ts';

/** Longest list of rows in one parameter, in characters. */
const MAX_PART_LENGTH = 400_000;

/** The write side of the codexes: one writer a branch. */
export interface CodexWrites {
  branch(branch: string): Promise<CodexBranchRow | null>;
  /** Content hashes of those of the paths that are entries. */
  hashesOf(branch: string, paths: readonly string[]): Promise<Map<string, string>>;
  /** Entries behind a path, by path in byte order. */
  pathsAfter(branch: string, path: string, limit: number): Promise<{ path: string; type: string }[]>;
  /** Hashes of the units of shared tables. */
  unitHashes(branch: string): Promise<Map<string, string>>;
  clearStaged(branch: string): Promise<void>;
  /** Stages the rows of a step, in place of what that step staged before. */
  stage(branch: string, step: number, staged: Staged): Promise<void>;
  /** Makes the staged rows visible in one transaction. */
  apply(build: AppliedBuild): Promise<void>;
  /** Whole entries behind a path, by path in byte order. */
  entriesAfter(branch: string, path: string, limit: number): Promise<CodexEntryRow[]>;
  /** Sets the dump; returns the content of the previous one when unreferenced. */
  setDump(branch: string, dump: { sha256: string; size: number }): Promise<string | null>;
}

export function createCodexWrites(db: Database): CodexWrites {
  const branchRow = async (branch: string): Promise<CodexBranchRow | null> =>
    (await db.all<CodexBranchRow>(sql`SELECT * FROM codex_branches WHERE branch = ${branch}`))[0] ?? null;
  return {
    branch: branchRow,

    async hashesOf(branch, paths) {
      const rows = await db.all<{ path: string; hash: string }>(sql`SELECT e.path, e.content_hash AS hash
        FROM json_each(${JSON.stringify(paths)}) wanted CROSS JOIN codex_entries e ON e.branch = ${branch} AND e.path = wanted.value`);
      return new Map(rows.map(({ path, hash }) => [path, hash]));
    },

    pathsAfter: (branch, path, limit) =>
      db.all(sql`SELECT path, type FROM codex_entries WHERE branch = ${branch} AND path > ${path} ORDER BY path LIMIT ${limit}`),

    async unitHashes(branch) {
      const rows = await db.all<{ unit: string; hash: string }>(sql`SELECT unit, hash FROM codex_units WHERE branch = ${branch}`);
      return new Map(rows.map(({ unit, hash }) => [unit, hash]));
    },

    async clearStaged(branch) {
      await db.run(sql`DELETE FROM codex_staging WHERE branch = ${branch}`);
    },

    async stage(branch, step, staged) {
      const clear = sql`DELETE FROM codex_staging WHERE branch = ${branch} AND step = ${step}`;
      await runInOneTransaction(db, [clear, ...stageStatements(branch, step, staged)]);
    },

    async apply(build) {
      await runInOneTransaction(db, applyStatements(build));
    },

    entriesAfter: (branch, path, limit) =>
      db.all(sql`SELECT type, path, name, category, description, tradable, mastery, mastery_geode, power_rank, blueprint, data, indexed_at
        FROM codex_entries WHERE branch = ${branch} AND path > ${path} ORDER BY path LIMIT ${limit}`),

    async setDump(branch, { sha256, size }) {
      const before = (await branchRow(branch))?.dump_sha256 ?? null;
      const [, left] = await runInOneTransaction(db, [
        sql`UPDATE codex_branches SET dump_sha256 = ${sha256}, dump_size = ${size} WHERE branch = ${branch}`,
        sql`SELECT branch FROM codex_branches WHERE dump_sha256 = ${before}`,
      ]);
      return left?.length === 0 ? before : null;
    },
  };
}

function stageStatements(branch: string, step: number, staged: Staged): SQL[] {
  return Object.entries(staged).flatMap(([kind, rows]) =>
    partsOf(rows).map(
      (part, index) =>
        sql`INSERT INTO codex_staging (branch, kind, step, part, rows) VALUES (${branch}, ${kind}, ${step}, ${index}, ${part})`,
    ),
  );
}

/** Rows as JSON lists of bounded length. */
function partsOf(rows: readonly StagedRow[]): string[] {
  const parts: string[][] = [];
  let length = MAX_PART_LENGTH;
  for (const row of rows) {
    const text = JSON.stringify(row);
    if (length + text.length >= MAX_PART_LENGTH) {
      parts.push([]);
      length = 0;
    }
    parts.at(-1)?.push(text);
    length += text.length + 1;
  }
  return parts.map((part) => `[${part.join(',')}]`);
}
