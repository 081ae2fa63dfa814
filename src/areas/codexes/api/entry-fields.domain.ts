import type { CodexEntryRow } from '../codex-rows.domain.ts';

/** The fields of an entry as they are served, but for `data` and `indexed_at`. */
export function entryFields(row: CodexEntryRow) {
  const { type, path, name, category, description, tradable, mastery, mastery_geode, power_rank, blueprint } = row;
  return {
    ...{ type, path, name, category, description, tradable: tradable === null ? null : tradable === 1 },
    ...{ mastery, mastery_geode, power_rank, blueprint },
  };
}
