import { createHash } from 'node:crypto';
import type { CodexContext } from '../derive/context.domain.ts';
import { createContextBuilder } from '../derive/context.domain.ts';
import { deriveEntry } from '../derive/derive-entry.domain.ts';
import { deriveRelations } from '../derive/derive-relations.domain.ts';
import type { CodexWrites } from './codex-writes.repository.ts';
import type { IndexMemory } from './index-memory.ts';
import { type Staged, type StagedRow, stageEntry, stageRemoved, stageUnit, unitsOf, unitTable } from './staging.domain.ts';

/** Where a build is. */
interface Position {
  branch: string;
  after: string | null;
  batch: number;
}

/** Derives all rows of a branch from its parses and stages the differences. */
export interface Deriver {
  /** Derives the next entries; returns the last path, or null at the end. */
  stageEntries(position: Position, limit: number): Promise<string | null>;
  /** After all entries: what vanished, what shared tables give, and what could not be decoded. */
  stageRest(position: Position): Promise<void>;
}

export interface DeriverDeps {
  memory: IndexMemory;
  writes: CodexWrites;
}

const PATHS_PER_QUERY = 5000;

export function createDeriver({ memory, writes }: DeriverDeps): Deriver {
  const { context, failures } = readContext(memory);

  return {
    async stageEntries({ branch, after, batch }, limit) {
      const parses = memory.candidates(after ?? '', limit);
      const last = parses.at(-1);
      if (!last) return null;
      const entries = parses.map((parse) => deriveEntry(parse, context)).filter((entry) => entry !== null);
      const paths = entries.map(({ entry }) => entry.path);
      const stored = await writes.hashesOf(branch, paths);
      const staged: Staged = {};
      for (const derived of entries) {
        const hash = hashOf(derived);
        const before = stored.get(derived.entry.path);
        if (before !== hash) stageEntry(staged, derived, hash, before === undefined ? 'added' : 'modified');
      }
      await writes.stage(branch, batch, staged);
      memory.markEntries(paths);
      return last.path;
    },

    async stageRest({ branch, batch }) {
      const staged: Staged = { failure: failures };
      for (let after = ''; ; ) {
        const page = await writes.pathsAfter(branch, after, PATHS_PER_QUERY);
        for (const entry of page) if (!memory.isEntry(entry.path)) stageRemoved(staged, entry);
        const last = page.at(-1);
        if (!last || page.length < PATHS_PER_QUERY) break;
        after = last.path;
      }
      const stored = await writes.unitHashes(branch);
      for (const unit of unitsOf(deriveRelations(context))) {
        const hash = hashOf(unit.rows);
        if (stored.get(unit.unit) !== hash) stageUnit(staged, unit, hash);
        stored.delete(unit.unit);
      }
      for (const unit of stored.keys()) stageUnit(staged, { unit, ...unitTable(unit), rows: [] }, null);
      await writes.stage(branch, batch, staged);
    },
  };
}

function readContext(memory: IndexMemory): { context: CodexContext; failures: StagedRow[] } {
  const failures: StagedRow[] = [];
  const builder = createContextBuilder(memory.paths());
  for (const parse of memory.parses()) {
    builder.add(parse);
    if (parse.problem !== null) failures.push({ path: parse.path, problem: parse.problem });
  }
  return { context: builder.finish(), failures };
}

/** 128 bits suffice to distinguish two contents of one entry. */
function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 32);
}
