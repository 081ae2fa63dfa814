import { createHash } from 'node:crypto';
import type { CodexContext } from '../derive/context.domain.ts';
import { createContextBuilder } from '../derive/context.domain.ts';
import { deriveEntry } from '../derive/derive-entry.domain.ts';
import { deriveRelations } from '../derive/derive-relations.domain.ts';
import { entryKeysOf } from '../derive/references.domain.ts';
import { selectLanguages } from '../languages/languages.domain.ts';
import type { CodexWrites } from './codex-writes.repository.ts';
import type { IndexStorage } from './index-storage.ts';
import { groupIntoUnits, parseUnitName, type Staged, type StagedRow, stageEntry, stageRemoved, stageUnit } from './staging.domain.ts';

/** Progress of a build. */
interface BuildPosition {
  branch: string;
  after: string | null;
  batch: number;
}

/** Derives all rows of a branch from its parses and stages the differences. */
export interface Deriver {
  /** Derives and stages a batch of entries; returns the last path, or null at the end. */
  stageEntries(position: BuildPosition, limit: number): Promise<string | null>;
  /** After all entries: stages removed entries, rows from shared tables and decoding failures. */
  stageRemaining(position: BuildPosition): Promise<void>;
}

export interface DeriverDeps {
  storage: IndexStorage;
  writes: CodexWrites;
}

const PATHS_PER_QUERY = 5000;

export function createDeriver({ storage, writes }: DeriverDeps): Deriver {
  const { context, failures } = readContext(storage);
  const { indexed, refused } = selectLanguages(storage.listLanguages());
  const hasTranslations = indexed.length > 0;
  for (const { code, problem } of refused) failures.push({ path: `languages/${code}`, problem });

  return {
    async stageEntries({ branch, after, batch }, limit) {
      const parses = storage.listEntryParses(after ?? '', limit);
      const last = parses.at(-1);
      if (!last) return null;
      const entries = parses.map((parse) => deriveEntry(parse, context)).filter((entry) => entry !== null);
      const paths = entries.map(({ entry }) => entry.path);
      const stored = await writes.findHashes(branch, paths);
      const staged: Staged = {};
      for (const derived of entries) {
        const hash = hashJson(derived);
        const storedHash = stored.get(derived.entry.path);
        if (storedHash !== hash) stageEntry(staged, derived, hash, storedHash === undefined ? 'added' : 'modified');
      }
      await writes.stageRows(branch, batch, staged);
      storage.markEntries(paths);
      if (hasTranslations) storage.storeKeys(entries.map(({ entry }) => ({ path: entry.path, keys: entryKeysOf(entry, context) })));
      return last.path;
    },

    async stageRemaining({ branch, batch }) {
      const staged: Staged = { failure: failures };
      for (let after = ''; ; ) {
        const page = await writes.listPaths(branch, after, PATHS_PER_QUERY);
        for (const entry of page) if (!storage.isEntry(entry.path)) stageRemoved(staged, entry);
        const last = page.at(-1);
        if (!last || page.length < PATHS_PER_QUERY) break;
        after = last.path;
      }
      const stored = await writes.listUnitHashes(branch);
      for (const unit of groupIntoUnits(deriveRelations(context))) {
        const hash = hashJson(unit.rows);
        if (stored.get(unit.unit) !== hash) stageUnit(staged, unit, hash);
        stored.delete(unit.unit);
      }
      for (const unit of stored.keys()) stageUnit(staged, { unit, ...parseUnitName(unit), rows: [] }, null);
      await writes.stageRows(branch, batch, staged);
    },
  };
}

function readContext(storage: IndexStorage): { context: CodexContext; failures: StagedRow[] } {
  const failures: StagedRow[] = [];
  const builder = createContextBuilder(storage.listPaths());
  for (const parse of storage.listParses()) {
    builder.add(parse);
    if (parse.problem !== null) failures.push({ path: parse.path, problem: parse.problem });
  }
  return { context: builder.finish(), failures };
}

/** 128 bits are enough to detect changes of an entry. */
function hashJson(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 32);
}
