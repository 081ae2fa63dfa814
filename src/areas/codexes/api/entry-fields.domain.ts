import type { CodexEntryRow } from '../codex-rows.domain.ts';

/** Wire fields of an entry except `data` and `indexed_at`. */
export function entryFields(row: CodexEntryRow) {
  const { type, path, name, category, description, tradable, mastery, mastery_geode, power_rank, blueprint } = row;
  return {
    type,
    path,
    name,
    category,
    description,
    tradable: tradable === null ? null : tradable === 1,
    mastery,
    mastery_geode,
    power_rank,
    blueprint,
  };
}
